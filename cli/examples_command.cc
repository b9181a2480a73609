// kafkasim examples: the scenarios that come with the program.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/command.h"
#include "cli/examples.h"
#include "cli/scenario_input.h"
#include "cli/terminal_text.h"
#include "cli/text_table.h"
#include <CLI/App.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "scenarios/loader.h"

namespace kafkasim::cli {
namespace {

namespace fs = std::filesystem;
using scenarios::Scenario;

struct ListArguments {
  std::vector<std::string> words{};
  bool detailed = false;
  bool json = false;
};

struct CopyArguments {
  std::vector<std::string> names{};
  std::string to = ".";
  bool all = false;
  bool force = false;
};

// An example with what its file says of itself.
struct Known {
  const Example* example = nullptr;
  Scenario scenario{};
};

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lower;
}

// Whether every word is in the name, the title, the text about it, a statement or a subject.
bool Matches(const Known& known, const std::vector<std::string>& words) {
  const Scenario& scenario = known.scenario;
  const std::string text =
      Lower(fmt::format("{} {} {} {} {}", known.example->name, scenario.title, scenario.about,
                        fmt::join(scenario.shows, " "), fmt::join(scenario.teaches, " ")));
  return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
    return text.find(Lower(word)) != std::string::npos;
  });
}

std::vector<Known> FindExamples(const std::vector<std::string>& words) {
  std::vector<Known> found;
  for (const Example& example : Examples()) {
    scenarios::LoadResult loaded =
        scenarios::LoadScenarioText(std::string(example.name) + ".yaml", std::string(example.text));
    if (!loaded.scenario) continue;
    Known known{.example = &example, .scenario = std::move(*loaded.scenario)};
    if (Matches(known, words)) found.push_back(std::move(known));
  }
  return found;
}

void PrintJson(const std::vector<Known>& found, Screen& screen) {
  nlohmann::ordered_json examples = nlohmann::ordered_json::array();
  for (const Known& known : found) {
    std::vector<std::string> variants;
    for (const auto& variant : known.scenario.variants) variants.push_back(variant.name);
    examples.push_back({{"name", known.example->name},
                        {"title", known.scenario.title},
                        {"about", known.scenario.about},
                        {"shows", known.scenario.shows},
                        {"teaches", known.scenario.teaches},
                        {"variants", variants}});
  }
  screen.out << examples.dump(2) << '\n';
}

// A line an example; the statements beside it if there is room, or all about it below it.
void PrintTable(const std::vector<Known>& found, bool detailed, Screen& screen) {
  constexpr int kWideEnough = 110;
  const Look& look = screen.out_look;
  const bool wide = look.width >= kWideEnough && !detailed;
  std::vector<TextTable::Column> columns{{.heading = "name"},
                                         {.heading = "what it shows", .least = 24}};
  if (wide) columns.push_back({.heading = "statements", .least = 20});
  TextTable table(look, columns);
  for (const Known& known : found) {
    const Scenario& scenario = known.scenario;
    const std::string shows = fmt::format("{}", fmt::join(scenario.shows, " "));
    std::vector<Line> cells{Line(look, known.example->name, Role::kVoice),
                            Line(look, scenario.title)};
    if (wide) cells.emplace_back(look, shows, Role::kFaint);
    table.AddRow(std::move(cells));
    if (!detailed) continue;
    if (!shows.empty()) table.AddNote(Line(look, "statements " + shows, Role::kFaint));
    if (!scenario.teaches.empty()) {
      table.AddNote(
          Line(look, fmt::format("subjects {}", fmt::join(scenario.teaches, ", ")), Role::kFaint));
    }
  }
  screen.out << table.Lines(look.width);
}

ExitCode ListExamples(const ListArguments& arguments, Screen& screen) {
  const std::vector<Known> found = FindExamples(arguments.words);
  if (arguments.json) {
    PrintJson(found, screen);
    return ExitCode::kHolds;
  }
  if (found.empty()) {
    screen.err << Line(screen.err_look, fmt::format("kafkasim: no example has '{}' in it",
                                                    fmt::join(arguments.words, " ")));
    return ExitCode::kFails;
  }
  PrintTable(found, arguments.detailed || !arguments.words.empty(), screen);
  screen.err << Line(screen.err_look,
                     Counted(found.size(), "example") +
                         "; `kafkasim run NAME` runs one, `kafkasim examples copy NAME` copies it");
  return ExitCode::kHolds;
}

const Example* FindOrSay(const std::string& name, Screen& screen) {
  const Example* example = FindExample(name);
  if (example == nullptr) {
    PrintError(fmt::format("there is no example '{}'", name), "", screen);
    PrintExampleHint(name, screen);
  }
  return example;
}

ExitCode Show(const std::vector<std::string>& names, Screen& screen) {
  for (const std::string& name : names) {
    const Example* example = FindOrSay(name, screen);
    if (example == nullptr) return ExitCode::kUsage;
    screen.out << example->text;
  }
  return ExitCode::kHolds;
}

bool CopyOne(const Example& example, const CopyArguments& arguments, Screen& screen) {
  const fs::path target = fs::path(arguments.to) / (std::string(example.name) + ".yaml");
  std::error_code problem;
  if (fs::exists(target, problem) && !arguments.force) {
    PrintError(fmt::format("'{}' is there already; --force overwrites it", target.string()), "",
               screen);
    return false;
  }
  fs::create_directories(target.parent_path(), problem);
  std::ofstream file(target, std::ios::binary | std::ios::trunc);
  file << example.text;
  if (!file.flush()) {
    PrintError(fmt::format("cannot write '{}'", target.string()), "", screen);
    return false;
  }
  screen.out << target.string() << '\n';
  return true;
}

ExitCode Copy(const CopyArguments& arguments, Screen& screen) {
  if (arguments.names.empty() && !arguments.all) {
    PrintError("which example? Name one, or say --all", "", screen);
    return ExitCode::kUsage;
  }
  std::vector<const Example*> chosen;
  for (const std::string& name : arguments.names) {
    chosen.push_back(FindOrSay(name, screen));
    if (chosen.back() == nullptr) return ExitCode::kUsage;
  }
  if (arguments.all) {
    chosen.clear();
    for (const Example& example : Examples()) chosen.push_back(&example);
  }
  for (const Example* example : chosen) {
    if (!CopyOne(*example, arguments, screen)) return ExitCode::kUsage;
  }
  return ExitCode::kHolds;
}

Action DeclareList(CLI::App& app) {
  auto arguments = std::make_shared<ListArguments>();
  app.add_option("word", arguments->words,
                 "Only examples with all these words in their name, title, text, statement ids or "
                 "subjects.")
      ->type_name("WORD");
  app.add_flag("-l,--long", arguments->detailed,
               "With statement ids and subjects; so it is for a search.");
  app.add_flag("--json", arguments->json, "As a JSON array.");
  return [arguments](Screen& screen) { return ListExamples(*arguments, screen); };
}

Action DeclareShow(CLI::App& app) {
  auto names = std::make_shared<std::vector<std::string>>();
  app.add_option("name", *names, "Names of examples.")->type_name("NAME")->required();
  return [names](Screen& screen) { return Show(*names, screen); };
}

Action DeclareCopy(CLI::App& app) {
  auto arguments = std::make_shared<CopyArguments>();
  app.add_option("name", arguments->names, "Names of examples.")->type_name("NAME");
  app.add_option("--to", arguments->to, "The folder to copy into. Default: this one.")
      ->type_name("FOLDER");
  app.add_flag("--all", arguments->all, "All examples.");
  app.add_flag("-f,--force", arguments->force, "Overwrite files that are there.");
  return [arguments](Screen& screen) { return Copy(*arguments, screen); };
}

Action DeclareExamples(CLI::App& /*app*/) {
  return [](Screen& screen) { return ListExamples({}, screen); };
}

}  // namespace

Command ExamplesCommand() {
  Command list{
      .name = "list",
      .summary = "List the examples, or those that a word occurs in",
      .examples = {{"kafkasim examples list fencing", "about fencing"},
                   {"kafkasim examples list S-34", "that show a statement of the lecture"}},
      .declare = DeclareList};
  Command show{.name = "show",
               .summary = "Print the file of an example",
               .examples = {{"kafkasim examples show lecture/13-lso-6-with-t2-open", "read it"}},
               .declare = DeclareShow};
  Command copy{.name = "copy",
               .summary = "Copy examples into a folder, to change them",
               .examples = {{"kafkasim examples copy lecture/13-lso-6-with-t2-open",
                             "to lecture/13-lso-6-with-t2-open.yaml here"},
                            {"kafkasim examples copy --all --to course", "all of them"}},
               .declare = DeclareCopy};
  return {
      .name = "examples",
      .summary = "List, print or copy the scenarios that come with the program",
      .about = "Without a command: list.",
      .examples = {{"kafkasim examples list", "what there is"},
                   {"kafkasim run lecture/13-lso-6-with-t2-open", "an example runs by its name"}},
      .declare = DeclareExamples,
      .parts = {std::move(list), std::move(show), std::move(copy)}};
}

}  // namespace kafkasim::cli

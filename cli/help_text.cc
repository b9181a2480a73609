#include "cli/help_text.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "cli/text_table.h"
#include "cli/version.h"
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kafkasim::cli {
namespace {

constexpr int kHelpIndent = 2;

void AddText(std::string_view text, const Look& look, std::vector<Line>& lines) {
  AddLines(Line(look, text).Wrap(look.width), lines);
}

// A heading and rows of a term and what it means below it; nothing without rows.
void AddTable(std::string_view heading, const TextTable& table, bool any, const Look& look,
              std::vector<Line>& lines) {
  if (!any) return;
  if (!lines.empty()) lines.emplace_back(look);
  lines.emplace_back(look, heading, Role::kStrong);
  AddLines(table.Lines(look.width, kHelpIndent), lines);
}

TextTable TermTable(const Look& look) { return TextTable(look, {{}, {.least = 24}}); }

// Examples beside what they do, or above it if one of them is long.
void AddExamples(const std::vector<UsageExample>& examples, const Look& look,
                 std::vector<Line>& lines) {
  constexpr std::size_t kLongest = 48;
  const bool is_long = std::any_of(examples.begin(), examples.end(), [](const UsageExample& e) {
    return e.command.size() > kLongest;
  });
  TextTable table = TermTable(look);
  for (const UsageExample& example : examples) {
    const Line what(look, example.what);
    table.AddRow({Line(look, example.command, Role::kVoice), is_long ? Line(look) : what});
    if (is_long) table.AddRow({Line(look, "  ").Append(what)});
  }
  AddTable("Examples", table, !examples.empty(), look, lines);
}

// "-v, --verbose", "    --at T"
std::string OptionTerm(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  std::string term = fmt::format("{}", fmt::join(names, ", "));
  if (option.get_snames().empty()) term.insert(0, "    ");
  const std::string type = option.get_type_name();
  // A flag that may be given a value takes it after an equals sign only.
  if (!type.empty()) {
    term += (option.get_items_expected_max() == 0 ? "[=" : " ") + type;
    if (option.get_items_expected_max() == 0) term += "]";
  }
  return term;
}

// The options of `app` by their groups; of the group `skipped` none.
void AddOptions(const CLI::App& app, std::string_view skipped, const Look& look,
                std::vector<Line>& lines) {
  std::vector<std::string> groups;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional() || option->get_group() == skipped) continue;
    if (std::find(groups.begin(), groups.end(), option->get_group()) == groups.end()) {
      groups.push_back(option->get_group());
    }
  }
  for (const std::string& group : groups) {
    TextTable table = TermTable(look);
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_positional() || option->get_group() != group) continue;
      table.AddRow({Line(look, OptionTerm(*option)), Line(look, option->get_description())});
    }
    AddTable(group, table, true, look, lines);
  }
}

void AddArguments(const CLI::App& app, const Look& look, std::vector<Line>& lines) {
  TextTable table = TermTable(look);
  bool any = false;
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) continue;
    table.AddRow({Line(look, option->get_type_name()), Line(look, option->get_description())});
    any = true;
  }
  AddTable("Arguments", table, any, look, lines);
}

template <typename Commands>
void AddCommands(const Commands& commands, const Look& look, std::vector<Line>& lines) {
  TextTable table = TermTable(look);
  for (const auto& [name, summary] : commands) {
    table.AddRow({Line(look, name, Role::kVoice), Line(look, summary)});
  }
  AddTable("Commands", table, !commands.empty(), look, lines);
}

std::vector<std::pair<std::string, std::string>> Summaries(
    const std::vector<const Command*>& commands) {
  std::vector<std::pair<std::string, std::string>> summaries;
  for (const Command* command : commands) summaries.emplace_back(command->name, command->summary);
  return summaries;
}

std::string Usage(const std::string& path, const CLI::App& app) {
  std::string usage = path;
  if (!app.get_subcommands([](const CLI::App*) { return true; }).empty()) usage += " COMMAND";
  usage += " [OPTIONS]";
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) {
      if (option->get_required()) {
        usage += fmt::format(" --{} {}", option->get_lnames().front(), option->get_type_name());
      }
      continue;
    }
    std::string word = option->get_type_name();
    if (option->get_items_expected_max() > 1) word += "...";
    usage += option->get_required() ? " " + word : " [" + word + "]";
  }
  return usage;
}

void AddUsage(const std::string& path, const CLI::App& app, const Look& look,
              std::vector<Line>& lines) {
  lines.emplace_back(look);
  lines.emplace_back(look, "Usage", Role::kStrong);
  Line usage(look);
  AddLines(usage.PadTo(kHelpIndent).Add(Usage(path, app)).Wrap(look.width, 2 * kHelpIndent), lines);
}

void AddExitCodes(const Look& look, std::vector<Line>& lines) {
  TextTable table = TermTable(look);
  const auto add = [&](std::string_view code, std::string_view what) {
    table.AddRow({Line(look, code), Line(look, what)});
  };
  add("0", "every expectation held");
  add("1", "an expectation did not hold");
  add("2", "wrong usage, or a scenario file with errors");
  add("3", "no verdict: nothing was claimed, a fault never fired, a limit was reached");
  add("4", "a fault of the simulator itself");
  AddTable("Exit codes", table, true, look, lines);
}

const std::vector<UsageExample>& FirstSteps() {
  static const std::vector<UsageExample> steps{
      {"kafkasim examples list", "the scenarios that come with it"},
      {"kafkasim run NAME", "watch one of them, or your own file"},
      {"kafkasim log NAME --at 0.5s", "its partitions at that moment"},
      {"kafkasim explain NAME --offset orders-0:4", "why a reader gets that one"},
      {"kafkasim check FOLDER", "run everything below a folder"}};
  return steps;
}

Line Title(const Look& look) {
  return Line(look, "kafkasim", Role::kStrong)
      .Add(fmt::format(" {}: a deterministic simulator of Kafka transactions", kVersion));
}

}  // namespace

std::vector<Line> ProgramHelp(const std::vector<const Command*>& commands, const CLI::App& app,
                              const Look& look) {
  std::vector<Line> lines{Title(look)};
  AddExamples(FirstSteps(), look, lines);
  AddUsage("kafkasim", app, look, lines);
  AddCommands(Summaries(commands), look, lines);
  AddOptions(app, "", look, lines);
  AddExitCodes(look, lines);
  lines.emplace_back(look);
  AddText(
      "`kafkasim COMMAND --help` says more. How to write a scenario: README.md, and "
      "`kafkasim schema scenario` for editors.",
      look, lines);
  return lines;
}

std::vector<Line> ShortHelp(const std::vector<const Command*>& commands, const Look& look) {
  std::vector<Line> lines{Title(look)};
  AddExamples(FirstSteps(), look, lines);
  AddCommands(Summaries(commands), look, lines);
  lines.emplace_back(look);
  AddText("`kafkasim --help` says more, `kafkasim COMMAND --help` about a command.", look, lines);
  return lines;
}

std::vector<Line> CommandHelp(const Command& command, const std::string& path, const CLI::App& app,
                              const Look& look) {
  std::vector<Line> lines;
  Line head(look, path, Role::kStrong);
  AddLines(head.Add("  ").Add(command.summary).Wrap(look.width, kHelpIndent), lines);
  AddExamples(command.examples, look, lines);
  AddUsage(path, app, look, lines);
  if (!command.about.empty()) {
    lines.emplace_back(look);
    AddText(command.about, look, lines);
  }
  std::vector<std::pair<std::string, std::string>> parts;
  for (const Command& part : command.parts) parts.emplace_back(part.name, part.summary);
  AddCommands(parts, look, lines);
  AddArguments(app, look, lines);
  AddOptions(app, kLookGroup, look, lines);
  lines.emplace_back(look);
  AddText("Output: --color WHEN, --no-color, --ascii, --width N; see `kafkasim --help`.", look,
          lines);
  return lines;
}

}  // namespace kafkasim::cli

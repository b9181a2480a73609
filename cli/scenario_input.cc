#include "cli/scenario_input.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/examples.h"
#include "cli/line.h"
#include "cli/option_checks.h"
#include "cli/schedule_input.h"
#include "cli/shell_word.h"
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/loader.h"
#include "scenarios/spelling.h"

namespace kafkasim::cli {
namespace {

// One byte more than a file may have.
constexpr std::size_t kMostInput = 1'000'001;

}  // namespace

std::string ReadStandardInput(std::string_view what, Screen& screen) {
  if (isatty(STDIN_FILENO) != 0) {
    screen.err << Line(screen.err_look,
                       fmt::format("kafkasim: reading the {} from the terminal", what));
  }
  std::string text(kMostInput, '\0');
  screen.in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(screen.in.gcount()));
  return text;
}

void AddScenarioArguments(CLI::App& app, ScenarioArguments& arguments) {
  app.add_option("file", arguments.file,
                 "A scenario file, - for standard input, or the name of an example.")
      ->type_name("FILE")
      ->required();
  app.add_option("--variant", arguments.variant, "Only this variant of a scenario with a matrix.")
      ->type_name("NAME");
  app.add_option("--seed", arguments.seed,
                 "Seed of the random streams. Default: the scenario's, else 1.")
      ->type_name("N")
      ->check(Seed());
}

void PrintError(const std::string& message, const std::string& suggestion, Screen& screen) {
  Line line(screen.err_look, "kafkasim: ");
  line.Add("error: ", Role::kError).Add(message);
  screen.err << line;
  if (!suggestion.empty()) {
    screen.err
        << Line(screen.err_look, "  did you mean '").Add(suggestion, Role::kStrong).Add("'?");
  }
}

void PrintReport(const std::string& report, Screen& screen) {
  constexpr std::string_view kError = ": error: ";
  for (std::size_t begin = 0; begin < report.size();) {
    const std::size_t end = std::min(report.find('\n', begin), report.size());
    const std::string_view text = std::string_view(report).substr(begin, end - begin);
    begin = end + 1;
    const std::size_t error = text.starts_with(' ') ? std::string_view::npos : text.find(kError);
    Line line(screen.err_look);
    if (error == std::string_view::npos) {
      line.Add(text);
    } else {
      line.Add(text.substr(0, error + 2), Role::kStrong).Add("error: ", Role::kError);
      line.Add(text.substr(error + kError.size()));
    }
    screen.err << line;
  }
}

void PrintErrors(const scenarios::Source& source, const std::vector<scenarios::Diagnostic>& errors,
                 Screen& screen) {
  std::string report;
  for (const scenarios::Diagnostic& error : errors) report += scenarios::Render(source, error);
  PrintReport(report, screen);
}

void PrintExampleHint(const std::string& name, Screen& screen) {
  constexpr std::size_t kMostNamed = 4;
  const std::string closest = ClosestExample(name);
  if (!closest.empty()) {
    screen.err << Line(screen.err_look, "  did you mean the example '")
                      .Add(closest, Role::kStrong)
                      .Add("'?");
    return;
  }
  std::vector<std::string_view> names = ExamplesBeginningWith(name);
  std::string hint = "`kafkasim examples list` names the examples";
  if (!names.empty()) {
    const std::size_t more = names.size() - std::min(names.size(), kMostNamed);
    names.resize(names.size() - more);
    hint = fmt::format("several examples begin so: {}{}", fmt::join(names, ", "),
                       more == 0 ? "" : fmt::format(" and {} more", more));
  }
  screen.err << Line(screen.err_look, "  " + hint).Wrap(screen.err_look.width, 2);
}

std::optional<scenarios::Scenario> LoadScenario(const std::string& name, Screen& screen) {
  if (name.empty()) {
    PrintError("the name of the scenario is empty", "", screen);
    return std::nullopt;
  }
  std::error_code ignored;
  const bool exists = name == "-" || std::filesystem::exists(name, ignored);
  if (name != "-" && std::filesystem::is_directory(name, ignored)) {
    PrintError(fmt::format("'{}' is a directory", name), "kafkasim check " + name, screen);
    return std::nullopt;
  }
  const Example* example = exists ? nullptr : FindExample(name);
  if (!exists && example == nullptr) {
    PrintReport(name + ": error: there is no such file\n", screen);
    PrintExampleHint(name, screen);
    return std::nullopt;
  }
  scenarios::LoadResult loaded;
  if (name == "-") {
    loaded = scenarios::LoadScenarioText("<stdin>", ReadStandardInput("scenario", screen));
  } else if (example != nullptr) {
    loaded = scenarios::LoadScenarioText(std::string(example->name) + ".yaml",
                                         std::string(example->text));
  } else {
    loaded = scenarios::LoadScenarioFile(name);
  }
  if (loaded.scenario.has_value()) return std::move(loaded.scenario);
  if (exists && IsSchedule(name)) {
    PrintError(fmt::format("'{}' is a schedule, not a scenario", name),
               "kafkasim replay " + ShellWord(name), screen);
    return std::nullopt;
  }
  PrintReport(loaded.Report(), screen);
  return std::move(loaded.scenario);
}

std::optional<std::vector<scenarios::Scenario>> ChooseVariants(const scenarios::Scenario& scenario,
                                                               const std::string& name,
                                                               Screen& screen) {
  std::vector<scenarios::Scenario> chosen;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < scenario.RunCount(); ++i) {
    const std::string variant = scenario.variants.empty() ? "" : scenario.variants[i].name;
    if (!variant.empty()) names.push_back(variant);
    if (name.empty() || variant == name) chosen.push_back(scenarios::ForVariant(scenario, i));
  }
  if (!chosen.empty()) return chosen;
  if (names.empty()) {
    PrintError(fmt::format("{} has no variants", scenario.source->name()), "", screen);
  } else {
    PrintError(fmt::format("there is no variant '{}'; there are {}", name, fmt::join(names, ", ")),
               scenarios::ClosestTo(name, names), screen);
  }
  return std::nullopt;
}

std::optional<OneRun> RunForPicture(const ScenarioArguments& arguments,
                                    std::optional<sim::Time> until, Screen& screen) {
  std::optional<scenarios::Scenario> scenario = LoadScenario(arguments.file, screen);
  if (!scenario) return std::nullopt;
  auto variants = ChooseVariants(*scenario, arguments.variant, screen);
  if (!variants) return std::nullopt;
  if (variants->size() > 1) {
    const std::string& first = scenario->variants.front().name;
    screen.err << Line(screen.err_look,
                       fmt::format("kafkasim: variant {} (--variant NAME for another)", first));
  }
  OneRun run{.scenario = std::move(variants->front())};
  run.result = scenarios::Run(
      run.scenario, {.seed = SeedFromText(arguments.seed), .until = until, .keep_trace = true});
  if (run.result.errors.empty()) return run;
  PrintErrors(*run.scenario.source, run.result.errors, screen);
  return std::nullopt;
}

}  // namespace kafkasim::cli

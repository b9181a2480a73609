// kafkasim ladder: searches a family of scenarios, rule by rule, and shows what each rule is good
// for.

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/examples.h"
#include "cli/ladder_table.h"
#include "cli/line.h"
#include "cli/option_checks.h"
#include "cli/scenario_input.h"
#include "cli/stopwatch.h"
#include <CLI/App.hpp>

#include "scenarios/explore.h"

namespace kafkasim::cli {
namespace {

using scenarios::Scenario;

struct LadderArguments {
  std::vector<std::string> files{};
  std::int32_t threads = 2;
  bool json = false;
};

// From no rule at all to the newest one; what is not among them stands beside the ladder.
constexpr std::array<std::string_view, 3> kMainRungs = {"ladder/two-writers", "ladder/late-produce",
                                                        "ladder/late-end"};

std::vector<std::string> ShippedLadder() {
  std::vector<std::string> names(kMainRungs.begin(), kMainRungs.end());
  for (const Example& example : Examples()) {
    const bool main =
        std::find(kMainRungs.begin(), kMainRungs.end(), example.name) != kMainRungs.end();
    if (example.name.starts_with("ladder/") && !main) names.emplace_back(example.name);
  }
  return names;
}

// One rung, at the end of `rungs`. How it ends: as declared, otherwise, or without a verdict.
ExitCode Climb(const std::string& name, const Scenario& scenario, const LadderArguments& arguments,
               std::vector<Rung>& rungs, Screen& screen) {
  const scenarios::ExploreOptions options{.threads = arguments.threads, .stop_at_first = true};
  const scenarios::ExplorationResult prepared = scenarios::PrepareExploration(scenario, options);
  if (!prepared.exploration.has_value()) {
    PrintErrors(*scenario.source, prepared.errors, screen);
    return ExitCode::kUsage;
  }
  const Stopwatch watch;
  const sim::SearchResult result = scenarios::Explore(*prepared.exploration, options);
  const double seconds = watch.Seconds();
  rungs.push_back(RungOf(name, scenario, *prepared.exploration, result));
  rungs.back().seconds = seconds;
  if (rungs.back().as_declared) return ExitCode::kHolds;
  if (!result.found.empty()) return ExitCode::kFails;
  const std::vector<std::string> never = NeverMade(*prepared.exploration, result);
  for (const std::string& what : never) {
    PrintError(fmt::format("{} {}: there was no occasion for {}, so that nothing can be said", name,
                           rungs.back().variant, what),
               "", screen);
  }
  return result.exhausted() && never.empty() ? ExitCode::kFails : ExitCode::kNoVerdict;
}

ExitCode ClimbAll(const LadderArguments& arguments, Screen& screen) {
  std::vector<Rung> rungs;
  ExitCode worst = ExitCode::kHolds;
  for (const std::string& file : arguments.files.empty() ? ShippedLadder() : arguments.files) {
    const auto scenario = LoadScenario(file, screen);
    if (!scenario) return ExitCode::kUsage;
    for (std::size_t i = 0; i < scenario->RunCount(); ++i) {
      const ExitCode code =
          Climb(file, scenarios::ForVariant(*scenario, i), arguments, rungs, screen);
      if (code == ExitCode::kUsage) return code;
      worst = WorseOf(worst, code);
    }
  }
  if (arguments.json) {
    screen.out << LadderJson(rungs);
    return worst;
  }
  screen.out << DrawLadder(rungs, screen.out_look);
  return worst;
}

Action DeclareLadder(CLI::App& app) {
  auto arguments = std::make_shared<LadderArguments>();
  app.add_option("file", arguments->files,
                 "Scenario files, or names of examples. Default: all examples of ladder/.")
      ->type_name("FILE");
  app.add_option("--threads", arguments->threads, "How many threads. The result is the same.")
      ->type_name("N")
      ->check(NumberBetween(1, 64));
  app.add_flag("--json", arguments->json, "As JSON, with the way to each violation.");
  return [arguments](Screen& screen) { return ClimbAll(*arguments, screen); };
}

}  // namespace

Command LadderCommand() {
  return {
      .name = "ladder",
      .summary = "Search scenarios rule by rule, and say what each rule is good for",
      .about =
          "Each variant of each file is a rung. One that `explore: {breaks: ...}` names has to "
          "break an invariant that is declared there; all others are searched to the last state "
          "and break none. `kafkasim explore FILE --variant NAME` tells the way to a violation.",
      .examples = {{"kafkasim ladder", "the ladder of fencing, from no rule to all"},
                   {"kafkasim ladder ladder/late-end --json", "one step of it, for a program"}},
      .declare = DeclareLadder};
}

}  // namespace kafkasim::cli

// kafkasim explore: tries every order of events of a scenario's programs.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/counterexample_view.h"
#include "cli/glyphs.h"
#include "cli/option_checks.h"
#include "cli/scenario_input.h"
#include "cli/schedule_input.h"
#include "cli/shell_word.h"
#include "cli/stopwatch.h"
#include "cli/terminal_text.h"
#include "cli/text_table.h"
#include "cli/version.h"
#include <CLI/App.hpp>
#include <fmt/format.h>

#include "scenarios/counterexample.h"
#include "scenarios/drain.h"
#include "scenarios/explore.h"
#include "scenarios/explore_judge.h"
#include "scenarios/fault_counts.h"
#include "scenarios/invariants/invariant.h"
#include "scenarios/number_text.h"
#include "scenarios/schedule_file.h"

namespace kafkasim::cli {
namespace {

using scenarios::Exploration;
using scenarios::ExploreJudge;
using scenarios::Recovery;
using scenarios::Scenario;

struct ExploreArguments {
  ScenarioArguments scenario{};
  std::int32_t threads = 2;
  std::uint64_t states = 0;        // 0: the scenario's
  std::uint64_t memory_mb = 4096;  // by the search's own account
  bool exact = false;
  bool depth_first = false;
  bool no_reduction = false;
  bool all = false;
  bool quiet = false;
  std::string save{};  // empty: not asked for
};

// "way.yaml", then "way-2.yaml".
std::string NthFile(const std::string& name, std::size_t earlier) {
  if (earlier == 0) return name;
  std::filesystem::path path(name);
  const std::string stem = path.stem().string();
  return path.replace_filename(fmt::format("{}-{}{}", stem, earlier + 1, path.extension().string()))
      .string();
}

// Says on standard error how far the search has come, now and then.
class Progress final : public sim::SearchWatcher {
 public:
  Progress(Screen& screen) : screen_(screen) {}

  void OnProgress(const sim::SearchResult& so_far, std::uint64_t frontier) override {
    if (so_far.states < next_) return;
    next_ = so_far.states + kEvery;
    const auto speed = static_cast<std::uint64_t>(static_cast<double>(so_far.states) /
                                                  std::max(watch_.Seconds(), 1e-3));
    screen_.err << fmt::format(
        "kafkasim: {} states ({} a second), {} transitions, depth {}, frontier {}\n",
        scenarios::Grouped(so_far.states), scenarios::Grouped(speed),
        scenarios::Grouped(so_far.transitions), so_far.depth, scenarios::Grouped(frontier));
  }

 private:
  static constexpr std::uint64_t kEvery = 100'000;

  Screen& screen_;
  Stopwatch watch_;
  std::uint64_t next_ = kEvery;
};

std::string FaultsText(const sim::SearchResult& result) {
  std::string text;
  for (const sim::MoveKind kind :
       {sim::MoveKind::kHold, sim::MoveKind::kRelease, sim::MoveKind::kLose, sim::MoveKind::kCrash,
        sim::MoveKind::kRestart, sim::MoveKind::kPause, sim::MoveKind::kResume,
        sim::MoveKind::kOrder}) {
    const std::uint64_t made = result.moves[static_cast<std::size_t>(kind)];
    if (made == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", Name(kind), scenarios::Grouped(made));
  }
  if (result.early_timers > 0) {
    text +=
        fmt::format("{}{}", text.empty() ? "" : ", ", Counted(result.early_timers, "early timer"));
  }
  return text.empty() ? "none" : text;
}

// From how many states all that was open came to its end, and how.
std::string DrainText(const sim::SearchResult& result) {
  std::string text;
  for (const auto recovery :
       {Recovery::kAtOnce, Recovery::kByTimeout, Recovery::kByOperator, Recovery::kNotInTime}) {
    const std::uint64_t states =
        result.situations[ExploreJudge::kRecoveries + static_cast<std::size_t>(recovery)];
    if (states == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "everything ends: " : ", ", NameOf(recovery),
                        scenarios::Grouped(states));
  }
  return text;
}

// In how many states each situation showed that was to be reached.
std::string ReachedText(const scenarios::ExploreSpec& spec, const sim::SearchResult& result) {
  std::string text;
  for (std::size_t i = 0; i < spec.reach.size(); ++i) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", spec.reach[i].name.value,
                        scenarios::Grouped(result.situations[i]));
  }
  return text;
}

// How many invariants were held against what.
std::string InvariantsText(const sim::SearchResult& result) {
  std::uint64_t of_states = 0;
  std::uint64_t of_moves = 0;
  std::uint64_t at_rest = 0;
  for (const scenarios::Invariant& invariant : scenarios::Invariants()) {
    if (invariant.HoldsAlways()) ++of_states;
    if (invariant.step != nullptr) ++of_moves;
    if (invariant.rest != nullptr) ++at_rest;
  }
  return fmt::format("{} in {}, {} at {}, {} in {} at rest", of_states,
                     Counted(result.states, "state"), of_moves, Counted(result.transitions, "move"),
                     at_rest, Counted(result.ends, "state"));
}

// The way to a violation: its moves, the events on it, and the partitions where it ends. False if
// it was to be saved and could not be.
bool PrintFinding(const Scenario& scenario, const Exploration& exploration,
                  const sim::SearchFinding& finding, const ExploreArguments& arguments,
                  const std::string& file, Screen& screen) {
  PrintBroken(finding.violation, screen);
  scenarios::ScheduleFile schedule =
      ScheduleFileOf(scenario, exploration, finding.path, finding.violation);
  if (!arguments.quiet) {
    const scenarios::RunResult told =
        AsRun(scenario, scenarios::Replay(exploration, schedule.moves, finding.violation.name));
    PrintMoves(schedule.moves, screen);
    PrintWay(told, screen);
    PrintDrain(exploration, told, finding.violation.name, screen);
  }
  if (file.empty()) return true;
  schedule.version = kVersion;
  schedule.seed = SeedFromText(arguments.scenario.seed);
  if (!SaveSchedule(file, schedule, screen)) return false;
  PrintHowToReplay("kafkasim replay " + ShellWord(file), screen);
  return true;
}

void PrintCounts(const Scenario& scenario, const Exploration& exploration,
                 const sim::SearchResult& result, bool exact, Screen& screen) {
  const Look& look = screen.out_look;
  const std::string variant = scenario.variants.empty() ? "" : scenario.variants.front().name;
  const std::string end = result.exhausted()
                              ? "every state was visited"
                              : fmt::format("cut by its bound on {}", Name(result.bound));
  TextTable table(look, {{}, {.least = 30}});
  const auto add = [&](std::string_view word, const std::string& text) {
    table.AddRow({Line(look, word, Role::kFaint), Line(look, text)});
  };
  if (!variant.empty()) add("variant", variant);
  const scenarios::FaultCounts allowed = scenarios::FaultCountsOf(scenario);
  add("disturbances",
      fmt::format("{}{}; until {}", allowed == scenarios::FaultCounts{} ? "" : "at most ",
                  TextOf(allowed), sim::FormatTime(exploration.space.until)));
  add("states", fmt::format("{}, {}, depth {}; {}", scenarios::Grouped(result.states),
                            Counted(result.transitions, "transition"), result.depth, end));
  add("ends", fmt::format("{} at rest, {} where time is up", scenarios::Grouped(result.ends),
                          scenarios::Grouped(result.out_of_time)));
  add("faults", FaultsText(result));
  if (!exploration.spec.reach.empty()) {
    add("situations", ReachedText(exploration.spec, result));
  }
  if (exploration.spec.drain_us.has_value()) add("drain", DrainText(result));
  const std::string collisions =
      exact ? "no fingerprints, so that none can collide"
            : fmt::format("a collision of fingerprints has a chance of {:.0e}",
                          sim::CollisionChance(result.states));
  add("invariants", InvariantsText(result) + "; " + collisions);
  screen.out << table.Lines(look.width);
}

// The verdict where the file says what the search is to find.
ExitCode ConcludeDeclared(const Exploration& exploration, const sim::SearchResult& result,
                          Screen& screen) {
  const Look& look = screen.out_look;
  std::string declared;
  for (const scenarios::Break& one : exploration.spec.breaks) {
    declared += fmt::format("{}{}", declared.empty() ? "" : " or ", one.invariant.value);
  }
  const bool holds = IsAsDeclared(exploration, result);
  const std::string text =
      holds ? fmt::format("as declared: it breaks {}", declared)
      : result.found.empty()
          ? fmt::format("it is declared to break {}, but no state does", declared)
          : fmt::format("it is declared to break {} first", declared);
  screen.out << Line(look, holds ? GlyphsOf(look).good : GlyphsOf(look).bad,
                     holds ? Role::kGood : Role::kError)
                    .Add(" ")
                    .Add(text)
                    .Wrap(look.width, 2);
  return holds ? ExitCode::kHolds : ExitCode::kFails;
}

// `saved`: how many ways have been written to files so far.
ExitCode ExploreVariant(const Scenario& scenario, const ExploreArguments& arguments,
                        std::size_t& saved, Screen& screen) {
  scenarios::ExploreOptions options{.threads = arguments.threads,
                                    .bytes = arguments.memory_mb << 20,
                                    .exact = arguments.exact,
                                    .depth_first = arguments.depth_first,
                                    .reduce = !arguments.no_reduction,
                                    .stop_at_first = !arguments.all,
                                    .seed = SeedFromText(arguments.scenario.seed)};
  if (arguments.states > 0) options.states = arguments.states;
  const scenarios::ExplorationResult prepared = scenarios::PrepareExploration(scenario, options);
  if (!prepared.exploration.has_value()) {
    PrintErrors(*scenario.source, prepared.errors, screen);
    return ExitCode::kUsage;
  }
  const Exploration& exploration = *prepared.exploration;
  Progress progress(screen);
  const sim::SearchResult result = scenarios::Explore(exploration, options, &progress);
  PrintCounts(scenario, exploration, result, arguments.exact, screen);
  for (const sim::SearchFinding& finding : result.found) {
    const std::string file = arguments.save.empty() ? "" : NthFile(arguments.save, saved++);
    if (!PrintFinding(scenario, exploration, finding, arguments, file, screen)) {
      return ExitCode::kUsage;
    }
  }
  screen.out << '\n';
  if (!exploration.spec.breaks.empty() && (!result.found.empty() || result.exhausted())) {
    return ConcludeDeclared(exploration, result, screen);
  }
  if (!result.found.empty()) return ExitCode::kFails;
  const std::vector<std::string> never = scenarios::NeverMade(exploration, result);
  for (const std::string& what : never) {
    PrintError(fmt::format("there was no occasion for {}{}, so that nothing can be said", what,
                           result.exhausted() ? "" : " before the search was cut"),
               "", screen);
  }
  return result.exhausted() && never.empty() ? ExitCode::kHolds : ExitCode::kNoVerdict;
}

Action DeclareExplore(CLI::App& app) {
  auto arguments = std::make_shared<ExploreArguments>();
  AddScenarioArguments(app, arguments->scenario);
  app.add_option("--threads", arguments->threads, "How many threads. The result is the same.")
      ->type_name("N")
      ->check(CLI::Range(1, 64));
  app.add_option("--states", arguments->states,
                 "Give up after so many states. It counts them now and then, so that some more are "
                 "visited.")
      ->type_name("N")
      ->check(NumberBetween(1, 1'000'000'000));
  app.add_option("--memory", arguments->memory_mb, "Give up beyond so many megabytes.")
      ->type_name("MB")
      ->check(NumberBetween(1, 1'000'000));
  app.add_flag("--exact", arguments->exact, "Compare whole states, not fingerprints.");
  app.add_flag("--depth-first", arguments->depth_first,
               "Needs less memory, but the first way found is not the shortest.");
  app.add_flag("--no-reduction", arguments->no_reduction,
               "Try orders that make no difference, too.");
  app.add_option("--save", arguments->save,
                 "Write the way to a violation to this file, for `kafkasim replay`; further ones "
                 "get a number.")
      ->type_name("FILE")
      ->check(NotEmpty());
  app.add_flag("--all", arguments->all, "Go on after the first violation.");
  app.add_flag("-q,--quiet", arguments->quiet, "Only the counts and what is broken.");
  return [arguments](Screen& screen) {
    const auto scenario = LoadScenario(arguments->scenario.file, screen);
    if (!scenario) return ExitCode::kUsage;
    const auto variants = ChooseVariants(*scenario, arguments->scenario.variant, screen);
    if (!variants) return ExitCode::kUsage;
    // Better known before the search than after it.
    if (!arguments->save.empty() && !MayHoldSchedule(arguments->save, screen)) {
      return ExitCode::kUsage;
    }
    ExitCode worst = ExitCode::kHolds;
    std::size_t saved = 0;
    for (const Scenario& variant : *variants) {
      worst = WorseOf(worst, ExploreVariant(variant, *arguments, saved, screen));
    }
    return worst;
  };
}

}  // namespace

Command ExploreCommand() {
  return {
      .name = "explore",
      .summary = "Try every order of events of a scenario's programs",
      .about =
          "Visits every state that the programs of the scenario can reach, with the "
          "disturbances that its `explore:` allows, and holds each against all invariants. "
          "A violation comes with the shortest way to it. The steps of the scenario are not "
          "played.",
      .examples = {{"kafkasim explore ladder/late-end", "the shortest way to a torn transaction"},
                   {"kafkasim explore a.yaml --save way.yaml", "keep it for `kafkasim replay`"}},
      .declare = DeclareExplore};
}

}  // namespace kafkasim::cli

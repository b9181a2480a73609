#include "scenarios/run.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "scenarios/assembly.h"
#include "scenarios/runner.h"

namespace kafkasim::scenarios {
namespace {

// Whether it takes a search to see what the bugs of the scenario do; a run then goes as always.
bool IsLeftToSearch(const Scenario& scenario) {
  return scenario.explore.has_value() && !scenario.explore->breaks.empty();
}

bool NoneCatches(const Scenario& scenario) {
  return std::all_of(scenario.steps.begin(), scenario.steps.end(),
                     [](const Step& step) { return step.catches.empty(); });
}

bool IsCaught(const Scenario& scenario, const RunResult& result) {
  if (scenario.bugs.empty() || !result.doubts.empty()) return false;
  // A file may show by its invariants alone what the bug does.
  if (!scenario.breaks.empty() && NoneCatches(scenario)) return result.failures.empty();
  std::set<std::size_t> failed;
  for (const FailedClaim& failure : result.failures) failed.insert(failure.step);
  std::set<std::size_t> wanted;
  for (std::size_t i = 0; i < scenario.steps.size(); ++i) {
    const std::vector<broker::Bug>& catches = scenario.steps[i].catches;
    const bool shows = std::any_of(catches.begin(), catches.end(),
                                   [&](broker::Bug bug) { return scenario.bugs.Has(bug); });
    if (shows) wanted.insert(i);
  }
  return !failed.empty() && failed == wanted;
}

RunResult RunOnce(const Scenario& scenario, const RunOptions& options) {
  AssemblyResult assembled = Assemble(scenario, options.seed);
  if (!assembled.assembly.has_value()) {
    RunResult result;
    result.errors = std::move(assembled.errors);
    return result;
  }
  const std::uint64_t seed = assembled.assembly->seed;
  const std::uint64_t first_draw = assembled.assembly->world.NextDraw();
  RunResult result = Runner(scenario, std::move(*assembled.assembly), options).Run();
  result.seed = seed;
  result.is_random = result.next_draw != first_draw;
  result.caught = IsCaught(scenario, result);
  if (!scenario.variants.empty()) result.variant = scenario.variants.front().name;
  return result;
}

}  // namespace

std::string_view VerdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHolds:
      return "HOLDS";
    case Verdict::kFails:
      return "FAILS";
    case Verdict::kNoVerdict:
      return "NO_VERDICT";
  }
  return "";
}

RunResult Run(const Scenario& scenario, const RunOptions& options) {
  RunResult result = RunOnce(scenario, options);
  if (result.failures.empty() || options.keep_trace) return result;
  // The reasons are in the trace. The same run again, this time with a memory, gives the same
  // failures with the events behind them.
  RunOptions again = options;
  again.keep_trace = true;
  return RunOnce(scenario, again);
}

Verdict JudgeFile(const Scenario& scenario, const RunResult& result) {
  if (scenario.bugs.empty() || IsLeftToSearch(scenario) || result.verdict == Verdict::kNoVerdict) {
    return result.verdict;
  }
  return result.caught ? Verdict::kHolds : Verdict::kFails;
}

std::optional<Moment> MomentAt(const Scenario& scenario, sim::Time time,
                               std::optional<std::uint64_t> seed) {
  RunResult result = RunOnce(scenario, {.seed = seed, .until = time, .keep_trace = true});
  return std::move(result.end);
}

}  // namespace kafkasim::scenarios

#include "scenarios/counterexample.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "scenarios/explore_judge.h"
#include "scenarios/invariants/invariant.h"
#include "scenarios/loader.h"
#include "scenarios/reader.h"
#include "scenarios/spelling.h"

namespace kafkasim::scenarios {
namespace {

Diagnostic NoVariant(const std::string& variant, const std::vector<std::string>& names) {
  if (names.empty()) {
    return {{}, fmt::format("the scenario has no variants; the schedule is of {}", variant), ""};
  }
  if (variant.empty()) {
    return {{}, "the schedule does not say which variant it is of: " + Listing(names), ""};
  }
  return {{}, fmt::format("there is no variant '{}'", variant), ClosestTo(variant, names)};
}

// Whether `explore:` asks for what is said to be broken. Every search asks for the invariants.
bool IsAsked(std::string_view violation, const std::optional<ExploreSpec>& spec) {
  if (FindInvariant(violation) != nullptr) return true;
  if (!spec.has_value()) return false;
  if (violation == kAlwaysBroken) return spec->always.has_value();
  if (violation == kFinallyBroken) return spec->finally.has_value();
  return spec->drain_us.has_value();
}

}  // namespace

PreparedSchedule Prepare(const ScheduleFile& file) {
  PreparedSchedule prepared;
  LoadResult loaded = LoadScenarioText(file.scenario, file.text);
  prepared.source = loaded.source;
  prepared.errors = std::move(loaded.errors);
  if (!loaded.scenario.has_value()) return prepared;
  std::vector<std::string> names;
  for (const Variant& variant : loaded.scenario->variants) names.push_back(variant.name);
  const auto at = std::find(names.begin(), names.end(), file.variant);
  if (at == names.end() && !(names.empty() && file.variant.empty())) {
    prepared.errors.push_back(NoVariant(file.variant, names));
    return prepared;
  }
  Scenario scenario = ForVariant(*loaded.scenario, static_cast<std::size_t>(at - names.begin()));
  if (!IsAsked(file.breaks, scenario.explore)) {
    prepared.errors.push_back(
        {{}, fmt::format("its `explore:` does not ask for what breaks: {}", file.breaks), ""});
    return prepared;
  }
  SetFaultCounts(file.faults, scenario);
  for (const broker::BugInfo& info : broker::AllBugs()) {
    if (file.bugs.Has(info.bug)) scenario.bugs.Add(info.bug);
  }
  if (file.seed.has_value()) scenario.cluster.seed = file.seed;
  ExplorationResult exploration = PrepareExploration(scenario, {});
  prepared.errors = std::move(exploration.errors);
  prepared.scenario = std::move(scenario);
  prepared.exploration = std::move(exploration.exploration);
  return prepared;
}

ScheduleFile ScheduleFileOf(const Scenario& scenario, const Exploration& exploration,
                            const sim::SearchPath& path, const sim::Violation& violation) {
  return {.scenario = scenario.source->name(),
          .text = ScenarioTextOf(scenario.source->text()),
          .variant = scenario.variants.empty() ? "" : scenario.variants.front().name,
          .bugs = scenario.bugs,
          .faults = FaultCountsOf(scenario),
          .breaks = violation.name,
          .what = violation.what,
          .moves = sim::ScheduleOf(exploration.start, exploration.space, path)};
}

Diagnostic StuckAt(const ScheduleFile& file, const Exploration& exploration,
                   const sim::Followed& followed) {
  const std::size_t number = *followed.stuck_at;
  const std::vector<std::string> possible = sim::TextsOf(
      sim::MovesOf(followed.state, exploration.space), followed.state, exploration.space);
  const std::string& move = file.moves[number];
  return {.mark = number < file.marks.size() ? file.marks[number] : Mark{},
          .message = possible.empty()
                         ? fmt::format("move {} is not possible: nothing more happens", number + 1)
                         : fmt::format("move {} is not possible here; possible are: {}", number + 1,
                                       Listing(possible)),
          .suggestion = ClosestTo(move, possible)};
}

const sim::Violation* FindViolation(const std::vector<sim::Violation>& violations,
                                    const std::string& name) {
  const auto at =
      std::find_if(violations.begin(), violations.end(),
                   [&](const sim::Violation& violation) { return violation.name == name; });
  return at == violations.end() ? nullptr : &*at;
}

}  // namespace kafkasim::scenarios

// Counterexamples for tests: found by a search, or by a walk through a generated workload without a
// rule of Kafka.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "broker/bugs.h"
#include "scenarios/counterexample.h"
#include "scenarios/generated_walk.h"
#include "scenarios/loader.h"
#include "tests/source_directory.h"

namespace kafkasim::scenarios {

// A variant of a file of scenarios/ladder.
inline Scenario LadderScenario(const std::string& name, std::size_t variant) {
  const LoadResult loaded =
      LoadScenarioFile((SourceDirectory() / "scenarios/ladder" / (name + ".yaml")).string());
  EXPECT_TRUE(loaded.scenario.has_value()) << loaded.Report();
  return ForVariant(*loaded.scenario, variant);
}
inline Scenario LateEndScenario(std::size_t variant) { return LadderScenario("late-end", variant); }

// The shortest way to what it breaks.
inline ScheduleFile LadderSchedule(const std::string& name, std::size_t variant) {
  const Scenario scenario = LadderScenario(name, variant);
  const ExplorationResult prepared = PrepareExploration(scenario, {});
  const sim::SearchResult result = Explore(*prepared.exploration, {.stop_at_first = true});
  EXPECT_FALSE(result.found.empty());
  const sim::SearchFinding& finding = result.found.front();
  return ScheduleFileOf(scenario, *prepared.exploration, finding.path, finding.violation);
}
inline ScheduleFile LateEndSchedule(std::size_t variant) {
  return LadderSchedule("late-end", variant);
}

// What the walk of that seed breaks while `bug` is on.
inline ScheduleFile GeneratedSchedule(std::uint64_t seed, broker::Bug bug,
                                      const std::string& invariant) {
  const GeneratedWalk walk = WalkGenerated(seed, {}, [&](Scenario scenario) {
    scenario.bugs.Add(bug);
    return scenario;
  });
  const sim::Violation* violation = FindViolation(walk.run.walk.violations, invariant);
  if (violation == nullptr) {
    ADD_FAILURE() << "seed " << seed << " does not break " << invariant;
    return {};
  }
  return ScheduleFileOf(walk.scenario, walk.exploration, walk.run.walk.path, *violation);
}

// Whether the schedule, followed to the letter, breaks its invariant at its end.
inline bool Breaks(const ScheduleFile& file) {
  const PreparedSchedule prepared = Prepare(file);
  if (!prepared.exploration.has_value()) return false;
  const Replayed replayed = Replay(*prepared.exploration, file.moves);
  return !replayed.followed.stuck_at.has_value() &&
         FindViolation(replayed.followed.violations, file.breaks) != nullptr;
}

}  // namespace kafkasim::scenarios

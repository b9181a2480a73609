// A search that knows states by their fingerprints takes no two of them for one: on every shipped
// scenario with programs it goes the same way as a search that compares whole states.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "scenarios/explore.h"
#include "scenarios/loader.h"
#include "tests/scenarios/shipped_files.h"

namespace kafkasim::scenarios {
namespace {

// So many states of each variant: whole states cost memory.
constexpr std::uint64_t kStates = 100;

bool HasProgram(const Scenario& scenario) {
  return std::any_of(scenario.actors.begin(), scenario.actors.end(),
                     [](const ActorSpec& actor) { return actor.application.program.has_value(); });
}

sim::SearchResult SearchWhole(const Scenario& scenario, bool exact) {
  const ExploreOptions options{.states = kStates, .exact = exact};
  const ExplorationResult prepared = PrepareExploration(scenario, options);
  EXPECT_TRUE(prepared.exploration.has_value());
  return Explore(*prepared.exploration, options);
}

TEST(ExactSearch, GoesTheSameWayOnEveryShippedScenario) {
  std::size_t searched = 0;
  for (const std::string& file : ShippedFiles()) {
    SCOPED_TRACE(file);
    const LoadResult loaded = LoadScenarioFile(file);
    ASSERT_TRUE(loaded.scenario.has_value()) << loaded.Report();
    for (std::size_t i = 0; i < loaded.scenario->RunCount(); ++i) {
      Scenario scenario = ForVariant(*loaded.scenario, i);
      if (!HasProgram(scenario)) continue;
      // What is asked of the states is the same; here their number counts.
      if (scenario.explore.has_value()) scenario.explore->drain_us.reset();
      const sim::SearchResult hashed = SearchWhole(scenario, /*exact=*/false);
      const sim::SearchResult exact = SearchWhole(scenario, /*exact=*/true);
      EXPECT_EQ(exact.levels, hashed.levels);
      EXPECT_EQ(exact.transitions, hashed.transitions);
      EXPECT_EQ(exact.found.size(), hashed.found.size());
      ++searched;
    }
  }
  EXPECT_GT(searched, 50u);
}

}  // namespace
}  // namespace kafkasim::scenarios

// The search over the programs of a scenario: scenarios/explore.h.
#include "scenarios/explore.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/invariants/invariant_judge.h"
#include "scenarios/loader.h"
#include "tests/source_directory.h"

namespace kafkasim::scenarios {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

// A variant of the file scenarios/ladder/late-end.yaml: one producer, two transactions, and one
// EndTxn that may get stuck.
Scenario LateEnd(std::size_t variant) {
  const LoadResult loaded =
      LoadScenarioFile((SourceDirectory() / "scenarios/ladder/late-end.yaml").string());
  EXPECT_TRUE(loaded.scenario.has_value()) << loaded.Report();
  return ForVariant(*loaded.scenario, variant);
}
constexpr std::size_t kWithoutVerification = 0;
constexpr std::size_t kVersion1 = 1;
constexpr std::size_t kVersion2 = 2;

sim::SearchResult Search(const Scenario& scenario, const ExploreOptions& options = {}) {
  const ExplorationResult prepared = PrepareExploration(scenario, options);
  EXPECT_TRUE(prepared.exploration.has_value());
  return Explore(*prepared.exploration, options);
}

// Nobody has told it where to delay what.
TEST(Explore, FindsTheLateEndTxnUnderVersion1) {
  for (const std::size_t variant : {kWithoutVerification, kVersion1}) {
    const Scenario scenario = LateEnd(variant);
    const ExplorationResult prepared = PrepareExploration(scenario, {});
    const sim::SearchResult result = Explore(*prepared.exploration, {});
    ASSERT_THAT(result.found, testing::Not(IsEmpty()));
    EXPECT_EQ(result.found[0].violation.name, "only_committed_is_committed");
    const sim::Schedule schedule = sim::ScheduleOf(
        prepared.exploration->start, prepared.exploration->space, result.found[0].path);
    EXPECT_THAT(schedule, testing::Contains("hold EndTxn from shop to broker-0"));
    EXPECT_THAT(schedule, testing::Contains("release EndTxn from shop to broker-0"));
    const Replayed replayed = Replay(*prepared.exploration, schedule);
    EXPECT_EQ(replayed.followed.violations.at(0), result.found[0].violation);
    EXPECT_THAT(replayed.end.history.trace(), testing::Not(IsEmpty()));
  }
}

TEST(Explore, ProvesItAbsentUnderVersion2InTheSameBounds) {
  const sim::SearchResult result = Search(LateEnd(kVersion2));
  EXPECT_TRUE(result.exhausted());
  EXPECT_THAT(result.found, IsEmpty());
  EXPECT_EQ(result.states, 515u);
  EXPECT_EQ(result.transitions, 645u);
  EXPECT_GT(result.moves[static_cast<std::size_t>(sim::MoveKind::kHold)], 0u);
  EXPECT_GT(result.moves[static_cast<std::size_t>(sim::MoveKind::kRelease)], 0u);
}

// What is left out by the reduction are states; the rules that break are the same, and so is the
// length of the shortest way.
TEST(Explore, TheReductionFindsTheSameInFewerStates) {
  for (const std::size_t variant : {kWithoutVerification, kVersion1, kVersion2}) {
    const Scenario scenario = LateEnd(variant);
    const sim::SearchResult fewer = Search(scenario);
    const sim::SearchResult all = Search(scenario, {.reduce = false});
    EXPECT_LT(fewer.states, all.states);
    ASSERT_EQ(fewer.found.size(), all.found.size());
    for (std::size_t i = 0; i < all.found.size(); ++i) {
      EXPECT_EQ(fewer.found[i].violation.name, all.found[i].violation.name);
      EXPECT_EQ(fewer.found[i].path.size(), all.found[i].path.size());
    }
  }
  const sim::SearchResult all = Search(LateEnd(kVersion2), {.reduce = false});
  EXPECT_EQ(all.states, 744u);
  EXPECT_EQ(all.transitions, 1'307u);
}

TEST(Explore, CountsTheSameOnTwoThreadsInExactModeAndDepthFirst) {
  const Scenario scenario = LateEnd(kVersion2);
  const sim::SearchResult one = Search(scenario);
  const sim::SearchResult two = Search(scenario, {.threads = 2});
  EXPECT_EQ(two.levels, one.levels);
  EXPECT_EQ(two.transitions, one.transitions);
  const sim::SearchResult exact = Search(scenario, {.exact = true});
  EXPECT_EQ(exact.levels, one.levels);
  EXPECT_EQ(exact.transitions, one.transitions);
  const sim::SearchResult deep = Search(scenario, {.depth_first = true});
  EXPECT_EQ(deep.states, one.states);
  EXPECT_EQ(deep.transitions, one.transitions);
}

TEST(Explore, SaysWhereItWasCut) {
  EXPECT_EQ(Search(LateEnd(kVersion2), {.states = 100}).bound, sim::SearchBound::kStates);
}

TEST(Explore, WithoutDisturbancesNothingIsWrong) {
  for (const std::size_t variant : {kWithoutVerification, kVersion1, kVersion2}) {
    Scenario scenario = LateEnd(variant);
    scenario.explore->holds = 0;
    const sim::SearchResult result = Search(scenario);
    EXPECT_TRUE(result.exhausted());
    EXPECT_THAT(result.found, IsEmpty());
  }
}

}  // namespace
}  // namespace kafkasim::scenarios

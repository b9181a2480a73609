// Random walks over ranges of seeds: scenarios/fuzz.h, fuzz_sweep.h, fault_counts.h.
#include "scenarios/fuzz.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/fuzz_sweep.h"
#include "tests/scenarios/counterexamples.h"

namespace kafkasim::scenarios {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::size_t kLateEndVersion1 = 1;
// A walk that lets the EndTxn get stuck and go on at the wrong moment.
constexpr std::uint64_t kLateSeed = 380;

FuzzTally WalkRange(const Exploration& exploration, const FuzzOptions& options) {
  return FuzzRange(
      options, [&](std::uint64_t seed) { return FuzzSeed(exploration, seed).tally; },
      [](std::uint64_t) {});
}

class LateEndWalks : public testing::Test {
 protected:
  LateEndWalks()
      : prepared_(PrepareExploration(LateEndScenario(kLateEndVersion1), {})),
        exploration_(*prepared_.exploration) {}

  FuzzSweep SweepOf(const SeedRange& seeds) const {
    return {.scenario = "late-end",
            .seeds = {seeds},
            .tally = WalkRange(exploration_, {.seeds = seeds})};
  }

  ExplorationResult prepared_;
  const Exploration& exploration_;
};

TEST_F(LateEndWalks, FindWhatASearchFinds) {
  const FuzzTally tally =
      WalkRange(exploration_, {.seeds = {.from = kLateSeed - 2, .to = kLateSeed}});
  ASSERT_THAT(tally.anomalies, SizeIs(1));
  EXPECT_EQ(tally.anomalies[0].invariant, "only_committed_is_committed");
  EXPECT_EQ(tally.anomalies[0].seed, kLateSeed);
  EXPECT_EQ(tally.anomalies[0].walks, 1u);
}

TEST_F(LateEndWalks, SayWhatTheyReached) {
  const Reached reached = WalkRange(exploration_, {.seeds = {.from = 1, .to = 50}}).reached;
  EXPECT_EQ(reached.walks, 50u);
  EXPECT_EQ(reached.committed, 100u);  // two transactions each
  EXPECT_EQ(reached.aborted, 0u);
  EXPECT_EQ(reached.idle, 0u);
  EXPECT_GT(reached.faults.holds, 0);
  EXPECT_EQ(reached.faults.crashes, 0);
  EXPECT_THAT(NotReached(reached, {.holds = 1}, true), IsEmpty());
}

TEST_F(LateEndWalks, AreTheSameOnAnyNumberOfThreads) {
  const SeedRange seeds{.from = 1, .to = 100};
  EXPECT_EQ(WalkRange(exploration_, {.seeds = seeds, .threads = 3}),
            WalkRange(exploration_, {.seeds = seeds}));
}

TEST_F(LateEndWalks, ShardsAddUpToTheWhole) {
  const SeedRange whole{.from = 371, .to = 400};
  std::vector<FuzzSweep> sweeps;
  for (const std::uint64_t shard : {3, 1, 2}) {
    SeedRange part = whole;
    part.shard = shard;
    part.shards = 3;
    EXPECT_EQ(AddSweep(SweepOf(part), sweeps), "");
  }
  ASSERT_THAT(sweeps, SizeIs(1));
  EXPECT_THAT(sweeps[0].seeds, ElementsAre(whole));
  EXPECT_EQ(sweeps[0].tally, SweepOf(whole).tally);
  EXPECT_THAT(sweeps[0].tally.anomalies, SizeIs(1));
}

TEST(FuzzSweep, CountsNoSeedTwice) {
  const auto sweep = [](SeedRange seeds) { return FuzzSweep{.scenario = "s", .seeds = {seeds}}; };
  std::vector<FuzzSweep> sweeps;
  EXPECT_EQ(AddSweep(sweep({.from = 1, .to = 100, .shard = 1, .shards = 2}), sweeps), "");
  EXPECT_EQ(AddSweep(sweep({.from = 1, .to = 100, .shard = 2, .shards = 3}), sweeps),
            "seed 4 of s would be counted twice");
  EXPECT_EQ(AddSweep(sweep({.from = 1, .to = 100, .shard = 2, .shards = 4}), sweeps), "");
  EXPECT_EQ(AddSweep(sweep({.from = 101, .to = 200}), sweeps), "");
  EXPECT_EQ(AddSweep(FuzzSweep{.scenario = "other", .seeds = {{.from = 1, .to = 100}}}, sweeps),
            "");
  EXPECT_THAT(sweeps, SizeIs(2));
}

TEST(FuzzTally, KeepsTheFirstSeedOfEachName) {
  FuzzTally tally;
  tally.Add({.anomalies = {{.invariant = "b", .seed = 9, .what = "nine", .walks = 1}}});
  tally.Add({.anomalies = {{.invariant = "a", .seed = 5, .what = "five", .walks = 2}}});
  tally.Add({.anomalies = {{.invariant = "b", .seed = 7, .what = "seven", .walks = 1}}});
  tally.Add({.anomalies = {{.invariant = "b", .seed = 8, .what = "eight", .walks = 1}}});
  EXPECT_THAT(tally.anomalies,
              ElementsAre(Anomaly{"a", 5, "five", 2}, Anomaly{"b", 7, "seven", 3}));
}

// Against false green.
TEST(NotReached, NamesWhatNeverHappened) {
  EXPECT_THAT(
      NotReached({.walks = 3, .moves = 40, .committed = 1}, {.holds = 1, .crashes = 2}, true),
      ElementsAre("there was no occasion for held messages", "there was no occasion for crashes"));
  EXPECT_THAT(NotReached({.walks = 3, .moves = 40, .aborted = 3}, {}, true),
              ElementsAre("no transaction was committed in any walk"));
  EXPECT_THAT(NotReached({.walks = 3, .moves = 40}, {}, false), IsEmpty());
  EXPECT_THAT(NotReached({.walks = 3}, {}, false), ElementsAre("nothing happened"));
}

TEST(FaultCounts, AreReadFromAList) {
  FaultCounts counts{.holds = 1, .losses = 2};
  EXPECT_EQ(ReadFaultCounts("losses=0,crashes=3", counts), "");
  EXPECT_EQ(counts, (FaultCounts{.holds = 1, .crashes = 3}));
  EXPECT_EQ(TextOf(counts), "1 held message, 3 crashes");
  EXPECT_EQ(TextOf(FaultCounts{}), "no disturbance");
  EXPECT_EQ(ReadFaultCounts("crash=1", counts),
            "there are no faults 'crash'; did you mean 'crashes'?");
  EXPECT_EQ(ReadFaultCounts("holds", counts),
            "'holds' is no number of faults: write it as holds=1,crashes=2");
  EXPECT_EQ(ReadFaultCounts("holds=10", counts), "'10' is not a number of disturbances: 0 to 9");
}

TEST(FaultCounts, StrikeEverybodyWhereNobodyIsNamed) {
  Scenario scenario = LateEndScenario(kLateEndVersion1);
  EXPECT_EQ(FaultCountsOf(scenario), (FaultCounts{.holds = 1}));
  SetFaultCounts({.crashes = 1, .elections = 1}, scenario);
  EXPECT_EQ(scenario.explore->holds, 0);
  EXPECT_THAT(scenario.explore->crash, SizeIs(2));  // one broker, one application
  EXPECT_THAT(scenario.explore->elect, ElementsAre(PartitionName{"orders", 0}));
  EXPECT_EQ(scenario.explore->until_us, 90'000'000);
}

}  // namespace
}  // namespace kafkasim::scenarios

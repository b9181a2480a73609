// Generated scenarios: scenarios/workload.h, generated_walk.h.
#include "scenarios/workload.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "scenarios/generated_walk.h"
#include "scenarios/loader.h"

namespace kafkasim::scenarios {
namespace {

Scenario Unchanged(Scenario scenario) { return scenario; }

TEST(Workload, IsAScenarioForEverySeed) {
  std::set<std::string> texts;
  std::set<std::int32_t> brokers;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const std::string text = MakeWorkload(seed, {});
    EXPECT_EQ(text, MakeWorkload(seed, {}));
    const LoadResult loaded = LoadScenarioText("workload.yaml", text);
    ASSERT_TRUE(loaded.scenario.has_value()) << loaded.Report() << text;
    texts.insert(text);
    brokers.insert(loaded.scenario->cluster.brokers);
  }
  EXPECT_EQ(texts.size(), 100u);
  EXPECT_EQ(brokers, (std::set<std::int32_t>{1, 2, 3}));
}

TEST(Workload, HasTheShapeThatIsAskedFor) {
  const WorkloadShape shape{
      .brokers = 3, .partitions = 3, .producers = 4, .services = 2, .consumers = 3};
  EXPECT_EQ(shape.Text(), "--brokers 3 --partitions 3 --producers 4 --services 2 --consumers 3");
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const LoadResult loaded = LoadScenarioText("workload.yaml", MakeWorkload(seed, shape));
    ASSERT_TRUE(loaded.scenario.has_value()) << loaded.Report();
    const Scenario& scenario = *loaded.scenario;
    EXPECT_EQ(scenario.cluster.brokers, 3);
    for (const TopicSpec& topic : scenario.topics) EXPECT_EQ(topic.partitions, 3);
    const auto count = [&](bool produces, bool consumes) {
      return std::count_if(scenario.actors.begin(), scenario.actors.end(), [&](const ActorSpec& a) {
        return a.application.producer.has_value() == produces &&
               a.application.consumer.has_value() == consumes;
      });
    };
    EXPECT_EQ(count(true, false), 4);
    EXPECT_EQ(count(true, true), 2);
    EXPECT_EQ(count(false, true), 3);
  }
}

// What is in it happens: transactions end both ways, groups rebalance, worlds come to rest.
TEST(Workload, GetsWhereAnomaliesCouldBe) {
  Reached reached;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    reached += WalkGenerated(seed, {}, Unchanged).run.tally.reached;
  }
  EXPECT_GT(reached.committed, 40u);
  EXPECT_GT(reached.aborted, 10u);
  EXPECT_GT(reached.rebalances, 0u);
  EXPECT_GT(reached.ended, 35u);
  for (const FaultCountKind& kind : FaultCountKinds()) EXPECT_GT(reached.faults.*kind.count, 0);
}

}  // namespace
}  // namespace kafkasim::scenarios

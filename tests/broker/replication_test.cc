// Replication over the network: high watermark, ISR, follower fetches.
#include <gmock/gmock.h>

#include "broker/events.h"
#include "tests/broker/test_cluster.h"

namespace kafkasim::broker {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Worked example of two replicas: three records, then the marker.
TEST(Replication, MovesHighWatermarkAndLastStableOffsetStepByStep) {
  TestCluster cluster(TestCluster::Orders(2, 1));
  cluster.Run(sim::Millis(10));
  const PartitionLog& leader = cluster.Log(0);

  cluster.Produce(0, InTransaction(3, 0));
  cluster.Run(sim::Millis(1));  // appended
  EXPECT_EQ(cluster.Log(0).log_end_offset(), Offset(3));
  EXPECT_EQ(cluster.Log(0).high_watermark(), Offset(0));
  EXPECT_EQ(cluster.Log(0).last_stable_offset(), Offset(0));

  cluster.Run(sim::Millis(2));  // the follower has it and fetches at 3
  EXPECT_EQ(cluster.Log(0).high_watermark(), Offset(3));
  EXPECT_EQ(cluster.Log(0).last_stable_offset(), Offset(0));
  EXPECT_EQ(cluster.Log(1).log_end_offset(), Offset(3));
  EXPECT_EQ(cluster.Log(1).high_watermark(), Offset(0)) << "the follower's lags one fetch";

  cluster.WriteMarker(0, kP, kE, /*commit=*/true);
  cluster.Run(sim::Millis(1));
  EXPECT_EQ(cluster.Log(0).log_end_offset(), Offset(4));
  EXPECT_EQ(cluster.Log(0).high_watermark(), Offset(3));
  EXPECT_EQ(cluster.Log(0).last_stable_offset(), Offset(0)) << "the marker is not replicated";
  cluster.Run(sim::Millis(2));
  EXPECT_EQ(cluster.Log(0).high_watermark(), Offset(4));
  EXPECT_EQ(cluster.Log(0).last_stable_offset(), Offset(4));
  EXPECT_EQ(&leader, &cluster.Log(0));
}

TEST(Replication, AnIdleClusterSendsNothing) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Millis(10));
  EXPECT_EQ(cluster.world().NextEventAt(), std::nullopt);
  cluster.Produce(0, {});
  cluster.Run(sim::Seconds(2));
  EXPECT_EQ(cluster.world().NextEventAt(), sim::Time{} + sim::Seconds(604'830))
      << "when the record will have been there for a week, at the retention check after that";
}

TEST(Replication, TellsTheHighWatermarkWhenAFetchWouldExpire) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Millis(10));
  const sim::Time sent = cluster.now();
  const size_t produced = cluster.Produce(0, {});
  cluster.Run(sim::Millis(10));
  EXPECT_EQ(cluster.sent()[produced].answered_at, sent + sim::Millis(4));
  EXPECT_EQ(cluster.Log(0).high_watermark(), Offset(1));
  EXPECT_EQ(cluster.Log(1).high_watermark(), Offset(0));
  // The fetch at 1 arrived 3 ms after the start; it waits for 500 ms and its answer takes one.
  cluster.Run(sim::Millis(493));
  EXPECT_EQ(cluster.Log(1).high_watermark(), Offset(0));
  cluster.Run(sim::Millis(1));
  EXPECT_EQ(cluster.Log(1).high_watermark(), Offset(1));
  EXPECT_EQ(cluster.Log(2).high_watermark(), Offset(1));
}

TEST(Replication, DataCarriesTheHighWatermarkAtOnce) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Millis(10));
  cluster.Produce(0, {});
  cluster.Run(sim::Millis(10));
  cluster.Produce(0, {});
  cluster.Run(sim::Millis(2));
  EXPECT_EQ(cluster.Log(1).log_end_offset(), Offset(2));
  EXPECT_EQ(cluster.Log(1).high_watermark(), Offset(1));
}

// ISR 2 of 3 with min.insync.replicas 3: nothing is committed until the ISR change is confirmed.
TEST(Replication, HighWatermarkStandsStillBelowMinIsr) {
  TestCluster cluster(TestCluster::Orders(3, 3));
  cluster.Run(sim::Millis(10));
  cluster.Crash(2);
  cluster.Run(sim::Seconds(10));  // fenced, out of the ISR
  ASSERT_THAT(cluster.Orders().isr, ElementsAre(BrokerId(0), BrokerId(1)));
  cluster.Produce(0, {}, /*acks=*/1);
  cluster.Run(sim::Seconds(1));
  EXPECT_EQ(cluster.Log(1).log_end_offset(), Offset(1));
  EXPECT_EQ(cluster.Log(0).high_watermark(), Offset(0));

  cluster.Cut(sim::ProcessId(0), cluster.controller_process());  // no AlterPartition gets through
  cluster.Restart(2);
  cluster.Run(sim::Millis(100));
  EXPECT_EQ(cluster.Log(2).log_end_offset(), Offset(1)) << "all three have caught up";
  EXPECT_EQ(cluster.Log(0).high_watermark(), Offset(0));
  cluster.Heal(sim::ProcessId(0), cluster.controller_process());
  cluster.Run(sim::Seconds(2));
  EXPECT_EQ(cluster.Log(2).log_end_offset(), Offset(1));
  EXPECT_EQ(cluster.Orders().isr.size(), 3u);
  EXPECT_EQ(cluster.Log(0).high_watermark(), Offset(1));
}

TEST(Replication, AFollowerThatDoesNotFetchLeavesTheIsrAndComesBack) {
  TestCluster cluster(TestCluster::Orders(3, 1));
  cluster.Run(sim::Seconds(1));
  cluster.Cut(sim::ProcessId(0), sim::ProcessId(2));
  const size_t produced = cluster.Produce(0, {});
  cluster.Run(sim::Seconds(25));
  EXPECT_FALSE(cluster.Answered(produced)) << "broker 2 is still in the ISR";
  EXPECT_EQ(cluster.Orders().isr.size(), 3u);
  // Lagging from second 1 on; looked at every 15 seconds; more than 30 seconds are too many.
  cluster.Run(sim::Seconds(18));
  EXPECT_EQ(cluster.Orders().isr.size(), 3u);
  cluster.Run(sim::Seconds(2));
  EXPECT_THAT(cluster.Orders().isr, ElementsAre(BrokerId(0), BrokerId(1)));
  EXPECT_TRUE(cluster.Answered(produced));
  EXPECT_EQ(cluster.Log(0).high_watermark(), Offset(1));

  cluster.Heal(sim::ProcessId(0), sim::ProcessId(2));
  cluster.Run(sim::Seconds(1));
  EXPECT_EQ(cluster.Orders().isr.size(), 3u);
  EXPECT_EQ(cluster.Log(2).log_end_offset(), Offset(1));
}

TEST(Replication, ACaughtUpFollowerStaysInTheIsrHoweverLongNothingHappens) {
  TestCluster cluster(TestCluster::Orders(3, 1));
  cluster.Run(sim::Seconds(600));
  const size_t produced = cluster.Produce(0, {});
  cluster.Run(sim::Millis(10));
  EXPECT_TRUE(cluster.Answered(produced));
  EXPECT_EQ(cluster.Orders().isr.size(), 3u);
  EXPECT_THAT(cluster.trace().OfKind(events::kIsrChanged), IsEmpty());
}

TEST(Replication, ARestartedFollowerFetchesWhatItMissed) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Millis(10));
  cluster.Produce(0, {});
  cluster.Run(sim::Seconds(1));
  cluster.Crash(1);
  cluster.Run(sim::Seconds(10));
  for (int i = 0; i < 5; ++i) cluster.Produce(0, {.records = 2});
  cluster.Run(sim::Seconds(1));
  EXPECT_EQ(cluster.Log(0).high_watermark(), Offset(11));
  cluster.Restart(1);
  cluster.Run(sim::Seconds(2));
  EXPECT_EQ(cluster.Log(1).log_end_offset(), Offset(11));
  EXPECT_EQ(cluster.Log(1).high_watermark(), Offset(11));
  EXPECT_EQ(cluster.Orders().isr.size(), 3u);
}

}  // namespace
}  // namespace kafkasim::broker

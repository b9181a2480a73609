// Crashes, elections and what they do to logs and offsets.
#include <gmock/gmock.h>

#include "broker/events.h"
#include "tests/broker/test_cluster.h"

namespace kafkasim::broker {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(Failover, TheFirstReplicaOfTheIsrLeadsAfterTheSession) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Seconds(1));
  cluster.Crash(0);
  cluster.Run(sim::Millis(8'999));
  EXPECT_EQ(cluster.Orders().leader, BrokerId(0));
  cluster.Run(sim::Millis(2));
  EXPECT_EQ(cluster.Orders().leader, BrokerId(1));
  EXPECT_EQ(cluster.Orders().leader_epoch, LeaderEpoch(1));
  EXPECT_THAT(cluster.Orders().isr, ElementsAre(BrokerId(1), BrokerId(2)));
  cluster.Run(sim::Seconds(2));
  EXPECT_TRUE(cluster.Replica(1).is_leader());
  EXPECT_EQ(cluster.Replica(2).leader(), BrokerId(1));
  const size_t produced = cluster.Produce(1, {});
  cluster.Run(sim::Millis(10));
  EXPECT_EQ(cluster.Produced(produced).error, ErrorCode::kNone);
}

TEST(Failover, ACleanElectionKeepsWhatWasAcknowledgedAndItsStability) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Millis(10));
  cluster.Produce(0, InTransaction(3, 0));
  cluster.Run(sim::Millis(10));
  const size_t marker = cluster.WriteMarker(0, kP, kE, /*commit=*/true);
  cluster.Run(sim::Millis(10));
  ASSERT_EQ(cluster.MarkerError(marker), ErrorCode::kNone);
  cluster.Crash(0);
  cluster.Run(sim::Seconds(12));
  ASSERT_TRUE(cluster.Replica(1).is_leader());
  EXPECT_EQ(cluster.Log(1).log_end_offset(), Offset(4));
  EXPECT_EQ(cluster.Log(1).high_watermark(), Offset(4));
  EXPECT_EQ(cluster.Log(1).last_stable_offset(), Offset(4));
}

TEST(Failover, AnOpenTransactionPinsTheNewLeadersStableOffset) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Millis(10));
  cluster.Produce(0, {});
  cluster.Produce(0, InTransaction(3, 0));
  cluster.Run(sim::Millis(10));
  cluster.Crash(0);
  cluster.Run(sim::Seconds(12));
  EXPECT_EQ(cluster.Log(1).high_watermark(), Offset(4));
  EXPECT_EQ(cluster.Log(1).last_stable_offset(), Offset(1));
  cluster.WriteMarker(1, kP, kE, /*commit=*/false);
  cluster.Run(sim::Millis(10));
  EXPECT_EQ(cluster.Log(1).last_stable_offset(), Offset(5));
}

// What only the old leader had is cut from its log when it comes back.
TEST(Failover, TheOldLeaderCutsWhatNobodyElseHas) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Millis(10));
  cluster.Produce(0, {});
  cluster.Run(sim::Seconds(1));
  cluster.Cut(sim::ProcessId(0), sim::ProcessId(1));
  cluster.Cut(sim::ProcessId(0), sim::ProcessId(2));
  cluster.Produce(0, InTransaction(2, 0), /*acks=*/1);
  cluster.Run(sim::Millis(10));
  ASSERT_EQ(cluster.Log(0).log_end_offset(), Offset(3));
  cluster.Crash(0);
  cluster.Heal(sim::ProcessId(0), sim::ProcessId(1));
  cluster.Heal(sim::ProcessId(0), sim::ProcessId(2));
  cluster.Run(sim::Seconds(12));
  cluster.Produce(1, {.records = 5});
  cluster.Run(sim::Seconds(1));
  cluster.Restart(0);
  cluster.Run(sim::Seconds(2));
  EXPECT_EQ(cluster.Log(0).log_end_offset(), Offset(6));
  EXPECT_EQ(cluster.Log(0).last_stable_offset(), Offset(6)) << "its open transaction is gone";
  const auto cuts = cluster.trace().OfKind(events::kTruncated);
  ASSERT_THAT(cuts, SizeIs(1));
  EXPECT_EQ(cuts[0].Int("from"), 3);
  EXPECT_EQ(cuts[0].Int("to"), 1);
  EXPECT_EQ(cluster.Log(0).leader_epochs().latest_epoch(), LeaderEpoch(1));
  EXPECT_EQ(cluster.Orders().isr.size(), 3u);
}

TEST(Failover, WithoutAReplicaOfTheIsrThereIsNoLeader) {
  TestCluster cluster(TestCluster::Orders(2, 1));
  cluster.Run(sim::Seconds(1));
  cluster.Crash(1);
  cluster.Run(sim::Seconds(10));
  cluster.Produce(0, {.records = 3});
  cluster.Run(sim::Seconds(1));
  cluster.Crash(0);
  cluster.Run(sim::Seconds(10));
  EXPECT_EQ(cluster.Orders().leader, kNoBroker);
  EXPECT_THAT(cluster.Orders().isr, ElementsAre(BrokerId(0))) << "the last one stays";
  cluster.Restart(1);
  cluster.Run(sim::Seconds(5));
  EXPECT_EQ(cluster.Orders().leader, kNoBroker) << "broker 1 was not in sync";
  cluster.Restart(0);
  cluster.Run(sim::Seconds(5));
  EXPECT_EQ(cluster.Orders().leader, BrokerId(0));
  EXPECT_EQ(cluster.Log(1).log_end_offset(), Offset(3));
}

// The replica outside the ISR takes over and the records that it lacks are lost.
TEST(Failover, AnUncleanElectionLosesRecords) {
  ClusterSpec spec = TestCluster::Orders(2, 1);
  spec.topics[0].config->unclean_leader_election_enable = true;
  TestCluster cluster(spec);
  cluster.Run(sim::Seconds(1));
  cluster.Produce(0, {});
  cluster.Run(sim::Seconds(1));
  cluster.Crash(1);
  cluster.Run(sim::Seconds(10));
  cluster.Produce(0, {.records = 3});
  cluster.Run(sim::Seconds(1));
  ASSERT_EQ(cluster.Log(0).high_watermark(), Offset(4));
  cluster.Crash(0);
  cluster.Restart(1);
  cluster.Run(sim::Seconds(12));
  EXPECT_EQ(cluster.Orders().leader, BrokerId(1));
  EXPECT_THAT(cluster.Orders().isr, ElementsAre(BrokerId(1)));
  const auto elected = cluster.trace().OfKind(events::kLeaderElected);
  EXPECT_FALSE(std::get<bool>(*elected.back().Find("clean")));
  cluster.Produce(1, {});
  cluster.Run(sim::Seconds(1));
  EXPECT_EQ(cluster.Log(1).high_watermark(), Offset(2));
  cluster.Restart(0);
  cluster.Run(sim::Seconds(5));
  EXPECT_EQ(cluster.Log(0).log_end_offset(), Offset(2)) << "the old leader follows";
  EXPECT_EQ(cluster.Log(0).high_watermark(), Offset(2));
}

TEST(Failover, AnOrderedElectionMovesTheLeaderWithoutLoss) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Millis(10));
  cluster.Produce(0, {.records = 3});
  cluster.Run(sim::Millis(10));
  EXPECT_EQ(cluster.Elect(BrokerId(2)), ErrorCode::kNone);
  cluster.Run(sim::Seconds(3));
  EXPECT_TRUE(cluster.Replica(2).is_leader());
  EXPECT_EQ(cluster.Log(2).high_watermark(), Offset(3));
  const size_t produced = cluster.Produce(2, {});
  cluster.Run(sim::Millis(20));
  EXPECT_EQ(cluster.Produced(produced).base_offset, Offset(3));
  EXPECT_THAT(cluster.trace().OfKind(events::kTruncated), IsEmpty());
  EXPECT_EQ(cluster.Log(0).log_end_offset(), Offset(4));
}

TEST(Failover, AZombieLeaderIsNotFollowedAndGivesUpWhenItLearns) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Millis(10));
  cluster.Cut(sim::ProcessId(0), cluster.controller_process());
  cluster.Run(sim::Seconds(10));
  EXPECT_EQ(cluster.Orders().leader, BrokerId(1));
  EXPECT_TRUE(cluster.Replica(0).is_leader()) << "it does not know";
  const size_t zombie = cluster.Produce(0, {}, -1, /*timeout_ms=*/60'000);
  cluster.Run(sim::Seconds(1));
  EXPECT_FALSE(cluster.Answered(zombie));
  EXPECT_EQ(cluster.Log(0).high_watermark(), Offset(0));
  cluster.Heal(sim::ProcessId(0), cluster.controller_process());
  cluster.Run(sim::Seconds(5));
  EXPECT_EQ(cluster.Produced(zombie).error, ErrorCode::kNotLeaderOrFollower);
  EXPECT_EQ(cluster.Log(0).log_end_offset(), Offset(0)) << "cut: nobody else had it";
  EXPECT_EQ(cluster.Orders().isr.size(), 3u);
}

// ---- What crashes take ----

TEST(Crash, OfAProcessKeepsTheLog) {
  TestCluster cluster(TestCluster::Orders(1, 1));
  cluster.Run(sim::Millis(10));
  cluster.Produce(0, {.records = 3});
  cluster.Run(sim::Seconds(10));
  cluster.Crash(0, sim::CrashKind::kProcess);
  cluster.Run(sim::Seconds(10));
  cluster.Restart(0);
  cluster.Run(sim::Seconds(10));
  EXPECT_TRUE(cluster.Replica(0).is_leader());
  EXPECT_EQ(cluster.Log(0).log_end_offset(), Offset(3));
  EXPECT_EQ(cluster.Log(0).high_watermark(), Offset(3));
}

TEST(Crash, OfAMachineLosesWhatIsNotFlushed) {
  TestCluster cluster(TestCluster::Orders(1, 1));
  cluster.Run(sim::Millis(10));
  cluster.Produce(0, {.records = 3});
  cluster.Run(sim::Seconds(10));
  cluster.Crash(0, sim::CrashKind::kMachine);
  cluster.Run(sim::Seconds(10));
  cluster.Restart(0);
  cluster.Run(sim::Seconds(10));
  EXPECT_EQ(cluster.Log(0).log_end_offset(), Offset(0)) << "Kafka does not fsync by default";
}

TEST(Crash, OfADiskIsRepairedFromTheOtherReplicas) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Millis(10));
  cluster.Produce(0, {.records = 3});
  cluster.Run(sim::Seconds(10));
  cluster.Crash(1, sim::CrashKind::kDisk);
  cluster.Run(sim::Seconds(10));
  EXPECT_EQ(cluster.Log(1).log_end_offset(), Offset(0));
  cluster.Restart(1);
  cluster.Run(sim::Seconds(10));
  EXPECT_EQ(cluster.Log(1).log_end_offset(), Offset(3));
  EXPECT_EQ(cluster.Log(1).high_watermark(), Offset(3));
  EXPECT_EQ(cluster.Orders().isr.size(), 3u);
}

// The high watermark is known as of its last checkpoint, taken every 5 seconds.
TEST(Crash, BringsBackTheCheckpointOfTheHighWatermark) {
  TestCluster cluster(TestCluster::Orders(2, 1));
  cluster.Run(sim::Seconds(1));
  cluster.Produce(0, {});
  cluster.Run(sim::Seconds(5));  // second 6: the checkpoint of second 5 has 1
  cluster.Produce(0, {});
  cluster.Run(sim::Seconds(1));
  ASSERT_EQ(cluster.Log(1).high_watermark(), Offset(2));
  cluster.Crash(1);
  cluster.Restart(1);
  EXPECT_EQ(cluster.Log(1).high_watermark(), Offset(1));
}

TEST(Crash, LosesWhatWaitedAndTheClientNotices) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Millis(10));
  cluster.Cut(sim::ProcessId(0), sim::ProcessId(1));
  const size_t produced = cluster.Produce(0, {});
  const size_t fetched = cluster.Fetch(0, Offset(0), IsolationLevel::kReadUncommitted, 60'000);
  cluster.Run(sim::Millis(10));
  cluster.Crash(0);
  cluster.Run(sim::Millis(10));
  EXPECT_TRUE(cluster.sent()[produced].disconnected);
  EXPECT_TRUE(cluster.sent()[fetched].disconnected);
  EXPECT_TRUE(cluster.broker(0).pending_writes().empty());
}

// A crash between the append and everything that follows from it.
TEST(Crash, AtTheAppendLeavesTheRecordInTheLogButTellsNobody) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Millis(10));
  cluster.trace().StrikeAt(events::kAppended, sim::ProcessId(0), sim::Reaction::kCrash);
  cluster.Produce(0, {});
  cluster.Run(sim::Seconds(1));
  EXPECT_EQ(cluster.world().life(sim::ProcessId(0)), sim::Life::kCrashed);
  EXPECT_EQ(cluster.Log(0).log_end_offset(), Offset(1));
  EXPECT_EQ(cluster.Log(1).log_end_offset(), Offset(0));
  cluster.Run(sim::Seconds(12));
  EXPECT_EQ(cluster.Orders().leader, BrokerId(1));
  cluster.Restart(0);
  cluster.Run(sim::Seconds(5));
  EXPECT_EQ(cluster.Log(0).log_end_offset(), Offset(0)) << "it was cut";
}

TEST(Crash, ARestartedBrokerRefusesConnectionsUntilItIsRegistered) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Seconds(1));
  cluster.Crash(0);
  cluster.Restart(0);
  const size_t early = cluster.Send(0, MakeMessage(MetadataRequest{}));
  cluster.Run(sim::Millis(10));
  EXPECT_TRUE(cluster.sent()[early].disconnected);
  EXPECT_FALSE(cluster.broker(0).active());
  cluster.Run(sim::Seconds(10));
  EXPECT_TRUE(cluster.broker(0).active());
  const size_t late = cluster.Send(0, MakeMessage(MetadataRequest{}));
  cluster.Run(sim::Millis(10));
  EXPECT_EQ(cluster.Answer<MetadataResponse>(late).image->version,
            cluster.controller().image()->version);
}

}  // namespace
}  // namespace kafkasim::broker

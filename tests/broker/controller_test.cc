// The controller: sessions, registrations, elections on order, AlterPartition, producer ids.
#include <gmock/gmock.h>

#include "broker/events.h"
#include "tests/broker/test_cluster.h"

namespace kafkasim::broker {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A broker that comes back within its session has to wait for its end: KRaft refuses the new life
// as long as the old one counts as alive.
TEST(Controller, FencesTheOldLifeBeforeItRegistersTheNewOne) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Seconds(1));
  cluster.Crash(0);
  cluster.Run(sim::Seconds(1));
  cluster.Restart(0);
  cluster.Run(sim::Seconds(7));
  EXPECT_EQ(cluster.Orders().leader, BrokerId(0)) << "the session of the old life still runs";
  EXPECT_FALSE(cluster.broker(0).active());
  cluster.Run(sim::Millis(1'500));
  EXPECT_EQ(cluster.Orders().leader, BrokerId(1));
  EXPECT_EQ(cluster.Orders().leader_epoch, LeaderEpoch(1));
  EXPECT_TRUE(cluster.broker(0).active());
  EXPECT_EQ(cluster.controller().image()->BrokerEpoch(BrokerId(0)), 1);
  EXPECT_THAT(cluster.trace().OfKind(events::kBrokerFenced), SizeIs(1));
  EXPECT_THAT(cluster.trace().OfKind(events::kBrokerRegistered), SizeIs(1));
}

TEST(Controller, TheOnlyReplicaLeadsAgainInANewEpoch) {
  TestCluster cluster(TestCluster::Orders(1, 1));
  cluster.Run(sim::Seconds(1));
  cluster.Crash(0);
  cluster.Restart(0);
  cluster.Run(sim::Seconds(10));
  EXPECT_EQ(cluster.Orders().leader, BrokerId(0));
  EXPECT_EQ(cluster.Orders().leader_epoch, LeaderEpoch(2)) << "to nobody and back";
  EXPECT_TRUE(cluster.Replica(0).is_leader());
}

TEST(Controller, AShortAbsenceIsNotNoticed) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Seconds(1));
  cluster.world().Pause(sim::ProcessId(0), &cluster.trace());
  cluster.Run(sim::Millis(8'990));
  cluster.world().Resume(sim::ProcessId(0), &cluster.trace());
  cluster.Run(sim::Seconds(20));
  EXPECT_EQ(cluster.Orders().leader, BrokerId(0));
  EXPECT_EQ(cluster.Orders().leader_epoch, LeaderEpoch(0));
  EXPECT_THAT(cluster.trace().OfKind(events::kBrokerFenced), IsEmpty());
}

TEST(Controller, APausedBrokerIsFencedAndComesBackWithItsNextHeartbeat) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Seconds(1));
  cluster.world().Pause(sim::ProcessId(0), &cluster.trace());
  cluster.Run(sim::Seconds(20));
  EXPECT_EQ(cluster.Orders().leader, BrokerId(1));
  EXPECT_FALSE(cluster.controller().image()->IsAlive(BrokerId(0)));
  cluster.world().Resume(sim::ProcessId(0), &cluster.trace());
  cluster.Run(sim::Millis(1'990));
  EXPECT_FALSE(cluster.controller().image()->IsAlive(BrokerId(0)));
  cluster.Run(sim::Seconds(3));
  EXPECT_TRUE(cluster.controller().image()->IsAlive(BrokerId(0)));
  EXPECT_EQ(cluster.controller().image()->BrokerEpoch(BrokerId(0)), 0) << "the same life";
  EXPECT_EQ(cluster.Orders().isr.size(), 3u);
  EXPECT_EQ(cluster.Orders().leader, BrokerId(1)) << "leadership does not return by itself";
}

TEST(Controller, ElectsOnOrderWhoMayLead) {
  TestCluster cluster(TestCluster::Orders(3, 1));
  cluster.Run(sim::Seconds(1));
  EXPECT_EQ(cluster.Elect(BrokerId(0)), ErrorCode::kElectionNotNeeded);
  EXPECT_EQ(cluster.Elect(kNoBroker), ErrorCode::kElectionNotNeeded);
  EXPECT_EQ(cluster.Elect(BrokerId(2)), ErrorCode::kNone);
  EXPECT_EQ(cluster.Orders().leader, BrokerId(2));
  EXPECT_EQ(cluster.Orders().partition_epoch, 1);
  EXPECT_EQ(cluster.Elect(kNoBroker), ErrorCode::kNone) << "the preferred one";
  EXPECT_EQ(cluster.Orders().leader, BrokerId(0));
  cluster.Run(sim::Seconds(2));
  cluster.Crash(2);
  cluster.Run(sim::Seconds(10));
  EXPECT_EQ(cluster.Elect(BrokerId(2)), ErrorCode::kPreferredLeaderNotAvailable);
  EXPECT_EQ(cluster.Elect(BrokerId(1), /*unclean=*/true), ErrorCode::kElectionNotNeeded);
  const auto refused = cluster.trace().OfKind(events::kElectionRefused);
  ASSERT_THAT(refused, SizeIs(4));
  EXPECT_EQ(refused.back().Text("error"), "ELECTION_NOT_NEEDED");
}

TEST(Controller, ElectsUncleanlyOnOrderWhenThereIsNoLeader) {
  TestCluster cluster(TestCluster::Orders(2, 1));
  cluster.Run(sim::Seconds(1));
  cluster.Crash(1);
  cluster.Run(sim::Seconds(10));
  cluster.Crash(0);
  cluster.Run(sim::Seconds(10));
  EXPECT_EQ(cluster.Elect(BrokerId(1), /*unclean=*/true), ErrorCode::kEligibleLeadersNotAvailable);
  cluster.Restart(1);
  cluster.Run(sim::Seconds(1));
  EXPECT_EQ(cluster.Orders().leader, kNoBroker);
  EXPECT_EQ(cluster.Elect(kNoBroker, /*unclean=*/true), ErrorCode::kNone);
  EXPECT_EQ(cluster.Orders().leader, BrokerId(1));
  EXPECT_THAT(cluster.Orders().isr, ElementsAre(BrokerId(1)));
}

class AlterPartition : public ::testing::Test {
 protected:
  AlterPartition() : cluster_(TestCluster::Orders(3, 1)) {
    cluster_.Run(sim::Seconds(1));
    cluster_.Elect(BrokerId(1));  // leader epoch 1, partition epoch 1
  }
  ErrorCode Ask(AlterPartitionRequest request) {
    request.partition.topic = TopicId(0);
    if (request.partition.index < 0) request.partition.index = 0;
    const size_t asked = cluster_.Send(3, MakeMessage(std::move(request)), kControllerChannel);
    cluster_.Run(sim::Millis(2));
    return cluster_.Answer<AlterPartitionResponse>(asked).error;
  }
  static std::vector<AlterPartitionRequest::IsrMember> Isr(std::vector<int32_t> brokers) {
    std::vector<AlterPartitionRequest::IsrMember> isr;
    for (const int32_t broker : brokers) isr.push_back({.broker = BrokerId(broker)});
    return isr;
  }
  TestCluster cluster_;
};

TEST_F(AlterPartition, IsForThePresentLeaderWithThePresentEpochs) {
  const AlterPartitionRequest good{.broker = BrokerId(1),
                                   .leader_epoch = LeaderEpoch(1),
                                   .partition_epoch = 1,
                                   .new_isr = Isr({0, 1})};
  AlterPartitionRequest request = good;
  request.leader_epoch = LeaderEpoch(0);
  EXPECT_EQ(Ask(request), ErrorCode::kFencedLeaderEpoch);
  request = good;
  request.broker = BrokerId(0);
  EXPECT_EQ(Ask(request), ErrorCode::kInvalidRequest);
  request = good;
  request.partition_epoch = 0;
  EXPECT_EQ(Ask(request), ErrorCode::kInvalidUpdateVersion);
  request = good;
  request.partition.index = 9;
  EXPECT_EQ(Ask(request), ErrorCode::kUnknownTopicOrPartition);
  EXPECT_EQ(Ask(good), ErrorCode::kNone);
  EXPECT_THAT(cluster_.Orders().isr, ElementsAre(BrokerId(0), BrokerId(1)));
  EXPECT_EQ(cluster_.Orders().partition_epoch, 2);
  EXPECT_EQ(cluster_.Orders().leader_epoch, LeaderEpoch(1)) << "the ISR alone is no new epoch";
}

TEST_F(AlterPartition, TakesReplicasThatAreAliveOnly) {
  AlterPartitionRequest request{.broker = BrokerId(1),
                                .leader_epoch = LeaderEpoch(1),
                                .partition_epoch = 1,
                                .new_isr = Isr({0})};
  EXPECT_EQ(Ask(request), ErrorCode::kInvalidRequest) << "the leader is always in sync";
  request.new_isr = Isr({1, 7});
  EXPECT_EQ(Ask(request), ErrorCode::kInvalidRequest);
  request.new_isr = Isr({0, 1});
  request.new_isr[0].broker_epoch = 5;
  EXPECT_EQ(Ask(request), ErrorCode::kIneligibleReplica) << "another life of broker 0";
  cluster_.Crash(2);
  cluster_.Run(sim::Seconds(10));  // fencing changes the ISR: partition epoch 2
  request.partition_epoch = 2;
  request.new_isr = Isr({1, 2});
  EXPECT_EQ(Ask(request), ErrorCode::kIneligibleReplica);
}

TEST(Controller, HandsOutBlocksOfProducerIdsFromTheFirstOneOn) {
  ClusterSpec spec = TestCluster::Orders(3, 1);
  spec.first_producer_id = ProducerId(7);
  TestCluster cluster(spec);
  const auto ask = [&] {
    const size_t asked =
        cluster.Send(3, MakeMessage(AllocateProducerIdsRequest{.broker = BrokerId(0)}));
    cluster.Run(sim::Millis(2));
    return cluster.Answer<AllocateProducerIdsResponse>(asked);
  };
  EXPECT_EQ(ask().first, ProducerId(7));
  EXPECT_EQ(ask().first, ProducerId(1007));
  EXPECT_EQ(ask().count, 1000);
  EXPECT_EQ(cluster.controller().next_producer_id(), ProducerId(3007));
}

TEST(Metadata, ABrokerThatIsCutOffAnswersWithWhatItKnows) {
  TestCluster cluster(TestCluster::Orders(3, 1));
  cluster.Run(sim::Seconds(1));
  cluster.Cut(sim::ProcessId(2), cluster.controller_process());
  cluster.Elect(BrokerId(1));
  cluster.Run(sim::Seconds(1));
  const size_t old = cluster.Send(2, MakeMessage(MetadataRequest{}));
  const size_t fresh = cluster.Send(0, MakeMessage(MetadataRequest{}));
  cluster.Run(sim::Millis(10));
  const auto leader = [&](size_t number) {
    return cluster.Answer<MetadataResponse>(number)
        .image->FindPartition(cluster.Id("orders-0"))
        ->leader;
  };
  EXPECT_EQ(leader(old), BrokerId(0));
  EXPECT_EQ(leader(fresh), BrokerId(1));
}

TEST(FindCoordinator, NamesTheLeaderOfTheIdsPartition) {
  ClusterSpec spec = TestCluster::Orders(3, 1);
  spec.config.transaction_state_log_replication_factor = 3;
  TestCluster cluster(spec);
  const auto find = [&](CoordinatorType type, std::string key) {
    const size_t asked =
        cluster.Send(0, MakeMessage(FindCoordinatorRequest{.type = type, .key = std::move(key)}));
    cluster.Run(sim::Millis(2));
    return cluster.Answer<FindCoordinatorResponse>(asked);
  };
  // Partition 28 of 50; its first replica is on broker 28 mod 3.
  EXPECT_EQ(find(CoordinatorType::kTransaction, "order-processor-0").broker, BrokerId(1));
  EXPECT_EQ(find(CoordinatorType::kGroup, "group").error, ErrorCode::kCoordinatorNotAvailable)
      << "there is no __consumer_offsets";
  for (const int32_t broker : {1, 2}) cluster.Crash(broker);
  cluster.Run(sim::Seconds(10));
  EXPECT_EQ(find(CoordinatorType::kTransaction, "order-processor-0").broker, BrokerId(0));
}

}  // namespace
}  // namespace kafkasim::broker

// What a broker tells administrators and careful readers about its replicas.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "broker/messages_admin.h"
#include "broker/messages_leader_epoch.h"
#include "tests/broker/test_cluster.h"

namespace kafkasim::broker {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

TestBatch Transactional(int32_t sequence) {
  return {.producer_id = kP,
          .epoch = ProducerEpoch(3),
          .sequence = Sequence(sequence),
          .transactional = true};
}

class BrokerAdmin : public ::testing::Test {
 protected:
  BrokerAdmin() { cluster_.Run(sim::Millis(10)); }

  DescribeProducersResponse::PartitionResult Describe(int32_t broker, const PartitionId& id) {
    const size_t asked =
        cluster_.Send(broker, MakeMessage(DescribeProducersRequest{.partitions = {id}}));
    cluster_.Run(sim::Millis(10));
    return cluster_.Answer<DescribeProducersResponse>(asked).partitions.front();
  }
  OffsetForLeaderEpochResponse::PartitionResult EndOf(int32_t broker, int32_t epoch,
                                                      int32_t current = -1) {
    OffsetForLeaderEpochRequest request;
    request.partitions.push_back({.partition = cluster_.Id("orders-0"),
                                  .current_leader_epoch = LeaderEpoch(current),
                                  .leader_epoch = LeaderEpoch(epoch)});
    const size_t asked = cluster_.Send(broker, MakeMessage(std::move(request)));
    cluster_.Run(sim::Millis(10));
    return cluster_.Answer<OffsetForLeaderEpochResponse>(asked).partitions.front();
  }
  ErrorCode ElectByRequest(int32_t broker, BrokerId leader) {
    const size_t asked = cluster_.Send(
        broker,
        MakeMessage(ElectLeadersRequest{.partition = cluster_.Id("orders-0"), .leader = leader}));
    cluster_.Run(sim::Millis(20));
    return cluster_.Answer<ElectLeadersResponse>(asked).error;
  }

  TestCluster cluster_{TestCluster::Orders(3, 2)};
};

TEST_F(BrokerAdmin, DescribesTheProducerOfAnOpenTransaction) {
  cluster_.Produce(0, {});
  cluster_.Produce(0, Transactional(0));
  cluster_.Produce(0, Transactional(1));
  cluster_.Run(sim::Millis(10));
  const auto result = Describe(0, cluster_.Id("orders-0"));
  ASSERT_THAT(result.active_producers, SizeIs(1)) << "plain records have no producer";
  const auto& state = result.active_producers.front();
  EXPECT_EQ(state.producer_id, kP);
  EXPECT_EQ(state.producer_epoch, ProducerEpoch(3));
  EXPECT_EQ(state.last_sequence, Sequence(1));
  EXPECT_EQ(state.last_timestamp_ms, 0);
  EXPECT_EQ(state.coordinator_epoch, kNoCoordinatorEpoch) << "no marker yet";
  EXPECT_EQ(state.current_txn_start_offset, Offset(1));
}

TEST_F(BrokerAdmin, AfterTheMarkerThereIsACoordinatorEpochAndNoTransaction) {
  cluster_.Produce(0, Transactional(0));
  cluster_.Run(sim::Millis(10));
  cluster_.WriteMarker(0, kP, ProducerEpoch(3), /*commit=*/false);
  cluster_.Run(sim::Millis(10));
  const auto state = Describe(0, cluster_.Id("orders-0")).active_producers.at(0);
  EXPECT_EQ(state.coordinator_epoch, CoordinatorEpoch(0));
  EXPECT_EQ(state.current_txn_start_offset, kNoOffset);
}

// ReplicaManager.activeProducerState does not ask for leadership.
TEST_F(BrokerAdmin, AFollowerDescribesItsOwnReplica) {
  cluster_.Produce(0, Transactional(0));
  cluster_.Run(sim::Millis(10));
  EXPECT_THAT(Describe(1, cluster_.Id("orders-0")).active_producers, SizeIs(1));
}

TEST_F(BrokerAdmin, APartitionThatDoesNotExistIsUnknown) {
  const auto result = Describe(0, PartitionId{TopicId(0), 9});
  EXPECT_EQ(result.error, ErrorCode::kUnknownTopicOrPartition);
  EXPECT_THAT(result.active_producers, IsEmpty());
}

TEST(DescribeProducers, OfABrokerWithoutAReplica) {
  ClusterSpec spec = TestCluster::Orders(3, 1);
  spec.topics.front().replication_factor = 1;
  TestCluster cluster(spec);
  const size_t asked = cluster.Send(
      1, MakeMessage(DescribeProducersRequest{.partitions = {cluster.Id("orders-0")}}));
  cluster.Run(sim::Millis(10));
  EXPECT_EQ(cluster.Answer<DescribeProducersResponse>(asked).partitions.front().error,
            ErrorCode::kNotLeaderOrFollower);
}

TEST_F(BrokerAdmin, AnEpochEndsWhereTheNextOneBegins) {
  cluster_.Produce(0, {});
  cluster_.Produce(0, {});
  cluster_.Run(sim::Millis(10));
  EXPECT_EQ(cluster_.Elect(BrokerId(1)), ErrorCode::kNone);
  cluster_.Run(sim::Millis(10));
  cluster_.Produce(1, {});
  cluster_.Run(sim::Millis(10));
  const auto old = EndOf(1, /*epoch=*/0, /*current=*/1);
  EXPECT_EQ(old.error, ErrorCode::kNone);
  EXPECT_EQ(old.leader_epoch, LeaderEpoch(0));
  EXPECT_EQ(old.end_offset, Offset(2));
  EXPECT_EQ(EndOf(1, 1).end_offset, Offset(3)) << "the last epoch ends with the log";
  EXPECT_EQ(EndOf(1, 2).end_offset, kNoOffset) << "nothing is known of a later epoch";
}

TEST_F(BrokerAdmin, OnlyTheLeaderOfThatEpochSpeaksOfEpochs) {
  EXPECT_EQ(EndOf(1, 0).error, ErrorCode::kNotLeaderOrFollower);
  EXPECT_EQ(EndOf(0, 0, /*current=*/1).error, ErrorCode::kUnknownLeaderEpoch);
  EXPECT_EQ(cluster_.Elect(BrokerId(1)), ErrorCode::kNone);
  cluster_.Run(sim::Millis(10));
  EXPECT_EQ(EndOf(1, 0, /*current=*/0).error, ErrorCode::kFencedLeaderEpoch);
}

TEST_F(BrokerAdmin, AnyBrokerHandsElectionsOnToTheController) {
  EXPECT_EQ(ElectByRequest(2, BrokerId(1)), ErrorCode::kNone);
  EXPECT_EQ(cluster_.Orders().leader, BrokerId(1));
  EXPECT_EQ(ElectByRequest(0, BrokerId(1)), ErrorCode::kElectionNotNeeded);
}

TEST_F(BrokerAdmin, AnElectionThatTheControllerDoesNotAnswerTimesOut) {
  cluster_.Cut(sim::ProcessId(2), cluster_.controller_process());
  const size_t asked =
      cluster_.Send(2, MakeMessage(ElectLeadersRequest{.partition = cluster_.Id("orders-0")}));
  cluster_.Run(sim::Seconds(31));
  EXPECT_EQ(cluster_.Answer<ElectLeadersResponse>(asked).error, ErrorCode::kRequestTimedOut);
}

TEST(InitialRecords, AreInAllReplicasFromTheStartAndSurviveACrashOfTheMachine) {
  ClusterSpec spec = TestCluster::Orders(3, 2);
  spec.config.transaction_state_log_replication_factor = 3;
  spec.initial_records.push_back(
      {.topic = std::string(kTransactionStateTopic), .record = {.key = "pay-1", .value = "v"}});
  TestCluster cluster(spec);
  const PartitionId id =
      *cluster.controller().image()->PartitionForKey(kTransactionStateTopic, "pay-1");
  cluster.Run(sim::Millis(10));
  for (const int32_t broker : {0, 1, 2}) {
    const PartitionLog& log = cluster.broker(broker).FindReplica(id)->log();
    EXPECT_EQ(log.log_end_offset(), Offset(1));
    EXPECT_EQ(log.high_watermark(), Offset(1));
    EXPECT_EQ((*log.FindBatch(Offset(0))->records)[0].key, "pay-1");
  }
  cluster.Crash(1, sim::CrashKind::kMachine);
  cluster.Restart(1);
  EXPECT_EQ(cluster.broker(1).FindReplica(id)->log().log_end_offset(), Offset(1));
}

TEST(InitialRecords, NeedTheirTopic) {
  ClusterSpec spec = TestCluster::Orders(1, 1);
  spec.initial_records.push_back({.topic = "nothing", .record = {.key = "k"}});
  sim::World world{sim::World::Options{}};
  EXPECT_FALSE(AddCluster(world, spec).ok());
}

}  // namespace
}  // namespace kafkasim::broker

// Groups in a whole world: requests over the network, the real transaction coordinator,
// replication, and failovers in the middle of things.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "broker/channels.h"
#include "broker/messages_cluster.h"
#include "broker/messages_group.h"
#include "broker/messages_offsets.h"
#include "coordinator/group_events.h"
#include "coordinator/group_view.h"
#include "tests/coordinator/txn_cluster.h"

namespace kafkasim::coordinator {
namespace {

using broker::ErrorCode;
using broker::Offset;
using ::testing::ElementsAre;

// A cluster with one group, "group", whose partition is __consumer_offsets-47, led by broker 2.
class GroupWorld {
 public:
  explicit GroupWorld(int64_t transaction_version)
      : version_(transaction_version), txn_(transaction_version) {}

  [[nodiscard]] TxnCluster& txn() { return txn_; }
  [[nodiscard]] int32_t Leader() const { return txn_.LeaderOf(kPartition); }
  [[nodiscard]] GroupView Group() const {
    return *FindGroup(
        *AsGroupCoordinator(*cluster().broker(Leader()).FindService(broker::kConsumerOffsetsTopic)),
        "group");
  }
  void ElectLeader(int32_t broker) {
    Mutable().world().Command(
        cluster().controller_process(),
        broker::MakeMessage(broker::ElectLeadersRequest{.partition = cluster().Id(kPartition),
                                                        .leader = broker::BrokerId(broker)}),
        nullptr);
    Run(sim::Seconds(1));
    ASSERT_EQ(Leader(), broker);
  }
  void Run(sim::Duration duration) { txn_.Run(duration); }

  ErrorCode AddOffsets(const broker::InitProducerIdResponse& producer) {
    return txn_
        .Ask<broker::AddOffsetsToTxnResponse>(txn_.CoordinatorOf("pay-1"),
                                              broker::MakeMessage(broker::AddOffsetsToTxnRequest{
                                                  .transactional_id = "pay-1",
                                                  .producer_id = producer.producer_id,
                                                  .producer_epoch = producer.producer_epoch,
                                                  .group_id = "group"}))
        ->error;
  }
  // As a client of transaction.version 1 must.
  ErrorCode AddOffsetsIfClassic(const broker::InitProducerIdResponse& producer) {
    return version_ == 2 ? ErrorCode::kNone : AddOffsets(producer);
  }
  // As a client does it: again while the answer is retriable.
  ErrorCode TxnCommit(const broker::InitProducerIdResponse& producer, int64_t offset,
                      std::optional<int16_t> version = std::nullopt) {
    const auto newest = static_cast<int16_t>(version_ == 2 ? 5 : 4);
    ErrorCode error = ErrorCode::kNone;
    for (int i = 0; i < 20; ++i) {
      error = txn_.Ask<broker::TxnOffsetCommitResponse>(
                      Leader(), broker::MakeMessage(broker::TxnOffsetCommitRequest{
                                    .version = version.value_or(newest),
                                    .transactional_id = "pay-1",
                                    .group_id = "group",
                                    .producer_id = producer.producer_id,
                                    .producer_epoch = producer.producer_epoch,
                                    .offsets = {{.partition = cluster().Id("orders-0"),
                                                 .offset = Offset(offset)}}}))
                  ->partitions.at(0)
                  .error;
      if (!IsRetriable(error)) break;
      Run(sim::Millis(100));
    }
    return error;
  }
  // "5", or the error.
  std::string Fetch(bool require_stable) {
    broker::OffsetFetchRequest request{.group_id = "group", .require_stable = require_stable};
    request.partitions = broker::PartitionList{cluster().Id("orders-0")};
    const auto answer =
        txn_.Ask<broker::OffsetFetchResponse>(Leader(), broker::MakeMessage(std::move(request)));
    if (answer->error != ErrorCode::kNone) return std::string(Name(answer->error));
    const auto& result = answer->partitions.at(0);
    return result.error == ErrorCode::kNone ? std::to_string(result.offset.value())
                                            : std::string(Name(result.error));
  }
  [[nodiscard]] std::vector<std::string> LogOf(int32_t broker) const {
    std::vector<std::string> texts;
    for (const GroupLogEntry& entry : DecodeGroupLog(txn_.Log(broker, kPartition))) {
      texts.push_back(entry.marker.has_value()
                          ? std::string(Name(*entry.marker))
                          : Describe(*entry.record, *cluster().controller().image()));
    }
    return texts;
  }
  size_t SendJoin(const std::string& client_id, const std::string& member_id) {
    broker::JoinGroupRequest request{
        .client_id = client_id, .group_id = "group", .member_id = member_id};
    request.protocols.push_back({.name = "range", .subscription = {}});
    return Mutable().Send(Leader(), broker::MakeMessage(std::move(request)));
  }
  ErrorCode Heartbeat(int32_t generation, const std::string& member_id) {
    return txn_
        .Ask<broker::HeartbeatResponse>(
            Leader(),
            broker::MakeMessage(broker::HeartbeatRequest{
                .group_id = "group", .generation_id = generation, .member_id = member_id}))
        ->error;
  }
  // One member, a-0-1, in a stable first generation with orders-0.
  void Stabilise() {
    SendJoin("a", "");
    Run(sim::Millis(100));
    SendJoin("a", "a-0-1");
    Run(sim::Seconds(4));
    Mutable().Send(Leader(), broker::MakeMessage(broker::SyncGroupRequest{
                                 .group_id = "group",
                                 .generation_id = 1,
                                 .member_id = "a-0-1",
                                 .assignments = {{"a-0-1", {cluster().Id("orders-0")}}}}));
    Run(sim::Millis(100));
    ASSERT_EQ(Group().state, GroupState::kStable);
  }
  void CutOff(int32_t broker) {
    for (int32_t other = 0; other < 3; ++other) {
      if (other != broker) Mutable().Cut(sim::ProcessId(broker), sim::ProcessId(other));
    }
  }
  [[nodiscard]] broker::TestCluster& Mutable() { return txn_.cluster(); }
  [[nodiscard]] const broker::TestCluster& cluster() const {
    return const_cast<GroupWorld*>(this)->txn_.cluster();
  }

 private:
  static constexpr std::string_view kPartition = "__consumer_offsets-47";

  int64_t version_;
  TxnCluster txn_;
};

class GroupTransactions : public testing::TestWithParam<int64_t> {};
INSTANTIATE_TEST_SUITE_P(TransactionVersion, GroupTransactions, testing::Values(1, 2));

TEST_P(GroupTransactions, OffsetsCountOnceTheTransactionCommits) {
  GroupWorld world(GetParam());
  const auto producer = world.txn().Init("pay-1");
  ASSERT_EQ(world.AddOffsetsIfClassic(producer), ErrorCode::kNone);
  ASSERT_EQ(world.TxnCommit(producer, 5), ErrorCode::kNone);
  EXPECT_EQ(world.txn().Find("pay-1")->value.partitions,
            broker::PartitionList{world.cluster().Id("__consumer_offsets-47")});
  EXPECT_EQ(world.Fetch(true), "UNSTABLE_OFFSET_COMMIT");
  EXPECT_EQ(world.Fetch(false), "-1");
  ASSERT_EQ(world.txn().End("pay-1", producer, true)->error, ErrorCode::kNone);
  world.Run(sim::Seconds(1));
  EXPECT_EQ(world.Fetch(true), "5");
  EXPECT_EQ(world.txn().Find("pay-1")->value.state, TransactionState::kCompleteCommit);
  for (int32_t broker = 0; broker < 3; ++broker) {
    EXPECT_THAT(world.LogOf(broker), ElementsAre("group orders-0 → 5", "COMMIT"));
  }
}

TEST_P(GroupTransactions, OffsetsVanishIfItAborts) {
  GroupWorld world(GetParam());
  const auto producer = world.txn().Init("pay-1");
  ASSERT_EQ(world.AddOffsetsIfClassic(producer), ErrorCode::kNone);
  ASSERT_EQ(world.TxnCommit(producer, 5), ErrorCode::kNone);
  ASSERT_EQ(world.txn().End("pay-1", producer, false)->error, ErrorCode::kNone);
  world.Run(sim::Seconds(1));
  EXPECT_EQ(world.Fetch(true), "-1");
  EXPECT_TRUE(world.Group().pending.empty());
}

TEST_P(GroupTransactions, AFailoverInTheMiddleLosesNothing) {
  GroupWorld world(GetParam());
  const auto producer = world.txn().Init("pay-1");
  ASSERT_EQ(world.AddOffsetsIfClassic(producer), ErrorCode::kNone);
  ASSERT_EQ(world.TxnCommit(producer, 5), ErrorCode::kNone);
  world.ElectLeader(0);
  EXPECT_EQ(world.Group().pending.size(), 1u);
  EXPECT_EQ(world.Fetch(true), "UNSTABLE_OFFSET_COMMIT");
  ASSERT_EQ(world.txn().End("pay-1", producer, true)->error, ErrorCode::kNone);
  world.Run(sim::Seconds(1));
  EXPECT_EQ(world.Fetch(true), "5");
  world.ElectLeader(1);
  EXPECT_EQ(world.Fetch(true), "5");
  EXPECT_EQ(world.Fetch(false), "5");
}

TEST(GroupTransactions1, AreVerifiedAtTheTransactionCoordinator) {
  GroupWorld world(1);
  const auto producer = world.txn().Init("pay-1");
  EXPECT_EQ(world.TxnCommit(producer, 5, 4), ErrorCode::kTransactionAbortable)
      << "AddOffsetsToTxn is missing";
  EXPECT_EQ(world.TxnCommit(producer, 5, 3), ErrorCode::kInvalidTxnState)
      << "an older client does not know the other error";
  const auto again = world.txn().Init("pay-1");
  EXPECT_EQ(world.TxnCommit(producer, 5), ErrorCode::kInvalidProducerEpoch);
  ASSERT_EQ(world.AddOffsets(again), ErrorCode::kNone);
  EXPECT_EQ(world.TxnCommit(again, 5), ErrorCode::kNone);
}

TEST(GroupTransactions2, TheEpochBeforeIsFenced) {
  GroupWorld world(2);
  const auto producer = world.txn().Init("pay-1");
  ASSERT_EQ(world.TxnCommit(producer, 5), ErrorCode::kNone);
  ASSERT_EQ(world.txn().End("pay-1", producer, true)->error, ErrorCode::kNone);
  world.Run(sim::Seconds(1));
  EXPECT_EQ(world.TxnCommit(producer, 6), ErrorCode::kInvalidProducerEpoch);
  EXPECT_EQ(world.Fetch(true), "5");
}

TEST(GroupFailover, InTheMiddleOfARebalanceTheOldGenerationGoesOn) {
  GroupWorld world(2);
  world.Stabilise();
  world.SendJoin("b", "");
  world.Run(sim::Millis(100));
  const size_t join = world.SendJoin("b", "b-0-2");
  world.Run(sim::Millis(100));
  EXPECT_EQ(world.Group().state, GroupState::kPreparingRebalance);
  EXPECT_EQ(world.Heartbeat(1, "a-0-1"), ErrorCode::kRebalanceInProgress);
  world.ElectLeader(0);
  EXPECT_EQ(world.cluster().Answer<broker::JoinGroupResponse>(join).error,
            ErrorCode::kNotCoordinator);
  EXPECT_EQ(world.Group().state, GroupState::kStable);
  EXPECT_EQ(world.Group().generation_id, 1);
  ASSERT_EQ(world.Group().members.size(), 1u);
  EXPECT_EQ(world.Group().members.at(0).assignment,
            broker::PartitionList{world.cluster().Id("orders-0")});
  EXPECT_EQ(world.Heartbeat(1, "a-0-1"), ErrorCode::kNone);
  // The session counts from the election.
  world.Run(sim::Seconds(44));
  EXPECT_EQ(world.Group().state, GroupState::kStable);
  world.Run(sim::Seconds(3));
  EXPECT_EQ(world.Group().state, GroupState::kEmpty);
}

TEST(GroupFailover, ACrashOfTheCoordinatorLosesNoMember) {
  GroupWorld world(2);
  world.Stabilise();
  world.Mutable().Crash(2);
  world.Run(sim::Seconds(20));
  ASSERT_NE(world.Leader(), 2);
  EXPECT_EQ(world.Heartbeat(1, "a-0-1"), ErrorCode::kNone);
  world.Mutable().Restart(2);
  world.Run(sim::Seconds(20));
  EXPECT_EQ(world.Heartbeat(1, "a-0-1"), ErrorCode::kNone);
}

TEST(GroupReplication, WhatCannotBeReplicatedIsAnsweredInFiveSeconds) {
  GroupWorld world(2);
  ASSERT_EQ(world.Leader(), 2);
  world.CutOff(2);
  const size_t commit = world.Mutable().Send(
      2, broker::MakeMessage(broker::OffsetCommitRequest{
             .group_id = "group",
             .offsets = {{.partition = world.cluster().Id("orders-0"), .offset = Offset(5)}}}));
  broker::WriteTxnMarkersRequest markers;
  markers.markers.push_back({.producer_id = broker::ProducerId(7),
                             .producer_epoch = broker::ProducerEpoch(1),
                             .committed = true,
                             .partitions = {world.cluster().Id("__consumer_offsets-47")},
                             .coordinator_epoch = broker::CoordinatorEpoch(0)});
  const size_t marker =
      world.Mutable().Send(2, broker::MakeMessage(std::move(markers)), broker::kMarkerChannel);
  world.Run(sim::Millis(4'990));
  EXPECT_FALSE(world.cluster().Answered(commit));
  EXPECT_FALSE(world.cluster().Answered(marker));
  world.Run(sim::Millis(20));
  EXPECT_EQ(world.cluster().Answer<broker::OffsetCommitResponse>(commit).partitions.at(0).error,
            ErrorCode::kCoordinatorNotAvailable);
  EXPECT_EQ(world.cluster().MarkerError(marker), ErrorCode::kRequestTimedOut);
  EXPECT_EQ(world.Group().offsets.size(), 1u) << "it is in the log, and may yet be replicated";
}

TEST(GroupCommits, ARefusedAppendIsTraced) {
  GroupWorld world(2);
  world.Stabilise();
  EXPECT_EQ(world.Heartbeat(7, "a-0-1"), ErrorCode::kIllegalGeneration);
  const auto refused = world.txn().trace().OfKind(events::kGroupRequestRefused);
  ASSERT_EQ(refused.size(), 1u);
  EXPECT_EQ(refused.front().Text("reason"), "generation 7 of a-0-1 is not the current one, 1");
}

}  // namespace
}  // namespace kafkasim::coordinator

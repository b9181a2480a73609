// Conformance cases 49 to 51: AddPartitionsToTxn and its verification; and around them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/events.h"
#include "tests/coordinator/scripted_host.h"
#include "tests/coordinator/values.h"

namespace kafkasim::coordinator {
namespace {

using broker::AddPartitionsToTxnRequest;
using broker::AddPartitionsToTxnResponse;
using broker::ErrorCode;
using broker::ProducerEpoch;
using broker::ProducerId;
using ::testing::ElementsAre;

TEST(Conformance, Case49AddPartitionsInEveryState) {
  ScriptedHost host = ScriptedHost::ForVersion(1);
  EXPECT_EQ(host.Add("t", 7, 0, host.OrdersList({0})), ErrorCode::kInvalidProducerIdMapping);
  ASSERT_EQ(host.Init("t")->error, ErrorCode::kNone);
  EXPECT_EQ(host.Add("t", 8, 0, host.OrdersList({0})), ErrorCode::kInvalidProducerIdMapping);
  EXPECT_EQ(host.Add("t", 7, 1, host.OrdersList({0})), ErrorCode::kProducerFenced);
  EXPECT_EQ(host.Add("t", 7, 0, host.OrdersList({0})), ErrorCode::kNone);
  EXPECT_EQ(host.Add("t", 7, 0, host.OrdersList({0})), ErrorCode::kNone);
  EXPECT_EQ(host.LogOf("t"), "EMPTY 7/0, ONGOING 7/0") << "nothing is written twice";
  EXPECT_EQ(host.Add("t", 7, 0, host.OrdersList({0, 1})), ErrorCode::kNone);
  EXPECT_EQ(host.Find("t")->value.partitions, host.OrdersList({0, 1}));

  host.markers = ScriptedHost::Markers::kHold;
  ASSERT_EQ(host.End("t", 7, 0, true, 4)->error, ErrorCode::kNone);
  ASSERT_EQ(host.StateOf("t"), TransactionState::kPrepareCommit);
  EXPECT_EQ(host.Add("t", 7, 0, host.OrdersList({2})), ErrorCode::kConcurrentTransactions);
  host.AnswerMarkers(0);
  host.AnswerMarkers(0);
  ASSERT_EQ(host.StateOf("t"), TransactionState::kCompleteCommit);
  EXPECT_EQ(host.Add("t", 7, 0, host.OrdersList({2})), ErrorCode::kNone);
  EXPECT_EQ(host.StateOf("t"), TransactionState::kOngoing);
  EXPECT_EQ(host.Find("t")->value.partitions, host.OrdersList({2}));
}

TEST(Conformance, Case50TheRotatedProducerIdHasToWaitForTheCompletion) {
  ScriptedHost host = ScriptedHost::ForVersion(2);
  host.Store("t", MakeValue(TransactionState::kOngoing, 3, 32766, host.OrdersList({0})));
  host.Elect(0, 1);
  host.markers = ScriptedHost::Markers::kHold;
  const auto end = host.End("t", 3, 32766, true, 5);
  EXPECT_EQ(end->error, ErrorCode::kNone);
  EXPECT_EQ(end->producer_id, ProducerId(7));
  EXPECT_EQ(end->producer_epoch, ProducerEpoch(0));
  EXPECT_EQ(host.Add("t", 7, 0, host.OrdersList({0}), 4), ErrorCode::kConcurrentTransactions);
  host.AnswerMarkers(0);
  EXPECT_EQ(host.Add("t", 7, 0, host.OrdersList({0}), 4), ErrorCode::kNone);
}

TEST(Conformance, Case51VerificationComparesIdEpochAndPartition) {
  ScriptedHost host = ScriptedHost::ForVersion(1);
  EXPECT_EQ(host.Verify("t", 7, 0, host.OrdersList({0})), ErrorCode::kInvalidProducerIdMapping);
  ASSERT_EQ(host.Init("t")->error, ErrorCode::kNone);
  ASSERT_EQ(host.Add("t", 7, 0, host.OrdersList({0})), ErrorCode::kNone);
  EXPECT_EQ(host.Verify("t", 7, 0, host.OrdersList({0})), ErrorCode::kNone);
  EXPECT_EQ(host.Verify("t", 7, 0, host.OrdersList({1})), ErrorCode::kTransactionAbortable);
  EXPECT_EQ(host.Verify("t", 8, 0, host.OrdersList({0})), ErrorCode::kInvalidProducerIdMapping);
  EXPECT_EQ(host.Verify("t", 7, 1, host.OrdersList({0})), ErrorCode::kProducerFenced);
  const std::string before = host.LogOf("t");

  host.appends = ScriptedHost::Appends::kHold;
  ASSERT_FALSE(host.Add("t", 7, 0, host.OrdersList({1})).has_value());
  EXPECT_EQ(host.Verify("t", 7, 0, host.OrdersList({0})), ErrorCode::kNone)
      << "a pending change is not looked at";
  EXPECT_EQ(host.Verify("t", 7, 0, host.OrdersList({1})), ErrorCode::kTransactionAbortable)
      << "what is pending is not yet part of the transaction";
  host.Release();

  host.appends = ScriptedHost::Appends::kReplicate;
  host.markers = ScriptedHost::Markers::kHold;
  ASSERT_EQ(host.End("t", 7, 0, false, 4)->error, ErrorCode::kNone);
  EXPECT_EQ(host.Verify("t", 7, 0, host.OrdersList({0})), ErrorCode::kConcurrentTransactions);
  EXPECT_EQ(host.LogOf("t"), before + ", ONGOING 7/0, PREPARE_ABORT 7/0");
}

TEST(AddPartitions, AnUnknownPartitionStopsTheOthers) {
  ScriptedHost host = ScriptedHost::ForVersion(1);
  ASSERT_EQ(host.Init("t")->error, ErrorCode::kNone);
  AddPartitionsToTxnRequest request{.transactions = {}};
  request.transactions.push_back(
      {"t", ProducerId(7), ProducerEpoch(0), false, host.OrdersList({0, 9})});
  const auto reply =
      host.ReplyOf<AddPartitionsToTxnResponse>(host.Submit(broker::MakeMessage(request)));
  EXPECT_EQ(reply->transactions.at(0).partitions[0].error, ErrorCode::kOperationNotAttempted);
  EXPECT_EQ(reply->transactions.at(0).partitions[1].error, ErrorCode::kUnknownTopicOrPartition);
  EXPECT_EQ(host.StateOf("t"), TransactionState::kEmpty);
}

TEST(AddPartitions, OneAnswerForSeveralTransactionsOfABroker) {
  ScriptedHost host = ScriptedHost::ForVersion(2);
  ASSERT_EQ(host.Init("a")->error, ErrorCode::kNone);
  ASSERT_EQ(host.Init("b")->error, ErrorCode::kNone);
  AddPartitionsToTxnRequest request{.version = 5, .transactions = {}};
  request.transactions.push_back(
      {"a", ProducerId(7), ProducerEpoch(0), false, host.OrdersList({0})});
  request.transactions.push_back(
      {"b", ProducerId(8), ProducerEpoch(5), false, host.OrdersList({1})});
  request.transactions.push_back(
      {"b", ProducerId(8), ProducerEpoch(0), false, host.OrdersList({1})});
  host.appends = ScriptedHost::Appends::kHold;
  const uint64_t correlation = host.Submit(broker::MakeMessage(request));
  host.Release();
  EXPECT_FALSE(host.ReplyOf<AddPartitionsToTxnResponse>(correlation).has_value());
  host.Release(ErrorCode::kRequestTimedOut);
  const auto reply = host.ReplyOf<AddPartitionsToTxnResponse>(correlation);
  ASSERT_TRUE(reply.has_value());
  EXPECT_EQ(reply->transactions.at(0).partitions[0].error, ErrorCode::kNone);
  EXPECT_EQ(reply->transactions.at(1).partitions[0].error, ErrorCode::kProducerFenced);
  EXPECT_EQ(reply->transactions.at(2).partitions[0].error, ErrorCode::kCoordinatorNotAvailable);
  EXPECT_EQ(host.Find("a")->value.client_transaction_version, 2);
}

TEST(AddPartitions, OldClientsHearInvalidProducerEpoch) {
  ScriptedHost host = ScriptedHost::ForVersion(1);
  ASSERT_EQ(host.Init("t")->error, ErrorCode::kNone);
  EXPECT_EQ(host.Add("t", 7, 5, host.OrdersList({0}), 1), ErrorCode::kInvalidProducerEpoch);
  EXPECT_EQ(host.Add("t", 7, 5, host.OrdersList({0}), 2), ErrorCode::kProducerFenced);
  EXPECT_EQ(host.Add("", 7, 5, host.OrdersList({0})), ErrorCode::kInvalidRequest);
}

TEST(AddOffsets, AddsTheGroupsPartitionOfConsumerOffsets) {
  ScriptedHost host = ScriptedHost::ForVersion(1);
  ASSERT_EQ(host.Init("t")->error, ErrorCode::kNone);
  EXPECT_EQ(host.AddOffsets("t", 7, 0, "group"), ErrorCode::kNone);
  EXPECT_EQ(host.AddOffsets("t", 7, 0, "group"), ErrorCode::kNone);
  EXPECT_EQ(host.LogOf("t"), "EMPTY 7/0, ONGOING 7/0");
  ASSERT_EQ(host.Find("t")->value.partitions.size(), 1u);
  EXPECT_EQ(host.cluster.NameOf(host.Find("t")->value.partitions[0]), "__consumer_offsets-47");
  EXPECT_EQ(host.AddOffsets("t", 7, 1, "group"), ErrorCode::kProducerFenced);
}

TEST(AddOffsets, WaitsForTheTopicToExist) {
  ScriptedHost host = ScriptedHost::ForVersion(1);
  ASSERT_EQ(host.Init("t")->error, ErrorCode::kNone);
  host.cluster.topics[1].deleted = true;
  EXPECT_EQ(host.AddOffsets("t", 7, 0, "group"), ErrorCode::kCoordinatorNotAvailable);
}

TEST(AddPartitions, SaysWhichEpochsItCompared) {
  ScriptedHost host = ScriptedHost::ForVersion(1);
  ASSERT_EQ(host.Init("t")->error, ErrorCode::kNone);
  ASSERT_EQ(host.Init("t")->error, ErrorCode::kNone);
  ASSERT_EQ(host.Add("t", 7, 0, host.OrdersList({0})), ErrorCode::kProducerFenced);
  EXPECT_THAT(host.TextsOf(events::kProducerFenced, "reason"),
              ElementsAre("epoch 0 is older than epoch 1, which producer 7 has by now"));
  EXPECT_THAT(host.TextsOf(events::kProducerFenced, "api"), ElementsAre("AddPartitionsToTxn"));
}

}  // namespace
}  // namespace kafkasim::coordinator

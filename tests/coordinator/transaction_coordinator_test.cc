// Whole transactions through real brokers: the order of what happens, failovers at each protocol
// point, timeouts, and replicas of __transaction_state.
#include "coordinator/transaction_coordinator.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "broker/events.h"
#include "coordinator/events.h"
#include "tests/coordinator/txn_cluster.h"

namespace kafkasim::coordinator {
namespace {

using broker::ErrorCode;
using broker::Offset;
using broker::ProducerEpoch;
using broker::ProducerId;
using ::testing::ElementsAre;
using enum TransactionState;

const std::string kId = "enrichment-service-1";

// "COMMIT" or "ABORT" at each marker of the partition, in order.
std::vector<std::string> MarkersOf(const broker::PartitionLog& log) {
  std::vector<std::string> markers;
  log.ForEachBatch(Offset(0), [&](const broker::RecordBatchRef& batch) {
    if (batch->is_control()) markers.emplace_back(broker::Name(batch->marker->type));
  });
  return markers;
}

// Producer 7 with an open transaction over both partitions of orders.
broker::InitProducerIdResponse OpenTransaction(TxnCluster& txn, int64_t version) {
  const auto producer = txn.Init(kId);
  EXPECT_EQ(producer.error, ErrorCode::kNone);
  if (version < 2) {
    EXPECT_EQ(txn.Add(kId, producer, {"orders-0", "orders-1"}), ErrorCode::kNone);
  }
  const int16_t produce_version = version == 2 ? 12 : 11;
  EXPECT_EQ(txn.Produce(kId, producer, "orders-0", 0, produce_version), ErrorCode::kNone);
  EXPECT_EQ(txn.Produce(kId, producer, "orders-1", 0, produce_version), ErrorCode::kNone);
  return producer;
}

// The named events of the trace, in order.
std::vector<std::string> Story(const broker::TraceKeeper& trace) {
  std::vector<std::string> story;
  for (const sim::TraceEvent& event : trace.events()) {
    if (event.Is(events::kTransactionRecordAppended)) {
      story.push_back("append " + std::string(event.Text("state")));
    } else if (event.Is(events::kTransactionRecordReplicated)) {
      story.push_back("replicated " + std::string(event.Text("state")));
    } else if (event.Is(events::kMarkerAcknowledged)) {
      story.push_back("acknowledged, left " + std::to_string(event.Int("remaining")));
    } else if (event.Is(events::kMarkersSent)) {
      story.emplace_back("markers sent");
    } else if (event.Is(sim::events::kSent) && event.payload != nullptr &&
               event.payload->api() == "EndTxn") {
      story.emplace_back(broker::AsMessage(*event.payload).is_response() ? "answered" : "asked");
    }
  }
  return story;
}

TEST(TransactionCoordinator, ACommitIsDecidedAnsweredMarkedAndCompletedInThisOrder) {
  for (const int64_t version : {1, 2}) {
    TxnCluster txn(version);
    const auto producer = OpenTransaction(txn, version);
    txn.trace().Clear();
    const auto end = txn.End(kId, producer, true);
    ASSERT_TRUE(end.has_value());
    EXPECT_EQ(end->error, ErrorCode::kNone);
    txn.Run(sim::Millis(100));
    EXPECT_THAT(
        Story(txn.trace()),
        ElementsAre("asked", "append PREPARE_COMMIT", "replicated PREPARE_COMMIT", "answered",
                    "markers sent", "markers sent", "acknowledged, left 1", "acknowledged, left 0",
                    "append COMPLETE_COMMIT", "replicated COMPLETE_COMMIT"));
    EXPECT_EQ(txn.Find(kId)->value.state, kCompleteCommit);
    for (const std::string partition : {"orders-0", "orders-1"}) {
      for (const int32_t b : {0, 1, 2}) {
        EXPECT_THAT(MarkersOf(txn.Log(b, partition)), ElementsAre("COMMIT")) << partition << b;
      }
      EXPECT_EQ(txn.Log(txn.LeaderOf(partition), partition).last_stable_offset(), Offset(2));
    }
  }
}

TEST(TransactionCoordinator, EveryReplicaOfItsLogSaysTheSame) {
  TxnCluster txn(2);
  const auto producer = OpenTransaction(txn, 2);
  ASSERT_EQ(txn.End(kId, producer, false)->error, ErrorCode::kNone);
  txn.Run(sim::Seconds(1));
  const LoadedTransactions expected = ReplayTransactionLog(txn.TxnLog(txn.CoordinatorOf(kId), kId));
  EXPECT_EQ(expected.at(kId).state, kCompleteAbort);
  for (const int32_t b : {0, 1, 2}) EXPECT_EQ(ReplayTransactionLog(txn.TxnLog(b, kId)), expected);
  EXPECT_EQ(txn.TxnPartition(kId).index, 21);
}

TEST(TransactionCoordinator, TheNextTransactionWaitsForTheCompletionOfTheLast) {
  TxnCluster txn(1);
  const auto producer = OpenTransaction(txn, 1);
  ASSERT_EQ(txn.End(kId, producer, true)->error, ErrorCode::kNone);
  EXPECT_EQ(txn.Add(kId, producer, {"orders-0"}), ErrorCode::kConcurrentTransactions);
  txn.Run(sim::Millis(100));
  EXPECT_EQ(txn.Add(kId, producer, {"orders-0"}), ErrorCode::kNone);
}

TEST(Failover, BeforeTheDecisionIsWrittenTheTransactionStaysOpenAndItsClientMayCommit) {
  for (const int64_t version : {1, 2}) {
    TxnCluster txn(version);
    const auto producer = OpenTransaction(txn, version);
    const int32_t old = txn.CoordinatorOf(kId);
    txn.cluster().Crash(old);
    txn.Run(sim::Seconds(15));
    const int32_t fresh = txn.CoordinatorOf(kId);
    ASSERT_NE(fresh, old);
    EXPECT_EQ(txn.Find(kId)->value.state, kOngoing);
    EXPECT_EQ(txn.Find(kId)->coordinator_epoch, broker::CoordinatorEpoch(1));
    ASSERT_EQ(txn.End(kId, producer, true)->error, ErrorCode::kNone);
    txn.Run(sim::Seconds(1));
    EXPECT_EQ(txn.Find(kId)->value.state, kCompleteCommit);
    EXPECT_THAT(MarkersOf(txn.Log(txn.LeaderOf("orders-0"), "orders-0")), ElementsAre("COMMIT"));
  }
}

TEST(Failover, AfterTheDecisionIsAppendedButNotReplicatedItMayBeLost) {
  TxnCluster txn(2);
  const auto producer = OpenTransaction(txn, 2);
  const int32_t old = txn.CoordinatorOf(kId);
  txn.trace().StrikeAt(events::kTransactionRecordAppended, sim::ProcessId(old),
                       sim::Reaction::kCrash);
  EXPECT_FALSE(txn.End(kId, producer, true).has_value());
  txn.Run(sim::Seconds(15));
  EXPECT_EQ(txn.Find(kId)->value.state, kOngoing) << "no other replica had the record";
  const auto again = txn.End(kId, producer, true);
  EXPECT_EQ(again->error, ErrorCode::kNone);
  EXPECT_EQ(again->producer_epoch, ProducerEpoch(1));
}

TEST(Failover, AfterTheDecisionIsReplicatedTheNextCoordinatorCarriesItOut) {
  for (const bool commit : {true, false}) {
    TxnCluster txn(2);
    const auto producer = OpenTransaction(txn, 2);
    const int32_t old = txn.CoordinatorOf(kId);
    txn.trace().StrikeAt(events::kTransactionRecordReplicated, sim::ProcessId(old),
                         sim::Reaction::kCrash);
    EXPECT_FALSE(txn.End(kId, producer, commit).has_value()) << "the answer is lost";
    txn.Run(sim::Seconds(15));
    EXPECT_EQ(txn.Find(kId)->value.state, commit ? kCompleteCommit : kCompleteAbort);
    for (const std::string partition : {"orders-0", "orders-1"}) {
      EXPECT_THAT(MarkersOf(txn.Log(txn.LeaderOf(partition), partition)),
                  ElementsAre(commit ? "COMMIT" : "ABORT"));
    }
    const auto again = txn.End(kId, producer, commit);
    EXPECT_EQ(again->error, ErrorCode::kNone) << "the repeated request learns the outcome";
    EXPECT_EQ(again->producer_epoch, ProducerEpoch(1));
  }
}

TEST(Failover, InTheMiddleOfTheMarkersAllAreWrittenAgain) {
  TxnCluster txn(2);
  const auto producer = OpenTransaction(txn, 2);
  const int32_t old = txn.CoordinatorOf(kId);
  txn.trace().StrikeAt(events::kMarkerAcknowledged, sim::ProcessId(old), sim::Reaction::kCrash);
  ASSERT_EQ(txn.End(kId, producer, true)->error, ErrorCode::kNone);
  txn.Run(sim::Seconds(15));
  EXPECT_EQ(txn.Find(kId)->value.state, kCompleteCommit);
  size_t markers = 0;
  for (const std::string partition : {"orders-0", "orders-1"}) {
    markers += MarkersOf(txn.Log(txn.LeaderOf(partition), partition)).size();
  }
  EXPECT_GE(markers, 3u) << "a partition that was done got a second marker";
}

TEST(Failover, AProducerGoesOnWithTheNewCoordinator) {
  TxnCluster txn(1);
  const auto producer = OpenTransaction(txn, 1);
  ASSERT_EQ(txn.End(kId, producer, true)->error, ErrorCode::kNone);
  txn.Run(sim::Seconds(1));
  const int32_t old = txn.CoordinatorOf(kId);
  txn.cluster().Crash(old);
  txn.Run(sim::Seconds(15));
  const auto next = txn.Init(kId);
  EXPECT_EQ(next.producer_id, ProducerId(7));
  EXPECT_EQ(next.producer_epoch, ProducerEpoch(1));
  txn.cluster().Restart(old);
  txn.Run(sim::Seconds(5));
  EXPECT_FALSE(FindTransaction(txn.Coordinator(old), kId).has_value())
      << "the old coordinator is none any more";
}

TEST(TransactionCoordinator, ATransactionThatIsLeftOpenIsAbortedBySweep) {
  for (const int64_t version : {1, 2}) {
    TxnCluster txn(version);
    (void)OpenTransaction(txn, version);
    txn.Run(sim::Seconds(59));
    EXPECT_EQ(txn.Find(kId)->value.state, kOngoing);
    txn.Run(sim::Time{} + sim::Seconds(70) - txn.cluster().now() + sim::Millis(500));
    EXPECT_EQ(txn.Find(kId)->value.state, kCompleteAbort);
    EXPECT_EQ(txn.Find(kId)->value.producer_epoch, ProducerEpoch(1));
    const auto timed_out = txn.trace().OfKind(events::kTransactionTimedOut);
    ASSERT_EQ(timed_out.size(), 1u);
    EXPECT_EQ(timed_out[0].at, sim::Time{} + sim::Seconds(70));
    for (const std::string partition : {"orders-0", "orders-1"}) {
      EXPECT_THAT(MarkersOf(txn.Log(txn.LeaderOf(partition), partition)), ElementsAre("ABORT"));
    }
  }
}

TEST(TransactionCoordinator, ASecondInstanceAbortsTheFirstOnesTransaction) {
  for (const int64_t version : {1, 2}) {
    TxnCluster txn(version);
    const auto first = OpenTransaction(txn, version);
    const auto second = txn.Init(kId);
    EXPECT_EQ(second.error, ErrorCode::kNone);
    EXPECT_EQ(second.producer_id, ProducerId(7));
    EXPECT_EQ(second.producer_epoch, ProducerEpoch(2)) << "one for the abort, one for the newcomer";
    EXPECT_EQ(txn.End(kId, first, true)->error, ErrorCode::kProducerFenced);
    EXPECT_EQ(txn.Produce(kId, first, "orders-0", 1, version == 2 ? 12 : 11),
              ErrorCode::kInvalidProducerEpoch);
  }
}

TEST(TransactionCoordinator, PartitionsAreMarkedOneByOneNotAllAtOnce) {
  TxnCluster txn(2);
  const auto producer = OpenTransaction(txn, 2);
  const uint32_t rule = txn.cluster().world().AddRule(
      {.api = "WriteTxnMarkers", .answer = false, .to = sim::ProcessId(txn.LeaderOf("orders-1"))});
  ASSERT_EQ(txn.End(kId, producer, true)->error, ErrorCode::kNone);
  txn.Run(sim::Seconds(2));
  EXPECT_EQ(txn.Find(kId)->value.state, kPrepareCommit);
  EXPECT_EQ(txn.Log(txn.LeaderOf("orders-0"), "orders-0").last_stable_offset(), Offset(2));
  EXPECT_EQ(txn.Log(txn.LeaderOf("orders-1"), "orders-1").last_stable_offset(), Offset(0));
  txn.cluster().world().EndRule(rule, &txn.trace());
  txn.Run(sim::Seconds(1));
  EXPECT_EQ(txn.Find(kId)->value.state, kCompleteCommit);
  EXPECT_EQ(txn.Log(txn.LeaderOf("orders-1"), "orders-1").last_stable_offset(), Offset(2));
}

TEST(TransactionCoordinator, AnUnansweredMarkerRequestIsSentAgainOnANewConnection) {
  TxnCluster txn(2);
  const auto producer = OpenTransaction(txn, 2);
  txn.cluster().world().AddRule({.action = sim::MessageAction::kDrop,
                                 .api = "WriteTxnMarkers",
                                 .answer = true,
                                 .from = sim::ProcessId(txn.LeaderOf("orders-1"))});
  ASSERT_EQ(txn.End(kId, producer, true)->error, ErrorCode::kNone);
  txn.Run(sim::Seconds(29));
  EXPECT_EQ(txn.Find(kId)->value.state, kPrepareCommit);
  txn.Run(sim::Seconds(2));
  EXPECT_EQ(txn.Find(kId)->value.state, kCompleteCommit);
  EXPECT_THAT(MarkersOf(txn.Log(txn.LeaderOf("orders-1"), "orders-1")),
              ElementsAre("COMMIT", "COMMIT"))
      << "the first one had been written; a repetition costs an offset";
}

}  // namespace
}  // namespace kafkasim::coordinator

// Conformance cases 57 and 58: loading __transaction_state and errors of its log; the partition of
// an id (5.1).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordinator/events.h"
#include "tests/coordinator/scripted_host.h"
#include "tests/coordinator/values.h"

namespace kafkasim::coordinator {
namespace {

using broker::ErrorCode;
using ::testing::ElementsAre;
using enum TransactionState;

TEST(TransactionLog, APartitionIsFoundAsKafkaFindsIt) {
  struct Vector {
    std::string key;
    int32_t hash;
    int32_t partition;
  };
  for (const Vector& v : {Vector{"txn", 115306, 6},
                          {"my-txn-id", 1405732511, 11},
                          {"transactional-producer", 804003158, 8},
                          {"group", 98629247, 47},
                          {"order-processor-0", 1065585078, 28},
                          {"order-processor-1", 1065585079, 29},
                          {"", 0, 0},
                          {"polygenelubricants", std::numeric_limits<int32_t>::min(), 0}}) {
    EXPECT_EQ(broker::JavaStringHash(v.key), v.hash) << v.key;
    EXPECT_EQ(broker::PartitionForHash(v.hash, 50), v.partition) << v.key;
  }
  EXPECT_EQ(broker::PartitionForHash(broker::JavaStringHash("enrichment-service-1"), 50), 21);
}

TEST(TransactionLog, TheCoordinatorKeepsAnIdInItsOwnPartition) {
  ScriptedHost host(ScriptedHost::Options{.txn_partitions = 50});
  ASSERT_EQ(host.Init("enrichment-service-1")->error, ErrorCode::kNone);
  EXPECT_EQ(host.Find("enrichment-service-1")->txn_partition, 21);
  EXPECT_EQ(host.log(21).log_end_offset(), broker::Offset(1));
  EXPECT_EQ(ViewPartitions(host.coordinator).size(), 50u);
}

TEST(TransactionLog, AnIdOfAnotherBrokersPartitionIsNotCoordinatedHere) {
  ScriptedHost host(ScriptedHost::Options{.txn_partitions = 50});
  host.Resign(21, 1);
  EXPECT_EQ(host.Init("enrichment-service-1")->error, ErrorCode::kNotCoordinator);
  EXPECT_EQ(host.Add("enrichment-service-1", 7, 0, host.OrdersList({0})),
            ErrorCode::kNotCoordinator);
  EXPECT_EQ(host.Verify("enrichment-service-1", 7, 0, host.OrdersList({0})),
            ErrorCode::kNotCoordinator);
  EXPECT_EQ(host.AddOffsets("enrichment-service-1", 7, 0, "group"), ErrorCode::kNotCoordinator);
  EXPECT_EQ(host.End("enrichment-service-1", 7, 0, true, 4)->error, ErrorCode::kNotCoordinator);
  EXPECT_EQ(host.End("enrichment-service-1", 7, 0, true, 5)->error, ErrorCode::kNotCoordinator);
}

TEST(Conformance, Case57ALoadedDecisionIsCarriedOutWithTheNewCoordinatorEpoch) {
  for (const bool commit : {true, false}) {
    ScriptedHost host;
    host.Store(
        "t", MakeValue(commit ? kPrepareCommit : kPrepareAbort, 3, 5, host.OrdersList({0, 1, 2})));
    host.markers = ScriptedHost::Markers::kHold;
    host.Elect(0, 4);
    ASSERT_EQ(host.marker_requests().size(), 3u) << "all partitions of the record, one a broker";
    for (const auto& sent : host.marker_requests()) {
      const auto& marker = sent.request.markers.at(0);
      EXPECT_EQ(marker.committed, commit);
      EXPECT_EQ(marker.coordinator_epoch, broker::CoordinatorEpoch(4));
      EXPECT_EQ(marker.producer_epoch, broker::ProducerEpoch(5));
      EXPECT_EQ(marker.transaction_version, 2);
    }
    while (!host.marker_requests().empty()) host.AnswerMarkers(0);
    EXPECT_EQ(host.StateOf("t"), commit ? kCompleteCommit : kCompleteAbort);
  }
}

TEST(Conformance, Case57AnOpenTransactionIsLeftAndATombstoneMeansAbsent) {
  ScriptedHost host;
  host.Store("open", MakeValue(kOngoing, 3, 5, host.OrdersList({0})));
  host.Store("gone", MakeValue(kEmpty, 4, 0));
  host.StoreTombstone("gone");
  host.Elect(0, 1);
  EXPECT_EQ(host.StateOf("open"), kOngoing);
  EXPECT_FALSE(host.Find("open")->pending.has_value());
  EXPECT_FALSE(host.Find("gone").has_value());
  EXPECT_TRUE(host.marker_requests().empty());
}

TEST(Loading, ReadsToTheEndOfTheLogNotToTheHighWatermark) {
  ScriptedHost host;
  host.Store("t", MakeValue(kPrepareCommit, 3, 5, host.OrdersList({0})));
  ASSERT_EQ(host.log(0).high_watermark(), broker::Offset(0));
  host.Elect(0, 1);
  EXPECT_EQ(host.StateOf("t"), kCompleteCommit);
}

TEST(Loading, TakesItsTime) {
  ScriptedHost host(ScriptedHost::Options{.load_time = sim::Seconds(2)});
  ASSERT_EQ(host.Init("t")->error, ErrorCode::kNone) << "an empty log is read at once";
  host.Elect(0, 1);
  EXPECT_EQ(host.Init("t")->error, ErrorCode::kCoordinatorLoadInProgress);
  EXPECT_EQ(host.End("t", 7, 0, true, 5)->error, ErrorCode::kCoordinatorLoadInProgress);
  EXPECT_TRUE(ViewPartitions(host.coordinator).at(0).loading);
  host.AdvanceTo(sim::Time{} + sim::Seconds(2));
  EXPECT_EQ(host.Init("t")->error, ErrorCode::kNone);
  EXPECT_FALSE(ViewPartitions(host.coordinator).at(0).loading);
}

TEST(Loading, OfAnEarlierElectionIsCalledOff) {
  ScriptedHost host(ScriptedHost::Options{.load_time = sim::Seconds(2)});
  ASSERT_EQ(host.Init("t")->error, ErrorCode::kNone);
  host.Elect(0, 1);
  host.AdvanceTo(sim::Time{} + sim::Seconds(1));
  host.Resign(0, 1);
  host.Elect(0, 2);
  host.AdvanceTo(sim::Time{} + sim::Seconds(2));
  EXPECT_EQ(host.Init("t")->error, ErrorCode::kCoordinatorLoadInProgress);
  host.AdvanceTo(sim::Time{} + sim::Seconds(3));
  EXPECT_EQ(host.Init("t")->error, ErrorCode::kNone);
  EXPECT_EQ(ViewPartitions(host.coordinator).at(0).coordinator_epoch, broker::CoordinatorEpoch(2));
}

TEST(Loading, ForgetsTheLastProducerEpoch) {
  ScriptedHost host;
  ASSERT_EQ(host.Init("t")->error, ErrorCode::kNone);
  ASSERT_EQ(host.Init("t", 7, 0)->producer_epoch, broker::ProducerEpoch(1));
  host.Elect(0, 1);
  EXPECT_EQ(host.Init("t", 7, 0)->error, ErrorCode::kProducerFenced)
      << "a repetition that spans a change of the coordinator";
}

TEST(Conformance, Case58ErrorsOfTheLogReadAsErrorsOfTheCoordinator) {
  const std::vector<std::pair<ErrorCode, ErrorCode>> mapping = {
      {ErrorCode::kUnknownTopicOrPartition, ErrorCode::kCoordinatorNotAvailable},
      {ErrorCode::kNotEnoughReplicas, ErrorCode::kCoordinatorNotAvailable},
      {ErrorCode::kNotEnoughReplicasAfterAppend, ErrorCode::kCoordinatorNotAvailable},
      {ErrorCode::kRequestTimedOut, ErrorCode::kCoordinatorNotAvailable},
      {ErrorCode::kNotLeaderOrFollower, ErrorCode::kNotCoordinator},
      {ErrorCode::kKafkaStorageError, ErrorCode::kNotCoordinator},
      {ErrorCode::kMessageTooLarge, ErrorCode::kUnknownServerError},
      {ErrorCode::kRecordListTooLarge, ErrorCode::kUnknownServerError},
      {ErrorCode::kInvalidRecord, ErrorCode::kInvalidRecord},
  };
  for (const auto& [log_error, error] : mapping) {
    ScriptedHost host = ScriptedHost::ForVersion(2);
    ASSERT_EQ(host.Init("t")->error, ErrorCode::kNone);
    const auto before = host.Find("t")->value;
    host.appends = ScriptedHost::Appends::kFail;
    host.append_error = log_error;
    EXPECT_EQ(host.Init("t")->error, error);
    EXPECT_EQ(host.Add("t", 7, 0, host.OrdersList({0})), error);
    EXPECT_EQ(host.AddOffsets("t", 7, 0, "group"), error);
    EXPECT_EQ(host.End("t", 7, 0, false, 5)->error, error);
    EXPECT_FALSE(host.Find("t")->pending.has_value()) << "the pending change is given up";
    EXPECT_EQ(host.Find("t")->value, before);
  }
}

TEST(Conformance, Case58TheCompletionKeepsItsPendingStateAndIsTriedForEver) {
  ScriptedHost host = ScriptedHost::ForVersion(2);
  ASSERT_EQ(host.Init("t")->error, ErrorCode::kNone);
  ASSERT_EQ(host.Add("t", 7, 0, host.OrdersList({0}), 4), ErrorCode::kNone);
  host.markers = ScriptedHost::Markers::kHold;
  ASSERT_EQ(host.End("t", 7, 0, true, 5)->error, ErrorCode::kNone);
  host.appends = ScriptedHost::Appends::kFail;
  host.AnswerMarkers(0);
  for (int i = 1; i <= 3; ++i) {
    EXPECT_EQ(host.StateOf("t"), kPrepareCommit);
    EXPECT_EQ(host.Find("t")->pending, kCompleteCommit);
    EXPECT_EQ(host.Add("t", 7, 1, host.OrdersList({0}), 4), ErrorCode::kConcurrentTransactions);
    host.AdvanceTo(sim::Time{} + sim::Seconds(30 * i));
  }
  EXPECT_EQ(host.TextsOf(events::kTransactionRecordFailed, "state").size(), 4u);
  host.appends = ScriptedHost::Appends::kReplicate;
  host.AdvanceTo(sim::Time{} + sim::Seconds(120));
  EXPECT_EQ(host.StateOf("t"), kCompleteCommit);
}

TEST(AppendErrors, AnotherMarkerMovesTheCompletionOn) {
  ScriptedHost host = ScriptedHost::ForVersion(2);
  ASSERT_EQ(host.Init("t")->error, ErrorCode::kNone);
  ASSERT_EQ(host.Add("t", 7, 0, host.OrdersList({0}), 4), ErrorCode::kNone);
  ASSERT_EQ(host.Init("u")->error, ErrorCode::kNone);
  ASSERT_EQ(host.Add("u", 8, 0, host.OrdersList({0}), 4), ErrorCode::kNone);
  host.markers = ScriptedHost::Markers::kHold;
  ASSERT_EQ(host.End("t", 7, 0, true, 5)->error, ErrorCode::kNone);
  host.appends = ScriptedHost::Appends::kFail;
  host.AnswerMarkers(0);
  host.appends = ScriptedHost::Appends::kReplicate;
  ASSERT_EQ(host.StateOf("t"), kPrepareCommit);
  ASSERT_EQ(host.End("u", 8, 0, true, 5)->error, ErrorCode::kNone);
  EXPECT_EQ(host.StateOf("t"), kCompleteCommit) << "the sender's loop has passed";
}

TEST(AppendErrors, ARecordThatTimedOutMayStillWinAfterAFailover) {
  ScriptedHost host = ScriptedHost::ForVersion(2);
  ASSERT_EQ(host.Init("t")->error, ErrorCode::kNone);
  ASSERT_EQ(host.Add("t", 7, 0, host.OrdersList({0}), 4), ErrorCode::kNone);
  host.appends = ScriptedHost::Appends::kFailAfterAppend;
  host.append_error = ErrorCode::kRequestTimedOut;
  EXPECT_EQ(host.End("t", 7, 0, true, 5)->error, ErrorCode::kCoordinatorNotAvailable);
  EXPECT_EQ(host.StateOf("t"), kOngoing);
  EXPECT_EQ(host.EpochOf("t"), 0);
  host.appends = ScriptedHost::Appends::kReplicate;
  host.Elect(0, 1);
  EXPECT_EQ(host.StateOf("t"), kCompleteCommit);
  const auto repeated = host.End("t", 7, 0, true, 5);
  EXPECT_EQ(repeated->error, ErrorCode::kNone);
  EXPECT_EQ(repeated->producer_epoch, broker::ProducerEpoch(1));
}

TEST(AppendErrors, WhatWasAppendedUnderAnotherEpochIsAnsweredNotCoordinator) {
  ScriptedHost host = ScriptedHost::ForVersion(2);
  ASSERT_EQ(host.Init("t")->error, ErrorCode::kNone);
  host.appends = ScriptedHost::Appends::kHold;
  const uint64_t correlation = host.Submit(broker::MakeMessage(
      broker::InitProducerIdRequest{.transactional_id = "t", .transaction_timeout_ms = 60'000}));
  host.Resign(0, 1);
  host.Elect(0, 2);
  host.Release();
  const auto reply = host.ReplyOf<broker::InitProducerIdResponse>(correlation);
  ASSERT_TRUE(reply.has_value());
  EXPECT_EQ(reply->error, ErrorCode::kNotCoordinator);
  EXPECT_EQ(host.EpochOf("t"), 1) << "the log had it";
}

TEST(AppendErrors, TheTimeoutOfAnAppendIsTheTransactionsOwn) {
  ScriptedHost host;
  ASSERT_EQ(host.Init("t", -1, -1, 12'345)->error, ErrorCode::kNone);
  EXPECT_EQ(host.last_append_timeout(), sim::Millis(12'345));
}

TEST(Loading, IsReportedWithWhatIsFinished) {
  ScriptedHost host;
  host.Store("a", MakeValue(kPrepareAbort, 3, 5, host.OrdersList({0})));
  host.Store("b", MakeValue(kEmpty, 4, 0));
  host.ForgetPoints();
  host.Elect(0, 9);
  ASSERT_FALSE(host.points().empty());
  const broker::PointEffect& point = host.points().front();
  ASSERT_EQ(point.kind, &events::kCoordinatorLoaded);
  EXPECT_EQ(std::get<std::string>(point.fields[0].value), "__transaction_state-0");
  EXPECT_EQ(std::get<int64_t>(point.fields[1].value), 9);
  EXPECT_THAT(std::get<std::vector<std::string>>(point.fields[2].value), ElementsAre("a", "b"));
  EXPECT_THAT(std::get<std::vector<std::string>>(point.fields[3].value), ElementsAre("a"));
}

}  // namespace
}  // namespace kafkasim::coordinator

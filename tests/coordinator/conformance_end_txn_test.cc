// Conformance cases 52 to 54 through the service: what EndTxn writes and answers.
#include <gtest/gtest.h>

#include "coordinator/events.h"
#include "tests/coordinator/scripted_host.h"
#include "tests/coordinator/values.h"

namespace kafkasim::coordinator {
namespace {

using broker::ErrorCode;
using broker::kNoProducerEpoch;
using broker::kNoProducerId;
using broker::ProducerEpoch;
using broker::ProducerId;

TEST(Conformance, Case52ACommitOfTV1KeepsTheEpochAndIsAnsweredBeforeTheMarkers) {
  ScriptedHost host = ScriptedHost::ForVersion(1);
  ASSERT_EQ(host.Init("t")->error, ErrorCode::kNone);
  ASSERT_EQ(host.Add("t", 7, 0, host.OrdersList({0, 1})), ErrorCode::kNone);
  host.markers = ScriptedHost::Markers::kHold;
  host.appends = ScriptedHost::Appends::kHold;
  EXPECT_FALSE(host.End("t", 7, 0, true, 4).has_value());
  EXPECT_TRUE(host.marker_requests().empty()) << "no marker before the decision is replicated";
  EXPECT_EQ(host.End("t", 7, 0, true, 4)->error, ErrorCode::kConcurrentTransactions);
  host.Release();
  EXPECT_EQ(host.StateOf("t"), TransactionState::kPrepareCommit);
  EXPECT_EQ(host.Find("t")->pending, TransactionState::kCompleteCommit);
  ASSERT_EQ(host.marker_requests().size(), 2u);
  host.appends = ScriptedHost::Appends::kReplicate;
  host.AnswerMarkers(0);
  EXPECT_EQ(host.StateOf("t"), TransactionState::kPrepareCommit) << "one marker is still missing";
  EXPECT_EQ(host.Find("t")->value.partitions, host.OrdersList({1}));
  host.AnswerMarkers(0);
  EXPECT_EQ(host.LogOf("t"), "EMPTY 7/0, ONGOING 7/0, PREPARE_COMMIT 7/0, COMPLETE_COMMIT 7/0");
}

TEST(Conformance, Case52AnswersOfTV1CarryNoProducerId) {
  ScriptedHost host = ScriptedHost::ForVersion(1);
  ASSERT_EQ(host.Init("t")->error, ErrorCode::kNone);
  ASSERT_EQ(host.Add("t", 7, 0, host.OrdersList({0})), ErrorCode::kNone);
  for (int i = 0; i < 2; ++i) {  // the second one repeats the first
    const auto answer = host.End("t", 7, 0, false, 4);
    EXPECT_EQ(answer->error, ErrorCode::kNone);
    EXPECT_EQ(answer->producer_id, kNoProducerId);
    EXPECT_EQ(answer->producer_epoch, kNoProducerEpoch);
  }
  EXPECT_EQ(host.End("t", 7, 0, true, 4)->error, ErrorCode::kInvalidTxnState);
  EXPECT_EQ(host.LogOf("t"), "EMPTY 7/0, ONGOING 7/0, PREPARE_ABORT 7/0, COMPLETE_ABORT 7/0");
}

TEST(Conformance, Case53TheAnswerOfTV2IsTheEpochAfterTheCompletion) {
  ScriptedHost host = ScriptedHost::ForVersion(2);
  ASSERT_EQ(host.Init("t")->error, ErrorCode::kNone);
  ASSERT_EQ(host.Add("t", 7, 0, host.OrdersList({0}), 4), ErrorCode::kNone);
  for (int i = 0; i < 2; ++i) {  // the second one repeats the first
    const auto answer = host.End("t", 7, 0, true, 5);
    EXPECT_EQ(answer->error, ErrorCode::kNone);
    EXPECT_EQ(answer->producer_id, ProducerId(7));
    EXPECT_EQ(answer->producer_epoch, ProducerEpoch(1));
  }
  EXPECT_EQ(host.LogOf("t"), "EMPTY 7/0, ONGOING 7/0, PREPARE_COMMIT 7/1, COMPLETE_COMMIT 7/1");
}

TEST(Conformance, Case53AnEmptyAbortWritesTheNextEpochAndStartsNow) {
  for (const auto state : {TransactionState::kEmpty, TransactionState::kCompleteCommit,
                           TransactionState::kCompleteAbort}) {
    ScriptedHost host = ScriptedHost::ForVersion(2);
    host.Store("t", MakeValue(state, 3, 4));
    host.Elect(0, 1);
    host.AdvanceTo(sim::Time{} + sim::Seconds(5));
    const auto answer = host.End("t", 3, 4, false, 5);
    EXPECT_EQ(answer->error, ErrorCode::kNone);
    EXPECT_EQ(answer->producer_epoch, ProducerEpoch(5));
    const auto entries = DecodeTransactionLog(host.log(0));
    ASSERT_EQ(entries.size(), 3u) << state;
    EXPECT_EQ(entries[1].record.value->state, TransactionState::kPrepareAbort);
    EXPECT_EQ(entries[1].record.value->producer_epoch, ProducerEpoch(5));
    EXPECT_EQ(entries[1].record.value->start_timestamp_ms, 5'000);
    EXPECT_EQ(entries[2].record.value->state, TransactionState::kCompleteAbort);
    EXPECT_TRUE(host.marker_requests().empty()) << "there is no partition to be marked";
  }
}

TEST(Conformance, Case54AnOverflowingCommitRotatesTheIdAndItsRepetitionIsTold) {
  ScriptedHost host = ScriptedHost::ForVersion(2);
  host.Store("t", MakeValue(TransactionState::kOngoing, 3, 32766, host.OrdersList({0})));
  host.Elect(0, 1);
  for (int i = 0; i < 2; ++i) {
    const auto answer = host.End("t", 3, 32766, true, 5);
    EXPECT_EQ(answer->error, ErrorCode::kNone);
    EXPECT_EQ(answer->producer_id, ProducerId(7));
    EXPECT_EQ(answer->producer_epoch, ProducerEpoch(0));
  }
  EXPECT_EQ(host.LogOf("t"), "ONGOING 3/32766, PREPARE_COMMIT 3/32767, COMPLETE_COMMIT 7/0");
}

TEST(Conformance, Case54ARotationSurvivesAFailover) {
  ScriptedHost host = ScriptedHost::ForVersion(2);
  host.Store("t", MakeValue(TransactionState::kOngoing, 3, 32766, host.OrdersList({0})));
  host.Elect(0, 1);
  host.markers = ScriptedHost::Markers::kHold;
  ASSERT_EQ(host.End("t", 3, 32766, true, 5)->error, ErrorCode::kNone);
  host.markers = ScriptedHost::Markers::kAcknowledge;
  host.Elect(0, 2);
  EXPECT_EQ(host.Find("t")->value.producer_id, ProducerId(7));
  EXPECT_EQ(host.EpochOf("t"), 0);
}

TEST(EndTxn, OfAnUnknownIdOrAnEmptyOne) {
  ScriptedHost host;
  for (const int16_t version : {int16_t{4}, int16_t{5}}) {
    EXPECT_EQ(host.End("t", 7, 0, true, version)->error, ErrorCode::kInvalidProducerIdMapping);
    EXPECT_EQ(host.End("", 7, 0, true, version)->error, ErrorCode::kInvalidRequest);
  }
}

TEST(EndTxn, OldClientsHearInvalidProducerEpoch) {
  ScriptedHost host = ScriptedHost::ForVersion(1);
  ASSERT_EQ(host.Init("t")->error, ErrorCode::kNone);
  EXPECT_EQ(host.End("t", 7, 1, true, 1)->error, ErrorCode::kInvalidProducerEpoch);
  EXPECT_EQ(host.End("t", 7, 1, true, 2)->error, ErrorCode::kProducerFenced);
}

TEST(EndTxn, OfATV1ClientOnATV2ClusterKeepsItsEpochButItsFenceDoesNot) {
  ScriptedHost host = ScriptedHost::ForVersion(2);
  ASSERT_EQ(host.Init("t")->error, ErrorCode::kNone);
  ASSERT_EQ(host.Add("t", 7, 0, host.OrdersList({0})), ErrorCode::kNone);
  ASSERT_EQ(host.End("t", 7, 0, true, 4)->error, ErrorCode::kNone);
  EXPECT_EQ(host.EpochOf("t"), 0);
  ASSERT_EQ(host.Add("t", 7, 0, host.OrdersList({0})), ErrorCode::kNone);
  host.AdvanceTo(sim::Time{} + sim::Seconds(70));
  EXPECT_EQ(host.EpochOf("t"), 1);
  EXPECT_EQ(host.Find("t")->value.last_producer_epoch, ProducerEpoch(0)) << "aborted as TV2 does";
  EXPECT_EQ(host.Find("t")->value.client_transaction_version, 2);
}

TEST(EndTxn, OfAnOwnerWhoseTransactionTimedOut) {
  ScriptedHost tv1 = ScriptedHost::ForVersion(1);
  ASSERT_EQ(tv1.Init("t")->error, ErrorCode::kNone);
  ASSERT_EQ(tv1.Add("t", 7, 0, tv1.OrdersList({0})), ErrorCode::kNone);
  tv1.AdvanceTo(sim::Time{} + sim::Seconds(70));
  EXPECT_EQ(tv1.End("t", 7, 0, true, 4)->error, ErrorCode::kProducerFenced);
  EXPECT_EQ(tv1.End("t", 7, 0, false, 4)->error, ErrorCode::kProducerFenced);

  ScriptedHost tv2 = ScriptedHost::ForVersion(2);
  ASSERT_EQ(tv2.Init("t")->error, ErrorCode::kNone);
  ASSERT_EQ(tv2.Add("t", 7, 0, tv2.OrdersList({0}), 4), ErrorCode::kNone);
  tv2.AdvanceTo(sim::Time{} + sim::Seconds(70));
  EXPECT_EQ(tv2.End("t", 7, 0, true, 5)->error, ErrorCode::kInvalidTxnState);
  const auto abort = tv2.End("t", 7, 0, false, 5);
  EXPECT_EQ(abort->error, ErrorCode::kNone);
  EXPECT_EQ(abort->producer_epoch, ProducerEpoch(1)) << "the producer can be used again";
}

TEST(EndTxn, WithoutAProducerIdToRotateToHasToWait) {
  ScriptedHost host(ScriptedHost::Options{.with_producer_ids = false});
  host.Store("t", MakeValue(TransactionState::kOngoing, 3, 32766, host.OrdersList({0})));
  host.Elect(0, 1);
  EXPECT_EQ(host.End("t", 3, 32766, true, 5)->error, ErrorCode::kCoordinatorLoadInProgress);
  EXPECT_EQ(host.End("t", 3, 32766, true, 5)->producer_id, ProducerId(7));
}

TEST(EndTxn, SaysWhyItRefuses) {
  ScriptedHost host = ScriptedHost::ForVersion(1);
  ASSERT_EQ(host.Init("t")->error, ErrorCode::kNone);
  ASSERT_EQ(host.End("t", 7, 0, true, 4)->error, ErrorCode::kInvalidTxnState);
  EXPECT_EQ(host.TextsOf(events::kRequestRefused, "reason"),
            std::vector<std::string>{"there is nothing to commit: t is EMPTY"});
}

}  // namespace
}  // namespace kafkasim::coordinator

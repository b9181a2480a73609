// Conformance cases 40 to 48: InitProducerId, its fence, and epochs that run out.
#include <optional>

#include <gtest/gtest.h>

#include "coordinator/events.h"
#include "tests/coordinator/scripted_host.h"
#include "tests/coordinator/values.h"

namespace kafkasim::coordinator {
namespace {

using broker::ErrorCode;
using broker::kNoProducerEpoch;
using broker::ProducerEpoch;
using broker::ProducerId;
using Answer = std::optional<broker::InitProducerIdResponse>;

void ExpectAssigned(const Answer& answer, int64_t producer_id, int16_t epoch) {
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->error, ErrorCode::kNone);
  EXPECT_EQ(answer->producer_id, ProducerId(producer_id));
  EXPECT_EQ(answer->producer_epoch, ProducerEpoch(epoch));
}

void ExpectError(const Answer& answer, ErrorCode error) {
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->error, error);
  EXPECT_EQ(answer->producer_id, broker::kNoProducerId);
  EXPECT_EQ(answer->producer_epoch, kNoProducerEpoch);
}

TEST(Conformance, Case40ANewIdGetsEpochZeroAndTheNextOneEpochOne) {
  ScriptedHost host;
  ExpectAssigned(host.Init("t"), 7, 0);
  ExpectAssigned(host.Init("t"), 7, 1);
  EXPECT_EQ(host.Find("t")->value.last_producer_epoch, kNoProducerEpoch);
  EXPECT_EQ(host.LogOf("t"), "EMPTY 7/0, EMPTY 7/1");
}

TEST(Conformance, Case41ARepeatedRequestIsNotBumpedAndAFencedOneIsRefused) {
  ScriptedHost host;
  host.Store("t", MakeValue(TransactionState::kEmpty, 7, 9));
  host.Elect(0, 1);
  ExpectAssigned(host.Init("t", 7, 9), 7, 10);
  EXPECT_EQ(host.Find("t")->value.last_producer_epoch, ProducerEpoch(9));
  ExpectAssigned(host.Init("t", 7, 10), 7, 11);
  ExpectAssigned(host.Init("t", 7, 10), 7, 11);
  ExpectAssigned(host.Init("t"), 7, 12);
  EXPECT_EQ(host.Find("t")->value.last_producer_epoch, kNoProducerEpoch);
  ExpectError(host.Init("t", 7, 10), ErrorCode::kProducerFenced);
  EXPECT_EQ(
      host.TextsOf(events::kProducerFenced, "reason"),
      std::vector<std::string>{"epoch 10 is older than epoch 12, which producer 7 has by now"});
}

TEST(Conformance, Case42AnExhaustedEpochRotatesTheProducerId) {
  ScriptedHost host;
  host.Store("t", MakeValue(TransactionState::kEmpty, 3, 32766));
  host.Elect(0, 1);
  ExpectAssigned(host.Init("t", 3, 32766), 7, 0);
  ExpectAssigned(host.Init("t", 3, 32766), 7, 0);
  ExpectError(host.Init("t", 3, 32765), ErrorCode::kProducerFenced);
}

TEST(Conformance, Case42WithoutIdentityAnExhaustedEpochRotatesToo) {
  ScriptedHost host;
  host.Store("t", MakeValue(TransactionState::kCompleteCommit, 3, 32767));
  host.Elect(0, 1);
  ExpectAssigned(host.Init("t"), 7, 0);
  EXPECT_EQ(host.Find("t")->value.last_producer_epoch, kNoProducerEpoch);
}

TEST(Conformance, Case42AnExhaustedEpochWithAnotherOneExpectedIsAServerError) {
  ScriptedHost host;
  host.Store("t", MakeValue(TransactionState::kEmpty, 3, 32766));
  host.Elect(0, 1);
  ExpectError(host.Init("t", 3, 32765), ErrorCode::kUnknownServerError);
  EXPECT_EQ(host.LogOf("t"), "EMPTY 3/32766");
}

TEST(Conformance, Case43AProducerIdOfAnotherTimeIsFencedButANewIdTakesAny) {
  ScriptedHost host;
  ExpectAssigned(host.Init("t"), 7, 0);
  ExpectError(host.Init("t", 6, 0), ErrorCode::kProducerFenced);
  ExpectAssigned(host.Init("fresh", 5, 3), 8, 0);
  EXPECT_EQ(host.Find("fresh")->value.last_producer_epoch, kNoProducerEpoch);
}

TEST(Conformance, Case44WhileAChangeIsUnderWayTheClientHasToWait) {
  for (const bool commit : {true, false}) {
    ScriptedHost host;
    host.Store(
        "t", MakeValue(commit ? TransactionState::kPrepareCommit : TransactionState::kPrepareAbort,
                       3, 5, host.OrdersList({0})));
    host.markers = ScriptedHost::Markers::kHold;
    host.Elect(0, 1);
    const std::string before = host.LogOf("t");
    ExpectError(host.Init("t"), ErrorCode::kConcurrentTransactions);
    ExpectError(host.Init("t", 3, 5), ErrorCode::kConcurrentTransactions);
    EXPECT_EQ(host.LogOf("t"), before);
  }
  ScriptedHost host;
  host.appends = ScriptedHost::Appends::kHold;
  EXPECT_FALSE(host.Init("t").has_value()) << "no answer before the record is replicated";
  ExpectError(host.Init("t"), ErrorCode::kConcurrentTransactions);
  EXPECT_EQ(host.held_appends(), 1u);
}

TEST(Conformance, Case45TheFenceOfTV1BumpsTheEpochOnceHoweverOftenTheRecordFails) {
  ScriptedHost host = ScriptedHost::ForVersion(0);
  ExpectAssigned(host.Init("t"), 7, 0);
  EXPECT_EQ(host.Add("t", 7, 0, host.OrdersList({0})), ErrorCode::kNone);
  host.appends = ScriptedHost::Appends::kFail;
  for (int attempt = 0; attempt < 2; ++attempt) {
    ExpectError(host.Init("t"), ErrorCode::kCoordinatorNotAvailable);
    EXPECT_EQ(host.EpochOf("t"), 1);
    EXPECT_EQ(host.StateOf("t"), TransactionState::kOngoing);
    EXPECT_TRUE(host.Find("t")->has_failed_epoch_fence);
    EXPECT_FALSE(host.Find("t")->pending.has_value());
  }
  host.appends = ScriptedHost::Appends::kReplicate;
  ExpectError(host.Init("t"), ErrorCode::kConcurrentTransactions);
  EXPECT_EQ(host.LogOf("t"), "EMPTY 7/0, ONGOING 7/0, PREPARE_ABORT 7/1, COMPLETE_ABORT 7/1");
  EXPECT_FALSE(host.Find("t")->has_failed_epoch_fence);
  EXPECT_EQ(host.Find("t")->value.last_producer_epoch, kNoProducerEpoch);
  ExpectAssigned(host.Init("t"), 7, 2);
}

TEST(Conformance, Case46AFailedFenceOfTV2LeavesTheEpochAndTheNextOneBumpsOnce) {
  ScriptedHost host = ScriptedHost::ForVersion(2);
  ExpectAssigned(host.Init("t"), 7, 0);
  ExpectAssigned(host.Init("t"), 7, 1);
  EXPECT_EQ(host.Add("t", 7, 1, host.OrdersList({0}), 4), ErrorCode::kNone);
  host.appends = ScriptedHost::Appends::kFail;
  ExpectError(host.Init("t"), ErrorCode::kCoordinatorNotAvailable);
  EXPECT_EQ(host.EpochOf("t"), 1);
  EXPECT_FALSE(host.Find("t")->has_failed_epoch_fence);
  host.appends = ScriptedHost::Appends::kReplicate;
  ExpectError(host.Init("t"), ErrorCode::kConcurrentTransactions);
  EXPECT_EQ(host.EpochOf("t"), 2);
  EXPECT_EQ(host.StateOf("t"), TransactionState::kCompleteAbort);
  ExpectAssigned(host.Init("t"), 7, 3);
}

TEST(Conformance, Case47AFenceAt32766ReservesTheNextProducerId) {
  ScriptedHost host = ScriptedHost::ForVersion(2);
  host.Store("t", MakeValue(TransactionState::kOngoing, 3, 32766, host.OrdersList({0})));
  host.Elect(0, 1);
  host.markers = ScriptedHost::Markers::kHold;
  ExpectError(host.Init("t"), ErrorCode::kConcurrentTransactions);
  EXPECT_EQ(host.EpochOf("t"), 32767);
  EXPECT_EQ(host.Find("t")->value.producer_id, ProducerId(3));
  EXPECT_EQ(host.Find("t")->value.next_producer_id, ProducerId(7));
  EXPECT_EQ(host.marker_requests().at(0).request.markers.at(0).producer_epoch,
            ProducerEpoch(32767));
  host.AnswerMarkers(0);
  EXPECT_EQ(host.Find("t")->value.producer_id, ProducerId(7));
  EXPECT_EQ(host.EpochOf("t"), 0);
}

TEST(Conformance, Case48ATimeoutAt32766RotatesAndALateAbortIsTold) {
  ScriptedHost host = ScriptedHost::ForVersion(2);
  host.Store("t", MakeValue(TransactionState::kOngoing, 3, 32766, host.OrdersList({0})));
  host.Elect(0, 1);
  host.AdvanceTo(sim::Time{} + sim::Seconds(70));
  EXPECT_EQ(host.LogOf("t"), "ONGOING 3/32766, PREPARE_ABORT 3/32767, COMPLETE_ABORT 7/0");
  const auto late = host.End("t", 3, 32766, false, 5);
  EXPECT_EQ(late->error, ErrorCode::kNone);
  EXPECT_EQ(late->producer_id, ProducerId(7));
  EXPECT_EQ(late->producer_epoch, ProducerEpoch(0));
}

}  // namespace
}  // namespace kafkasim::coordinator

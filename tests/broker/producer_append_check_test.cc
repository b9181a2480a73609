#include "broker/producer_append_check.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/broker/test_log.h"

namespace kafkasim::broker {
namespace {

using testing::Abort;
using testing::Commit;
using ::testing::HasSubstr;
using testing::Idempotent;
using testing::Plain;
using testing::TestLog;
using testing::Transactional;

constexpr AppendOptions kTv1Marker{.origin = AppendOrigin::kCoordinator, .transaction_version = 1};
constexpr AppendOptions kTv2Marker{.origin = AppendOrigin::kCoordinator, .transaction_version = 2};

// A producer 7 with an open transaction of this epoch.
TestLog Open(int16_t epoch) {
  TestLog t;
  t.Send(Transactional(7, epoch, 0));
  return t;
}

TEST(CheckAppend, AStaleEpochIsNamedBeforeAMissingVerification) {
  const TestLog t = Open(3);
  EXPECT_EQ(CodeOf(CheckAppend({.entry = t.producer(7)}, Transactional(7, 2, 1), {})),
            ErrorCode::kInvalidProducerEpoch);
  EXPECT_EQ(CodeOf(CheckAppend({.entry = t.producer(7)}, Transactional(7, 4, 0), {})),
            ErrorCode::kInvalidTxnState);
}

TEST(CheckAppend, OnlyTheExpectedGuardAdmitsTheFirstBatch) {
  const VerificationStateEntry pending{
      .producer_id = ProducerId(7), .guard = VerificationGuard(2), .lowest_sequence = Sequence(0)};
  const RecordBatch batch = Transactional(7, 0, 0);
  const auto check = [&](const VerificationStateEntry* entry, uint64_t guard, bool enabled) {
    return CodeOf(CheckAppend({.verification = entry, .verification_enabled = enabled}, batch,
                              {.guard = VerificationGuard(guard)}));
  };
  EXPECT_EQ(check(&pending, 2, true), ErrorCode::kNone);
  EXPECT_EQ(check(&pending, 1, true), ErrorCode::kInvalidTxnState);
  EXPECT_EQ(check(&pending, 0, true), ErrorCode::kInvalidTxnState);
  EXPECT_EQ(check(nullptr, 2, true), ErrorCode::kInvalidTxnState);
  EXPECT_EQ(check(nullptr, 0, true), ErrorCode::kInvalidTxnState);
  EXPECT_EQ(check(nullptr, 0, false), ErrorCode::kNone);
}

TEST(CheckAppend, AnOpenTransactionNeedsNoGuard) {
  const TestLog t = Open(0);
  EXPECT_TRUE(CheckAppend({.entry = t.producer(7)}, Transactional(7, 0, 1), {}).ok());
}

TEST(CheckAppend, CoordinatorsNeedAGuardButNoSequence) {
  RecordBatch offsets = Transactional(7, 0, 0);
  offsets.base_sequence = kNoSequence;
  const AppendOptions unverified{.origin = AppendOrigin::kCoordinator};
  EXPECT_EQ(CodeOf(CheckAppend({}, offsets, unverified)), ErrorCode::kInvalidTxnState);
  EXPECT_TRUE(CheckAppend({.verification_enabled = false}, offsets, unverified).ok());
}

TEST(CheckAppend, MarkersNeedNoGuard) {
  EXPECT_TRUE(CheckAppend({}, Commit(7, 0), kTv1Marker).ok());
  EXPECT_TRUE(CheckAppend({}, Commit(7, 1), kTv2Marker).ok());
}

TEST(CheckAppend, ReplicationIsNeverRefused) {
  const TestLog t = Open(5);
  const AppendOptions replication{.origin = AppendOrigin::kReplication};
  const AppendCheck check{.entry = t.producer(7)};
  EXPECT_TRUE(CheckAppend(check, Transactional(7, 4, 99), replication).ok());
  EXPECT_TRUE(CheckAppend(check, Commit(7, 4, -1), replication).ok());
}

TEST(CheckAppend, ATv2MarkerMustBeNewerThanAnOpenTransaction) {
  const TestLog t = Open(5);
  const AppendCheck check{.entry = t.producer(7)};
  EXPECT_EQ(CodeOf(CheckAppend(check, Commit(7, 5), kTv2Marker)), ErrorCode::kInvalidProducerEpoch);
  EXPECT_TRUE(CheckAppend(check, Commit(7, 5), kTv1Marker).ok());
  EXPECT_TRUE(CheckAppend(check, Commit(7, 6), kTv2Marker).ok());
}

TEST(CheckAppend, AnExhaustedEpochCannotBeRaisedByItsMarker) {
  const TestLog t = Open(kExhaustedEpoch.value());
  EXPECT_TRUE(
      CheckAppend({.entry = t.producer(7)}, Abort(7, kExhaustedEpoch.value()), kTv2Marker).ok());
}

TEST(CheckAppend, TheEpochIsCheckedBeforeTheCoordinatorsEpoch) {
  TestLog t = Open(5);
  t.Send(Commit(7, 5, 9));
  const AppendCheck check{.entry = t.producer(7)};
  EXPECT_EQ(CodeOf(CheckAppend(check, Commit(7, 4, 8), kTv1Marker)),
            ErrorCode::kInvalidProducerEpoch);
  EXPECT_EQ(CodeOf(CheckAppend(check, Commit(7, 5, 8), kTv1Marker)),
            ErrorCode::kTransactionCoordinatorFenced);
  EXPECT_TRUE(CheckAppend(check, Commit(7, 5, 9), kTv1Marker).ok());
}

TEST(CheckAppend, SequencesAreCheckedBeforeTheKindOfBatch) {
  const TestLog t = Open(0);
  const AppendCheck check{.entry = t.producer(7)};
  EXPECT_EQ(CodeOf(CheckAppend(check, Idempotent(7, 0, 5), {})),
            ErrorCode::kOutOfOrderSequenceNumber);
  EXPECT_EQ(CodeOf(CheckAppend(check, Idempotent(7, 0, 1), {})), ErrorCode::kInvalidTxnState);
}

TEST(CheckAppend, RefusalsNameBothValues) {
  TestLog t = Open(3);
  const AppendCheck check{.entry = t.producer(7)};
  const std::string stale(CheckAppend(check, Transactional(7, 2, 0), {}).ToString());
  EXPECT_THAT(stale, HasSubstr("epoch 2 of producer 7 is older than its last seen epoch 3"));
  const std::string gap(CheckAppend(check, Transactional(7, 3, 5), {}).ToString());
  EXPECT_THAT(gap, HasSubstr("producer 7 epoch 3 sent sequence 5 where 1 is due after 0"));
  const std::string guard(CheckAppend({}, Transactional(7, 0, 0), {}).ToString());
  EXPECT_THAT(guard, HasSubstr("producer 7 has no open transaction of epoch 0 here"));
  t.Send(Commit(7, 3, 4));
  const std::string fenced(
      CheckAppend({.entry = t.producer(7)}, Commit(7, 3, 2), kTv1Marker).ToString());
  EXPECT_THAT(fenced,
              HasSubstr("coordinator epoch 2 for producer 7 is older than the last one, 4"));
}

TEST(CheckRecords, ABatchHasAsManyRecordsAsOffsets) {
  const auto check = [](const RecordBatch& batch) {
    return CodeOf(CheckRecords(batch, AppendOrigin::kClient, false));
  };
  EXPECT_EQ(check(Plain(2)), ErrorCode::kNone);
  EXPECT_EQ(check(Plain(0)), ErrorCode::kInvalidRecord);
  RecordBatch batch = Plain(2);
  batch.last_offset_delta = 2;
  EXPECT_EQ(check(batch), ErrorCode::kInvalidRecord);
}

TEST(CheckRecords, ClientsWriteNoMarkersOffsetsOrNegativeSequences) {
  const auto check = [](const RecordBatch& batch) {
    return CodeOf(CheckRecords(batch, AppendOrigin::kClient, false));
  };
  EXPECT_EQ(check(Commit(7, 0)), ErrorCode::kInvalidRecord);
  EXPECT_EQ(check(*testing::At(4, Plain())), ErrorCode::kInvalidRecord);
  EXPECT_EQ(check(Idempotent(7, 0, -1)), ErrorCode::kInvalidRecord);
  EXPECT_EQ(CodeOf(CheckRecords(Idempotent(7, 0, -1), AppendOrigin::kCoordinator, false)),
            ErrorCode::kNone);
}

TEST(CheckRecords, ACompactedTopicWantsKeys) {
  const RecordBatch keyless = MakeBatch({{.value = "v"}});
  EXPECT_EQ(CodeOf(CheckRecords(keyless, AppendOrigin::kClient, true)), ErrorCode::kInvalidRecord);
  EXPECT_EQ(CodeOf(CheckRecords(keyless, AppendOrigin::kClient, false)), ErrorCode::kNone);
  EXPECT_EQ(CodeOf(CheckRecords(Plain(), AppendOrigin::kClient, true)), ErrorCode::kNone);
}

}  // namespace
}  // namespace kafkasim::broker

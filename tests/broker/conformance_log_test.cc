// Numbered conformance cases of one partition log: producers, sequences and markers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "broker/producer_append_check.h"
#include "tests/broker/test_log.h"

namespace kafkasim::broker {
namespace {

using testing::Abort;
using testing::At;
using testing::Commit;
using testing::Idempotent;
using testing::TestLog;
using testing::Transactional;

constexpr int32_t kLastSequence = 2'147'483'647;

TEST(Conformance, Case01SequencesAndEpochsOfOneProducer) {
  TestLog t;
  t.Send(Idempotent(1, 0, 0));
  t.Send(Idempotent(1, 0, 1));
  // Straight to the state check, past the search for duplicates.
  EXPECT_EQ(CodeOf(CheckAppend({.entry = t.producer(1)}, Idempotent(1, 0, 1), {})),
            ErrorCode::kOutOfOrderSequenceNumber);
  EXPECT_EQ(t.Try(Idempotent(1, 0, 5)), ErrorCode::kOutOfOrderSequenceNumber);
  EXPECT_EQ(t.Try(Idempotent(1, 1, 0)), ErrorCode::kNone);
  EXPECT_EQ(t.Try(Idempotent(1, 0, 0)), ErrorCode::kInvalidProducerEpoch);
}

TEST(Conformance, Case02SixBatchesThenADuplicate) {
  TestLog t;
  for (int sequence = 0; sequence <= 5; ++sequence) t.Send(Idempotent(1, 0, sequence));
  const int64_t first = t.Send(Idempotent(1, 0, 6, 3));

  const auto again = t.Append(Idempotent(1, 0, 6, 3));
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(again->duplicate);
  EXPECT_EQ(again->first_offset, Offset(first));
  EXPECT_EQ(again->last_offset, Offset(first + 2));
  EXPECT_EQ(t.end(), first + 3);

  EXPECT_EQ(t.Try(Idempotent(1, 0, 7, 2)), ErrorCode::kOutOfOrderSequenceNumber);
  const auto fifth_from_tail = t.Append(Idempotent(1, 0, 2));
  ASSERT_TRUE(fifth_from_tail.ok());
  EXPECT_TRUE(fifth_from_tail->duplicate);
  EXPECT_EQ(fifth_from_tail->first_offset, Offset(2));
  EXPECT_EQ(t.Try(Idempotent(1, 0, 1)), ErrorCode::kOutOfOrderSequenceNumber);

  EXPECT_EQ(t.Send(Idempotent(1, 0, 9)), 9);
  EXPECT_EQ(t.Send(Idempotent(1, 0, 9)), 9);
  EXPECT_EQ(t.end(), 10);
}

TEST(Conformance, Case03SequencesWrapToZero) {
  TestLog t;
  t.Send(Idempotent(1, 0, kLastSequence));
  t.Send(Idempotent(1, 0, 0));
  EXPECT_EQ(t.producer(1)->last_sequence(), Sequence(0));
  EXPECT_EQ(t.Try(Idempotent(1, 0, 2)), ErrorCode::kOutOfOrderSequenceNumber);

  // And from the largest sequence only to 0.
  TestLog u;
  u.Send(Idempotent(1, 0, kLastSequence));
  EXPECT_EQ(u.Try(Idempotent(1, 0, 1)), ErrorCode::kOutOfOrderSequenceNumber);
}

TEST(Conformance, Case04OnlyAMarkerIsKnownOfTheProducer) {
  TestLog t;
  t.Send(Commit(1, 2));
  EXPECT_EQ(t.Try(Transactional(1, 0, 0)), ErrorCode::kInvalidProducerEpoch);
  EXPECT_EQ(t.Try(Transactional(1, 2, 17)), ErrorCode::kOutOfOrderSequenceNumber);
  EXPECT_EQ(t.Try(Transactional(1, 2, 0)), ErrorCode::kNone);
}

TEST(Conformance, Case05AFencingMarkerStartsANewEpochOfSequences) {
  TestLog t;
  t.Send(Transactional(1, 0, 0));
  t.Send(Transactional(1, 0, 1));
  t.Send(Abort(1, 1));
  EXPECT_EQ(t.Try(Transactional(1, 1, 2)), ErrorCode::kOutOfOrderSequenceNumber);
  EXPECT_EQ(t.Try(Transactional(1, 2, 2)), ErrorCode::kOutOfOrderSequenceNumber);
  EXPECT_EQ(t.Try(Transactional(1, 1, 0)), ErrorCode::kNone);
}

TEST(Conformance, Case06ANewEpochBeginsWithSequenceZero) {
  TestLog t;
  t.Send(Idempotent(1, 0, 0));
  EXPECT_EQ(t.Try(Idempotent(1, 1, 5)), ErrorCode::kOutOfOrderSequenceNumber);
  EXPECT_EQ(t.Try(Idempotent(1, 1, 0)), ErrorCode::kNone);
}

TEST(Conformance, Case07AnUnknownProducerMayBeginAnywhereUnlessItSpeaksTv2) {
  TestLog plain;
  EXPECT_EQ(plain.Try(Idempotent(1, 0, 5)), ErrorCode::kNone);

  TestLog tv1;
  const auto tv1_guard = tv1.log.MaybeStartTransactionVerification(ProducerId(1), Sequence(5),
                                                                   ProducerEpoch(0), false, 0);
  EXPECT_EQ(tv1.Try(Transactional(1, 0, 5), *tv1_guard), ErrorCode::kNone);

  TestLog tv2;
  const auto guard = tv2.log.MaybeStartTransactionVerification(ProducerId(1), Sequence(5),
                                                               ProducerEpoch(0), true, 0);
  EXPECT_EQ(tv2.Try(Transactional(1, 0, 5), *guard), ErrorCode::kOutOfOrderSequenceNumber);
  EXPECT_EQ(tv2.Try(Transactional(1, 0, 0), *guard), ErrorCode::kNone);
}

TEST(Conformance, Case08ASequenceStillBeingVerifiedIsNotOvertaken) {
  for (const bool verification_enabled : {true, false}) {
    TestLog t;
    t.log.set_config({.transaction_partition_verification_enable = verification_enabled});
    const auto guard = t.log.MaybeStartTransactionVerification(ProducerId(1), Sequence(0),
                                                               ProducerEpoch(0), false, 0);
    EXPECT_EQ(t.Try(Transactional(1, 0, 4), *guard), ErrorCode::kOutOfOrderSequenceNumber);
    ASSERT_EQ(t.log.verifications().entries().size(), 1u);
    EXPECT_EQ(t.log.verifications().entries()[0].guard, *guard);
  }
}

TEST(Conformance, Case09TheLowestSequenceSeenFollowsTheHighestEpoch) {
  TestLog t;
  const auto verify = [&](int32_t sequence, int16_t epoch) {
    return *t.log.MaybeStartTransactionVerification(ProducerId(1), Sequence(sequence),
                                                    ProducerEpoch(epoch), false, 0);
  };
  const auto entry = [&] { return *t.log.verifications().Find(ProducerId(1)); };
  const VerificationGuard guard = verify(1, 0);
  EXPECT_EQ(verify(0, 0), guard);
  EXPECT_EQ(entry().lowest_sequence, Sequence(0));
  EXPECT_EQ(verify(2, 1), guard);
  EXPECT_EQ(entry().lowest_sequence, Sequence(2));
  EXPECT_EQ(entry().epoch, ProducerEpoch(1));
  EXPECT_EQ(verify(0, 0), guard);
  EXPECT_EQ(entry().lowest_sequence, Sequence(2));
  EXPECT_EQ(entry().epoch, ProducerEpoch(1));
}

TEST(Conformance, Case10NoPlainBatchInsideAnOpenTransaction) {
  TestLog t;
  t.Send(Transactional(1, 0, 0));
  EXPECT_EQ(t.Try(Idempotent(1, 0, 1)), ErrorCode::kInvalidTxnState);
  EXPECT_EQ(t.end(), 1);
}

TEST(Conformance, Case11CoordinatorsWriteWithoutSequences) {
  TestLog t;
  RecordBatch batch = Transactional(1, 0, 0);
  batch.base_sequence = kNoSequence;
  for (int64_t offset = 0; offset < 2; ++offset) {
    const auto info =
        t.log.AppendAsLeader(batch, LeaderEpoch(0), {.origin = AppendOrigin::kCoordinator});
    ASSERT_TRUE(info.ok()) << info.status();
    EXPECT_FALSE(info->duplicate);
    EXPECT_EQ(info->first_offset, Offset(offset));
  }
}

TEST(Conformance, Case12FollowersTakeGapsInTheSequence) {
  TestLog t;
  t.Send(Idempotent(1, 0, 0));
  EXPECT_EQ(t.Try(Idempotent(1, 0, 3)), ErrorCode::kOutOfOrderSequenceNumber);

  PartitionLog follower;
  ASSERT_TRUE(follower.AppendAsFollower({{At(0, Idempotent(1, 0, 0))}}, LeaderEpoch(0)).ok());
  ASSERT_TRUE(follower.AppendAsFollower({{At(1, Idempotent(1, 0, 3))}}, LeaderEpoch(0)).ok());
  EXPECT_EQ(follower.producers().Find(ProducerId(1))->last_sequence(), Sequence(3));
}

TEST(Conformance, Case13IdleProducersExpireUnlessInATransaction) {
  TestLog t;
  t.log.set_config(
      {.transaction_partition_verification_enable = false, .producer_id_expiration_ms = 1'000});
  t.Send(Idempotent(1, 0, 0, 1, 500));
  t.Send(Transactional(2, 0, 0, 1, 500));
  t.log.RemoveExpiredProducers(1'499);
  EXPECT_NE(t.producer(1), nullptr);
  t.log.RemoveExpiredProducers(1'500);
  EXPECT_EQ(t.producer(1), nullptr);
  t.log.RemoveExpiredProducers(1'000'000'000);
  EXPECT_NE(t.producer(2), nullptr);
}

TEST(Conformance, Case14ADeletedSegmentLeavesItsProducersKnown) {
  TestLog t;
  t.Send(Idempotent(1, 0, 0));
  t.log.Roll();
  t.Send(Idempotent(2, 0, 0));
  t.Replicate();
  ASSERT_TRUE(t.log.MaybeIncrementLogStartOffset(Offset(1)).ok());
  ASSERT_EQ(t.log.DeleteOldSegments(0), 1);
  EXPECT_EQ(t.log.FindBatch(Offset(0))->producer_id, ProducerId(2));
  ASSERT_NE(t.producer(1), nullptr);
  EXPECT_EQ(t.producer(1)->last_sequence(), Sequence(0));
}

TEST(Conformance, Case15EpochsOfMarkersByTransactionVersion) {
  for (const int16_t version : {int16_t{0}, int16_t{1}, int16_t{2}}) {
    const auto open = [&] {
      TestLog t;
      t.marker_version = version;
      t.Send(Transactional(1, 5, 0));
      return t;
    };
    TestLog older = open();
    EXPECT_EQ(older.Try(Commit(1, 4)), ErrorCode::kInvalidProducerEpoch) << version;
    TestLog equal = open();
    EXPECT_EQ(equal.Try(Commit(1, 5)),
              version == 2 ? ErrorCode::kInvalidProducerEpoch : ErrorCode::kNone)
        << version;
    TestLog newer = open();
    EXPECT_EQ(newer.Try(Commit(1, 6)), ErrorCode::kNone) << version;
    EXPECT_EQ(newer.producer(1)->producer_epoch(), ProducerEpoch(6)) << version;
  }
}

TEST(Conformance, Case16ARepeatedTv2MarkerIsWrittenAgainWithoutEffect) {
  TestLog t;
  t.marker_version = 2;
  t.Send(Transactional(1, 0, 0, 100));
  EXPECT_EQ(t.Send(Commit(1, 1)), 100);
  const auto again = t.Append(Commit(1, 1));
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->first_offset, Offset(101));
  EXPECT_EQ(again->completed_txn, std::nullopt);
  EXPECT_EQ(t.producer(1)->current_txn_first_offset(), std::nullopt);
  EXPECT_EQ(t.producer(1)->producer_epoch(), ProducerEpoch(1));
}

TEST(Conformance, Case17AnOldCoordinatorIsFencedAlsoAfterAReload) {
  TestLog t;
  t.Send(Transactional(1, 0, 0));
  t.Send(Commit(1, 0, 1));
  t.Send(Commit(1, 0, 1));
  t.Send(Commit(1, 0, 2));
  EXPECT_EQ(t.Try(Commit(1, 0, 1)), ErrorCode::kTransactionCoordinatorFenced);

  t.log.CloseCleanly();
  t.log.Crash(sim::CrashKind::kProcess);
  t.log.Recover(0);
  EXPECT_EQ(t.producer(1)->coordinator_epoch(), CoordinatorEpoch(2));
  EXPECT_EQ(t.Try(Commit(1, 0, 1)), ErrorCode::kTransactionCoordinatorFenced);
}

TEST(Conformance, Case18EmptyTransactionsFenceOldCoordinatorsToo) {
  PartitionLog follower({.transaction_partition_verification_enable = false});
  ASSERT_TRUE(follower
                  .AppendAsFollower({{At(0, Transactional(1, 0, 0)), At(1, Commit(1, 0, 1))}},
                                    LeaderEpoch(0))
                  .ok());
  TestLog t{.log = follower};
  t.Send(Abort(1, 0, 2));
  t.Send(Abort(1, 0, 2));
  EXPECT_EQ(t.Try(Abort(1, 0, 1)), ErrorCode::kTransactionCoordinatorFenced);
}

TEST(ConformanceDeathTest, Case19ALeaderMustKnowTheVersionOfAMarker) {
  TestLog t;
  t.marker_version = kUnknownTransactionVersion;
  t.Send(Transactional(1, 0, 0));
  EXPECT_EXIT((void)t.Try(Commit(1, 0)), ::testing::ExitedWithCode(4), "transaction version");
  // A follower applies the lenient rule.
  PartitionLog follower = testing::FollowerOf(t.log);
  EXPECT_TRUE(follower.AppendAsFollower({{At(1, Commit(1, 0))}}, LeaderEpoch(0)).ok());
  EXPECT_EQ(follower.producers().FirstUndecidedOffset(), std::nullopt);
}

TEST(Conformance, Case20OnlyAMarkerWithSomethingToCloseCompletesATransaction) {
  TestLog t;
  t.Send(testing::Plain(16));
  t.Send(Transactional(1, 0, 0, 5));
  const auto completed = [&](const RecordBatch& marker) { return t.Append(marker)->completed_txn; };
  EXPECT_EQ(completed(Commit(1, 0)), (CompletedTxn{ProducerId(1), Offset(16), Offset(21), false}));
  EXPECT_EQ(completed(Commit(1, 0)), std::nullopt);
  EXPECT_EQ(completed(Commit(1, 0)), std::nullopt);
  t.Send(Transactional(1, 0, 5, 4));
  EXPECT_EQ(completed(Abort(1, 0)), (CompletedTxn{ProducerId(1), Offset(24), Offset(28), true}));
  EXPECT_EQ(completed(Abort(1, 0)), std::nullopt);
  EXPECT_EQ(t.Send(Transactional(1, 0, 9, 2)), 30);
  t.ReplicateTo(32);
  EXPECT_EQ(t.log.first_unstable_offset(), Offset(30));
}

}  // namespace
}  // namespace kafkasim::broker

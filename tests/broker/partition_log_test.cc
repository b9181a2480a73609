#include "broker/partition_log.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/broker/test_log.h"

namespace kafkasim::broker {
namespace {

using testing::Abort;
using testing::At;
using testing::Commit;
using ::testing::ElementsAre;
using testing::FollowerOf;
using testing::Idempotent;
using ::testing::IsEmpty;
using testing::Plain;
using testing::TestLog;
using testing::Transactional;

TEST(PartitionLog, ALeaderAssignsOffsetsAndItsEpoch) {
  PartitionLog log;
  const RecordBatch sent = Plain(3);
  ASSERT_TRUE(log.AppendAsLeader(sent, LeaderEpoch(4), {}).ok());
  const auto info = log.AppendAsLeader(sent, LeaderEpoch(4), {});
  ASSERT_TRUE(info.ok());
  EXPECT_EQ(info->first_offset, Offset(3));
  EXPECT_EQ(info->last_offset, Offset(5));
  EXPECT_EQ(log.log_end_offset(), Offset(6));
  EXPECT_EQ(log.FindBatch(Offset(4)), info->batch.get());
  EXPECT_EQ(info->batch->partition_leader_epoch, LeaderEpoch(4));
  EXPECT_EQ(info->batch->records, sent.records);  // shared, not copied
  EXPECT_EQ(sent.base_offset, Offset(0));
  EXPECT_EQ(log.EndOffsetFor(LeaderEpoch(4)), (EpochEndOffset{LeaderEpoch(4), Offset(6)}));
}

TEST(PartitionLog, ARejectedAppendChangesNothing) {
  TestLog t;
  t.log.set_config({.segment_bytes = 200,
                    .max_message_bytes = 150,
                    .transaction_partition_verification_enable = true});
  const auto guard = t.log.MaybeStartTransactionVerification(ProducerId(7), Sequence(0),
                                                             ProducerEpoch(3), false, 0);
  ASSERT_EQ(t.Try(Transactional(7, 3, 0, 1), *guard), ErrorCode::kNone);
  t.Send(Plain());
  const sim::Fingerprint before = sim::FingerprintOf(t.log);
  EXPECT_EQ(t.Try(Transactional(7, 2, 0)), ErrorCode::kInvalidProducerEpoch);
  EXPECT_EQ(t.Try(Transactional(7, 3, 9)), ErrorCode::kOutOfOrderSequenceNumber);
  EXPECT_EQ(t.Try(Transactional(8, 0, 0)), ErrorCode::kInvalidTxnState);
  EXPECT_EQ(t.Try(Idempotent(7, 3, 1)), ErrorCode::kInvalidTxnState);
  EXPECT_EQ(t.Try(Commit(7, 1)), ErrorCode::kInvalidProducerEpoch);
  EXPECT_EQ(t.Try(Plain(0)), ErrorCode::kInvalidRecord);
  EXPECT_EQ(t.Try(Plain(20)), ErrorCode::kMessageTooLarge);
  EXPECT_EQ(sim::FingerprintOf(t.log), before);
}

TEST(PartitionLog, ABatchMustFitIntoASegment) {
  TestLog t;
  t.log.set_config({.segment_bytes = 100});
  EXPECT_EQ(t.Try(Plain(1)), ErrorCode::kNone);
  EXPECT_EQ(t.Try(Plain(9)), ErrorCode::kRecordListTooLarge);
}

TEST(PartitionLog, AFullSegmentIsRolled) {
  TestLog t;
  const int64_t size = Plain().size_bytes();
  t.log.set_config({.segment_bytes = 2 * size});
  for (int i = 0; i < 5; ++i) t.Send(Plain());
  EXPECT_THAT(t.log.segment_base_offsets(), ElementsAre(Offset(0), Offset(2), Offset(4)));
  EXPECT_EQ(t.log.flushed_offset(), Offset(4));
  EXPECT_EQ(t.log.size_bytes(), 5 * size);
}

TEST(PartitionLog, AppendInfoTellsWhatHappenedToTheTransaction) {
  TestLog t;
  EXPECT_FALSE(t.Append(Idempotent(7, 0, 0))->started_txn);
  EXPECT_TRUE(t.Append(Transactional(7, 0, 1))->started_txn);
  EXPECT_FALSE(t.Append(Transactional(7, 0, 2))->started_txn);
  const auto marker = t.Append(Commit(7, 0));
  EXPECT_FALSE(marker->started_txn);
  EXPECT_EQ(marker->completed_txn,
            (CompletedTxn{ProducerId(7), Offset(1), Offset(3), /*aborted=*/false}));
}

TEST(PartitionLog, AnEmptyTransactionsMarkerTouchesNeitherLsoNorIndex) {
  TestLog t;
  t.Send(Plain(4));
  t.Replicate();
  t.Send(Abort(7, 3, 2));
  EXPECT_EQ(t.log.first_unstable_offset(), std::nullopt);
  EXPECT_THAT(t.log.aborted_txns(), IsEmpty());
  EXPECT_EQ(t.end(), 5);
  EXPECT_EQ(t.producer(7)->producer_epoch(), ProducerEpoch(3));
  EXPECT_EQ(t.producer(7)->coordinator_epoch(), CoordinatorEpoch(2));
}

TEST(PartitionLog, ATv1MarkerInvalidatesTheGuardGivenBeforeIt) {
  TestLog t;
  t.log.set_config({});
  const auto guard = t.log.MaybeStartTransactionVerification(ProducerId(7), Sequence(0),
                                                             ProducerEpoch(0), false, 0);
  t.Send(Abort(7, 0));  // the coordinator gave the transaction up in the meantime
  EXPECT_EQ(t.Try(Transactional(7, 0, 0), *guard), ErrorCode::kInvalidTxnState);
  EXPECT_EQ(t.log.first_unstable_offset(), std::nullopt);
}

TEST(PartitionLog, VerificationStartsOnlyOutsideAnOpenTransaction) {
  TestLog t;
  t.Send(Transactional(7, 3, 0));
  const auto start = [&](int16_t epoch) {
    return t.log.MaybeStartTransactionVerification(ProducerId(7), Sequence(0), ProducerEpoch(epoch),
                                                   false, 0);
  };
  EXPECT_EQ(*start(3), kNoVerificationGuard);
  EXPECT_THAT(t.log.verifications().entries(), IsEmpty());
  EXPECT_EQ(CodeOf(start(2).status()), ErrorCode::kInvalidProducerEpoch);
  EXPECT_NE(*start(4), kNoVerificationGuard);
}

TEST(PartitionLog, ANewerEpochOverAnOpenTransactionMakesOneSpan) {
  TestLog t;
  t.Send(Transactional(7, 0, 0));
  t.Send(Transactional(7, 1, 0));
  t.Replicate();
  EXPECT_EQ(t.lso(), 0);
  const auto marker = t.Append(Abort(7, 1));
  EXPECT_EQ(marker->completed_txn->first_offset, Offset(0));
}

TEST(PartitionLog, AFollowerKeepsOffsetsGapsAndEpochs) {
  PartitionLog log;
  ASSERT_TRUE(
      log.AppendAsFollower({{At(0, Plain(2), 1), At(7, Plain(1), 3)}}, LeaderEpoch(3)).ok());
  EXPECT_EQ(log.log_end_offset(), Offset(8));
  EXPECT_EQ(log.FindBatch(Offset(4))->base_offset, Offset(7));
  EXPECT_EQ(log.EndOffsetFor(LeaderEpoch(1)), (EpochEndOffset{LeaderEpoch(1), Offset(7)}));
}

TEST(PartitionLog, AFollowerLeavesOutBatchesOfALaterEpochThanItsOwn) {
  PartitionLog log;
  ASSERT_TRUE(log.AppendAsFollower({{At(0, Plain(), 1), At(1, Plain(), 2), At(2, Plain(), 1)}},
                                   LeaderEpoch(1))
                  .ok());
  EXPECT_EQ(log.log_end_offset(), Offset(1));
}

TEST(PartitionLog, AFollowerRefusesBatchesItAlreadyHas) {
  PartitionLog log;
  ASSERT_TRUE(log.AppendAsFollower({{At(0, Plain(3))}}, LeaderEpoch(0)).ok());
  EXPECT_FALSE(log.AppendAsFollower({{At(2, Plain(3))}}, LeaderEpoch(0)).ok());
  EXPECT_EQ(log.log_end_offset(), Offset(3));
}

TEST(PartitionLog, AnEmptyFollowerMayStartInsideABatch) {
  PartitionLog log;
  log.TruncateFullyAndStartAt(Offset(5));  // the leader's log starts at 5, inside a batch from 4
  ASSERT_TRUE(log.AppendAsFollower({{At(4, Plain(3))}}, LeaderEpoch(0)).ok());
  EXPECT_EQ(log.log_start_offset(), Offset(4));
  EXPECT_EQ(log.log_end_offset(), Offset(7));
}

TEST(PartitionLog, AFollowersStateIsItsLeaders) {
  TestLog t;
  t.Send(Transactional(7, 0, 0, 3));
  t.Send(Transactional(8, 0, 0));
  t.Send(Abort(7, 0, 2));
  t.Send(Idempotent(9, 1, 5));
  const PartitionLog follower = FollowerOf(t.log);
  EXPECT_EQ(follower.producers().entries(), t.log.producers().entries());
  EXPECT_EQ(follower.producers().ongoing_txns(), t.log.producers().ongoing_txns());
  EXPECT_EQ(follower.aborted_txns(), t.log.aborted_txns());
  EXPECT_EQ(sim::FingerprintOf(follower), sim::FingerprintOf(t.log));
}

TEST(PartitionLog, ALeadersHighWatermarkOnlyRises) {
  TestLog t;
  t.Send(Plain(5));
  EXPECT_TRUE(t.log.MaybeIncrementHighWatermark(Offset(3)));
  EXPECT_FALSE(t.log.MaybeIncrementHighWatermark(Offset(2)));
  EXPECT_EQ(t.log.high_watermark(), Offset(3));
}

TEST(PartitionLogDeathTest, ALeadersHighWatermarkIsWithinTheLog) {
  TestLog t;
  EXPECT_EXIT(t.log.MaybeIncrementHighWatermark(Offset(1)), ::testing::ExitedWithCode(4),
              "within the log");
}

TEST(PartitionLog, AFollowersHighWatermarkIsHeldWithinItsLog) {
  TestLog t;
  t.Send(Plain(5));
  EXPECT_EQ(t.log.SetHighWatermark(Offset(9)), Offset(5));
  ASSERT_TRUE(t.log.MaybeIncrementLogStartOffset(Offset(2)).ok());
  EXPECT_EQ(t.log.SetHighWatermark(Offset(0)), Offset(2));
}

TEST(PartitionLog, TheLogStartNeitherFallsNorPassesTheHighWatermark) {
  TestLog t;
  t.Send(Plain(5));
  t.ReplicateTo(3);
  EXPECT_EQ(CodeOf(t.log.MaybeIncrementLogStartOffset(Offset(4)).status()),
            ErrorCode::kOffsetOutOfRange);
  EXPECT_TRUE(*t.log.MaybeIncrementLogStartOffset(Offset(3)));
  EXPECT_FALSE(*t.log.MaybeIncrementLogStartOffset(Offset(2)));
  EXPECT_EQ(t.log.log_start_offset(), Offset(3));
}

TEST(PartitionLog, OnlyWholeSegmentsAreDeletedAndNeverTheActiveOne) {
  TestLog t;
  for (int segment = 0; segment < 3; ++segment) {
    for (int i = 0; i < 20; ++i) t.Send(Plain());
    if (segment < 2) t.log.Roll();
  }
  t.Replicate();
  ASSERT_TRUE(t.log.MaybeIncrementLogStartOffset(Offset(39)).ok());
  EXPECT_EQ(t.log.DeleteOldSegments(0), 1);
  EXPECT_THAT(t.log.segment_base_offsets(), ElementsAre(Offset(20), Offset(40)));
  ASSERT_TRUE(t.log.MaybeIncrementLogStartOffset(Offset(60)).ok());
  EXPECT_EQ(t.log.DeleteOldSegments(0), 1);
  EXPECT_THAT(t.log.segment_base_offsets(), ElementsAre(Offset(40)));
  t.log.Roll();
  EXPECT_EQ(t.log.DeleteOldSegments(0), 1);
  EXPECT_THAT(t.log.segment_base_offsets(), IsEmpty());
  EXPECT_EQ(t.Send(Plain()), 60);
}

TEST(PartitionLog, ACopySharesTheChunksUntilOneSideWrites) {
  TestLog original;
  for (int i = 0; i < 40; ++i) original.Send(Plain());
  TestLog copy = original;
  const sim::Fingerprint before = sim::FingerprintOf(original.log);
  EXPECT_EQ(sim::FingerprintOf(copy.log), before);
  copy.Send(Plain());
  EXPECT_EQ(sim::FingerprintOf(original.log), before);
  EXPECT_NE(sim::FingerprintOf(copy.log), before);
  ASSERT_EQ(copy.log.chunks().size(), 3u);
  EXPECT_TRUE(copy.log.chunks()[0].SharesWith(original.log.chunks()[0]));
  EXPECT_TRUE(copy.log.chunks()[1].SharesWith(original.log.chunks()[1]));
  EXPECT_FALSE(copy.log.chunks()[2].SharesWith(original.log.chunks()[2]));
}

}  // namespace
}  // namespace kafkasim::broker

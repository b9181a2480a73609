// Truncating a partition log, and loading it after a crash.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "broker/partition_log.h"
#include "tests/broker/test_log.h"

namespace kafkasim::broker {
namespace {

using sim::CrashKind;
using testing::Abort;
using testing::At;
using testing::Commit;
using ::testing::ElementsAre;
using testing::Idempotent;
using ::testing::IsEmpty;
using testing::Plain;
using testing::TestLog;
using testing::Transactional;

void Restart(TestLog& t, CrashKind kind) {
  t.log.Crash(kind);
  t.log.Recover(0);
}

TEST(PartitionLogTruncate, ReplaysTheLogForUpToFiveBatches) {
  TestLog t;
  for (int i = 0; i < 8; ++i) t.Send(Idempotent(7, 0, i));
  ASSERT_TRUE(t.log.TruncateTo(Offset(6), 0));
  EXPECT_EQ(t.end(), 6);
  EXPECT_EQ(t.producer(7)->batches().size(), 5u);
  EXPECT_EQ(t.producer(7)->last_sequence(), Sequence(5));
  EXPECT_TRUE(t.Append(Idempotent(7, 0, 1))->duplicate);
  EXPECT_EQ(t.Try(Idempotent(7, 0, 7)), ErrorCode::kOutOfOrderSequenceNumber);
}

TEST(PartitionLogTruncate, ASecondTruncationStartsFromTheSnapshotOfTheFirst) {
  TestLog t;
  for (int i = 0; i < 8; ++i) t.Send(Idempotent(7, 0, i));
  t.log.TruncateTo(Offset(6), 0);  // leaves a snapshot at 6
  for (int i = 6; i < 9; ++i) t.Send(Idempotent(7, 0, i));
  t.log.TruncateTo(Offset(8), 0);
  EXPECT_EQ(t.producer(7)->batches().size(), 3u);  // one of the snapshot, two replayed
}

TEST(PartitionLogTruncate, UndoesAnEndedTransaction) {
  TestLog t;
  t.Send(Transactional(7, 0, 0));
  t.Send(Abort(7, 0));
  t.Send(Plain());
  EXPECT_THAT(t.log.aborted_txns().size(), 1u);
  ASSERT_TRUE(t.log.TruncateTo(Offset(1), 0));
  EXPECT_THAT(t.log.aborted_txns(), IsEmpty());
  EXPECT_EQ(t.log.producers().FirstUndecidedOffset(), Offset(0));
}

TEST(PartitionLogTruncate, KeepsMarkersAboveTheHighWatermarkUnstable) {
  TestLog t;
  t.Send(Transactional(7, 0, 0));
  t.Send(Commit(7, 0));
  t.Send(Transactional(7, 0, 1));
  t.Send(Commit(7, 0));
  t.Send(Plain(2));
  t.ReplicateTo(3);
  ASSERT_TRUE(t.log.TruncateTo(Offset(4), 0));
  EXPECT_THAT(t.log.producers().unreplicated_txns(),
              ElementsAre(TxnSpan{ProducerId(7), Offset(2), Offset(3)}));
  EXPECT_EQ(t.lso(), 2);
}

TEST(PartitionLogTruncate, CutsAcrossChunksAndSegments) {
  for (int64_t target = 0; target < 60; ++target) {
    TestLog t;
    for (int i = 0; i < 60; ++i) {
      if (i == 20 || i == 40) t.log.Roll();
      t.Send(Idempotent(7, 0, i));
    }
    ASSERT_TRUE(t.log.TruncateTo(Offset(target), 0));
    EXPECT_EQ(t.end(), target);
    EXPECT_EQ(t.log.Read(Offset(target), {})->batches.size(), 0u);
    EXPECT_EQ(t.Send(Idempotent(7, 0, static_cast<int32_t>(target))), target);
    const int64_t segment = target < 20 ? 0 : target < 40 ? 20 : 40;
    EXPECT_EQ(t.log.segment_base_offsets().back(), Offset(segment)) << target;
  }
}

TEST(PartitionLogTruncate, ABatchCutInsideGoesWhole) {
  TestLog t;
  t.Send(Plain(3));
  t.Send(Plain(3));
  ASSERT_TRUE(t.log.TruncateTo(Offset(4), 0));
  EXPECT_EQ(t.end(), 4);
  EXPECT_EQ(t.log.FindBatch(Offset(3)), nullptr);
}

TEST(PartitionLogTruncate, LowersTheHighWatermarkAndTheLogStart) {
  TestLog t;
  for (int i = 0; i < 6; ++i) t.Send(Plain());
  t.Replicate();
  ASSERT_TRUE(t.log.MaybeIncrementLogStartOffset(Offset(4)).ok());
  ASSERT_TRUE(t.log.TruncateTo(Offset(3), 0));
  EXPECT_EQ(t.log.high_watermark(), Offset(3));
  EXPECT_EQ(t.log.log_start_offset(), Offset(3));
}

TEST(PartitionLogTruncate, BelowTheFirstSegmentStartsOver) {
  PartitionLog log;
  log.TruncateFullyAndStartAt(Offset(10));
  ASSERT_TRUE(log.AppendAsFollower({{At(10, Idempotent(7, 0, 0))}}, LeaderEpoch(0)).ok());
  ASSERT_TRUE(log.TruncateTo(Offset(5), 0));
  EXPECT_EQ(log.log_start_offset(), Offset(5));
  EXPECT_EQ(log.log_end_offset(), Offset(5));
  EXPECT_THAT(log.producers().entries(), IsEmpty());
  EXPECT_TRUE(log.leader_epochs().entries().empty());
}

TEST(PartitionLogTruncate, AtTheEndOnlyLeaderEpochsGo) {
  TestLog t;
  t.Send(Plain());
  t.log.StartLeaderEpoch(LeaderEpoch(5));  // became leader, wrote nothing
  EXPECT_FALSE(t.log.TruncateTo(Offset(1), 0));
  EXPECT_EQ(t.log.leader_epochs().latest_epoch(), LeaderEpoch(0));
  EXPECT_EQ(t.end(), 1);
}

TEST(PartitionLogRecovery, AProcessCrashKeepsTheLogAndOneBatchAProducer) {
  TestLog t;
  for (int i = 0; i < 5; ++i) t.Send(Idempotent(7, 0, i));
  t.Send(Transactional(8, 0, 0));
  Restart(t, CrashKind::kProcess);
  EXPECT_EQ(t.end(), 6);
  ASSERT_NE(t.producer(7), nullptr);
  EXPECT_EQ(t.producer(7)->batches().size(), 1u);
  EXPECT_TRUE(t.Append(Idempotent(7, 0, 4))->duplicate);
  EXPECT_EQ(t.Try(Idempotent(7, 0, 3)), ErrorCode::kOutOfOrderSequenceNumber);
  EXPECT_EQ(t.producer(8)->current_txn_first_offset(), Offset(5));
  EXPECT_EQ(t.log.first_unstable_offset(), Offset(5));
}

TEST(PartitionLogRecovery, TheHighWatermarkComesFromItsCheckpoint) {
  TestLog t;
  t.Send(Plain(5));
  t.ReplicateTo(2);
  t.log.CheckpointHighWatermark();
  t.ReplicateTo(5);
  Restart(t, CrashKind::kProcess);
  EXPECT_EQ(t.log.high_watermark(), Offset(2));
}

TEST(PartitionLogRecovery, AMachineCrashDropsWhatWasNotFlushed) {
  TestLog t;
  t.Send(Idempotent(7, 0, 0));
  t.log.Flush();
  t.Send(Idempotent(7, 0, 1));
  t.Send(Transactional(8, 0, 0));
  t.Replicate();
  t.log.CheckpointHighWatermark();
  t.log.StartLeaderEpoch(LeaderEpoch(4));
  Restart(t, CrashKind::kMachine);
  EXPECT_EQ(t.end(), 1);
  EXPECT_EQ(t.log.high_watermark(), Offset(1));
  EXPECT_EQ(t.producer(7)->last_sequence(), Sequence(0));
  EXPECT_EQ(t.producer(8), nullptr);
  EXPECT_EQ(t.log.leader_epochs().latest_epoch(), LeaderEpoch(0));
  EXPECT_EQ(t.Try(Idempotent(7, 0, 1)), ErrorCode::kNone);
}

TEST(PartitionLogRecovery, NothingIsFlushedByDefaultButRolledSegments) {
  TestLog t;
  t.log.set_config({.segment_bytes = 3 * Plain().size_bytes()});
  for (int i = 0; i < 8; ++i) t.Send(Plain());
  EXPECT_EQ(t.log.flushed_offset(), Offset(6));
  Restart(t, CrashKind::kMachine);
  EXPECT_EQ(t.end(), 6);
  TestLog never_rolled;
  never_rolled.Send(Plain(3));
  Restart(never_rolled, CrashKind::kMachine);
  EXPECT_EQ(never_rolled.end(), 0);
}

TEST(PartitionLogRecovery, ADiskLossLeavesNothing) {
  TestLog t;
  t.Send(Transactional(7, 0, 0, 5));
  t.Replicate();
  t.log.CloseCleanly();
  Restart(t, CrashKind::kDisk);
  EXPECT_EQ(sim::FingerprintOf(t.log), sim::FingerprintOf(PartitionLog(t.log.config())));
}

TEST(PartitionLogRecovery, VerificationsAreForgotten) {
  TestLog t;
  t.log.set_config({});
  const auto guard = t.log.MaybeStartTransactionVerification(ProducerId(7), Sequence(0),
                                                             ProducerEpoch(0), false, 0);
  Restart(t, CrashKind::kProcess);
  EXPECT_EQ(t.Try(Transactional(7, 0, 0), *guard), ErrorCode::kInvalidTxnState);
}

TEST(PartitionLogRecovery, AnUncheckpointedLogStartIsForgotten) {
  TestLog t;
  t.Send(Plain(3));
  t.log.Roll();
  t.Send(Plain(3));
  t.Send(Plain(3));
  t.Replicate();
  ASSERT_TRUE(t.log.MaybeIncrementLogStartOffset(Offset(6)).ok());
  TestLog undeleted = t;
  Restart(undeleted, CrashKind::kProcess);
  EXPECT_EQ(undeleted.log.log_start_offset(), Offset(0));
  TestLog deleted = t;  // the files themselves cannot come back
  deleted.log.DeleteOldSegments(0);
  Restart(deleted, CrashKind::kProcess);
  EXPECT_EQ(deleted.log.log_start_offset(), Offset(3));
  t.log.CheckpointLogStartOffset();
  Restart(t, CrashKind::kProcess);
  EXPECT_EQ(t.log.log_start_offset(), Offset(6));
}

TEST(PartitionLogRecovery, ACleanShutdownLosesOnlyTheMemoryOfOlderBatches) {
  TestLog t;
  for (int i = 0; i < 3; ++i) t.Send(Idempotent(7, 0, i));
  t.Send(Transactional(8, 0, 0));
  t.Replicate();
  t.log.CloseCleanly();
  EXPECT_EQ(t.log.flushed_offset(), Offset(4));
  Restart(t, CrashKind::kMachine);
  EXPECT_EQ(t.end(), 4);
  EXPECT_EQ(t.log.high_watermark(), Offset(4));
  EXPECT_EQ(t.lso(), 3);
  EXPECT_EQ(t.producer(7)->batches().size(), 1u);
}

TEST(PartitionLogRecovery, TheAbortedIndexSurvives) {
  TestLog t;
  t.Send(Transactional(7, 0, 0));
  t.Send(Abort(7, 0));
  t.Replicate();
  t.log.CheckpointHighWatermark();
  Restart(t, CrashKind::kProcess);
  EXPECT_EQ(t.log.Read(Offset(0), {.isolation = FetchIsolation::kTxnCommitted})->aborted.size(),
            1u);
}

TEST(PartitionLogRecovery, ExpiredProducersAreNotLoaded) {
  TestLog t;
  t.Send(Idempotent(7, 0, 0, 1, 100));
  t.log.Crash(CrashKind::kProcess);
  t.log.Recover(100 + t.log.config().producer_id_expiration_ms);
  EXPECT_EQ(t.producer(7), nullptr);
}

TEST(PartitionLogRecovery, RecoveringTwiceChangesNothingMore) {
  TestLog t;
  for (int i = 0; i < 40; ++i) {
    if (i == 20) t.log.Roll();
    t.Send(Transactional(7 + i % 3, 0, i / 3));
  }
  Restart(t, CrashKind::kProcess);
  const sim::Fingerprint once = sim::FingerprintOf(t.log);
  Restart(t, CrashKind::kProcess);
  EXPECT_EQ(sim::FingerprintOf(t.log), once);
}

}  // namespace
}  // namespace kafkasim::broker

// A partition log over time: segments rolled by age, deleted by age and size, compacted.
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "broker/partition_log.h"
#include "tests/broker/test_log.h"

namespace kafkasim::broker {
namespace {

using testing::Abort;
using testing::Commit;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::Plain;
using testing::TestLog;
using testing::Transactional;

constexpr int64_t kDay = 86'400'000;

TestLog LogWith(LogConfig config) {
  config.transaction_partition_verification_enable = false;
  TestLog log;
  log.log = PartitionLog(config);
  return log;
}

RecordBatch Keyed(const std::string& key, const std::string& value, int64_t timestamp_ms = 0) {
  return MakeBatch({{.key = key, .value = value, .timestamp_ms = timestamp_ms}});
}

std::vector<int64_t> Segments(const TestLog& t) {
  std::vector<int64_t> bases;
  for (const LogSegment& segment : t.log.Segments()) bases.push_back(segment.base_offset.value());
  return bases;
}

std::vector<int64_t> Offsets(const TestLog& t) {
  std::vector<int64_t> offsets;
  t.log.ForEachBatch(Offset(0), [&](const RecordBatchRef& batch) {
    for (const Record& record : *batch->records) {
      offsets.push_back((batch->base_offset + record.offset_delta).value());
    }
  });
  return offsets;
}

TEST(SegmentRoll, ComesWithARecordThatIsSegmentMsYoungerThanTheFirst) {
  TestLog t = LogWith({.segment_ms = 1'000});
  t.Send(Plain(1, 5'000));
  t.Send(Plain(1, 6'000));
  EXPECT_THAT(Segments(t), ElementsAre(0)) << "not more than segment.ms";
  t.Send(Plain(1, 6'001));
  EXPECT_THAT(Segments(t), ElementsAre(0, 2));
  t.Send(Plain(1, 7'001));
  EXPECT_THAT(Segments(t), ElementsAre(0, 2)) << "counted from the new segment's first record";
}

TEST(SegmentRoll, IsNotForgottenByATruncation) {
  TestLog t = LogWith({.segment_ms = 1'000});
  t.Send(Plain(1, 0));
  t.Send(Plain(1, 900));
  t.Send(Plain(1, 2'000));
  ASSERT_TRUE(t.log.TruncateTo(Offset(1), 0));
  t.Send(Plain(1, 1'000));
  EXPECT_THAT(Segments(t), ElementsAre(0));
  t.Send(Plain(1, 1'001));
  EXPECT_THAT(Segments(t), ElementsAre(0, 2));
}

TEST(Retention, DeletesSegmentsWhoseYoungestRecordIsOlder) {
  TestLog t = LogWith({.retention_ms = kDay});
  t.Send(Plain(2, 10));
  t.log.Roll();
  t.Send(Plain(2, 500));
  t.Replicate();
  EXPECT_EQ(t.log.NextDeletionMs(), kDay + 11);
  EXPECT_EQ(t.log.DeleteOldSegments(kDay + 10), 0);
  EXPECT_EQ(t.log.DeleteOldSegments(kDay + 11), 1);
  EXPECT_EQ(t.log.log_start_offset(), Offset(2));
  EXPECT_EQ(t.log.NextDeletionMs(), kDay + 501);
  EXPECT_EQ(t.log.DeleteOldSegments(kDay + 501), 1) << "the active segment is rolled first";
  EXPECT_EQ(t.log.log_start_offset(), Offset(4));
  EXPECT_THAT(Segments(t), ElementsAre(4));
  EXPECT_EQ(t.log.NextDeletionMs(), std::nullopt) << "an empty segment stays";
  EXPECT_EQ(t.Send(Plain()), 4);
}

TEST(Retention, DeletesTheExcessOverRetentionBytes) {
  TestLog t = LogWith({.retention_bytes = 200});
  for (int i = 0; i < 3; ++i) {
    t.Send(Plain());  // 74 bytes
    t.log.Roll();
  }
  t.Replicate();
  ASSERT_EQ(t.log.size_bytes(), 3 * 74);
  EXPECT_EQ(t.log.NextDeletionMs(), kDay * 7 + 1) << "22 bytes too many are no whole segment";
  t.Send(Plain());
  t.Replicate();
  EXPECT_EQ(t.log.NextDeletionMs(), 0) << "96 are";
  EXPECT_EQ(t.log.DeleteOldSegments(0), 1);
  EXPECT_EQ(t.log.log_start_offset(), Offset(1));
}

TEST(Retention, StopsAtTheHighWatermarkNotAtTheLastStableOffset) {
  TestLog t = LogWith({.retention_ms = 0});
  t.Send(Transactional(1, 0, 0, 3));
  t.log.Roll();
  t.Send(Plain(3));
  EXPECT_EQ(t.log.DeleteOldSegments(kDay), 0);
  t.ReplicateTo(4);
  ASSERT_EQ(t.lso(), 0);
  EXPECT_EQ(t.log.DeleteOldSegments(kDay), 1) << "into an open transaction";
  EXPECT_EQ(t.log.log_start_offset(), Offset(3));
  EXPECT_EQ(t.log.first_unstable_offset(), Offset(3)) << "not below the log start";
  EXPECT_EQ(t.lso(), 3);
  EXPECT_TRUE(t.log.HasOngoingTransaction(ProducerId(1), ProducerEpoch(0))) << "producers stay";
}

TEST(Retention, TakesTheAbortedIndexOfTheSegmentAlong) {
  TestLog t = LogWith({.retention_ms = kDay});
  t.Send(Transactional(1, 0, 0));
  t.Send(Abort(1, 0));
  t.log.Roll();
  t.Send(Transactional(2, 0, 0, 1, kDay));
  t.Send(Abort(2, 0));
  t.Replicate();
  ASSERT_EQ(t.log.aborted_txns().size(), 2U);
  EXPECT_EQ(t.log.DeleteOldSegments(kDay + 1), 1);
  EXPECT_THAT(t.log.aborted_txns(),
              ElementsAre(AbortedTxn{ProducerId(2), Offset(2), Offset(3), Offset(4)}));
  EXPECT_NE(t.producer(1), nullptr);
}

TEST(Retention, OfACompactedLogConcernsOnlyWhatIsBelowTheLogStart) {
  TestLog t = LogWith({.cleanup_policy = {.compact = true, .del = false}, .retention_ms = 0});
  t.Send(Keyed("a", "1"));
  t.log.Roll();
  t.Send(Keyed("a", "2"));
  t.Replicate();
  EXPECT_EQ(t.log.NextDeletionMs(), std::nullopt);
  EXPECT_EQ(t.log.DeleteOldSegments(kDay), 0);
}

TEST(Compaction, LeavesTheActiveSegmentAlone) {
  TestLog t = LogWith({.cleanup_policy = {.compact = true, .del = false}});
  t.Send(Keyed("a", "1"));
  t.Send(Keyed("a", "2"));
  t.Replicate();
  EXPECT_EQ(t.log.NextCleaningMs(0), std::nullopt);
  EXPECT_TRUE(t.log.CleanNow(0).nothing());
  t.log.Roll();
  t.Send(Keyed("a", "3"));
  EXPECT_EQ(t.log.NextCleaningMs(0), 0);
  const CleaningResult cleaned = t.log.CleanNow(0);
  EXPECT_EQ(cleaned.from, Offset(0));
  EXPECT_EQ(cleaned.to, Offset(2));
  EXPECT_EQ(cleaned.records_removed, 1);
  EXPECT_THAT(Offsets(t), ElementsAre(1, 2));
  EXPECT_EQ(t.log.cleaner_checkpoint(), Offset(2));
  EXPECT_EQ(t.log.NextCleaningMs(0), std::nullopt) << "nothing is dirty";
  EXPECT_TRUE(t.log.CleanNow(0).nothing());
}

// Case C98: a hanging transaction stops the cleaner, and so does the high watermark.
TEST(Compaction, StopsAtTheLastStableOffset) {
  TestLog t = LogWith({.cleanup_policy = {.compact = true, .del = false}});
  for (int i = 0; i < 4; ++i) t.Send(Keyed("a", "x"));
  t.log.Roll();
  t.Send(Transactional(1, 0, 0));
  for (int i = 0; i < 10; ++i) t.Send(Keyed("a", "y"));
  t.log.Roll();
  t.Send(Keyed("b", "z"));
  ASSERT_TRUE(t.log.CleanNow(0).nothing()) << "nothing is replicated";
  t.Replicate();
  ASSERT_EQ(t.lso(), 4);
  t.log.CleanNow(0);
  EXPECT_EQ(t.log.cleaner_checkpoint(), Offset(4));
  EXPECT_EQ(Offsets(t).size(), 13U) << "of the first segment one record is left";
  EXPECT_TRUE(t.log.CleanNow(0).nothing());
  t.Send(Abort(1, 0));
  t.Replicate();
  EXPECT_FALSE(t.log.CleanNow(0).nothing());
  EXPECT_THAT(Offsets(t), ElementsAre(14, 15));
}

TEST(Compaction, IsDueByTheDirtyShareOrByMaxCompactionLag) {
  TestLog t =
      LogWith({.cleanup_policy = {.compact = true, .del = false}, .max_compaction_lag_ms = kDay});
  for (int i = 0; i < 10; ++i) t.Send(Keyed(std::to_string(i), "v", 1));
  t.log.Roll();
  t.Send(Keyed("0", "w", 1));
  t.Replicate();
  t.log.CleanNow(1);  // ten records are clean now
  t.log.Roll();
  t.Send(Keyed("x", "w", 1));
  t.Replicate();
  EXPECT_FALSE(t.log.WhatToClean(1).IsDue({.millionths = 500'000})) << "1 of 11 is dirty";
  EXPECT_TRUE(t.log.WhatToClean(1).IsDue({.millionths = 90'000})) << "a little more than 9 %";
  EXPECT_EQ(t.log.NextCleaningMs(1), kDay + 2);
  EXPECT_TRUE(t.log.WhatToClean(kDay + 2).IsDue({.millionths = 500'000}));
}

TEST(Compaction, WaitsForMinCompactionLag) {
  TestLog t =
      LogWith({.cleanup_policy = {.compact = true, .del = false}, .min_compaction_lag_ms = 1'000});
  t.Send(Keyed("a", "1", 500));
  t.Send(Keyed("a", "2", 700));
  t.log.Roll();
  t.Replicate();
  EXPECT_EQ(t.log.NextCleaningMs(800), 1'700);
  EXPECT_TRUE(t.log.CleanNow(1'699).nothing());
  EXPECT_FALSE(t.log.CleanNow(1'700).nothing());
}

TEST(Compaction, JoinsSmallSegments) {
  TestLog t = LogWith({.segment_bytes = 200, .cleanup_policy = {.compact = true, .del = false}});
  for (int i = 0; i < 3; ++i) {
    t.Send(Keyed("a", "1"));  // 70 bytes
    t.log.Roll();
  }
  t.Replicate();
  ASSERT_THAT(Segments(t), ElementsAre(0, 1, 2, 3));
  t.log.CleanNow(0);
  EXPECT_THAT(Segments(t), ElementsAre(0, 3))
      << "the first two fitted into one; what is left of them, nothing, was joined to the third";
  EXPECT_THAT(Offsets(t), ElementsAre(2));
}

TEST(Compaction, RewritesTheAbortedIndexAndReadersCrossTheGaps) {
  TestLog t = LogWith({.cleanup_policy = {.compact = true, .del = false}});
  t.Send(Transactional(1, 0, 0, 2));  // 0, 1
  t.Send(Abort(1, 0));                // 2
  t.Send(Keyed("a", "1"));            // 3
  t.Send(Keyed("b", "1"));            // 4
  t.log.Roll();
  t.Send(Keyed("a", "2"));  // 5
  t.Replicate();
  ASSERT_FALSE(t.log.CleanNow(0).nothing());
  EXPECT_THAT(Offsets(t), ElementsAre(3, 4, 5));
  EXPECT_EQ(t.log.aborted_txns().size(), 1U);
  const ReadResult read = t.Read(0, FetchIsolation::kTxnCommitted);
  ASSERT_EQ(read.batches.size(), 4U);
  EXPECT_TRUE(read.batches[0]->records->empty()) << "the header with the producer's last sequence";
  t.log.Roll();
  t.Replicate();
  ASSERT_FALSE(t.log.CleanNow(0).nothing());
  EXPECT_THAT(Offsets(t), ElementsAre(4, 5));
  EXPECT_EQ(t.Read(3, FetchIsolation::kTxnCommitted).batches.front()->base_offset, Offset(4));
  EXPECT_EQ(t.log.aborted_txns().size(), 1U) << "the empty batch counts";
}

TEST(Compaction, AReloadedLogKnowsTheSameProducers) {
  TestLog t = LogWith({.cleanup_policy = {.compact = true, .del = false}});
  t.Send(Transactional(1, 0, 0, 2));
  t.Send(Commit(1, 0));
  t.Send(Keyed("k", "later"));
  t.log.Roll();
  t.Replicate();
  ASSERT_FALSE(t.log.CleanNow(0).nothing());
  PartitionLog copy = testing::FollowerOf(t.log);
  copy.SetHighWatermark(copy.log_end_offset());
  EXPECT_EQ(copy.log_end_offset(), t.log.log_end_offset());
  EXPECT_EQ(copy.last_stable_offset(), t.log.last_stable_offset());
  ASSERT_NE(copy.producers().Find(ProducerId(1)), nullptr);
  EXPECT_EQ(copy.producers().Find(ProducerId(1))->last_sequence(), Sequence(1));
  const ErrorCode repeated = t.Try(Transactional(1, 0, 0, 2));
  EXPECT_EQ(repeated, ErrorCode::kNone) << "a duplicate is still recognised";
  t.log.CloseCleanly();
  t.log.Crash(sim::CrashKind::kMachine);
  t.log.Recover(0);
  EXPECT_EQ(t.log.log_end_offset(), copy.log_end_offset());
  EXPECT_EQ(t.log.last_stable_offset(), copy.last_stable_offset());
}

TEST(Compaction, ATruncationTakesTheCheckpointBack) {
  TestLog t = LogWith({.cleanup_policy = {.compact = true, .del = false}});
  for (int i = 0; i < 4; ++i) t.Send(Keyed("a", "1"));
  t.log.Roll();
  t.Send(Keyed("a", "1"));
  t.Replicate();
  t.log.CleanNow(0);
  ASSERT_EQ(t.log.cleaner_checkpoint(), Offset(4));
  ASSERT_TRUE(t.log.TruncateTo(Offset(3), 0));
  EXPECT_EQ(t.log.cleaner_checkpoint(), Offset(3));
}

}  // namespace
}  // namespace kafkasim::broker

// Reading a partition log: Fetch and ListOffsets.
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

std::vector<int64_t> BaseOffsets(const ReadResult& result) {
  std::vector<int64_t> offsets;
  for (const RecordBatchRef& batch : result.batches) offsets.push_back(batch->base_offset.value());
  return offsets;
}

TEST(PartitionLogRead, BeginsWithTheBatchThatHoldsTheOffset) {
  TestLog t;
  for (int i = 0; i < 4; ++i) t.Send(Plain(3));
  t.Replicate();
  EXPECT_THAT(BaseOffsets(t.Read(4, FetchIsolation::kHighWatermark)), ElementsAre(3, 6, 9));
}

TEST(PartitionLogRead, CrossesChunksWithinASegment) {
  TestLog t;
  for (int i = 0; i < 50; ++i) t.Send(Plain());
  t.Replicate();
  for (int from = 0; from < 50; ++from) {
    const ReadResult result = t.Read(from, FetchIsolation::kLogEnd);
    ASSERT_EQ(result.batches.size(), static_cast<size_t>(50 - from));
    EXPECT_EQ(result.batches.front()->base_offset, Offset(from));
  }
}

TEST(PartitionLogRead, OutsideTheLogIsAnErrorBeyondTheBoundIsNot) {
  TestLog t;
  t.Send(Plain(6));
  t.ReplicateTo(6);
  t.Send(Plain(4));
  ASSERT_TRUE(t.log.MaybeIncrementLogStartOffset(Offset(2)).ok());
  const auto read = [&](int64_t from) { return t.log.Read(Offset(from), {}); };
  EXPECT_EQ(CodeOf(read(1).status()), ErrorCode::kOffsetOutOfRange);
  EXPECT_EQ(CodeOf(read(11).status()), ErrorCode::kOffsetOutOfRange);
  EXPECT_THAT(read(6)->batches, IsEmpty());
  EXPECT_THAT(read(8)->batches, IsEmpty());
  EXPECT_THAT(read(10)->batches, IsEmpty());
}

TEST(PartitionLogRead, IsBoundedByItsIsolation) {
  TestLog t;
  t.Send(Plain());
  t.Send(Transactional(7, 0, 0));
  t.Send(Plain());
  t.ReplicateTo(2);
  EXPECT_THAT(BaseOffsets(t.Read(0, FetchIsolation::kLogEnd)), ElementsAre(0, 1, 2));
  EXPECT_THAT(BaseOffsets(t.Read(0, FetchIsolation::kHighWatermark)), ElementsAre(0, 1));
  EXPECT_THAT(BaseOffsets(t.Read(0, FetchIsolation::kTxnCommitted)), ElementsAre(0));
}

TEST(PartitionLogRead, ABoundInsideABatchExcludesIt) {
  TestLog t;
  t.Send(Plain(4));
  t.ReplicateTo(2);
  EXPECT_THAT(t.Read(0, FetchIsolation::kHighWatermark).batches, IsEmpty());
}

TEST(PartitionLogRead, TakesWholeBatchesUpToTheLimitButAtLeastOne) {
  TestLog t;
  const int64_t size = Plain().size_bytes();
  for (int i = 0; i < 3; ++i) t.Send(Plain());
  const auto read = [&](int64_t max_bytes, bool min_one) {
    return t.log.Read(
        Offset(0),
        {.isolation = FetchIsolation::kLogEnd, .max_bytes = max_bytes, .min_one_message = min_one});
  };
  EXPECT_EQ(read(2 * size, true)->bytes, 2 * size);
  EXPECT_THAT(BaseOffsets(*read(3 * size - 1, true)), ElementsAre(0, 1));
  EXPECT_THAT(BaseOffsets(*read(1, true)), ElementsAre(0));
  EXPECT_THAT(BaseOffsets(*read(1, false)), IsEmpty());
}

TEST(PartitionLogRead, StopsAtTheEndOfASegment) {
  TestLog t;
  for (int i = 0; i < 20; ++i) t.Send(Plain());
  t.log.Roll();
  t.Send(Plain());
  t.Replicate();
  EXPECT_EQ(t.Read(0, FetchIsolation::kHighWatermark).batches.size(), 20u);
  EXPECT_THAT(BaseOffsets(t.Read(20, FetchIsolation::kHighWatermark)), ElementsAre(20));
}

TEST(PartitionLogRead, AbortedTransactionsAreListedForReadCommittedOnly) {
  TestLog t;
  t.Send(Transactional(7, 0, 0));
  t.Send(Abort(7, 0));
  t.Replicate();
  EXPECT_THAT(t.Read(0, FetchIsolation::kHighWatermark).aborted, IsEmpty());
  EXPECT_THAT(t.Read(0, FetchIsolation::kTxnCommitted).aborted,
              ElementsAre(AbortedTxn{ProducerId(7), Offset(0), Offset(1), Offset(2)}));
  EXPECT_EQ(t.Read(1, FetchIsolation::kTxnCommitted).aborted.size(), 1u);
  EXPECT_THAT(t.Read(2, FetchIsolation::kTxnCommitted).aborted, IsEmpty());
}

// The offset index is sparse, so that without an entry the list reaches to the end of the segment.
TEST(PartitionLogRead, TheAbortedListMayReachBeyondTheData) {
  const auto aborted = [](int64_t index_interval_bytes) {
    TestLog t;
    t.log.set_config({.index_interval_bytes = index_interval_bytes,
                      .transaction_partition_verification_enable = false});
    for (int32_t i = 0; i < 10; ++i) {
      t.Send(Transactional(7, 0, i));
      t.Send(Abort(7, 0));
    }
    t.Replicate();
    const auto result = t.log.Read(
        Offset(0), {.isolation = FetchIsolation::kTxnCommitted, .max_bytes = Plain().size_bytes()});
    EXPECT_EQ(result->batches.size(), 1u);
    return result->aborted.size();
  };
  EXPECT_EQ(aborted(4'096), 10u);
  EXPECT_EQ(aborted(0), 1u);  // an entry a batch: the bound is the last offset of the next batch
}

TEST(PartitionLogRead, EarliestAndLatest) {
  TestLog t;
  t.log.StartLeaderEpoch(LeaderEpoch(0));
  t.Send(Plain(5));
  t.ReplicateTo(5);
  ASSERT_TRUE(t.log.MaybeIncrementLogStartOffset(Offset(2)).ok());
  EXPECT_EQ(*t.log.ListOffsets(-2, FetchIsolation::kHighWatermark, Offset(0)),
            (TimestampAndOffset{-1, Offset(2), LeaderEpoch(0)}));
  EXPECT_EQ(*t.log.ListOffsets(-1, FetchIsolation::kHighWatermark, Offset(0)),
            (TimestampAndOffset{-1, Offset(5), LeaderEpoch(0)}));
}

TEST(PartitionLogRead, ATimeFindsTheFirstRecordNotYounger) {
  TestLog t;
  RecordBatch batch = MakeBatch({{.key = "a", .value = "1", .timestamp_ms = 10},
                                 {.key = "b", .value = "2", .timestamp_ms = 30}});
  t.Send(batch);
  t.Send(Plain(1, 20));
  t.Send(Plain(1, 40));
  t.Replicate();
  const auto find = [&](int64_t time) {
    return *t.log.ListOffsets(time, FetchIsolation::kHighWatermark, Offset(0));
  };
  EXPECT_EQ(find(0), (TimestampAndOffset{10, Offset(0), LeaderEpoch(0)}));
  EXPECT_EQ(find(20), (TimestampAndOffset{30, Offset(1), LeaderEpoch(0)}));
  EXPECT_EQ(find(31).offset, Offset(3));
  EXPECT_EQ(find(41), TimestampAndOffset{});
  EXPECT_EQ(find(-3), (TimestampAndOffset{40, Offset(3), LeaderEpoch(0)}));
}

TEST(PartitionLogRead, ATimeFindsNothingAtOrBeyondTheBound) {
  TestLog t;
  t.Send(Plain(1, 10));
  t.Send(Transactional(7, 0, 0, 1, 20));
  t.Replicate();
  const auto find = [&](FetchIsolation isolation) {
    return t.log.ListOffsets(15, isolation, Offset(0))->offset;
  };
  EXPECT_EQ(find(FetchIsolation::kHighWatermark), Offset(1));
  EXPECT_EQ(find(FetchIsolation::kTxnCommitted), kNoOffset);
  t.Send(Commit(7, 0));
  t.Replicate();
  EXPECT_EQ(find(FetchIsolation::kTxnCommitted), Offset(1));
}

TEST(PartitionLogRead, ANewLeaderDoesNotKnowTheLatestOffsetAtOnce) {
  TestLog t;
  t.Send(Plain(1, 10));
  t.Send(Plain(1, 20));
  t.ReplicateTo(1);
  const Offset epoch_start(2);
  const auto list = [&](int64_t time, FetchIsolation isolation) {
    return CodeOf(t.log.ListOffsets(time, isolation, epoch_start).status());
  };
  EXPECT_EQ(list(-1, FetchIsolation::kHighWatermark), ErrorCode::kOffsetNotAvailable);
  EXPECT_EQ(list(15, FetchIsolation::kTxnCommitted), ErrorCode::kOffsetNotAvailable);
  EXPECT_EQ(list(10, FetchIsolation::kHighWatermark), ErrorCode::kNone);
  EXPECT_EQ(list(-2, FetchIsolation::kHighWatermark), ErrorCode::kNone);
  EXPECT_EQ(list(-1, FetchIsolation::kLogEnd), ErrorCode::kNone);
  t.ReplicateTo(2);
  EXPECT_EQ(list(-1, FetchIsolation::kHighWatermark), ErrorCode::kNone);
}

TEST(PartitionLogRead, ExtendsACopyOfItselfUntilItLosesABatch) {
  TestLog t;
  EXPECT_TRUE(t.log.Extends(PartitionLog(t.log)));
  for (int i = 0; i < 40; ++i) {
    const PartitionLog earlier = t.log;
    t.Send(Plain());
    EXPECT_TRUE(t.log.Extends(earlier)) << i;
    EXPECT_FALSE(earlier.Extends(t.log)) << i;
  }
  const PartitionLog whole = t.log;
  t.log.TruncateTo(Offset(35), 0);
  EXPECT_FALSE(t.log.Extends(whole));
  EXPECT_TRUE(whole.Extends(t.log));
  // Another batch at the same offset.
  for (int i = 35; i < 40; ++i) t.Send(Plain());
  EXPECT_EQ(t.end(), 40);
  EXPECT_FALSE(t.log.Extends(whole));
}

TEST(PartitionLogRead, ExtendsNothingThatStartsElsewhere) {
  TestLog t;
  for (int i = 0; i < 4; ++i) t.Send(Plain());
  t.Replicate();
  const PartitionLog earlier = t.log;
  ASSERT_TRUE(t.log.MaybeIncrementLogStartOffset(Offset(2)).ok());
  EXPECT_FALSE(t.log.Extends(earlier));
}

}  // namespace
}  // namespace kafkasim::broker

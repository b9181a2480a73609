#include "broker/log_chunk.h"

#include <gtest/gtest.h>

#include "sim/cow.h"
#include "tests/broker/test_log.h"

namespace kafkasim::broker {
namespace {

using testing::At;
using testing::Plain;

constexpr int64_t kInterval = 100;

LogChunk Chunk(int batches, int records = 1) {
  LogChunk chunk(Offset(0), 0, 0);
  for (int i = 0; i < batches; ++i) {
    const RecordBatchRef batch = At(i * records, Plain(records));
    chunk.Append(batch, batch->size_bytes(), kInterval);
  }
  return chunk;
}

TEST(LogChunk, FindsTheBatchThatHoldsAnOffset) {
  const LogChunk chunk = Chunk(4, 3);
  EXPECT_EQ(chunk.LowerBound(Offset(0)), 0u);
  EXPECT_EQ(chunk.LowerBound(Offset(5)), 1u);
  EXPECT_EQ(chunk.LowerBound(Offset(6)), 2u);
  EXPECT_EQ(chunk.LowerBound(Offset(12)), 4u);
}

TEST(LogChunk, PositionsAreThoseInTheSegment) {
  const int64_t size = Plain().size_bytes();
  LogChunk chunk(Offset(0), 1'000, 0);
  EXPECT_FALSE(chunk.opens_segment());
  for (int i = 0; i < 2; ++i) chunk.Append(At(i, Plain()), size, kInterval);
  EXPECT_EQ(chunk.position(0), 1'000);
  EXPECT_EQ(chunk.position(1), 1'000 + size);
  EXPECT_EQ(chunk.end_position(), 1'000 + 2 * size);
}

TEST(LogChunk, TheOffsetIndexIsSparse) {
  // Batches of 74 bytes: the third begins after more than 100 unindexed ones, and so the fifth.
  ASSERT_EQ(Plain().size_bytes(), 74);
  const LogChunk chunk = Chunk(6);
  ASSERT_EQ(chunk.offset_index().size(), 2u);
  EXPECT_EQ(chunk.offset_index()[0].last_offset, Offset(2));
  EXPECT_EQ(chunk.offset_index()[0].position, 148);
  EXPECT_EQ(chunk.offset_index()[1].last_offset, Offset(4));
}

TEST(LogChunk, ATruncatedChunkIsAsIfNeverLonger) {
  LogChunk chunk = Chunk(6);
  chunk.mutable_txn_index().Append({ProducerId(1), Offset(0), Offset(2), Offset(3)});
  chunk.mutable_txn_index().Append({ProducerId(1), Offset(4), Offset(5), Offset(6)});
  LogChunk shorter = Chunk(3);
  shorter.mutable_txn_index().Append({ProducerId(1), Offset(0), Offset(2), Offset(3)});
  chunk.TruncateTo(Offset(3), kInterval);
  EXPECT_EQ(chunk.next_offset(), Offset(3));
  EXPECT_EQ(chunk.offset_index().size(), 1u);
  EXPECT_EQ(chunk.txn_index(), shorter.txn_index());
  EXPECT_EQ(sim::FingerprintOf(chunk), sim::FingerprintOf(shorter));
  EXPECT_EQ(chunk.unindexed_bytes(), shorter.unindexed_bytes());
}

TEST(LogChunk, FingerprintsFollowTheRecords) {
  EXPECT_EQ(sim::FingerprintOf(Chunk(2)), sim::FingerprintOf(Chunk(2)));
  LogChunk other = Chunk(1);
  const RecordBatchRef batch = At(1, MakeBatch({{.key = "k", .value = "other"}}));
  other.Append(batch, batch->size_bytes(), kInterval);
  EXPECT_NE(sim::FingerprintOf(other), sim::FingerprintOf(Chunk(2)));
}

TEST(LogChunk, ExactBytesHoldTheRecordsThemselves) {
  sim::CanonicalBytes exact(sim::CanonicalBytes::Mode::kExact);
  exact.Add(Chunk(2));
  EXPECT_NE(exact.bytes().find("value"), std::string_view::npos);
  sim::CanonicalBytes digest;
  digest.Add(Chunk(2));
  EXPECT_EQ(digest.bytes().find("value"), std::string_view::npos);
}

}  // namespace
}  // namespace kafkasim::broker

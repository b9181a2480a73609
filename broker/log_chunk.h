// A piece of a log segment: a few consecutive batches, with the aborted transactions whose marker
// is among them and the entries that the segment's sparse offset index has for them.
//
// Kafka knows only segments (LogSegment, Kafka 4.4 development line). Here a segment is a run of
// chunks, so that copying a world shares all chunks, and an append copies and hashes at most one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <absl/container/inlined_vector.h>

#include "broker/ids.h"
#include "broker/record_batch.h"
#include "broker/transaction_index.h"
#include "sim/fingerprint.h"

namespace kafkasim::broker {

class LogChunk {
 public:
  static constexpr size_t kMaxBatches = 16;

  // A batch and where it ends in its segment, in bytes.
  struct Entry {
    RecordBatchRef batch{};
    int64_t end_position = 0;
  };
  // An entry of the sparse offset index (OffsetPosition).
  struct IndexEntry {
    Offset last_offset{0};  // of the indexed batch
    int64_t position = 0;   // where it begins in its segment, in bytes
  };

  LogChunk() = default;
  // An empty chunk of the segment that starts at `segment_base_offset`; `start_position` bytes of
  // the segment are in earlier chunks, and its offset index has `unindexed_bytes` since its last
  // entry.
  LogChunk(Offset segment_base_offset, int64_t start_position, int64_t unindexed_bytes);

  // Adds a batch of `size` bytes, which must begin at or after next_offset() and fit: !full().
  void Append(RecordBatchRef batch, int64_t size, int64_t index_interval_bytes);
  // Drops the batches that end after `end` and what belongs to them.
  void TruncateTo(Offset end, int64_t index_interval_bytes);
  // The index of the first batch that ends at or after `offset`; size() if there is none.
  [[nodiscard]] size_t LowerBound(Offset offset) const;

  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] bool full() const { return entries_.size() >= kMaxBatches; }
  [[nodiscard]] size_t size() const { return entries_.size(); }
  [[nodiscard]] std::span<const Entry> entries() const { return entries_; }
  [[nodiscard]] const RecordBatch& batch(size_t i) const { return *entries_[i].batch; }
  // Byte position of batch `i` in its segment.
  [[nodiscard]] int64_t position(size_t i) const {
    return i == 0 ? start_position_ : entries_[i - 1].end_position;
  }
  [[nodiscard]] int64_t start_position() const { return start_position_; }
  [[nodiscard]] int64_t end_position() const { return position(entries_.size()); }
  [[nodiscard]] int64_t unindexed_bytes() const { return unindexed_bytes_; }
  [[nodiscard]] Offset segment_base_offset() const { return segment_base_offset_; }
  // True if this is the first chunk of its segment.
  [[nodiscard]] bool opens_segment() const { return start_position_ == 0; }
  // Of the first batch / after the last one; the chunk must not be empty.
  [[nodiscard]] Offset base_offset() const { return base_offset_; }
  [[nodiscard]] Offset next_offset() const { return next_offset_; }
  [[nodiscard]] int64_t max_timestamp_ms() const { return max_timestamp_ms_; }
  [[nodiscard]] std::span<const IndexEntry> offset_index() const { return offset_index_; }
  [[nodiscard]] const TransactionIndex& txn_index() const { return txn_index_; }
  [[nodiscard]] TransactionIndex& mutable_txn_index() { return txn_index_; }

  void AppendTo(sim::CanonicalBytes& out) const;

 private:
  Offset segment_base_offset_{0};
  Offset base_offset_{0};
  Offset next_offset_{0};
  int64_t start_position_ = 0;
  int64_t start_unindexed_bytes_ = 0;
  int64_t unindexed_bytes_ = 0;
  int64_t max_timestamp_ms_ = -1;
  absl::InlinedVector<Entry, kMaxBatches> entries_;  // inlined: a copy is one allocation
  std::vector<IndexEntry> offset_index_;
  TransactionIndex txn_index_;
};

}  // namespace kafkasim::broker

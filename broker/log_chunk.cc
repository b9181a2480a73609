#include "broker/log_chunk.h"

#include <algorithm>
#include <utility>

#include "sim/check.h"

namespace kafkasim::broker {

LogChunk::LogChunk(Offset segment_base_offset, int64_t start_position, int64_t unindexed_bytes)
    : segment_base_offset_(segment_base_offset),
      start_position_(start_position),
      start_unindexed_bytes_(unindexed_bytes),
      unindexed_bytes_(unindexed_bytes) {}

void LogChunk::Append(RecordBatchRef batch, int64_t size, int64_t index_interval_bytes) {
  KAFKASIM_CHECK(!full() && (empty() || next_offset() <= batch->base_offset),
                 "batches are appended in the order of their offsets");
  const int64_t begin = end_position();
  if (unindexed_bytes_ > index_interval_bytes) {
    offset_index_.push_back({.last_offset = batch->last_offset(), .position = begin});
    unindexed_bytes_ = 0;
  }
  unindexed_bytes_ += size;
  max_timestamp_ms_ = std::max(max_timestamp_ms_, batch->max_timestamp_ms);
  if (entries_.empty()) base_offset_ = batch->base_offset;
  next_offset_ = batch->next_offset();
  entries_.push_back({.batch = std::move(batch), .end_position = begin + size});
}

void LogChunk::TruncateTo(Offset end, int64_t index_interval_bytes) {
  const size_t keep = LowerBound(end);
  if (keep == entries_.size()) return;
  LogChunk shorter(segment_base_offset_, start_position_, start_unindexed_bytes_);
  for (size_t i = 0; i < keep; ++i) {
    shorter.Append(entries_[i].batch, entries_[i].end_position - position(i), index_interval_bytes);
  }
  shorter.txn_index_ = std::move(txn_index_);
  shorter.txn_index_.TruncateTo(end);
  *this = std::move(shorter);
}

size_t LogChunk::LowerBound(Offset offset) const {
  const auto at = std::ranges::partition_point(
      entries_, [&](const Entry& entry) { return entry.batch->last_offset() < offset; });
  return static_cast<size_t>(at - entries_.begin());
}

void LogChunk::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(segment_base_offset_);
  out.Add(start_position_);
  out.Add(start_unindexed_bytes_);
  out.Add(static_cast<uint32_t>(entries_.size()));
  for (const Entry& entry : entries_) AddBatch(out, entry.batch);
  out.Add(txn_index_);
}

}  // namespace kafkasim::broker

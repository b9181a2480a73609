// Reading: Fetch, the aborted transactions that go with it, and ListOffsets.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "broker/error_code.h"
#include "broker/messages_data.h"
#include "broker/partition_log.h"

namespace kafkasim::broker {
namespace {

constexpr int64_t kLatest = -1;
constexpr int64_t kEarliest = -2;

// The first record of `batch` at or after the time and at or after `from`.
std::optional<TimestampAndOffset> FirstRecordAt(const RecordBatch& batch, int64_t timestamp_ms,
                                                Offset from) {
  if (batch.marker.has_value()) {
    if (batch.base_offset < from) return std::nullopt;
    return TimestampAndOffset{batch.max_timestamp_ms, batch.base_offset,
                              batch.partition_leader_epoch};
  }
  for (const Record& record : *batch.records) {
    const Offset offset = batch.base_offset + record.offset_delta;
    if (record.timestamp_ms >= timestamp_ms && offset >= from) {
      return TimestampAndOffset{record.timestamp_ms, offset, batch.partition_leader_epoch};
    }
  }
  return std::nullopt;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const TimestampAndOffset& found) {
  return out << "offset " << found.offset << " at " << found.timestamp_ms << "ms, leader epoch "
             << found.leader_epoch;
}

size_t PartitionLog::FindChunk(Offset offset) const {
  // Readers follow the tail, as a rule.
  if (chunks_.empty() || chunks_.back()->base_offset() <= offset) {
    const bool beyond = chunks_.empty() || chunks_.back()->next_offset() <= offset;
    return beyond ? chunks_.size() : chunks_.size() - 1;
  }
  const auto at = std::ranges::partition_point(
      chunks_, [&](const auto& chunk) { return chunk->next_offset() <= offset; });
  return static_cast<size_t>(at - chunks_.begin());
}

bool PartitionLog::Extends(const PartitionLog& earlier) const {
  if (log_start_offset_ != earlier.log_start_offset_ || log_end_offset_ < earlier.log_end_offset_ ||
      chunks_.size() < earlier.chunks_.size()) {
    return false;
  }
  for (size_t c = 0; c < earlier.chunks_.size(); ++c) {
    if (chunks_[c].SharesWith(earlier.chunks_[c])) continue;
    const auto known = earlier.chunks_[c]->entries();
    const auto now = chunks_[c]->entries();
    const bool may_have_grown = c + 1 == earlier.chunks_.size();
    if (may_have_grown ? now.size() < known.size() : now.size() != known.size()) return false;
    const bool same = std::ranges::equal(
        known, now.first(known.size()),
        [](const LogChunk::Entry& a, const LogChunk::Entry& b) { return a.batch == b.batch; });
    if (!same) return false;
  }
  return true;
}

absl::StatusOr<ReadResult> PartitionLog::Read(Offset from, const ReadOptions& options) const {
  if (from < log_start_offset_ || from > log_end_offset_) {
    return KafkaError(ErrorCode::kOffsetOutOfRange,
                      fmt::format("offset {} is outside the log, which has {} to {}", from,
                                  log_start_offset_, log_end_offset_));
  }
  ReadResult result;
  const Offset bound = ReadBound(options.isolation);
  const size_t first = FindChunk(from);
  if (from >= bound || first == chunks_.size()) return result;
  const size_t start_index = chunks_[first]->LowerBound(from);
  const int64_t start = chunks_[first]->position(start_index);
  const int64_t first_size = chunks_[first]->entries()[start_index].end_position - start;
  const int64_t limit =
      options.min_one_message ? std::max(options.max_bytes, first_size) : options.max_bytes;
  const Offset segment = chunks_[first]->segment_base_offset();

  // Where the bytes end in the segment: at the bound, at the limit or at the segment's end.
  int64_t end = start;
  bool done = false;
  size_t c = first;
  for (size_t i = start_index; !done; i = 0) {
    const LogChunk& chunk = *chunks_[c];
    for (; i < chunk.size() && !done; ++i) {
      const LogChunk::Entry& entry = chunk.entries()[i];
      if (entry.batch->last_offset() >= bound) {
        done = true;
      } else if (entry.end_position - start > limit) {
        end = start + limit;  // Kafka cuts the batch; a client ignores such a piece
        done = true;
      } else {
        end = entry.end_position;
        result.batches.push_back(entry.batch);
        result.bytes = end - start;
      }
    }
    if (done || c + 1 == chunks_.size() || chunks_[c + 1]->segment_base_offset() != segment) break;
    ++c;
  }
  if (options.isolation == FetchIsolation::kTxnCommitted && last_abort_offset_ >= from) {
    result.aborted = CollectAbortedTxns(from, FetchUpperBound(c, end));
  }
  return result;
}

Offset PartitionLog::FetchUpperBound(size_t chunk, int64_t end_position) const {
  const Offset segment = chunks_[chunk]->segment_base_offset();
  for (size_t c = chunk; c < chunks_.size(); ++c) {
    if (chunks_[c]->segment_base_offset() != segment) return chunks_[c]->segment_base_offset();
    const auto index = chunks_[c]->offset_index();
    const auto at =
        std::ranges::lower_bound(index, end_position, {}, &LogChunk::IndexEntry::position);
    if (at != index.end()) return at->last_offset;
  }
  return log_end_offset_;
}

std::vector<AbortedTxn> PartitionLog::CollectAbortedTxns(Offset from, Offset upper_bound) const {
  std::vector<AbortedTxn> found;
  for (size_t c = FindChunk(from); c < chunks_.size(); ++c) {
    if (chunks_[c]->txn_index().CollectAbortedTxns(from, upper_bound, found)) break;
  }
  return found;
}

const RecordBatch* PartitionLog::FindBatch(Offset offset) const {
  const size_t c = FindChunk(offset);
  if (c == chunks_.size()) return nullptr;
  return &chunks_[c]->batch(chunks_[c]->LowerBound(offset));
}

absl::StatusOr<TimestampAndOffset> PartitionLog::ListOffsets(int64_t timestamp_ms,
                                                             FetchIsolation isolation,
                                                             Offset leader_epoch_start) const {
  if (timestamp_ms == kEarliest) {
    const auto epochs = leader_epochs_.entries();
    const bool known = !epochs.empty() && epochs.front().start_offset <= log_start_offset_;
    return TimestampAndOffset{-1, log_start_offset_, known ? epochs.front().epoch : kNoLeaderEpoch};
  }
  const Offset bound = ReadBound(isolation);
  TimestampAndOffset result;
  if (timestamp_ms == kLatest) {
    result = {-1, bound, leader_epochs_.latest_epoch()};
  } else {
    const auto found =
        timestamp_ms == kMaxTimestamp ? MaxTimestamp() : SearchTimestamp(timestamp_ms);
    if (found.has_value() && found->offset < bound) return *found;
  }
  if (isolation != FetchIsolation::kLogEnd && leader_epoch_start > high_watermark_) {
    return KafkaError(ErrorCode::kOffsetNotAvailable,
                      fmt::format("the high watermark {} has not reached offset {}, where the "
                                  "leader's epoch began",
                                  high_watermark_, leader_epoch_start));
  }
  return result;
}

std::optional<TimestampAndOffset> PartitionLog::SearchTimestamp(int64_t timestamp_ms) const {
  // Kafka looks only into the first segment that is young enough.
  std::optional<Offset> segment;
  for (const auto& chunk : chunks_) {
    if (segment.has_value() && chunk->segment_base_offset() != *segment) break;
    if (chunk->max_timestamp_ms() < timestamp_ms) continue;
    segment = chunk->segment_base_offset();
    for (const LogChunk::Entry& entry : chunk->entries()) {
      if (entry.batch->max_timestamp_ms < timestamp_ms) continue;
      const auto found = FirstRecordAt(*entry.batch, timestamp_ms, log_start_offset_);
      if (found.has_value()) return found;
    }
  }
  return std::nullopt;
}

std::optional<TimestampAndOffset> PartitionLog::MaxTimestamp() const {
  const auto youngest = std::ranges::max_element(
      chunks_, {}, [](const auto& chunk) { return chunk->max_timestamp_ms(); });
  if (youngest == chunks_.end()) return std::nullopt;
  const int64_t max = (*youngest)->max_timestamp_ms();
  for (const LogChunk::Entry& entry : (*youngest)->entries()) {
    if (entry.batch->max_timestamp_ms == max) return FirstRecordAt(*entry.batch, max, Offset(0));
  }
  return std::nullopt;
}

}  // namespace kafkasim::broker

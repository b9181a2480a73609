// Compaction: what can be cleaned and when, and how a pass of the cleaner replaces segments
// (LogCleanerManager.cleanableOffsets, Cleaner.groupSegmentsBySize, UnifiedLog.replaceSegments).
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "broker/cleaner.h"
#include "broker/partition_log.h"

namespace kafkasim::broker {
namespace {

constexpr int64_t kMillionths = 1'000'000;

// Sums of bytes stay far below the 2^43 that the products can bear.
int64_t DirtyMillionths(const LogToClean& log) {
  const int64_t total = log.clean_bytes + log.cleanable_bytes;
  return total == 0 ? 0 : log.cleanable_bytes * kMillionths / total;
}

// Puts cleaned batches into chunks of new segments.
class SegmentWriter {
 public:
  explicit SegmentWriter(int64_t index_interval_bytes)
      : index_interval_bytes_(index_interval_bytes) {}

  void StartSegment(Offset base) { segment_ = base; }
  void Append(const RecordBatchRef& batch, std::span<const AbortedTxn>& aborted) {
    const bool opens = chunks.empty() || chunks.back()->segment_base_offset() != segment_;
    if (opens) {
      chunks.emplace_back(LogChunk(segment_, 0, 0));
    } else if (chunks.back()->full()) {
      const LogChunk& last = *chunks.back();
      chunks.emplace_back(LogChunk(segment_, last.end_position(), last.unindexed_bytes()));
    }
    LogChunk& chunk = chunks.back().Mutable();
    chunk.Append(batch, batch->size_bytes(), index_interval_bytes_);
    while (!aborted.empty() && aborted.front().last_offset <= batch->last_offset()) {
      chunk.mutable_txn_index().Append(aborted.front());
      aborted = aborted.subspan(1);
    }
  }

  std::vector<sim::Cow<LogChunk>> chunks;

 private:
  int64_t index_interval_bytes_;
  Offset segment_{0};
};

}  // namespace

bool LogToClean::IsDue(const Ratio& min_ratio) const {
  if (must && cleanable_bytes > 0) return true;
  return cleanable_bytes * kMillionths > min_ratio.millionths * (clean_bytes + cleanable_bytes);
}

bool IsFilthier(const LogToClean& a, const LogToClean& b) {
  return DirtyMillionths(a) > DirtyMillionths(b);
}

LogToClean PartitionLog::WhatToClean(int64_t now_ms) const {
  LogToClean found{.first_dirty = cleaner_checkpoint_};
  if (cleaner_checkpoint_ < log_start_offset_ || cleaner_checkpoint_ > log_end_offset_) {
    found.first_dirty = log_start_offset_;
  }
  const std::vector<LogSegment> segments = Segments();
  const auto is_dirty = [&](const LogSegment& segment) {
    return !segment.active && segment.upper_bound > found.first_dirty;
  };
  Offset bound = std::min(last_stable_offset(), segments.back().base_offset);
  for (const LogSegment& segment : segments) {
    if (!is_dirty(segment)) continue;
    if (config_.min_compaction_lag_ms > 0 &&
        segment.largest_timestamp_ms > now_ms - config_.min_compaction_lag_ms) {
      bound = std::min(bound, segment.base_offset);
    }
    found.must =
        found.must || (segment.first_timestamp_ms > 0 &&
                       segment.first_timestamp_ms < now_ms - config_.max_compaction_lag_ms);
  }
  bound = std::max(bound, found.first_dirty);
  found.first_uncleanable = segments.back().base_offset;
  for (const LogSegment& segment : segments) {
    if (segment.active || bound >= segment.upper_bound) continue;
    found.first_uncleanable = segment.base_offset;
    break;
  }
  for (const LogSegment& segment : segments) {
    if (segment.base_offset < found.first_dirty) found.clean_bytes += segment.size_bytes;
    if (segment.upper_bound > std::min(found.first_dirty, found.first_uncleanable) &&
        segment.base_offset < found.first_uncleanable) {
      found.cleanable_bytes += segment.size_bytes;
    }
  }
  return found;
}

std::optional<int64_t> PartitionLog::NextCleaningMs(int64_t now_ms) const {
  if (!config_.cleanup_policy.compact || !HasInactiveSegment()) return std::nullopt;
  const LogToClean now = WhatToClean(now_ms);
  if (now.IsDue(config_.min_cleanable_dirty_ratio)) return now_ms;
  // Later only by growing old.
  std::optional<int64_t> next;
  const auto offer = [&](int64_t at) {
    if (at > now_ms && at < kForeverMs && (!next.has_value() || at < *next)) next = at;
  };
  for (const LogSegment& segment : Segments()) {
    if (segment.active || segment.upper_bound <= now.first_dirty) continue;
    if (config_.min_compaction_lag_ms > 0 && config_.min_compaction_lag_ms < kForeverMs) {
      offer(segment.largest_timestamp_ms + config_.min_compaction_lag_ms);
    }
    if (config_.max_compaction_lag_ms < kForeverMs) {
      offer(segment.first_timestamp_ms + config_.max_compaction_lag_ms + 1);
    }
  }
  return next;
}

CleaningResult PartitionLog::CleanNow(int64_t now_ms) {
  const LogToClean what = WhatToClean(now_ms);
  if (what.cleanable_bytes == 0 || what.first_uncleanable <= what.first_dirty) {
    return {.from = what.first_dirty, .to = what.first_dirty};
  }
  std::vector<LogSegment> segments = Segments();
  std::erase_if(segments, [&](const LogSegment& segment) {
    return segment.base_offset >= what.first_uncleanable;
  });
  const auto first_kept =
      static_cast<std::ptrdiff_t>(segments.back().first_chunk + segments.back().chunks);
  CleanerInput input{.aborted = aborted_txns(),
                     .producers = producers_.entries(),
                     .first_dirty = what.first_dirty,
                     .end = what.first_uncleanable,
                     .now_ms = now_ms,
                     .delete_retention_ms = config_.delete_retention_ms,
                     .bugs = config_.bugs};
  for (auto chunk = chunks_.begin(); chunk != chunks_.begin() + first_kept; ++chunk) {
    for (const LogChunk::Entry& entry : (*chunk)->entries()) input.batches.push_back(entry.batch);
  }
  const CleanedBatches cleaned = Clean(input);
  cleaner_checkpoint_ = what.first_uncleanable;
  ReplaceSegments(segments, cleaned);
  return {.from = what.first_dirty,
          .to = what.first_uncleanable,
          .records_removed = cleaned.records_removed,
          .markers_removed = cleaned.markers_removed};
}

void PartitionLog::ReplaceSegments(const std::vector<LogSegment>& old,
                                   const CleanedBatches& cleaned) {
  SegmentWriter writer(config_.index_interval_bytes);
  std::span<const AbortedTxn> aborted = cleaned.aborted;
  std::vector<Offset> bases;
  size_t next = 0;
  for (size_t s = 0; s < old.size();) {
    // Neighbours are joined as long as they would have fitted into one segment before.
    int64_t size = old[s].size_bytes;
    size_t end = s + 1;
    while (end < old.size() && size + old[end].size_bytes <= config_.segment_bytes) {
      size += old[end++].size_bytes;
    }
    // A segment without batches, which Kafka would join to the next one in the next pass, is joined
    // to it now.
    const bool last_has_batches =
        !writer.chunks.empty() && writer.chunks.back()->segment_base_offset() == bases.back();
    if (bases.empty() || last_has_batches) bases.push_back(old[s].base_offset);
    writer.StartSegment(bases.back());
    const Offset bound = old[end - 1].upper_bound;
    while (next < cleaned.batches.size() && cleaned.batches[next]->base_offset < bound) {
      writer.Append(cleaned.batches[next++], aborted);
    }
    s = end;
  }
  const auto first_kept = static_cast<std::ptrdiff_t>(old.back().first_chunk + old.back().chunks);
  writer.chunks.insert(writer.chunks.end(), std::make_move_iterator(chunks_.begin() + first_kept),
                       std::make_move_iterator(chunks_.end()));
  chunks_ = std::move(writer.chunks);
  for (const LogSegment& segment : old) {
    if (!std::ranges::binary_search(bases, segment.base_offset)) {
      producers_.RemoveSnapshot(segment.base_offset);
    }
  }
  const std::vector<AbortedTxn> left = aborted_txns();
  last_abort_offset_ = left.empty() ? kNoOffset : left.back().last_offset;
}

}  // namespace kafkasim::broker

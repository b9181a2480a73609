// Deletion of old segments (UnifiedLog.deleteOldSegments, LogSegment).
#include <algorithm>
#include <cstddef>

#include "broker/partition_log.h"
#include "sim/check.h"

namespace kafkasim::broker {

std::vector<LogSegment> PartitionLog::Segments() const {
  std::vector<LogSegment> segments;
  for (size_t c = 0; c < chunks_.size(); ++c) {
    const LogChunk& chunk = *chunks_[c];
    if (segments.empty() || segments.back().base_offset != chunk.segment_base_offset()) {
      if (!segments.empty()) segments.back().upper_bound = chunk.segment_base_offset();
      segments.push_back({.base_offset = chunk.segment_base_offset(),
                          .first_chunk = c,
                          .first_timestamp_ms = chunk.batch(0).max_timestamp_ms});
    }
    LogSegment& segment = segments.back();
    ++segment.chunks;
    segment.upper_bound = log_end_offset_;
    segment.size_bytes = chunk.end_position();
    segment.largest_timestamp_ms = std::max(segment.largest_timestamp_ms, chunk.max_timestamp_ms());
  }
  if (active_segment_is_empty_) {
    if (!segments.empty()) segments.back().upper_bound = active_segment_base_;
    segments.push_back({.base_offset = active_segment_base_,
                        .upper_bound = log_end_offset_,
                        .first_chunk = chunks_.size()});
  }
  segments.back().active = true;
  return segments;
}

void PartitionLog::SetFirstTimestampOfActiveSegment() {
  if (active_segment_is_empty_) return;
  size_t first = chunks_.size() - 1;
  while (!chunks_[first]->opens_segment()) --first;
  active_segment_first_timestamp_ms_ = chunks_[first]->batch(0).max_timestamp_ms;
}

template <typename Predicate>
int PartitionLog::DeleteSegmentsWhile(Predicate deletable) {
  const std::vector<LogSegment> segments = Segments();
  size_t count = 0;
  while (count < segments.size()) {
    const LogSegment& segment = segments[count];
    const bool empty = segment.active && segment.chunks == 0;
    if (empty || high_watermark_ < segment.upper_bound || !deletable(segment)) break;
    ++count;
  }
  if (count == 0) return 0;
  // There is always an active segment.
  if (count == segments.size()) Roll();
  const LogSegment& last = segments[count - 1];
  const auto raised = MaybeIncrementLogStartOffset(last.upper_bound);
  KAFKASIM_CHECK(raised.ok(), "what is below the high watermark may be deleted");
  chunks_.erase(chunks_.begin(),
                chunks_.begin() + static_cast<std::ptrdiff_t>(last.first_chunk + last.chunks));
  for (size_t i = 0; i < count; ++i) producers_.RemoveSnapshot(segments[i].base_offset);
  return static_cast<int>(count);
}

int PartitionLog::DeleteOldSegments(int64_t now_ms) {
  int deleted = DeleteSegmentsWhile([&](const LogSegment& segment) {
    return !segment.active && segment.upper_bound <= log_start_offset_;
  });
  if (!config_.cleanup_policy.del) return deleted;
  if (config_.retention_bytes >= 0) {
    int64_t excess = size_bytes() - config_.retention_bytes;
    deleted += DeleteSegmentsWhile([&](const LogSegment& segment) {
      excess -= segment.size_bytes;
      return excess >= 0;
    });
  }
  if (config_.retention_ms >= 0) {
    deleted += DeleteSegmentsWhile([&](const LogSegment& segment) {
      return now_ms - segment.largest_timestamp_ms > config_.retention_ms;
    });
  }
  return deleted;
}

std::optional<int64_t> PartitionLog::NextDeletionMs() const {
  if (chunks_.empty()) return std::nullopt;
  if (!config_.cleanup_policy.del && log_start_offset_ <= FirstSegmentBase()) return std::nullopt;
  const LogSegment oldest = Segments().front();
  if (!oldest.active && oldest.upper_bound <= log_start_offset_) return 0;
  if (!config_.cleanup_policy.del) return std::nullopt;
  if (config_.retention_bytes >= 0 && size_bytes() - config_.retention_bytes >= oldest.size_bytes) {
    return 0;
  }
  return RetainedUntilMs(oldest.largest_timestamp_ms);
}

std::optional<int64_t> PartitionLog::RetainedUntilMs(int64_t timestamp_ms) const {
  if (!config_.cleanup_policy.del || config_.retention_ms < 0 ||
      config_.retention_ms > kForeverMs - timestamp_ms) {
    return std::nullopt;
  }
  return timestamp_ms + config_.retention_ms + 1;
}

}  // namespace kafkasim::broker

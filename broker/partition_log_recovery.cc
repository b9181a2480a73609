// Cutting a log from either side, what a crash leaves of it, and loading it again.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "broker/error_code.h"
#include "broker/partition_log.h"
#include "sim/check.h"

namespace kafkasim::broker {

Offset PartitionLog::FirstSegmentBase() const {
  return chunks_.empty() ? active_segment_base_ : chunks_.front()->segment_base_offset();
}

absl::StatusOr<bool> PartitionLog::MaybeIncrementLogStartOffset(Offset offset) {
  if (offset > high_watermark_) {
    return KafkaError(ErrorCode::kOffsetOutOfRange,
                      fmt::format("the log cannot start at offset {}, above its high watermark {}",
                                  offset, high_watermark_));
  }
  if (offset <= log_start_offset_) return false;
  log_start_offset_ = offset;
  flushed_offset_ = std::max(flushed_offset_, offset);
  leader_epochs_.TruncateFromStart(offset);
  producers_.OnLogStartOffsetIncremented(offset);
  return true;
}

bool PartitionLog::TruncateTo(Offset target, int64_t now_ms) {
  KAFKASIM_CHECK(target >= Offset(0), "offsets begin at 0");
  if (target >= log_end_offset_) {
    leader_epochs_.TruncateFromEnd(log_end_offset_);
    return false;
  }
  if (FirstSegmentBase() > target) {
    TruncateFullyAndStartAt(target);
    return true;
  }
  CutBatches(target);
  leader_epochs_.TruncateFromEnd(target);
  log_start_offset_ = std::min(log_start_offset_, target);
  RebuildProducerState(now_ms);
  SetHighWatermark(high_watermark_);
  return true;
}

void PartitionLog::TruncateFullyAndStartAt(Offset offset) {
  chunks_.clear();
  active_segment_is_empty_ = true;
  active_segment_base_ = offset;
  log_start_offset_ = offset;
  log_end_offset_ = offset;
  flushed_offset_ = offset;  // there is nothing to flush
  last_abort_offset_ = kNoOffset;
  cleaner_checkpoint_ = std::min(cleaner_checkpoint_, offset);
  leader_epochs_.Clear();
  producers_.TruncateFullyAndStartAt(offset);
  SetHighWatermark(offset);
}

void PartitionLog::CutBatches(Offset end) {
  // An empty active segment that begins later goes; the one before is active again.
  if (active_segment_base_ > end && !chunks_.empty()) active_segment_is_empty_ = false;
  while (!chunks_.empty() && chunks_.back()->next_offset() > end) {
    const LogChunk& last = *chunks_.back();
    if (last.LowerBound(end) > 0) {
      chunks_.back().Mutable().TruncateTo(end, config_.index_interval_bytes);
      break;
    }
    const bool opens_segment = last.opens_segment();
    const Offset base = last.segment_base_offset();
    chunks_.pop_back();
    if (opens_segment && (base <= end || chunks_.empty())) {
      active_segment_is_empty_ = true;
      active_segment_base_ = std::min(base, end);
    }
  }
  log_end_offset_ = end;
  flushed_offset_ = std::min(flushed_offset_, end);
  cleaner_checkpoint_ = std::min(cleaner_checkpoint_, end);
  SetFirstTimestampOfActiveSegment();
  const std::vector<AbortedTxn> aborted = aborted_txns();
  last_abort_offset_ = aborted.empty() ? kNoOffset : aborted.back().last_offset;
}

std::vector<Offset> PartitionLog::AllSegmentBases() const {
  std::vector<Offset> bases = segment_base_offsets();
  if (active_segment_is_empty_) bases.push_back(active_segment_base_);
  return bases;
}

void PartitionLog::RebuildProducerState(int64_t now_ms) {
  const bool nothing_to_replay = producers_.TruncateAndReload(
      log_start_offset_, log_end_offset_, now_ms, config_.producer_id_expiration_ms);
  if (!nothing_to_replay && producers_.map_end_offset() < log_end_offset_) {
    // A snapshot at the beginning of the last two segments makes later truncations cheap.
    const std::vector<Offset> bases = AllSegmentBases();
    const Offset snapshots_from = bases[bases.size() < 2 ? 0 : bases.size() - 2];
    for (size_t c = FindChunk(producers_.map_end_offset()); c < chunks_.size(); ++c) {
      const LogChunk& chunk = *chunks_[c];
      if (chunk.opens_segment() && chunk.segment_base_offset() >= snapshots_from) {
        producers_.UpdateMapEndOffset(
            std::max(producers_.map_end_offset(), chunk.segment_base_offset()));
        producers_.TakeSnapshot();
      }
      for (size_t i = chunk.LowerBound(producers_.map_end_offset()); i < chunk.size(); ++i) {
        Replay(chunk.batch(i));
      }
    }
  }
  producers_.UpdateMapEndOffset(log_end_offset_);
  producers_.TakeSnapshot();
}

void PartitionLog::Replay(const RecordBatch& batch) {
  if (batch.has_producer_id()) {
    const ProducerStateManager::Outcome outcome = producers_.Update(batch);
    if (outcome.completed_txn.has_value()) producers_.CompleteTxn(*outcome.completed_txn);
  }
  producers_.UpdateMapEndOffset(batch.next_offset());
}

void PartitionLog::RemoveStraySnapshots() {
  const std::vector<Offset> bases = AllSegmentBases();
  const auto& snapshots = producers_.snapshots();
  const Offset newest = snapshots.empty() ? kNoOffset : snapshots.back()->offset;
  producers_.RetainSnapshots([&](Offset at) {
    return std::ranges::binary_search(bases, at) || (at == newest && at > bases.back());
  });
}

void PartitionLog::CloseCleanly() {
  Flush();
  producers_.TakeSnapshot();
  CheckpointHighWatermark();
  CheckpointLogStartOffset();
  closed_cleanly_ = true;
}

void PartitionLog::Crash(sim::CrashKind kind) {
  if (kind == sim::CrashKind::kDisk) {
    TruncateFullyAndStartAt(Offset(0));
    verifications_ = VerificationStates();
    high_watermark_checkpoint_ = Offset(0);
    log_start_offset_checkpoint_ = Offset(0);
    closed_cleanly_ = false;
    return;
  }
  if (kind == sim::CrashKind::kMachine && flushed_offset_ < log_end_offset_) {
    CutBatches(flushed_offset_);
    producers_.RetainSnapshots([&](Offset at) { return at <= log_end_offset_; });
  }
  producers_.DropVolatile();
  verifications_.Clear();
  log_start_offset_ = std::max(log_start_offset_checkpoint_, FirstSegmentBase());
  SetHighWatermark(high_watermark_checkpoint_);
}

void PartitionLog::Recover(int64_t now_ms) {
  if (log_end_offset_ < log_start_offset_checkpoint_) {
    // The end of the log was lost, but not the memory that its beginning had been deleted.
    TruncateFullyAndStartAt(log_start_offset_checkpoint_);
  }
  log_start_offset_ = std::max(log_start_offset_checkpoint_, FirstSegmentBase());
  leader_epochs_.TruncateFromEnd(log_end_offset_);
  leader_epochs_.TruncateFromStart(log_start_offset_);
  if (!closed_cleanly_) {
    // Segments that may not be on disk are read again, from the snapshot at the first one's
    // beginning on. That leaves a snapshot at the log end, from which the log is then loaded:
    // after a restart one batch a producer is remembered, not five.
    const std::vector<Offset> bases = AllSegmentBases();
    const auto unflushed = std::ranges::upper_bound(bases, flushed_offset_);
    const Offset first = unflushed == bases.begin() ? bases.front() : *std::prev(unflushed);
    producers_.RetainSnapshots([&](Offset at) { return at <= first; });
    RebuildProducerState(now_ms);
    producers_.DropVolatile();
  }
  closed_cleanly_ = false;
  RemoveStraySnapshots();
  RebuildProducerState(now_ms);
  SetHighWatermark(high_watermark_checkpoint_);
}

}  // namespace kafkasim::broker

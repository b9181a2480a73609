#include "broker/partition_log.h"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "broker/error_code.h"
#include "broker/producer_append_check.h"
#include "sim/check.h"

namespace kafkasim::broker {
namespace {

// For Bug::kFirstBatchIsStable: as if the first batch of a transaction did not open it.
std::optional<Offset> FirstWithTwoBatches(const ProducerStateManager& producers) {
  for (const TxnSpan& open : producers.ongoing_txns()) {
    const ProducerStateEntry* entry = producers.Find(open.producer_id);
    const bool one = entry == nullptr || entry->batches().empty() ||
                     entry->batches().back().first_offset() == open.first_offset;
    if (!one) return open.first_offset;
  }
  return std::nullopt;
}

}  // namespace

Offset PartitionLog::last_stable_offset() const {
  if (config_.bugs.Has(Bug::kLsoIsHighWatermark)) return high_watermark_;
  const std::optional<Offset> unstable = first_unstable_offset();
  if (unstable.has_value() && config_.bugs.Has(Bug::kLsoPassesHighWatermark)) return *unstable;
  return unstable.has_value() ? std::min(*unstable, high_watermark_) : high_watermark_;
}

std::optional<Offset> PartitionLog::first_unstable_offset() const {
  std::optional<Offset> first = config_.bugs.Has(Bug::kUnreplicatedEndIsStable)
                                    ? producers_.FirstUndecidedOffset()
                                    : producers_.FirstUnstableOffset();
  if (config_.bugs.Has(Bug::kFirstBatchIsStable)) first = FirstWithTwoBatches(producers_);
  return first.has_value() ? std::optional(std::max(*first, log_start_offset_)) : std::nullopt;
}

Offset PartitionLog::ReadBound(FetchIsolation isolation) const {
  switch (isolation) {
    case FetchIsolation::kLogEnd:
      return log_end_offset_;
    case FetchIsolation::kHighWatermark:
      return high_watermark_;
    case FetchIsolation::kTxnCommitted:
      return last_stable_offset();
  }
  return log_start_offset_;
}

absl::StatusOr<AppendInfo> PartitionLog::AppendAsLeader(const RecordBatch& batch, LeaderEpoch epoch,
                                                        const AppendOptions& options) {
  KAFKASIM_CHECK(options.origin != AppendOrigin::kReplication, "a leader does not replicate");
  const int64_t size = batch.size_bytes();
  if (absl::Status status = CheckForLeader(batch, size, options.origin); !status.ok()) {
    return status;
  }
  if (batch.has_producer_id()) {
    const ProducerStateEntry* entry = producers_.Find(batch.producer_id);
    if (options.origin == AppendOrigin::kClient && entry != nullptr &&
        !config_.bugs.Has(Bug::kSequencesNotChecked)) {
      if (const BatchMetadata* known = entry->FindDuplicate(batch); known != nullptr) {
        return AppendInfo{.first_offset = known->first_offset(),
                          .last_offset = known->last_offset,
                          .duplicate = true};
      }
    }
    const AppendCheck check{
        .entry = entry,
        .verification = verifications_.Find(batch.producer_id),
        .offset = log_end_offset_,
        .verification_enabled = config_.transaction_partition_verification_enable,
        .bugs = config_.bugs};
    if (absl::Status status = CheckAppend(check, batch, options); !status.ok()) return status;
  }
  auto stored = std::make_shared<RecordBatch>(batch);
  stored->base_offset = log_end_offset_;
  stored->partition_leader_epoch = epoch;
  AppendInfo info{.first_offset = stored->base_offset,
                  .last_offset = stored->last_offset(),
                  .batch = std::move(stored)};
  const ProducerStateManager::Outcome outcome = Publish(info.batch, size);
  info.started_txn = outcome.started_txn;
  info.completed_txn = outcome.completed_txn;
  return info;
}

absl::Status PartitionLog::CheckForLeader(const RecordBatch& batch, int64_t size,
                                          AppendOrigin origin) const {
  if (size > config_.max_message_bytes) {
    return KafkaError(ErrorCode::kMessageTooLarge,
                      fmt::format("the batch has {} bytes, max.message.bytes allows {}", size,
                                  config_.max_message_bytes));
  }
  if (size > config_.segment_bytes) {
    return KafkaError(ErrorCode::kRecordListTooLarge,
                      fmt::format("the batch has {} bytes, segment.bytes allows {}", size,
                                  config_.segment_bytes));
  }
  return CheckRecords(batch, origin, config_.cleanup_policy.compact);
}

absl::Status PartitionLog::AppendAsFollower(std::span<const RecordBatchRef> batches,
                                            LeaderEpoch epoch) {
  const auto newer = std::ranges::find_if(
      batches, [&](const RecordBatchRef& batch) { return batch->partition_leader_epoch > epoch; });
  batches = batches.first(static_cast<size_t>(newer - batches.begin()));
  if (batches.empty()) return absl::OkStatus();
  const RecordBatch& first = *batches.front();
  if (first.base_offset < log_end_offset_) {
    const bool restart =
        log_start_offset_ == log_end_offset_ && first.last_offset() >= log_end_offset_;
    if (!restart) {
      return KafkaError(ErrorCode::kUnknownServerError,
                        fmt::format("a fetched batch begins at offset {}, below the end {} of the "
                                    "log, which starts at {}",
                                    first.base_offset, log_end_offset_, log_start_offset_));
    }
    TruncateFullyAndStartAt(first.base_offset);
  }
  for (const RecordBatchRef& batch : batches) Publish(batch, batch->size_bytes());
  return absl::OkStatus();
}

ProducerStateManager::Outcome PartitionLog::Publish(RecordBatchRef batch, int64_t size) {
  leader_epochs_.Assign(batch->partition_leader_epoch, batch->base_offset);
  LogChunk& chunk = ChunkForAppend(*batch, size);
  log_end_offset_ = batch->next_offset();
  ProducerStateManager::Outcome outcome;
  if (batch->has_producer_id()) {
    outcome = producers_.Update(*batch);
    verifications_.OnAppended(*batch);
    if (const auto& txn = outcome.completed_txn; txn.has_value()) {
      const bool left_out = config_.bugs.Has(Bug::kIndexOfOneSegment) &&
                            txn->first_offset < chunk.segment_base_offset();
      if (txn->aborted && !left_out) {
        chunk.mutable_txn_index().Append({.producer_id = txn->producer_id,
                                          .first_offset = txn->first_offset,
                                          .last_offset = txn->last_offset,
                                          .last_stable_offset = producers_.LastStableOffset(*txn)});
        last_abort_offset_ = txn->last_offset;
      }
      producers_.CompleteTxn(*txn);
    }
  }
  chunk.Append(std::move(batch), size, config_.index_interval_bytes);
  producers_.UpdateMapEndOffset(log_end_offset_);
  return outcome;
}

LogChunk& PartitionLog::ChunkForAppend(const RecordBatch& batch, int64_t size) {
  if (!active_segment_is_empty_) {
    const LogChunk& last = *chunks_.back();
    // A compacted log is not to wait for its compaction (max.compaction.lag.ms) in an active
    // segment.
    const int64_t segment_ms = config_.cleanup_policy.compact && config_.max_compaction_lag_ms > 0
                                   ? std::min(config_.segment_ms, config_.max_compaction_lag_ms)
                                   : config_.segment_ms;
    if (last.end_position() + size > config_.segment_bytes ||
        batch.max_timestamp_ms - active_segment_first_timestamp_ms_ > segment_ms) {
      StartSegment(batch.base_offset);
    } else if (last.full()) {
      chunks_.emplace_back(
          LogChunk(last.segment_base_offset(), last.end_position(), last.unindexed_bytes()));
      return chunks_.back().Mutable();
    }
  }
  if (active_segment_is_empty_) {
    chunks_.emplace_back(LogChunk(active_segment_base_, 0, 0));
    active_segment_is_empty_ = false;
    active_segment_first_timestamp_ms_ = batch.max_timestamp_ms;
  }
  return chunks_.back().Mutable();
}

void PartitionLog::StartSegment(Offset base_offset) {
  active_segment_is_empty_ = true;
  active_segment_base_ = base_offset;
  producers_.UpdateMapEndOffset(base_offset);
  producers_.TakeSnapshot();
  flushed_offset_ = log_end_offset_;
}

void PartitionLog::Roll() {
  if (!active_segment_is_empty_) StartSegment(log_end_offset_);
}

absl::StatusOr<VerificationGuard> PartitionLog::MaybeStartTransactionVerification(
    ProducerId producer_id, Sequence sequence, ProducerEpoch epoch, bool supports_epoch_bump,
    int64_t now_ms) {
  const ProducerStateEntry* entry = producers_.Find(producer_id);
  if (entry != nullptr && epoch < entry->producer_epoch() &&
      !config_.bugs.Has(Bug::kLeaderIgnoresEpochs)) {
    return KafkaError(ErrorCode::kInvalidProducerEpoch,
                      fmt::format("epoch {} of producer {} is older than its last seen epoch {}",
                                  epoch, producer_id, entry->producer_epoch()));
  }
  if (entry != nullptr && entry->HasOngoingTransaction(epoch)) return kNoVerificationGuard;
  return verifications_.MaybeCreate(producer_id, sequence, epoch, supports_epoch_bump, now_ms)
      .guard;
}

bool PartitionLog::HasOngoingTransaction(ProducerId producer_id, ProducerEpoch epoch) const {
  const ProducerStateEntry* entry = producers_.Find(producer_id);
  return entry != nullptr && entry->HasOngoingTransaction(epoch);
}

bool PartitionLog::MaybeIncrementHighWatermark(Offset high_watermark) {
  KAFKASIM_CHECK(high_watermark <= log_end_offset_, "the high watermark is within the log");
  if (high_watermark <= high_watermark_) return false;
  SetHighWatermark(high_watermark);
  return true;
}

Offset PartitionLog::SetHighWatermark(Offset high_watermark) {
  high_watermark_ = std::max(log_start_offset_, std::min(high_watermark, log_end_offset_));
  producers_.OnHighWatermarkUpdated(high_watermark_);
  return high_watermark_;
}

void PartitionLog::RemoveExpiredProducers(int64_t now_ms) {
  producers_.RemoveExpired(now_ms, config_.producer_id_expiration_ms);
  verifications_.RemoveExpired(now_ms, config_.producer_id_expiration_ms);
}

bool PartitionLog::OnOlderSegment(Offset offset, Offset bound) const {
  const std::vector<Offset> bases = AllSegmentBases();
  const auto segment_of = [&](Offset wanted) {
    return std::upper_bound(bases.begin(), bases.end(), wanted);
  };
  return segment_of(offset) < segment_of(bound);
}

std::vector<Offset> PartitionLog::segment_base_offsets() const {
  std::vector<Offset> bases;
  for (const auto& chunk : chunks_) {
    if (chunk->opens_segment()) bases.push_back(chunk->segment_base_offset());
  }
  return bases;
}

std::vector<AbortedTxn> PartitionLog::aborted_txns() const {
  std::vector<AbortedTxn> all;
  for (const auto& chunk : chunks_) {
    const auto entries = chunk->txn_index().entries();
    all.insert(all.end(), entries.begin(), entries.end());
  }
  return all;
}

int64_t PartitionLog::size_bytes() const {
  int64_t bytes = 0;
  for (const auto& chunk : chunks_) bytes += chunk->end_position() - chunk->start_position();
  return bytes;
}

void PartitionLog::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(config_);
  out.Add(log_start_offset_);
  out.Add(log_end_offset_);
  out.Add(high_watermark_);
  out.Add(flushed_offset_);
  out.Add(high_watermark_checkpoint_);
  out.Add(log_start_offset_checkpoint_);
  out.Add(active_segment_is_empty_);
  out.Add(active_segment_base_);
  out.Add(closed_cleanly_);
  out.Add(cleaner_checkpoint_);
  out.AddAll(chunks_);
  out.Add(producers_);
  out.Add(verifications_);
  out.Add(leader_epochs_);
}

}  // namespace kafkasim::broker

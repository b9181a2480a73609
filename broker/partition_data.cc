// Appends and reads of a partition leader (Partition.appendRecordsToLeader, fetchRecords,
// fetchOffsetForTimestamp).
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "broker/partition.h"

namespace kafkasim::broker {

absl::StatusOr<AppendInfo> Partition::AppendAsLeader(const RecordBatch& batch,
                                                     const AppendOptions& options, int16_t acks,
                                                     const PartitionContext& context) {
  if (!is_leader()) {
    return KafkaError(ErrorCode::kNotLeaderOrFollower,
                      fmt::format("broker {} does not lead the partition", self_));
  }
  if (acks == -1 && static_cast<int32_t>(isr_.size()) < effective_min_isr()) {
    return KafkaError(ErrorCode::kNotEnoughReplicas,
                      fmt::format("the ISR has {} replicas, min.insync.replicas asks for {}",
                                  isr_.size(), effective_min_isr()));
  }
  PassProducerExpiry(context.now, context.config);
  absl::StatusOr<AppendInfo> info = log_.AppendAsLeader(batch, leader_epoch_, options);
  if (info.ok() && !info->duplicate) MaybeIncrementHighWatermark(context);
  return info;
}

absl::StatusOr<VerificationGuard> Partition::MaybeStartTransactionVerification(
    const RecordBatch& batch, bool supports_epoch_bump, const PartitionContext& context) {
  if (!is_leader()) {
    return KafkaError(ErrorCode::kNotLeaderOrFollower,
                      fmt::format("broker {} does not lead the partition", self_));
  }
  PassProducerExpiry(context.now, context.config);
  return log_.MaybeStartTransactionVerification(batch.producer_id, batch.base_sequence,
                                                batch.producer_epoch, supports_epoch_bump,
                                                context.now.millis());
}

Partition::AckState Partition::CheckEnoughReplicasReachOffset(Offset required) const {
  if (!is_leader()) return {.error = ErrorCode::kNotLeaderOrFollower};
  if (log_.high_watermark() < required) return {};
  const auto maximal = static_cast<int32_t>(maximal_isr().size());
  return {.enough = true,
          .error = effective_min_isr() <= maximal ? ErrorCode::kNone
                                                  : ErrorCode::kNotEnoughReplicasAfterAppend};
}

ErrorCode Partition::CheckLeader(LeaderEpoch current_leader_epoch) const {
  if (current_leader_epoch != kNoLeaderEpoch) {
    if (leader_epoch_ > current_leader_epoch) return ErrorCode::kFencedLeaderEpoch;
    if (leader_epoch_ < current_leader_epoch) return ErrorCode::kUnknownLeaderEpoch;
  }
  return is_leader() ? ErrorCode::kNone : ErrorCode::kNotLeaderOrFollower;
}

Partition::FetchRead Partition::Read(const FetchRequest::PartitionFetch& fetch,
                                     IsolationLevel isolation, int64_t max_bytes,
                                     bool min_one_message) const {
  const ErrorCode error = CheckLeader(fetch.current_leader_epoch);
  if (error != ErrorCode::kNone) return {.result = {.partition = id_, .error = error}};
  return ReadLog(fetch,
                 isolation == IsolationLevel::kReadCommitted ? FetchIsolation::kTxnCommitted
                                                             : FetchIsolation::kHighWatermark,
                 max_bytes, min_one_message);
}

Partition::FetchRead Partition::ReadLog(const FetchRequest::PartitionFetch& fetch,
                                        FetchIsolation isolation, int64_t max_bytes,
                                        bool min_one_message) const {
  FetchRead read;
  read.result.partition = id_;
  const auto divergence = FindDivergence(fetch.last_fetched_epoch, fetch.fetch_offset);
  if (!divergence.ok()) {
    read.result.error = CodeOf(divergence.status());
    return read;
  }
  if (!divergence->has_value()) {
    absl::StatusOr<ReadResult> data = log_.Read(
        fetch.fetch_offset, ReadOptions{.isolation = isolation,
                                        .max_bytes = std::min<int64_t>(fetch.max_bytes, max_bytes),
                                        .min_one_message = min_one_message});
    if (!data.ok()) {
      read.result.error = CodeOf(data.status());
      return read;
    }
    read.result.batches = std::move(data->batches);
    read.bytes = data->bytes;
    if (isolation == FetchIsolation::kTxnCommitted) {
      auto& aborted = read.result.aborted_transactions.emplace();
      aborted.reserve(data->aborted.size());
      if (log_.config().bugs.Has(Bug::kAbortedIndexForgotten)) data->aborted.clear();
      for (const AbortedTxn& txn : data->aborted) {
        aborted.push_back({.producer_id = txn.producer_id, .first_offset = txn.first_offset});
      }
    }
  }
  read.result.diverging_epoch = *divergence;
  read.result.high_watermark = log_.high_watermark();
  read.result.last_stable_offset = log_.last_stable_offset();
  read.result.log_start_offset = log_.log_start_offset();
  return read;
}

absl::StatusOr<std::optional<FetchResponse::DivergingEpoch>> Partition::FindDivergence(
    LeaderEpoch last_fetched_epoch, Offset fetch_offset) const {
  std::optional<FetchResponse::DivergingEpoch> none;
  if (last_fetched_epoch == kNoLeaderEpoch) return none;
  if (log_.config().bugs.Has(Bug::kDivergenceNotSeen)) return none;
  const EpochEndOffset end = log_.EndOffsetFor(last_fetched_epoch);
  if (end.end_offset == kNoOffset || end.epoch == kNoLeaderEpoch ||
      fetch_offset < log_.log_start_offset()) {
    return KafkaError(ErrorCode::kOffsetOutOfRange,
                      fmt::format("the log of epoch {} up to offset {} is not known here",
                                  last_fetched_epoch, fetch_offset));
  }
  if (end.epoch >= last_fetched_epoch && end.end_offset >= fetch_offset) return none;
  return FetchResponse::DivergingEpoch{.epoch = end.epoch, .end_offset = end.end_offset};
}

ListOffsetsResponse::PartitionResult Partition::ListOffsets(
    const ListOffsetsRequest::PartitionQuery& query, FetchIsolation isolation) const {
  ListOffsetsResponse::PartitionResult result{.partition = id_,
                                              .error = CheckLeader(query.current_leader_epoch)};
  if (result.error != ErrorCode::kNone) return result;
  const absl::StatusOr<TimestampAndOffset> found =
      log_.ListOffsets(query.timestamp, isolation, leader_epoch_start_offset_);
  if (!found.ok()) {
    result.error = CodeOf(found.status());
    return result;
  }
  result.timestamp = found->timestamp_ms;
  result.offset = found->offset;
  result.leader_epoch = found->leader_epoch;
  return result;
}

OffsetForLeaderEpochResponse::PartitionResult Partition::LastOffsetForLeaderEpoch(
    const OffsetForLeaderEpochRequest::PartitionQuery& query) const {
  const ErrorCode error = CheckLeader(query.current_leader_epoch);
  if (error != ErrorCode::kNone) return {.partition = id_, .error = error};
  const EpochEndOffset end = log_.EndOffsetFor(query.leader_epoch);
  return {.partition = id_, .leader_epoch = end.epoch, .end_offset = end.end_offset};
}

}  // namespace kafkasim::broker

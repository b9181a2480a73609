// The ISR and the high watermark of a partition leader (Partition.maybeExpandIsr, maybeShrinkIsr,
// maybeIncrementLeaderHW, submitAlterPartition).
#include <algorithm>

#include "broker/partition.h"

namespace kafkasim::broker {
int32_t Partition::effective_min_isr() const {
  return static_cast<int32_t>(
      std::min<int64_t>(min_insync_replicas_, static_cast<int64_t>(replicas_.size())));
}

// A replica that is being added counts already, which only makes the high watermark wait for it; a
// replica that is being removed still counts (KIP-497).
BrokerList Partition::maximal_isr() const {
  return pending_isr_.has_value() && pending_isr_->expands ? pending_isr_->isr : isr_;
}

bool Partition::IsIsrEligible(const FollowerProgress& follower, const ClusterImage& image) const {
  if (follower.broker_epoch == -1 || !image.IsAlive(follower.broker)) return false;
  return follower.broker_epoch == -2 || follower.broker_epoch == image.BrokerEpoch(follower.broker);
}

void Partition::MaybeIncrementHighWatermark(const PartitionContext& context) {
  if (static_cast<int32_t>(isr_.size()) < effective_min_isr()) return;
  const BrokerList& maximal =
      pending_isr_.has_value() && pending_isr_->expands ? pending_isr_->isr : isr_;
  const Offset end = log_.log_end_offset();
  const sim::Duration max_lag = sim::Millis(context.config.replica_lag_time_max_ms);
  Offset high_watermark = end;
  for (const FollowerProgress& follower : followers_) {
    if (log_.config().bugs.Has(Bug::kHighWatermarkIsLogEnd)) break;
    if (follower.log_end_offset >= high_watermark) continue;
    const bool counts =
        Contains(maximal, follower.broker) ||
        (follower.IsCaughtUp(end, context.now, max_lag) && IsIsrEligible(follower, context.image));
    if (counts) high_watermark = follower.log_end_offset;
  }
  if (high_watermark < log_.high_watermark() &&
      log_.config().bugs.Has(Bug::kHighWatermarkFollowsSlowest)) {
    log_.SetHighWatermark(high_watermark);
  }
  if (high_watermark <= log_.high_watermark()) return;
  PassCheckpoints(context.now, context.config);
  log_.MaybeIncrementHighWatermark(high_watermark);
}

std::optional<AlterPartitionRequest> Partition::MaybeExpandIsr(BrokerId follower,
                                                               const PartitionContext& context) {
  if (!is_leader() || pending_isr_.has_value() || Contains(isr_, follower)) return std::nullopt;
  const FollowerProgress* progress = FindFollower(follower);
  if (progress == nullptr || !IsIsrEligible(*progress, context.image)) return std::nullopt;
  if (progress->log_end_offset < log_.high_watermark() ||
      progress->log_end_offset < leader_epoch_start_offset_) {
    return std::nullopt;
  }
  PendingIsr pending{.isr = isr_, .expands = true};
  pending.isr.insert(std::lower_bound(pending.isr.begin(), pending.isr.end(), follower), follower);
  pending_isr_ = std::move(pending);
  return PendingIsrRequest();
}

std::optional<AlterPartitionRequest> Partition::MaybeShrinkIsr(const PartitionContext& context) {
  if (!is_leader() || pending_isr_.has_value()) return std::nullopt;
  const sim::Duration max_lag = sim::Millis(context.config.replica_lag_time_max_ms);
  PendingIsr pending{.isr = {}, .expands = false};
  for (BrokerId member : isr_) {
    const FollowerProgress* progress = FindFollower(member);
    const bool stays =
        member == self_ ||
        (progress != nullptr && progress->IsCaughtUp(log_.log_end_offset(), context.now, max_lag));
    if (stays) pending.isr.push_back(member);
  }
  if (pending.isr.size() == isr_.size()) return std::nullopt;
  pending_isr_ = std::move(pending);
  return PendingIsrRequest();
}

std::optional<sim::Time> Partition::NextLag(const BrokerConfig& config) const {
  std::optional<sim::Time> first;
  if (!is_leader() || pending_isr_.has_value()) return first;
  for (const FollowerProgress& follower : followers_) {
    if (follower.log_end_offset == log_.log_end_offset() || !Contains(isr_, follower.broker)) {
      continue;
    }
    const sim::Time lags =
        follower.last_caught_up + sim::Millis(config.replica_lag_time_max_ms) + sim::Micros(1);
    if (!first.has_value() || lags < *first) first = lags;
  }
  return first;
}

std::optional<AlterPartitionRequest> Partition::PendingIsrRequest() const {
  if (!pending_isr_.has_value()) return std::nullopt;
  AlterPartitionRequest request{.broker = self_,
                                .partition = id_,
                                .leader_epoch = leader_epoch_,
                                .partition_epoch = partition_epoch_,
                                .new_isr = {}};
  for (BrokerId member : pending_isr_->isr) {
    const FollowerProgress* progress = FindFollower(member);
    const int64_t epoch = progress == nullptr ? -1 : std::max<int64_t>(progress->broker_epoch, -1);
    request.new_isr.push_back({.broker = member, .broker_epoch = epoch});
  }
  return request;
}

std::optional<AlterPartitionRequest> Partition::OnAlterPartitionResponse(
    const AlterPartitionResponse& response, const PartitionContext& context) {
  if (!is_leader() || !pending_isr_.has_value()) return std::nullopt;
  const PartitionImage& state = response.state;
  switch (response.error) {
    case ErrorCode::kNone: {
      const bool mine = std::equal(state.isr.begin(), state.isr.end(), pending_isr_->isr.begin(),
                                   pending_isr_->isr.end());
      if (!mine || state.leader_epoch != leader_epoch_ ||
          state.partition_epoch < partition_epoch_) {
        return std::nullopt;
      }
      isr_ = pending_isr_->isr;
      pending_isr_.reset();
      partition_epoch_ = state.partition_epoch;
      MaybeIncrementHighWatermark(context);
      return std::nullopt;
    }
    case ErrorCode::kOperationNotAttempted:
    case ErrorCode::kIneligibleReplica:
      pending_isr_.reset();
      return std::nullopt;
    case ErrorCode::kUnknownTopicOrPartition:
    case ErrorCode::kUnknownTopicId:
    case ErrorCode::kFencedLeaderEpoch:
    case ErrorCode::kInvalidUpdateVersion:
    case ErrorCode::kInvalidRequest:
      return std::nullopt;
    default:
      return PendingIsrRequest();
  }
}

}  // namespace kafkasim::broker

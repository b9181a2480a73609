// The follower side of a replica (ReplicaFetcherThread.processPartitionData,
// AbstractFetcherThread.getOffsetTruncationState).
#include <algorithm>

#include "broker/partition.h"

namespace kafkasim::broker {
namespace {

constexpr int32_t kReplicaFetchMaxBytes = 1'048'576;  // replica.fetch.max.bytes

}  // namespace

void Partition::set_fetching(Fetching fetching) {
  fetching_ = fetching;
  asked_offset_ = kNoOffset;
  asked_epoch_ = kNoLeaderEpoch;
}

FetchRequest::PartitionFetch Partition::NextFetch() {
  asked_offset_ = log_.log_end_offset();
  asked_epoch_ = leader_epoch_;
  return {.partition = id_,
          .fetch_offset = asked_offset_,
          .current_leader_epoch = leader_epoch_,
          .last_fetched_epoch = log_.leader_epochs().latest_epoch(),
          .log_start_offset = log_.log_start_offset(),
          .max_bytes = kReplicaFetchMaxBytes};
}

bool Partition::ExpectsAnswer() const {
  return role_ == Role::kFollower && fetching_ == Fetching::kYes && asked_epoch_ == leader_epoch_ &&
         asked_offset_ == log_.log_end_offset();
}

absl::Status Partition::AppendAsFollower(const FetchResponse::PartitionResult& result,
                                         const PartitionContext& context) {
  PassProducerExpiry(context.now, context.config);
  if (!result.batches.empty()) {
    absl::Status appended = log_.AppendAsFollower(result.batches, leader_epoch_);
    if (!appended.ok()) return appended;
  }
  const Offset high_watermark = std::min(result.high_watermark, log_.log_end_offset());
  if (high_watermark != log_.high_watermark()) {
    PassCheckpoints(context.now, context.config);
    log_.SetHighWatermark(high_watermark);
  }
  if (result.log_start_offset > log_.log_start_offset()) {
    PassLogStartCheckpoints(context.now, context.config);
    const auto raised = log_.MaybeIncrementLogStartOffset(result.log_start_offset);
    if (!raised.ok()) return raised.status();
  }
  return absl::OkStatus();
}

bool Partition::TruncateOnFetchResponse(const FetchResponse::DivergingEpoch& leaders,
                                        const PartitionContext& context) {
  const EpochEndOffset own = log_.EndOffsetFor(leaders.epoch);
  Offset target = std::min(leaders.end_offset, log_.log_end_offset());
  if (own.epoch != kNoLeaderEpoch && own.end_offset != kNoOffset) {
    // An epoch that this log does not know: cut to the end of the one before, and ask again.
    target = own.epoch == leaders.epoch ? std::min(own.end_offset, target)
                                        : std::min(own.end_offset, log_.log_end_offset());
  }
  asked_epoch_ = kNoLeaderEpoch;
  PassCheckpoints(context.now, context.config);
  return log_.TruncateTo(target, context.now.millis());
}

bool Partition::TruncateToLeadersEnd(Offset leader_end, const PartitionContext& context) {
  if (leader_end >= log_.log_end_offset()) return false;
  PassCheckpoints(context.now, context.config);
  PassLogStartCheckpoints(context.now, context.config);
  log_.TruncateTo(leader_end, context.now.millis());
  return true;
}

bool Partition::RestartAtLeadersStart(Offset leader_start, const PartitionContext& context) {
  if (leader_start <= log_.log_end_offset()) return false;
  PassCheckpoints(context.now, context.config);
  PassLogStartCheckpoints(context.now, context.config);
  log_.TruncateFullyAndStartAt(leader_start);
  return true;
}

}  // namespace kafkasim::broker

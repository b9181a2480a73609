// The followers of a partition leader: their progress and their fetch sessions
// (Partition.updateFollowerFetchState).
#include <algorithm>

#include "broker/partition.h"

namespace kafkasim::broker {

const FollowerProgress* Partition::FindFollower(BrokerId follower) const {
  for (const FollowerProgress& progress : followers_) {
    if (progress.broker == follower) return &progress;
  }
  return nullptr;
}

FollowerProgress* Partition::ProgressOf(BrokerId follower) {
  for (FollowerProgress& progress : followers_) {
    if (progress.broker == follower) return &progress;
  }
  return nullptr;
}

Partition::FollowerFetch Partition::OnFollowerFetch(BrokerId follower, int64_t broker_epoch,
                                                    const FetchRequest::PartitionFetch& fetch,
                                                    const PartitionContext& context) {
  FollowerProgress* progress = ProgressOf(follower);
  if (progress != nullptr) progress->LeaveSession();
  const ErrorCode error = CheckLeader(fetch.current_leader_epoch);
  if (error != ErrorCode::kNone) return {.error = error, .isr_change = {}};
  if (progress == nullptr) {
    return {.error = fetch.current_leader_epoch == kNoLeaderEpoch ? ErrorCode::kNotLeaderOrFollower
                                                                  : ErrorCode::kUnknownLeaderEpoch,
            .isr_change = {}};
  }
  const auto divergence = FindDivergence(fetch.last_fetched_epoch, fetch.fetch_offset);
  const bool diverges = divergence.ok() && divergence->has_value();
  const bool in_range =
      fetch.fetch_offset >= log_.log_start_offset() && fetch.fetch_offset <= log_.log_end_offset();
  if (!divergence.ok() || (!diverges && !in_range)) {
    return {.error = ErrorCode::kOffsetOutOfRange, .isr_change = {}};
  }
  if (broker_epoch != -1 && broker_epoch < context.image.BrokerEpoch(follower)) {
    return {.error = ErrorCode::kNotLeaderOrFollower, .isr_change = {}};
  }
  progress->EnterSession(fetch, diverges);
  FollowerFetch fetched;
  if (diverges) return fetched;
  progress->broker_epoch = broker_epoch == -1 ? -2 : broker_epoch;
  const Offset end_before = progress->log_end_offset;
  progress->OnFetch(fetch.fetch_offset, log_.log_end_offset(), context.now);
  fetched.isr_change = MaybeExpandIsr(follower, context);
  if (progress->log_end_offset != end_before) MaybeIncrementHighWatermark(context);
  return fetched;
}

void Partition::OnFollowerFetchAgain(BrokerId follower, sim::Time when) {
  FollowerProgress* progress = ProgressOf(follower);
  if (progress == nullptr || !progress->in_session || progress->diverges) return;
  progress->OnFetch(progress->fetch_offset, log_.log_end_offset(), when);
}

Partition::News Partition::NewsFor(const FollowerProgress& follower) const {
  if (!follower.in_session) return News::kNothing;
  if (follower.diverges || follower.fetch_offset < log_.log_end_offset()) return News::kAtOnce;
  const bool told = follower.told_high_watermark == log_.high_watermark() &&
                    follower.told_log_start_offset == log_.log_start_offset();
  return told ? News::kNothing : News::kGoesAlong;
}

Partition::FetchRead Partition::ReadForFollower(BrokerId follower, int64_t max_bytes,
                                                bool min_one_message) {
  FollowerProgress* progress = ProgressOf(follower);
  if (!is_leader() || progress == nullptr || !progress->in_session) {
    return {.result = {.partition = id_, .error = ErrorCode::kNotLeaderOrFollower}};
  }
  FetchRead read = ReadLog(
      FetchRequest::PartitionFetch{
          .partition = id_,
          .fetch_offset = progress->fetch_offset,
          .current_leader_epoch = leader_epoch_,
          .last_fetched_epoch = progress->last_fetched_epoch,
          .max_bytes = progress->max_bytes,
      },
      FetchIsolation::kLogEnd, max_bytes, min_one_message);
  if (read.result.error != ErrorCode::kNone) progress->LeaveSession();
  progress->told_high_watermark = read.result.high_watermark;
  progress->told_log_start_offset = read.result.log_start_offset;
  return read;
}

void Partition::LeaveSession(BrokerId follower) {
  if (FollowerProgress* progress = ProgressOf(follower)) progress->LeaveSession();
}

}  // namespace kafkasim::broker

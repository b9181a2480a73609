// Roles of a replica, and what a crash leaves of it (Partition.makeLeader, makeFollower).
#include <algorithm>

#include "broker/partition.h"

namespace kafkasim::broker {
namespace {

// How many checks for expired producers have come by `now`.
int64_t ProducerExpiriesUntil(sim::Time now, const BrokerConfig& config) {
  return now.millis() / config.producer_id_expiration_check_interval_ms;
}

}  // namespace

Partition::Partition(BrokerId self, const PartitionId& id, const TopicConfig& topic,
                     const LogConfig& log)
    : self_(self), id_(id), min_insync_replicas_(topic.min_insync_replicas), log_(log) {}

Partition::RoleChange Partition::Apply(const PartitionImage& image,
                                       const PartitionContext& context) {
  RoleChange change{.before = role_, .leader_before = leader_, .epoch_before = leader_epoch_};
  if (image.partition_epoch < partition_epoch_) return change;
  change.new_epoch = image.leader_epoch > leader_epoch_;
  leader_ = image.leader;
  leader_epoch_ = image.leader_epoch;
  partition_epoch_ = image.partition_epoch;
  replicas_.assign(image.replicas.begin(), image.replicas.end());
  pending_isr_.reset();
  if (image.leader == self_) {
    BecomeLeader(image, change.new_epoch, context);
  } else {
    BecomeFollower(image, change.new_epoch);
  }
  return change;
}

void Partition::BecomeLeader(const PartitionImage& image, bool new_epoch,
                             const PartitionContext& context) {
  const bool is_new_leader = role_ != Role::kLeader;
  role_ = Role::kLeader;
  fetching_ = Fetching::kNo;
  isr_.assign(image.isr.begin(), image.isr.end());
  const absl::InlinedVector<FollowerProgress, 2> known = std::move(followers_);
  followers_.clear();
  for (BrokerId replica : replicas_) {
    if (replica == self_) continue;
    const auto found =
        std::find_if(known.begin(), known.end(),
                     [&](const FollowerProgress& follower) { return follower.broker == replica; });
    followers_.push_back(found == known.end() ? FollowerProgress{.broker = replica} : *found);
  }
  if (new_epoch) {
    log_.StartLeaderEpoch(leader_epoch_);
    if (log_.config().bugs.Has(Bug::kOpenTransactionsForgotten)) log_.ForgetOpenTransactions();
    leader_epoch_start_offset_ = log_.log_end_offset();
    for (FollowerProgress& follower : followers_) {
      const bool in_isr = std::find(isr_.begin(), isr_.end(), follower.broker) != isr_.end();
      follower.OnNewLeaderEpoch(is_new_leader, in_isr, leader_epoch_start_offset_, context.now);
    }
  }
  MaybeIncrementHighWatermark(context);
}

void Partition::BecomeFollower(const PartitionImage& image, bool new_epoch) {
  role_ = Role::kFollower;
  isr_.clear();
  followers_.clear();
  leader_epoch_start_offset_ = kNoOffset;
  if (!new_epoch) return;
  set_fetching(image.leader == kNoBroker ? Fetching::kNo : Fetching::kYes);
}

void Partition::Crash(sim::CrashKind kind, sim::Time now, const BrokerConfig& config) {
  PassCheckpoints(now, config);
  PassLogStartCheckpoints(now, config);
  log_.Crash(kind);
  role_ = Role::kOffline;
  leader_ = kNoBroker;
  leader_epoch_ = kNoLeaderEpoch;
  partition_epoch_ = -1;
  replicas_.clear();
  isr_.clear();
  pending_isr_.reset();
  leader_epoch_start_offset_ = kNoOffset;
  followers_.clear();
  set_fetching(Fetching::kNo);
}

void Partition::PassCheckpoints(sim::Time now, const BrokerConfig& config) {
  const int64_t passed = now.millis() / config.replica_high_watermark_checkpoint_interval_ms;
  if (passed > checkpoints_passed_) log_.CheckpointHighWatermark();
  checkpoints_passed_ = passed;
}

void Partition::PassLogStartCheckpoints(sim::Time now, const BrokerConfig& config) {
  const int64_t passed = now.millis() / config.log_flush_start_offset_checkpoint_interval_ms;
  if (passed > start_checkpoints_passed_) log_.CheckpointLogStartOffset();
  start_checkpoints_passed_ = passed;
}

void Partition::PassProducerExpiry(sim::Time now, const BrokerConfig& config) {
  const int64_t passed = ProducerExpiriesUntil(now, config);
  if (passed > producer_expiries_passed_) {
    log_.RemoveExpiredProducers(passed * config.producer_id_expiration_check_interval_ms);
  }
  producer_expiries_passed_ = passed;
}

std::vector<ProducerStateEntry> Partition::ProducersAt(sim::Time now,
                                                       const BrokerConfig& config) const {
  const int64_t passed = ProducerExpiriesUntil(now, config);
  if (passed <= producer_expiries_passed_) return log_.producers().entries();
  return log_.producers().NotExpired(passed * config.producer_id_expiration_check_interval_ms,
                                     log_.config().producer_id_expiration_ms);
}

void Partition::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(role_);
  out.Add(leader_);
  out.Add(leader_epoch_);
  out.Add(partition_epoch_);
  out.AddAll(replicas_);
  out.AddAll(isr_);
  out.Add(pending_isr_.has_value());
  if (pending_isr_.has_value()) {
    out.AddAll(pending_isr_->isr);
    out.Add(pending_isr_->expands);
  }
  out.Add(leader_epoch_start_offset_);
  out.AddAll(followers_);
  out.Add(fetching_);
  out.Add(asked_offset_);
  out.Add(asked_epoch_);
  out.Add(log_);
  out.Add(checkpoints_passed_);
  out.Add(start_checkpoints_passed_);
}

}  // namespace kafkasim::broker

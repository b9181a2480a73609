#include "client/client_metadata.h"

#include <algorithm>

namespace kafkasim::client {

std::vector<broker::BrokerId> ClientMetadata::nodes() const {
  if (image_ == nullptr || rebootstrapped_) return bootstrap_;
  std::vector<broker::BrokerId> alive;
  for (broker::BrokerId broker : image_->brokers) {
    if (image_->IsAlive(broker)) alive.push_back(broker);
  }
  return alive;
}

broker::BrokerId ClientMetadata::LeaderOf(const broker::PartitionId& partition) const {
  if (rebootstrapped_) return broker::kNoBroker;
  const broker::PartitionImage* known =
      image_ == nullptr ? nullptr : image_->FindPartition(partition);
  // A leader that is not among the living brokers counts as none.
  return known != nullptr && image_->IsAlive(known->leader) ? known->leader : broker::kNoBroker;
}

broker::LeaderEpoch ClientMetadata::LeaderEpochOf(const broker::PartitionId& partition) const {
  const broker::PartitionImage* known =
      image_ == nullptr ? nullptr : image_->FindPartition(partition);
  return known == nullptr ? broker::kNoLeaderEpoch : known->leader_epoch;
}

void ClientMetadata::RequestUpdateNow() {
  update_requested_ = true;
  last_refresh_.reset();
  equivalents_ = 0;
}

std::optional<sim::Time> ClientMetadata::NextUpdateAt(sim::Time now) const {
  const bool expired = image_ == nullptr || now >= last_success_ + max_age_;
  if (!update_requested_ && !expired) return std::nullopt;
  if (!last_refresh_.has_value()) return now;
  // Kafka waits retry.backoff.ms between any two refreshes, longer after failures or after answers
  // that were no help.
  sim::Duration pause = backoff_.After(std::max(failures_ - 1, 0));
  if (equivalents_ > 0 && !expired) pause = std::max(pause, backoff_.After(equivalents_ - 1));
  return std::max(now, *last_refresh_ + pause);
}

bool ClientMetadata::OnImage(const broker::ClusterImageRef& image, sim::Time now) {
  const bool is_empty =
      std::none_of(image->brokers.begin(), image->brokers.end(),
                   [&](broker::BrokerId broker) { return image->IsAlive(broker); });
  if (is_empty) {
    OnFailure(now);
    return false;
  }
  last_refresh_ = now;
  last_success_ = now;
  update_requested_ = false;
  failures_ = 0;
  ++equivalents_;
  const bool older = image_ != nullptr && image->version < image_->version;
  const bool news = image_ == nullptr || image->version > image_->version;
  if (news) {
    image_ = image;
    equivalents_ = 0;
  }
  if (rebootstrapped_) {
    // Leader epochs that were seen are not forgotten: an older answer names no leaders.
    rebootstrapped_ = older;
    update_requested_ = older;
  }
  return news;
}

void ClientMetadata::Rebootstrap() {
  if (image_ == nullptr || rebootstrapped_) return;
  rebootstrapped_ = true;
  update_requested_ = true;
}

void ClientMetadata::OnFailure(sim::Time now) {
  last_refresh_ = now;
  ++failures_;
  update_requested_ = true;
}

void ClientMetadata::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(image_ != nullptr);
  if (image_ != nullptr) out.Add(image_->version);
  out.Add(rebootstrapped_);
  out.Add(update_requested_);
  out.Add(last_refresh_);
  out.Add(last_success_);
  out.Add(failures_);
  out.Add(equivalents_);
}

}  // namespace kafkasim::client

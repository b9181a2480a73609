#include "client/subscription_state.h"

#include <utility>

namespace kafkasim::client {

void AssignedPartition::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(partition);
  out.Add(position);
  out.Add(offset_epoch);
  out.Add(current_leader.leader);
  out.Add(current_leader.epoch);
  out.Add(awaits_validation);
  out.Add(reset);
  out.Add(retry_at);
  out.Add(high_watermark);
  out.Add(last_stable_offset);
  out.Add(log_start_offset);
}

SubscriptionState::SubscriptionState(const std::vector<broker::PartitionId>& assignment) {
  for (const broker::PartitionId& id : assignment) {
    if (Find(id) != nullptr) continue;
    partitions_.push_back({.partition = id});
  }
}

const AssignedPartition* SubscriptionState::Find(const broker::PartitionId& partition) const {
  for (const AssignedPartition& assigned : partitions_) {
    if (assigned.partition == partition) return &assigned;
  }
  return nullptr;
}

AssignedPartition* SubscriptionState::Find(const broker::PartitionId& partition) {
  return const_cast<AssignedPartition*>(std::as_const(*this).Find(partition));
}

void SubscriptionState::Seek(AssignedPartition& partition, broker::Offset offset) {
  MoveTo(partition, offset, broker::kNoLeaderEpoch);
}

void SubscriptionState::MoveTo(AssignedPartition& partition, broker::Offset offset,
                               broker::LeaderEpoch epoch) {
  partition.position = offset;
  partition.offset_epoch = epoch;
  partition.reset = OffsetReset::kNone;
  CompleteValidation(partition);
}

void SubscriptionState::OnLeader(AssignedPartition& partition, const LeaderAndEpoch& leader) {
  if (leader.leader == broker::kNoBroker || partition.current_leader == leader) return;
  partition.current_leader = leader;
  if (!partition.position.has_value() || partition.offset_epoch == broker::kNoLeaderEpoch) return;
  partition.awaits_validation = true;
  partition.retry_at = sim::Time{};
}

void SubscriptionState::CompleteValidation(AssignedPartition& partition) {
  if (partition.awaits_validation) partition.retry_at = sim::Time{};
  partition.awaits_validation = false;
}

void SubscriptionState::RequestReset(AssignedPartition& partition, OffsetReset strategy) {
  partition.position.reset();
  partition.offset_epoch = broker::kNoLeaderEpoch;
  partition.awaits_validation = false;
  partition.reset = strategy;
  partition.retry_at = sim::Time{};
}

void SubscriptionState::OnResetOffset(AssignedPartition& partition, OffsetReset strategy,
                                      broker::Offset offset) {
  if (partition.reset == strategy) Seek(partition, offset);
}

void SubscriptionState::ResetInitializing(OffsetReset strategy) {
  for (AssignedPartition& assigned : partitions_) {
    if (assigned.position.has_value() || assigned.awaits_reset()) continue;
    RequestReset(assigned, strategy);
  }
}

std::optional<int64_t> SubscriptionState::LagOf(const AssignedPartition& partition,
                                                broker::IsolationLevel isolation_level) const {
  const broker::Offset end = isolation_level == broker::IsolationLevel::kReadCommitted
                                 ? partition.last_stable_offset
                                 : partition.high_watermark;
  if (!partition.position.has_value() || end == broker::kNoOffset) return std::nullopt;
  return end - *partition.position;
}

void SubscriptionState::AppendTo(sim::CanonicalBytes& out) const { out.AddAll(partitions_); }

}  // namespace kafkasim::client

#include "client/subscription_state.h"

#include <utility>

namespace kafkasim::client {

void AssignedPartition::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(partition);
  out.Add(position);
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
  partition.position = offset;
  partition.reset = OffsetReset::kNone;
}

void SubscriptionState::RequestReset(AssignedPartition& partition, OffsetReset strategy) {
  partition.position.reset();
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

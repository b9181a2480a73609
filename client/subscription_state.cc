#include "client/subscription_state.h"

#include <algorithm>
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
  out.Add(pending_revocation);
  out.Add(high_watermark);
  out.Add(last_stable_offset);
  out.Add(log_start_offset);
}

SubscriptionState::SubscriptionState(const std::vector<broker::PartitionId>& assignment)
    : type_(assignment.empty() ? Type::kNone : Type::kUserAssigned) {
  for (const broker::PartitionId& id : assignment) {
    if (Find(id) != nullptr) continue;
    partitions_.push_back({.partition = id});
  }
}

void SubscriptionState::Subscribe(std::vector<broker::TopicId> topics) {
  type_ = Type::kTopics;
  topics_ = std::move(topics);
  std::sort(topics_.begin(), topics_.end());
  topics_.erase(std::unique(topics_.begin(), topics_.end()), topics_.end());
}

void SubscriptionState::Unsubscribe() {
  type_ = Type::kNone;
  topics_.clear();
  partitions_.clear();
}

void SubscriptionState::AssignFromSubscribed(const broker::PartitionList& partitions) {
  std::vector<AssignedPartition> assigned;
  for (const broker::PartitionId& id : partitions) {
    const AssignedPartition* had = Find(id);
    assigned.push_back(had != nullptr ? *had : AssignedPartition{.partition = id});
  }
  partitions_ = std::move(assigned);
}

void SubscriptionState::MarkPendingRevocation() {
  for (AssignedPartition& partition : partitions_) partition.pending_revocation = true;
}

bool SubscriptionState::IsFetchable(const AssignedPartition& partition) const {
  if (partition.pending_revocation) return false;
  return type_ != Type::kTopics ||
         std::binary_search(topics_.begin(), topics_.end(), partition.partition.topic);
}

broker::PartitionList SubscriptionState::Assigned() const {
  broker::PartitionList list;
  for (const AssignedPartition& assigned : partitions_) list.push_back(assigned.partition);
  std::sort(list.begin(), list.end());
  return list;
}

broker::PartitionList SubscriptionState::Initializing() const {
  broker::PartitionList list;
  for (const AssignedPartition& assigned : partitions_) {
    if (assigned.position.has_value() || assigned.awaits_reset()) continue;
    list.push_back(assigned.partition);
  }
  std::sort(list.begin(), list.end());
  return list;
}

std::vector<broker::OffsetToCommit> SubscriptionState::AllConsumed() const {
  std::vector<broker::OffsetToCommit> consumed;
  for (const AssignedPartition& assigned : partitions_) {
    if (!assigned.has_valid_position()) continue;
    consumed.push_back({.partition = assigned.partition,
                        .offset = *assigned.position,
                        .leader_epoch = assigned.offset_epoch});
  }
  return consumed;
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

void SubscriptionState::SeekUnvalidated(AssignedPartition& partition, broker::Offset offset,
                                        broker::LeaderEpoch epoch) {
  MoveTo(partition, offset, epoch);
  partition.awaits_validation = epoch != broker::kNoLeaderEpoch;
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

void SubscriptionState::Forget(AssignedPartition& partition) {
  RequestReset(partition, OffsetReset::kNone);
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

void SubscriptionState::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(type_);
  out.AddAll(topics_);
  out.AddAll(partitions_);
}

}  // namespace kafkasim::client

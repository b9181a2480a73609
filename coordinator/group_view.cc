#include "coordinator/group_view.h"

#include <utility>

#include "broker/partition_log.h"

namespace kafkasim::coordinator {

namespace {

GroupMemberView ViewMember(const ClassicGroup& group, const GroupMember& member) {
  GroupMemberView view{.member_id = member.member_id,
                       .group_instance_id = member.group_instance_id,
                       .client_id = member.client_id,
                       .assignment = member.assignment,
                       .awaits_join = member.awaiting_join.has_value(),
                       .awaits_sync = member.awaiting_sync.has_value()};
  const broker::MemberSubscription* subscription =
      group.protocol_name.has_value() ? member.FindSubscription(*group.protocol_name) : nullptr;
  if (subscription == nullptr && !member.protocols.empty()) {
    subscription = &member.protocols.front().subscription;
  }
  if (subscription != nullptr) view.topics = subscription->topics;
  return view;
}

GroupView View(const GroupShard& shard, const ClassicGroup& group,
               const ReplicatedUpTo& replicated) {
  GroupView view{.group_id = group.group_id,
                 .state = group.state,
                 .generation_id = group.generation_id,
                 .protocol_type = group.protocol_type.value_or(""),
                 .protocol_name = group.protocol_name.value_or(""),
                 .leader = group.leader.value_or(""),
                 .offsets_partition = shard.index,
                 .leader_epoch = shard.epoch};
  for (const GroupMember& member : group.members) {
    view.members.push_back(ViewMember(group, member));
  }
  for (const PendingMember& member : group.pending_members) {
    view.pending_members.push_back(member.member_id);
  }
  const OffsetStore::OfGroup* offsets = shard.offsets.Find(group.group_id);
  GroupOffsets committed = offsets == nullptr ? GroupOffsets{} : offsets->committed;
  if (replicated) committed = shard.offsets.Replicated(group.group_id, replicated(shard.index));
  for (const auto& [partition, value] : committed) {
    view.offsets.push_back({partition, value.offset, value.metadata, value.record_offset});
  }
  if (offsets == nullptr) return view;
  for (const auto& [producer_id, pending] : offsets->pending) {
    for (const auto& [partition, value] : pending) {
      view.pending.push_back({producer_id, partition, value.offset, value.record_offset});
    }
  }
  return view;
}

}  // namespace

const GroupCoordinator* AsGroupCoordinator(const broker::Service& service) {
  return dynamic_cast<const GroupCoordinator*>(&service);
}

std::vector<GroupView> ViewGroups(const GroupCoordinator& coordinator,
                                  const ReplicatedUpTo& replicated) {
  std::vector<GroupView> views;
  for (const sim::Cow<GroupShard>& shard : coordinator.shards().all()) {
    for (const auto& [group_id, group] : shard->groups) {
      views.push_back(View(*shard, *group, replicated));
    }
  }
  return views;
}

std::optional<GroupView> FindGroup(const GroupCoordinator& coordinator, std::string_view group_id) {
  const GroupShards::Located located = coordinator.shards().Locate(group_id);
  if (located.standing != GroupShards::Standing::kHere) return std::nullopt;
  const GroupShard& shard = *coordinator.shards().Find(located.index);
  const ClassicGroup* group = shard.Find(std::string(group_id));
  if (group == nullptr) return std::nullopt;
  return View(shard, *group, {});
}

std::vector<GroupPartitionView> ViewGroupPartitions(const GroupCoordinator& coordinator) {
  std::vector<GroupPartitionView> views;
  for (const sim::Cow<GroupShard>& shard : coordinator.shards().all()) {
    views.push_back({.offsets_partition = shard->index,
                     .leader_epoch = shard->epoch,
                     .loading = shard->loading,
                     .groups = static_cast<int64_t>(shard->groups.size())});
  }
  return views;
}

std::vector<GroupLogEntry> DecodeGroupLog(const broker::PartitionLog& log) {
  std::vector<GroupLogEntry> entries;
  log.ForEachBatch(log.log_start_offset(), [&](const broker::RecordBatchRef& batch) {
    if (batch->is_control()) {
      entries.push_back({.offset = batch->base_offset,
                         .timestamp_ms = batch->max_timestamp_ms,
                         .producer_id = batch->producer_id,
                         .marker = batch->marker->type});
      return;
    }
    for (const broker::Record& record : *batch->records) {
      std::optional<GroupLogRecord> read = DecodeGroupRecord(record);
      if (!read.has_value()) continue;
      entries.push_back({.offset = batch->base_offset + record.offset_delta,
                         .timestamp_ms = record.timestamp_ms,
                         .producer_id = batch->producer_id,
                         .record = std::move(read)});
    }
  });
  return entries;
}

}  // namespace kafkasim::coordinator

// What the group coordinator forgets: offsets that nobody has used for offsets.retention.minutes,
// the offsets of deleted topics, and groups without members and offsets (KIP-211;
// GroupCoordinatorShard.cleanupGroupMetadata, OffsetMetadataManager).
#include <algorithm>
#include <limits>
#include <utility>

#include "coordinator/coordinator_timers.h"
#include "coordinator/group_coordinator.h"
#include "coordinator/group_timers.h"
#include "coordinator/group_trace.h"

namespace kafkasim::coordinator {

namespace {

constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

// Since when the retention of a committed offset runs (ClassicGroup.offsetExpirationCondition):
// since the group has no members, or since the commit, for topics to which no member subscribes.
int64_t RetentionStart(const ClassicGroup& group, const OffsetAndMetadata& offset) {
  if (!group.protocol_type.has_value()) return offset.commit_timestamp_ms;
  if (group.Is(GroupState::kEmpty)) {
    return group.state_timestamp_ms == -1 ? offset.commit_timestamp_ms : group.state_timestamp_ms;
  }
  const bool aware = group.subscribed_topics.has_value() && group.Is(GroupState::kStable);
  return aware ? offset.commit_timestamp_ms : kNever;
}

// When a committed offset expires, as far as is known now.
int64_t ExpiresAt(const GroupShard& shard, const ClassicGroup& group,
                  const broker::PartitionId& partition, const OffsetAndMetadata& offset,
                  int64_t retention_ms) {
  if (group.IsSubscribedTo(partition.topic)) return kNever;
  if (shard.offsets.IsPending(group.group_id, partition)) return kNever;
  const int64_t start = RetentionStart(group, offset);
  return start == kNever ? kNever : start + retention_ms;
}

int64_t RetentionMs(const broker::BrokerConfig& config) {
  return config.offsets_retention_minutes * 60'000;
}

broker::Record Tombstone(const std::string& group_id, const broker::PartitionId& partition,
                         int64_t now_ms) {
  return Encode(OffsetCommitRecord{.group_id = group_id, .partition = partition}, now_ms);
}

}  // namespace

void GroupCoordinator::ArmExpiry(Turn& turn, GroupShard& shard, const std::string& group_id) {
  const ClassicGroup* group = shard.Find(group_id);
  if (group == nullptr) return;
  const OffsetStore::OfGroup* offsets = shard.offsets.Find(group_id);
  int64_t first = kNever;
  if (offsets == nullptr) {
    if (group->Is(GroupState::kEmpty)) first = turn.now_ms();
  } else {
    for (const auto& [partition, value] : offsets->committed) {
      first =
          std::min(first, ExpiresAt(shard, *group, partition, value, RetentionMs(turn.config())));
    }
  }
  if (first == kNever) return;
  const std::optional<sim::Duration> delay = shard.expiry.Want(first - 1, turn.now());
  if (!delay.has_value()) return;
  turn.effects.push_back(broker::TimerEffect{
      .delay = *delay,
      .kind = static_cast<uint32_t>(GroupTimer::kExpiry),
      .argument = LoadArgument(shard.index, broker::CoordinatorEpoch(shard.epoch.value()))});
}

void GroupCoordinator::ArmExpiryOfAll(Turn& turn, GroupShard& shard) {
  for (const auto& [group_id, group] : shard.groups) ArmExpiry(turn, shard, group_id);
}

void GroupCoordinator::RemoveExpired(Turn& turn, GroupShard& shard) {
  std::vector<broker::Record> records;
  for (const auto& [group_id, group] : shard.groups) {
    const OffsetStore::OfGroup* offsets = shard.offsets.Find(group_id);
    bool none_left = offsets == nullptr || offsets->pending.empty();
    std::vector<std::string> expired;
    for (const auto& [partition, value] :
         offsets == nullptr ? GroupOffsets{} : offsets->committed) {
      if (ExpiresAt(shard, *group, partition, value, RetentionMs(turn.config())) > turn.now_ms()) {
        none_left = false;
        continue;
      }
      records.push_back(Tombstone(group_id, partition, turn.now_ms()));
      expired.push_back(turn.context.image().NameOf(partition));
    }
    if (!expired.empty() && turn.context.tracing()) {
      turn.effects.push_back(ExpiredPoint(group_id, std::move(expired), "unused for too long"));
    }
    if (!none_left || !group->Is(GroupState::kEmpty)) continue;
    records.push_back(Encode(GroupMetadataRecord{.group_id = group_id}, turn.now_ms()));
    if (turn.context.tracing()) {
      turn.effects.push_back(broker::PointEffect{&events::kGroupRemoved, {{"group_id", group_id}}});
    }
  }
  if (records.empty()) return ArmExpiryOfAll(turn, shard);
  AppendTombstones(turn, shard, std::move(records));
}

void GroupCoordinator::AppendTombstones(Turn& turn, const GroupShard& shard,
                                        std::vector<broker::Record> records) {
  Append(turn, {.kind = PendingOperation::Kind::kTombstones,
                .shard = shard.index,
                .epoch = shard.epoch,
                .batch = broker::MakeBatch(std::move(records))});
}

void GroupCoordinator::OnMetadata(const broker::ServiceContext& context, broker::Effects& effects) {
  Turn turn{context, effects};
  const std::vector<broker::TopicImage>& topics = context.image().topics;
  const bool any_deleted =
      std::any_of(topics.begin(), topics.end(), [](const auto& topic) { return topic.deleted; });
  if (!any_deleted) return;
  for (const sim::Cow<GroupShard>& shard : shards_->all()) {
    if (shard->loading) continue;
    std::vector<broker::Record> records;
    shard->offsets.ForEachGroup(
        [&](const std::string& group_id, const OffsetStore::OfGroup& offsets) {
          GroupOffsets all = offsets.committed;
          for (const auto& [producer_id, pending] : offsets.pending) {
            all.insert(pending.begin(), pending.end());
          }
          std::vector<std::string> gone;
          for (const auto& [partition, value] : all) {
            if (context.image().FindTopic(partition.topic) != nullptr) continue;
            records.push_back(Tombstone(group_id, partition, turn.now_ms()));
            gone.push_back(context.image().NameOf(partition));
          }
          if (gone.empty() || !context.tracing()) return;
          effects.push_back(ExpiredPoint(group_id, std::move(gone), "the topic was deleted"));
        });
    if (!records.empty()) AppendTombstones(turn, *shard, std::move(records));
  }
}

}  // namespace kafkasim::coordinator

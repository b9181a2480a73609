// Elections, resignations, and the markers of transactions (CoordinatorRuntime:
// scheduleLoadOperation, scheduleUnloadOperation and completeTransaction;
// GroupMetadataManager.onLoaded and onUnloaded).
#include <string>
#include <utility>
#include <vector>

#include "broker/partition_log.h"
#include "coordinator/coordinator_timers.h"
#include "coordinator/group_coordinator.h"
#include "coordinator/group_timers.h"
#include "coordinator/group_trace.h"
#include "sim/check.h"

namespace kafkasim::coordinator {

using broker::Effects;
using broker::ErrorCode;
using broker::PartitionId;
using broker::ServiceContext;

void GroupCoordinator::OnElected(const ServiceContext& context, const PartitionId& partition,
                                 broker::LeaderEpoch epoch, Effects& effects) {
  Turn turn{context, effects};
  const broker::TopicImage* topic = context.image().FindTopic(partition.topic);
  KAFKASIM_CHECK(topic != nullptr, "an elected leader knows the topic");
  GroupShards& shards = shards_.Mutable();
  shards.SetTopic(partition.topic, static_cast<int32_t>(topic->partitions.size()));
  shards.StartLoading(partition.index, epoch);
  const broker::PartitionLog* log = context.LocalLog(partition);
  const bool is_empty = log == nullptr || log->log_end_offset() == log->log_start_offset();
  if (options_.load_time.us == 0 || is_empty) return Load(turn, partition.index);
  effects.push_back(broker::TimerEffect{
      .delay = options_.load_time,
      .kind = static_cast<uint32_t>(GroupTimer::kLoad),
      .argument = LoadArgument(partition.index, broker::CoordinatorEpoch(epoch.value()))});
}

void GroupCoordinator::Load(Turn& turn, int32_t index) {
  GroupShard& shard = shards_.Mutable().Mutable(index);
  const PartitionId partition = shards_->TopicPartition(index);
  shard.loading = false;
  shard.expiry.Start(turn.now(), sim::Millis(turn.config().offsets_retention_check_interval_ms));
  const broker::PartitionLog* log = turn.context.LocalLog(partition);
  if (log != nullptr) shard.Replay(*log);
  if (shard.groups.empty()) return;
  std::vector<std::string> group_ids;
  for (const auto& [group_id, group] : shard.groups) group_ids.push_back(group_id);
  if (turn.context.tracing()) {
    turn.effects.push_back(GroupsPoint(events::kGroupLoaded, turn.context.image().NameOf(partition),
                                       shard.epoch, group_ids));
  }
  for (const std::string& group_id : group_ids) {
    ClassicGroup& group = *shard.FindMutable(group_id);
    for (GroupMember& member : group.members) {
      RescheduleSession(turn, shard, member, member.session_timeout_ms);
    }
    if (static_cast<int64_t>(group.members.size()) > turn.config().group_max_size) {
      PrepareRebalance(turn, shard, group, "it has more than group.max.size members");
    }
    ArmExpiry(turn, shard, group_id);
  }
}

void GroupCoordinator::OnResigned(const ServiceContext& context, const PartitionId& partition,
                                  broker::LeaderEpoch /*epoch*/, Effects& effects) {
  Turn turn{context, effects};
  if (shards_->Find(partition.index) == nullptr) return;
  GroupShard& shard = shards_.Mutable().Mutable(partition.index);
  std::vector<std::string> group_ids;
  for (const auto& [group_id, known] : shard.groups) group_ids.push_back(group_id);
  for (const std::string& group_id : group_ids) {
    for (GroupMember& member : shard.FindMutable(group_id)->members) {
      AnswerJoin(turn, member,
                 {.error = ErrorCode::kNotCoordinator, .member_id = member.member_id});
      AnswerSync(turn, member, {.error = ErrorCode::kNotCoordinator});
    }
  }
  if (!group_ids.empty() && context.tracing()) {
    effects.push_back(GroupsPoint(events::kGroupUnloaded, context.image().NameOf(partition),
                                  shard.epoch, group_ids));
  }
  shards_.Mutable().Remove(partition.index);
}

ErrorCode GroupCoordinator::CheckMarker(const ServiceContext&, const PartitionId& partition) const {
  return shards_->StandingOf(partition.index) == GroupShards::Standing::kHere
             ? ErrorCode::kNone
             : ErrorCode::kNotLeaderOrFollower;
}

void GroupCoordinator::OnMarkerWritten(const ServiceContext& context, const PartitionId& partition,
                                       const broker::RecordBatch& marker, Effects& effects) {
  Turn turn{context, effects};
  const broker::Bugs bugs = context.config().bugs;
  if (bugs.Has(broker::Bug::kGroupsIgnoreMarkers)) return;
  GroupShard& shard = shards_.Mutable().Mutable(partition.index);
  const bool committed = marker.marker->type == broker::ControlType::kCommit ||
                         bugs.Has(broker::Bug::kAbortedOffsetsCount);
  const std::vector<EndedOffset> ended =
      shard.offsets.EndTransaction(marker.producer_id, committed, marker.base_offset,
                                   context.LocalLog(partition)->high_watermark());
  std::string armed;
  for (const EndedOffset& offset : ended) {
    if (offset.group_id == armed) continue;
    armed = offset.group_id;
    ArmExpiry(turn, shard, armed);
  }
  if (!context.tracing()) return;
  for (broker::PointEffect& point :
       EndedPoints(ended, marker.producer_id, committed, partition, context.image())) {
    effects.push_back(std::move(point));
  }
}

}  // namespace kafkasim::coordinator

// What the group coordinator writes, and what follows when it is in the log and when it is
// replicated (CoordinatorRuntime).
#include <utility>

#include "broker/partition_log.h"
#include "coordinator/group_coordinator.h"
#include "coordinator/group_trace.h"

namespace kafkasim::coordinator {

using broker::Effects;
using broker::ErrorCode;
using broker::ServiceContext;

void GroupCoordinator::Append(Turn& turn, PendingOperation operation,
                              broker::VerificationGuard guard,
                              std::optional<broker::PointEffect> appended) {
  broker::AppendEffect effect{.partition = shards_->TopicPartition(operation.shard),
                              .expected_epoch = operation.epoch,
                              .batch = operation.batch,
                              .timeout = sim::Millis(turn.config().offsets_commit_timeout_ms),
                              .appended = std::move(appended),
                              .acks = 1,
                              .guard = guard};
  effect.token = operations_.Mutable().Put(std::move(operation));
  turn.effects.push_back(std::move(effect));
}

void GroupCoordinator::AnswerAfterWrites(Turn& turn, const GroupShard& shard,
                                         const sim::ReplyTo& to, sim::PayloadRef response) {
  const broker::PartitionId partition = shards_->TopicPartition(shard.index);
  const broker::PartitionLog* log = turn.context.LocalLog(partition);
  if (log == nullptr || log->high_watermark() == log->log_end_offset()) {
    turn.Reply(to, std::move(response));
    return;
  }
  const uint32_t token = operations_.Mutable().Put(
      {.shard = shard.index, .epoch = shard.epoch, .to = to, .response = std::move(response)});
  turn.effects.push_back(
      broker::AwaitEffect{.partition = partition,
                          .expected_epoch = shard.epoch,
                          .timeout = sim::Millis(turn.config().offsets_commit_timeout_ms),
                          .token = token});
}

void GroupCoordinator::AppendGroup(Turn& turn, const GroupShard& shard, const ClassicGroup& group,
                                   PendingOperation operation) {
  operation.shard = shard.index;
  operation.epoch = shard.epoch;
  operation.group_id = group.group_id;
  GroupMetadataRecord record = RecordOf(group);
  for (GroupMetadataRecord::Member& member : record.value->members) {
    if (operation.kind != PendingOperation::Kind::kAssignment) break;
    member.assignment.clear();
    for (const auto& assigned : operation.assignments) {
      if (assigned.member_id == member.member_id) member.assignment = assigned.partitions;
    }
  }
  operation.batch = broker::MakeBatch({Encode(record, turn.now_ms())});
  std::optional<broker::PointEffect> appended;
  if (turn.context.tracing()) {
    appended = GroupPoint(
        events::kGroupWritten, group,
        {{"partition", turn.context.image().NameOf(shards_->TopicPartition(shard.index))}});
  }
  Append(turn, std::move(operation), broker::kNoVerificationGuard, std::move(appended));
}

void GroupCoordinator::OnWritten(const ServiceContext& context, uint64_t token,
                                 broker::Offset base_offset, Effects& effects) {
  Turn turn{context, effects};
  PendingOperation& operation = operations_.Mutable().At(static_cast<uint32_t>(token));
  operation.written = true;
  const bool replays = operation.kind == PendingOperation::Kind::kOffsets ||
                       operation.kind == PendingOperation::Kind::kTombstones;
  if (!replays) return;
  GroupShard& shard = shards_.Mutable().Mutable(operation.shard);
  const broker::PartitionLog* log = context.LocalLog(shards_->TopicPartition(operation.shard));
  for (const broker::Record& record : *operation.batch.records) {
    shard.Replay(record, base_offset + record.offset_delta, operation.batch.producer_id,
                 log->high_watermark());
  }
  if (operation.kind == PendingOperation::Kind::kTombstones) {
    ArmExpiryOfAll(turn, shard);
  } else {
    ArmExpiry(turn, shard, operation.group_id);
  }
}

void GroupCoordinator::OnAppended(const ServiceContext& context, uint64_t token,
                                  ErrorCode log_error, Effects& effects) {
  Turn turn{context, effects};
  PendingOperation operation = operations_.Mutable().Take(static_cast<uint32_t>(token));
  Finish(turn, operation, log_error);
}

void GroupCoordinator::Finish(Turn& turn, PendingOperation& operation, ErrorCode log_error) {
  using Kind = PendingOperation::Kind;
  const ErrorCode error = GroupError(log_error);
  const GroupShard* known = shards_->Find(operation.shard);
  if (known == nullptr || known->epoch != operation.epoch) {
    // Resigned since: what was written is found by reading the log.
    if (operation.kind == Kind::kAnswer || operation.kind == Kind::kOffsets) {
      turn.Reply(operation.to, FailedAnswer(*operation.response, ErrorCode::kNotLeaderOrFollower));
    }
    return;
  }
  GroupShard& shard = shards_.Mutable().Mutable(operation.shard);
  if (error == ErrorCode::kNone) {
    shard.offsets.Forget(
        turn.context.LocalLog(shards_->TopicPartition(shard.index))->high_watermark());
  }
  ClassicGroup* group = shard.FindMutable(operation.group_id);
  switch (operation.kind) {
    case Kind::kAssignment:
      if (group != nullptr) FinishAssignment(turn, shard, *group, operation, error);
      return;
    case Kind::kStaticMember:
      if (group != nullptr) FinishStaticMember(turn, shard, *group, operation, error);
      return;
    case Kind::kNewGroup:
      if (error == ErrorCode::kNone || group == nullptr) return;
      for (GroupMember& member : group->members) {
        if (member.awaiting_join != operation.to) continue;
        AnswerJoin(turn, member, {.error = error});
        member.awaiting_join = sim::ReplyTo{};  // it counts as joined
      }
      if (!operation.written) shard.groups.erase(operation.group_id);
      return;
    case Kind::kOffsets:
      if (error == ErrorCode::kNone && turn.context.tracing()) {
        if (!operation.batch.transactional) {
          turn.effects.push_back(OffsetsPoint(events::kOffsetsCommitted, operation.group_id,
                                              operation.batch, shards_->TopicPartition(shard.index),
                                              turn.context.image()));
        }
      }
      break;
    case Kind::kAnswer:
      break;
    case Kind::kTombstones:
      if (!operation.written) ArmExpiryOfAll(turn, shard);
      return;
    case Kind::kEmptyGroup:
      return;
  }
  turn.Reply(operation.to, error == ErrorCode::kNone
                               ? operation.response
                               : FailedAnswer(*operation.response, log_error));
}

}  // namespace kafkasim::coordinator

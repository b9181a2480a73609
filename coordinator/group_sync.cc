// SyncGroup (GroupMetadataManager.classicGroupSyncToClassicGroup).
#include <algorithm>
#include <utility>

#include "coordinator/group_coordinator.h"
#include "coordinator/group_trace.h"

namespace kafkasim::coordinator {

using broker::ErrorCode;
using broker::SyncGroupRequest;
using broker::SyncGroupResponse;

namespace {

ErrorCode Validate(const ClassicGroup& group, const SyncGroupRequest& request) {
  const ErrorCode error = group.ValidateMember(request.member_id, request.group_instance_id);
  if (error != ErrorCode::kNone) return error;
  if (request.generation_id != group.generation_id) return ErrorCode::kIllegalGeneration;
  const bool names_another = !request.protocol_name.empty() && group.protocol_name.has_value() &&
                             request.protocol_name != *group.protocol_name;
  if (names_another) return ErrorCode::kInconsistentGroupProtocol;
  return group.Is(GroupState::kPreparingRebalance) ? ErrorCode::kRebalanceInProgress
                                                   : ErrorCode::kNone;
}

// For Bug::kAssignmentsAddUp.
void AddTo(broker::PartitionList& sorted, const broker::PartitionList& added) {
  for (const broker::PartitionId& partition : added) {
    const auto at = std::lower_bound(sorted.begin(), sorted.end(), partition);
    if (at == sorted.end() || *at != partition) sorted.insert(at, partition);
  }
}

}  // namespace

void GroupCoordinator::HandleSyncGroup(Turn& turn, const sim::ReplyTo& to,
                                       const SyncGroupRequest& request) {
  const ClassicGroup* known = nullptr;
  const auto refuse = [&](ErrorCode error) {
    NoteRefusal(turn, IdentityOf(request), known, error);
    turn.Reply(to, broker::MakeMessage(SyncGroupResponse{.error = error}));
  };
  if (request.group_id.empty()) return refuse(ErrorCode::kInvalidGroupId);
  ErrorCode error = ErrorCode::kNone;
  GroupShard* shard = Locate(request.group_id, error);
  if (shard == nullptr) return refuse(error);
  ClassicGroup* group = shard->FindMutable(request.group_id);
  known = group;
  if (group == nullptr || group->Is(GroupState::kEmpty)) {
    return refuse(ErrorCode::kUnknownMemberId);
  }
  error = Validate(*group, request);
  if (error != ErrorCode::kNone) return refuse(error);
  GroupMember& member = *group->FindMember(request.member_id);
  group->RemovePendingSync(request.member_id);
  if (group->pending_sync.empty()) group->sync_deadline.reset();
  if (group->Is(GroupState::kStable)) {
    turn.Reply(to, broker::MakeMessage(
                       SyncGroupResponse{.protocol_name = group->protocol_name.value_or(""),
                                         .partitions = member.assignment}));
    return;
  }
  member.awaiting_sync = to;
  if (group->IsLeader(request.member_id)) TakeAssignment(turn, *shard, *group, request);
}

void GroupCoordinator::TakeAssignment(Turn& turn, GroupShard& shard, ClassicGroup& group,
                                      const SyncGroupRequest& request) {
  AppendGroup(turn, shard, group,
              {.kind = PendingOperation::Kind::kAssignment,
               .generation_id = request.generation_id,
               .assignments = request.assignments});
}

void GroupCoordinator::FinishAssignment(Turn& turn, GroupShard& shard, ClassicGroup& group,
                                        const PendingOperation& operation, ErrorCode error) {
  // Another member may have joined meanwhile.
  if (!group.Is(GroupState::kCompletingRebalance) ||
      group.generation_id != operation.generation_id) {
    return;
  }
  if (error != ErrorCode::kNone) {
    FailSync(turn, shard, group, error);
    MaybePrepareRebalance(turn, shard, group, "the assignment could not be written");
    return;
  }
  for (GroupMember& member : group.members) {
    const broker::PartitionList before = std::exchange(member.assignment, {});
    for (const auto& assigned : operation.assignments) {
      if (assigned.member_id == member.member_id) member.assignment = assigned.partitions;
    }
    if (turn.config().bugs.Has(broker::Bug::kAssignmentsAddUp)) {
      AddTo(member.assignment, before);
    }
  }
  group.TransitionTo(GroupState::kStable, turn.now_ms());
  if (turn.context.tracing()) {
    turn.effects.push_back(StablePoint(group, turn.context.image()));
  }
  for (GroupMember& member : group.members) {
    if (!member.awaiting_sync.has_value()) continue;
    AnswerSync(
        turn, member,
        {.protocol_name = group.protocol_name.value_or(""), .partitions = member.assignment});
    RescheduleSession(turn, shard, member, member.session_timeout_ms);
  }
  ArmExpiry(turn, shard, group.group_id);
}

}  // namespace kafkasim::coordinator

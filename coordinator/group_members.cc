// Heartbeat and LeaveGroup (GroupMetadataManager: classicGroupHeartbeatToClassicGroup and
// classicGroupLeaveToClassicGroup).
#include <utility>

#include <fmt/format.h>

#include "coordinator/group_coordinator.h"
#include "coordinator/group_trace.h"

namespace kafkasim::coordinator {

using broker::ErrorCode;
using broker::HeartbeatRequest;
using broker::HeartbeatResponse;
using broker::LeaveGroupRequest;
using broker::LeaveGroupResponse;

void GroupCoordinator::HandleHeartbeat(Turn& turn, const sim::ReplyTo& to,
                                       const HeartbeatRequest& request) {
  const ClassicGroup* known = nullptr;
  const auto refuse = [&](ErrorCode error) {
    NoteRefusal(turn, IdentityOf(request), known, error);
    turn.Reply(to, broker::MakeMessage(HeartbeatResponse{.error = error}));
  };
  if (request.group_id.empty()) return refuse(ErrorCode::kInvalidGroupId);
  ErrorCode error = ErrorCode::kNone;
  GroupShard* shard = Locate(request.group_id, error);
  if (error == ErrorCode::kCoordinatorLoadInProgress) {
    // Nobody knows the member yet, so it is let be.
    return turn.Reply(to, broker::MakeMessage(HeartbeatResponse{}));
  }
  if (shard == nullptr) return refuse(error);
  ClassicGroup* group = shard->FindMutable(request.group_id);
  known = group;
  if (group == nullptr) return refuse(ErrorCode::kUnknownMemberId);
  error = group->ValidateMember(request.member_id, request.group_instance_id);
  if (error != ErrorCode::kNone) return refuse(error);
  if (request.generation_id != group->generation_id) return refuse(ErrorCode::kIllegalGeneration);
  GroupMember& member = *group->FindMember(request.member_id);
  RescheduleSession(turn, *shard, member, member.session_timeout_ms);
  const bool joins_again = group->Is(GroupState::kPreparingRebalance);
  AnswerAfterWrites(
      turn, *shard, to,
      broker::MakeMessage(HeartbeatResponse{.error = joins_again ? ErrorCode::kRebalanceInProgress
                                                                 : ErrorCode::kNone}));
}

void GroupCoordinator::HandleLeaveGroup(Turn& turn, const sim::ReplyTo& to,
                                        const LeaveGroupRequest& request) {
  LeaveGroupResponse response;
  const auto refuse = [&](ErrorCode error) {
    NoteRefusal(turn, {.api = broker::ApiKey::kLeaveGroup, .group_id = request.group_id}, nullptr,
                error);
    response.error = error;
    turn.Reply(to, broker::MakeMessage(std::move(response)));
  };
  if (request.group_id.empty()) return refuse(ErrorCode::kInvalidGroupId);
  ErrorCode error = ErrorCode::kNone;
  GroupShard* shard = Locate(request.group_id, error);
  if (shard == nullptr) return refuse(error);
  ClassicGroup* group = shard->FindMutable(request.group_id);
  std::string left;
  for (const LeaveGroupRequest::Member& leaving : request.members) {
    const ErrorCode result =
        group == nullptr ? ErrorCode::kUnknownMemberId : Leave(turn, *shard, *group, leaving);
    response.members.push_back({leaving.member_id, leaving.group_instance_id, result});
    if (result != ErrorCode::kNone) {
      NoteRefusal(turn,
                  {.api = broker::ApiKey::kLeaveGroup,
                   .group_id = request.group_id,
                   .member_id = leaving.member_id,
                   .group_instance_id = leaving.group_instance_id},
                  group, result);
      continue;
    }
    if (!left.empty()) left += ", ";
    left += leaving.member_id.empty() ? leaving.group_instance_id.value_or("") : leaving.member_id;
  }
  if (group == nullptr) return turn.Reply(to, broker::MakeMessage(std::move(response)));
  if (!left.empty() && !group->Is(GroupState::kEmpty)) {
    MaybePrepareRebalance(turn, *shard, *group, left + " left");
  }
  AnswerAfterWrites(turn, *shard, to, broker::MakeMessage(std::move(response)));
}

ErrorCode GroupCoordinator::Leave(Turn& turn, GroupShard& shard, ClassicGroup& group,
                                  const LeaveGroupRequest::Member& leaving) {
  std::string member_id = leaving.member_id;
  if (member_id.empty()) {
    if (leaving.group_instance_id.has_value()) {
      member_id = group.StaticMemberId(*leaving.group_instance_id);
    }
    if (member_id.empty()) return ErrorCode::kUnknownMemberId;
  } else if (!group.IsPending(member_id)) {
    const ErrorCode error = group.ValidateMember(member_id, leaving.group_instance_id);
    if (error != ErrorCode::kNone) return error;
  }
  if (turn.context.tracing()) {
    turn.effects.push_back(MemberPoint(
        events::kMemberLeft, group, member_id,
        {{"reason", leaving.reason.empty() ? std::string("LeaveGroup") : leaving.reason}}));
  }
  if (GroupMember* member = group.FindMember(member_id)) {
    // It may wait for a JoinGroup, which it will then repeat.
    AnswerJoin(turn, *member, {.error = ErrorCode::kUnknownMemberId});
  }
  group.Remove(member_id);
  ArmExpiry(turn, shard, group.group_id);
  return ErrorCode::kNone;
}

}  // namespace kafkasim::coordinator

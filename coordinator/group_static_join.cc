// A static member that comes back without its id (KIP-345, KIP-814;
// GroupMetadataManager.updateStaticMemberThenRebalanceOrCompleteJoin).
#include <utility>

#include "coordinator/group_coordinator.h"
#include "coordinator/group_trace.h"

namespace kafkasim::coordinator {

using broker::ErrorCode;
using broker::JoinGroupRequest;
using broker::JoinGroupResponse;

namespace {

// From this version on a leader can be told that the assignment stays.
constexpr int16_t kSkipAssignmentVersion = 9;

JoinGroupResponse SameGeneration(const ClassicGroup& group, const std::string& member_id,
                                 const std::string& leader_before, int16_t version) {
  JoinGroupResponse response{.generation_id = group.generation_id,
                             .protocol_name = group.protocol_name.value_or(""),
                             .leader = leader_before,
                             .member_id = member_id};
  // An older client must not take itself for the leader, or it would assign.
  if (version < kSkipAssignmentVersion) return response;
  response.leader = group.leader.value_or("");
  response.skip_assignment = group.IsLeader(member_id);
  if (response.skip_assignment) response.members = MembersForLeader(group);
  return response;
}

}  // namespace

bool GroupCoordinator::ReplaceStaticMember(Turn& turn, GroupShard& shard, ClassicGroup& group,
                                           const std::string& old_member_id,
                                           const std::string& new_member_id, const sim::ReplyTo& to,
                                           const JoinGroupRequest& request) {
  const std::string leader_before = group.leader.value_or("");
  GroupMember& member = *group.FindMember(old_member_id);
  // Whoever used the old id is fenced at once.
  AnswerJoin(turn, member, {.error = ErrorCode::kFencedInstanceId, .member_id = old_member_id});
  AnswerSync(turn, member, {.error = ErrorCode::kFencedInstanceId});
  if (turn.context.tracing()) {
    turn.effects.push_back(
        MemberPoint(events::kMemberReplaced, group, new_member_id,
                    {{"old_member_id", old_member_id},
                     {"group_instance_id", request.group_instance_id.value_or("")}}));
  }
  (void)group.ReplaceStaticMember(old_member_id, new_member_id);
  member.is_new = false;
  RescheduleSession(turn, shard, member, member.session_timeout_ms);
  PendingOperation operation{.kind = PendingOperation::Kind::kStaticMember,
                             .to = to,
                             .old_member_id = old_member_id,
                             .member_id = new_member_id,
                             .old_rebalance_timeout_ms = member.rebalance_timeout_ms,
                             .old_session_timeout_ms = member.session_timeout_ms,
                             .old_protocols = member.protocols};
  member.protocols = request.protocols;
  member.rebalance_timeout_ms = request.rebalance_timeout_ms;
  member.session_timeout_ms = request.session_timeout_ms;
  member.awaiting_join = to;
  const std::string came_back = new_member_id + " came back as a static member";
  if (group.Is(GroupState::kCompletingRebalance)) {
    // The leader may be assigning to the old id by now.
    PrepareRebalance(turn, shard, group, came_back);
    return false;
  }
  if (!group.Is(GroupState::kStable)) {
    MaybeCompleteJoinPhase(turn, shard, group);
    return false;
  }
  if (group.protocol_name != group.SelectProtocol()) {
    MaybePrepareRebalance(turn, shard, group, came_back + " with other protocols");
    return false;
  }
  // Nothing changes for the others.
  operation.response =
      broker::MakeMessage(SameGeneration(group, new_member_id, leader_before, request.version));
  AppendGroup(turn, shard, group, std::move(operation));
  return true;
}

void GroupCoordinator::FinishStaticMember(Turn& turn, GroupShard& shard, ClassicGroup& group,
                                          const PendingOperation& operation, ErrorCode error) {
  GroupMember* member = group.FindMember(operation.member_id);
  if (member == nullptr || !member->awaiting_join.has_value()) return;
  const auto& response = broker::BodyOf<JoinGroupResponse>(*operation.response);
  if (error == ErrorCode::kNone) return AnswerJoin(turn, *member, response);
  // The log knows the old id only.
  AnswerJoin(turn, *member,
             {.error = error,
              .generation_id = response.generation_id,
              .protocol_name = response.protocol_name,
              .leader = response.leader});
  member->protocols = operation.old_protocols;
  member->rebalance_timeout_ms = operation.old_rebalance_timeout_ms;
  member->session_timeout_ms = operation.old_session_timeout_ms;
  (void)group.ReplaceStaticMember(operation.member_id, operation.old_member_id);
  RescheduleSession(turn, shard, *member, member->session_timeout_ms);
}

}  // namespace kafkasim::coordinator

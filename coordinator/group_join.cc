// JoinGroup (GroupMetadataManager.classicGroupJoinToClassicGroup).
#include <utility>

#include "coordinator/group_coordinator.h"
#include "coordinator/group_trace.h"

namespace kafkasim::coordinator {

using broker::ErrorCode;
using broker::JoinGroupRequest;
using broker::JoinGroupResponse;

namespace {

// From this version on a new member must come back with the id that it was given (KIP-394).
constexpr int16_t kMemberIdRequiredVersion = 4;

// The current generation, for a member that has missed the answer to its JoinGroup.
JoinGroupResponse CurrentGeneration(const ClassicGroup& group, const std::string& member_id,
                                    bool with_members) {
  JoinGroupResponse response{.generation_id = group.generation_id,
                             .protocol_name = group.protocol_name.value_or(""),
                             .leader = group.leader.value_or(""),
                             .member_id = member_id};
  if (with_members) response.members = MembersForLeader(group);
  return response;
}

}  // namespace

void GroupCoordinator::RefuseJoin(Turn& turn, const sim::ReplyTo& to,
                                  const JoinGroupRequest& request, const ClassicGroup* group,
                                  const std::string& member_id, ErrorCode error) {
  NoteRefusal(turn, IdentityOf(request), group, error);
  turn.Reply(to, broker::MakeMessage(JoinGroupResponse{.error = error, .member_id = member_id}));
}

void GroupCoordinator::HandleJoinGroup(Turn& turn, const sim::ReplyTo& to,
                                       const JoinGroupRequest& request) {
  const broker::BrokerConfig& config = turn.config();
  ErrorCode error = ErrorCode::kNone;
  GroupShard* shard = nullptr;
  if (request.group_id.empty()) {
    error = ErrorCode::kInvalidGroupId;
  } else if (request.session_timeout_ms < config.group_min_session_timeout_ms ||
             request.session_timeout_ms > config.group_max_session_timeout_ms) {
    error = ErrorCode::kInvalidSessionTimeout;
  } else {
    shard = Locate(request.group_id, error);
    if (shard != nullptr) return Join(turn, *shard, to, request);
    return RefuseJoin(turn, to, request, nullptr, "", error);
  }
  RefuseJoin(turn, to, request, nullptr, request.member_id, error);
}

void GroupCoordinator::Join(Turn& turn, GroupShard& shard, const sim::ReplyTo& to,
                            const JoinGroupRequest& request) {
  const bool is_unknown = request.member_id.empty();
  ClassicGroup* group = shard.FindMutable(request.group_id);
  const bool is_new_group = group == nullptr;
  if (is_new_group && !is_unknown) {
    return RefuseJoin(turn, to, request, nullptr, request.member_id, ErrorCode::kUnknownMemberId);
  }
  if (is_new_group) group = &shard.Create(request.group_id, turn.now_ms());
  bool written = false;
  if (!AcceptsJoiningMember(turn, *group, request.member_id)) {
    group->Remove(request.member_id);
    RefuseJoin(turn, to, request, group, "", ErrorCode::kGroupMaxSizeReached);
  } else if (is_unknown) {
    written = JoinNewMember(turn, shard, *group, to, request);
  } else {
    JoinExistingMember(turn, shard, *group, to, request);
  }
  if (!is_new_group || written) return;
  // So that a new coordinator knows the group (newEmptyGroupMetadataRecord).
  GroupMetadataRecord record{.group_id = group->group_id};
  record.value = GroupMetadataRecord::Value{.state_timestamp_ms = group->state_timestamp_ms};
  Append(turn, {.kind = PendingOperation::Kind::kNewGroup,
                .shard = shard.index,
                .epoch = shard.epoch,
                .to = to,
                .group_id = group->group_id,
                .batch = broker::MakeBatch({Encode(record, turn.now_ms())})});
  ArmExpiry(turn, shard, group->group_id);
}

bool GroupCoordinator::AcceptsJoiningMember(const Turn& turn, const ClassicGroup& group,
                                            const std::string& member_id) const {
  const int64_t most = turn.config().group_max_size;
  const GroupMember* member = group.FindMember(member_id);
  switch (group.state) {
    case GroupState::kEmpty:
    case GroupState::kDead:
      return true;
    case GroupState::kPreparingRebalance:
      return (member != nullptr && member->awaiting_join.has_value()) ||
             group.AwaitingJoin() < most;
    case GroupState::kCompletingRebalance:
    case GroupState::kStable:
      return member != nullptr || static_cast<int64_t>(group.members.size()) < most;
  }
  return false;
}

bool GroupCoordinator::JoinNewMember(Turn& turn, GroupShard& shard, ClassicGroup& group,
                                     const sim::ReplyTo& to, const JoinGroupRequest& request) {
  if (!group.Supports(request.protocol_type, request.protocols)) {
    RefuseJoin(turn, to, request, &group, "", ErrorCode::kInconsistentGroupProtocol);
    return false;
  }
  const std::string member_id =
      shard.NextMemberId(request.group_instance_id.value_or(request.client_id));
  if (request.group_instance_id.has_value()) {
    const std::string known = group.StaticMemberId(*request.group_instance_id);
    if (!known.empty()) {
      return ReplaceStaticMember(turn, shard, group, known, member_id, to, request);
    }
  } else if (request.version >= kMemberIdRequiredVersion) {
    const sim::Time deadline = turn.now() + sim::Millis(request.session_timeout_ms);
    group.pending_members.push_back({.member_id = member_id, .deadline = deadline});
    WakeAt(turn, shard, deadline);
    if (turn.context.tracing()) {
      turn.effects.push_back(MemberPoint(events::kMemberIdGiven, group, member_id,
                                         {{"client_id", request.client_id}}));
    }
    turn.Reply(to, broker::MakeMessage(JoinGroupResponse{.error = ErrorCode::kMemberIdRequired,
                                                         .member_id = member_id}));
    return false;
  }
  AddMember(turn, shard, group, member_id, to, request);
  return false;
}

void GroupCoordinator::JoinExistingMember(Turn& turn, GroupShard& shard, ClassicGroup& group,
                                          const sim::ReplyTo& to, const JoinGroupRequest& request) {
  const std::string& member_id = request.member_id;
  const auto refuse = [&](ErrorCode error) {
    RefuseJoin(turn, to, request, &group, member_id, error);
  };
  if (!group.Supports(request.protocol_type, request.protocols)) {
    return refuse(ErrorCode::kInconsistentGroupProtocol);
  }
  if (group.IsPending(member_id)) {
    // Only dynamic members are told to come back with an id.
    if (request.group_instance_id.has_value()) return refuse(ErrorCode::kUnknownServerError);
    return AddMember(turn, shard, group, member_id, to, request);
  }
  const ErrorCode error = group.ValidateMember(member_id, request.group_instance_id);
  if (error != ErrorCode::kNone) return refuse(error);
  GroupMember& member = *group.FindMember(member_id);
  const bool unchanged = member.protocols == request.protocols;
  switch (group.state) {
    case GroupState::kPreparingRebalance:
      return UpdateMember(turn, shard, group, member, to, request, "is joining");
    case GroupState::kCompletingRebalance:
      if (!unchanged) return UpdateMember(turn, shard, group, member, to, request, "has changed");
      return turn.Reply(
          to, broker::MakeMessage(CurrentGeneration(group, member_id, group.IsLeader(member_id))));
    case GroupState::kStable:
      // The leader joins to have the group assigned anew, of which its own metadata need not tell.
      if (group.IsLeader(member_id)) {
        return UpdateMember(turn, shard, group, member, to, request, "leads and joins again");
      }
      if (!unchanged) return UpdateMember(turn, shard, group, member, to, request, "has changed");
      return turn.Reply(
          to, broker::MakeMessage(CurrentGeneration(group, member_id, /*with_members=*/false)));
    case GroupState::kEmpty:
    case GroupState::kDead:
      return refuse(ErrorCode::kUnknownMemberId);
  }
}

void GroupCoordinator::AddMember(Turn& turn, GroupShard& shard, ClassicGroup& group,
                                 const std::string& member_id, const sim::ReplyTo& to,
                                 const JoinGroupRequest& request) {
  // The first rebalance waits for more members as long as some come.
  if (group.Is(GroupState::kPreparingRebalance) && group.previous_state == GroupState::kEmpty) {
    group.new_member_added = true;
  }
  group.Add({.member_id = member_id,
             .group_instance_id = request.group_instance_id,
             .client_id = request.client_id,
             .rebalance_timeout_ms = request.rebalance_timeout_ms,
             .session_timeout_ms = request.session_timeout_ms,
             .protocols = request.protocols,
             .is_new = true,
             .awaiting_join = to},
            request.protocol_type);
  if (turn.context.tracing()) {
    turn.effects.push_back(
        MemberPoint(events::kMemberJoined, group, member_id,
                    {{"client_id", request.client_id},
                     {"group_instance_id", request.group_instance_id.value_or("")}}));
  }
  RescheduleSession(turn, shard, *group.FindMember(member_id), kNewMemberJoinTimeoutMs);
  MaybePrepareRebalance(turn, shard, group, member_id + " is new");
}

void GroupCoordinator::UpdateMember(Turn& turn, GroupShard& shard, ClassicGroup& group,
                                    GroupMember& member, const sim::ReplyTo& to,
                                    const JoinGroupRequest& request, std::string_view reason) {
  member.protocols = request.protocols;
  member.rebalance_timeout_ms = request.rebalance_timeout_ms;
  member.session_timeout_ms = request.session_timeout_ms;
  member.awaiting_join = to;
  MaybePrepareRebalance(turn, shard, group, member.member_id + " " + std::string(reason));
}

}  // namespace kafkasim::coordinator

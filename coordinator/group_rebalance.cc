// How a group goes from generation to generation (GroupMetadataManager: prepareRebalance,
// completeClassicGroupJoin, tryCompleteInitialRebalanceElseSchedule, expirePendingSync and
// expireClassicGroupMemberHeartbeat).
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "coordinator/group_coordinator.h"
#include "coordinator/group_trace.h"

namespace kafkasim::coordinator {

using broker::ErrorCode;

void GroupCoordinator::AnswerJoin(Turn& turn, GroupMember& member,
                                  broker::JoinGroupResponse response) {
  if (!member.awaiting_join.has_value()) return;
  if (member.awaiting_join->process != sim::kNoProcess) {
    turn.Reply(*member.awaiting_join, broker::MakeMessage(std::move(response)));
  }
  member.awaiting_join.reset();
}

void GroupCoordinator::AnswerSync(Turn& turn, GroupMember& member,
                                  broker::SyncGroupResponse response) {
  if (!member.awaiting_sync.has_value()) return;
  turn.Reply(*member.awaiting_sync, broker::MakeMessage(std::move(response)));
  member.awaiting_sync.reset();
}

void GroupCoordinator::FailSync(Turn& turn, GroupShard& shard, ClassicGroup& group,
                                ErrorCode error) {
  for (GroupMember& member : group.members) {
    member.assignment.clear();
    if (!member.awaiting_sync.has_value()) continue;
    AnswerSync(turn, member, {.error = error});
    RescheduleSession(turn, shard, member, member.session_timeout_ms);
  }
}

void GroupCoordinator::MaybePrepareRebalance(Turn& turn, GroupShard& shard, ClassicGroup& group,
                                             std::string_view reason) {
  if (CanRebalance(group.state)) {
    PrepareRebalance(turn, shard, group, reason);
  } else {
    MaybeCompleteJoinPhase(turn, shard, group);
  }
}

void GroupCoordinator::PrepareRebalance(Turn& turn, GroupShard& shard, ClassicGroup& group,
                                        std::string_view reason) {
  if (group.Is(GroupState::kCompletingRebalance)) {
    FailSync(turn, shard, group, ErrorCode::kRebalanceInProgress);
  }
  group.pending_sync.clear();
  group.sync_deadline.reset();
  const bool is_initial = group.Is(GroupState::kEmpty);
  if (is_initial) {
    const int64_t delay_ms = turn.config().group_initial_rebalance_delay_ms;
    group.join_timer =
        JoinTimer{.deadline = turn.now() + sim::Millis(std::max<int64_t>(delay_ms, 1)),
                  .initial = true,
                  .delay_ms = delay_ms,
                  .remaining_ms = std::max<int64_t>(group.RebalanceTimeoutMs() - delay_ms, 0)};
    WakeAt(turn, shard, group.join_timer->deadline);
  }
  group.TransitionTo(GroupState::kPreparingRebalance, turn.now_ms());
  if (turn.context.tracing()) {
    turn.effects.push_back(
        GroupPoint(events::kGroupRebalancing, group, {{"reason", std::string(reason)}}));
  }
  if (is_initial) return;
  if (group.HasAllMembersJoined()) return CompleteJoin(turn, shard, group);
  group.join_timer =
      JoinTimer{.deadline = turn.now() + sim::Millis(std::max(group.RebalanceTimeoutMs(), 1))};
  WakeAt(turn, shard, group.join_timer->deadline);
}

void GroupCoordinator::MaybeCompleteJoinPhase(Turn& turn, GroupShard& shard, ClassicGroup& group) {
  // The first rebalance of an empty group ends by time only.
  if (!group.Is(GroupState::kPreparingRebalance) || group.previous_state == GroupState::kEmpty ||
      !group.HasAllMembersJoined()) {
    return;
  }
  CompleteJoin(turn, shard, group);
}

void GroupCoordinator::CompleteJoin(Turn& turn, GroupShard& shard, ClassicGroup& group) {
  group.join_timer.reset();
  std::vector<std::string> missing;  // static members keep their place
  for (const GroupMember& member : group.members) {
    if (member.awaiting_join.has_value() || member.group_instance_id.has_value()) continue;
    missing.push_back(member.member_id);
  }
  for (const std::string& member_id : missing) {
    group.Remove(member_id);
    if (!turn.context.tracing()) continue;
    turn.effects.push_back(
        MemberPoint(events::kMemberExpired, group, member_id,
                    {{"reason", std::string("did not join before the rebalance timeout")}}));
  }
  if (!group.MaybeElectNewJoinedLeader() && !group.members.empty()) {
    // Nobody joined: session timeouts will remove the members that are left.
    group.join_timer =
        JoinTimer{.deadline = turn.now() + sim::Millis(std::max(group.RebalanceTimeoutMs(), 1))};
    WakeAt(turn, shard, group.join_timer->deadline);
    return;
  }
  group.InitNextGeneration(turn.now_ms());
  if (group.Is(GroupState::kEmpty)) {
    if (turn.context.tracing()) {
      turn.effects.push_back(GroupPoint(events::kGroupEmpty, group, {}));
    }
    AppendGroup(turn, shard, group, {.kind = PendingOperation::Kind::kEmptyGroup});
    ArmExpiry(turn, shard, group.group_id);
    return;
  }
  if (turn.context.tracing()) {
    turn.effects.push_back(GroupPoint(
        events::kGroupGeneration, group,
        {{"protocol", group.protocol_name.value_or("")}, {"leader", group.leader.value_or("")}}));
  }
  for (GroupMember& member : group.members) {
    broker::JoinGroupResponse response{.generation_id = group.generation_id,
                                       .protocol_name = *group.protocol_name,
                                       .leader = group.leader.value_or(""),
                                       .member_id = member.member_id};
    if (group.IsLeader(member.member_id)) response.members = MembersForLeader(group);
    AnswerJoin(turn, member, std::move(response));
    RescheduleSession(turn, shard, member, member.session_timeout_ms);
    member.is_new = false;
    group.AddPendingSync(member.member_id);
  }
  group.sync_deadline = turn.now() + sim::Millis(std::max(group.RebalanceTimeoutMs(), 1));
  WakeAt(turn, shard, *group.sync_deadline);
}

void GroupCoordinator::ExtendInitialRebalance(Turn& turn, GroupShard& shard, ClassicGroup& group) {
  const JoinTimer ended = *group.join_timer;
  if (!group.new_member_added || ended.remaining_ms == 0) return CompleteJoin(turn, shard, group);
  group.new_member_added = false;
  const int64_t delay_ms =
      std::min(turn.config().group_initial_rebalance_delay_ms, ended.remaining_ms);
  group.join_timer =
      JoinTimer{.deadline = turn.now() + sim::Millis(std::max<int64_t>(delay_ms, 1)),
                .initial = true,
                .delay_ms = delay_ms,
                .remaining_ms = std::max<int64_t>(ended.remaining_ms - ended.delay_ms, 0)};
  WakeAt(turn, shard, group.join_timer->deadline);
}

void GroupCoordinator::ExpirePendingSync(Turn& turn, GroupShard& shard, ClassicGroup& group) {
  group.sync_deadline.reset();
  if (group.pending_sync.empty()) return;
  const std::vector<std::string> missing = group.pending_sync;
  for (const std::string& member_id : missing) {
    group.Remove(member_id);
    if (!turn.context.tracing()) continue;
    turn.effects.push_back(MemberPoint(
        events::kMemberExpired, group, member_id,
        {{"reason", std::string("did not ask for its assignment before the rebalance timeout")}}));
  }
  PrepareRebalance(turn, shard, group, "members did not ask for their assignment");
}

void GroupCoordinator::ExpireMember(Turn& turn, GroupShard& shard, ClassicGroup& group,
                                    const std::string& member_id) {
  const GroupMember* known = group.FindMember(member_id);
  if (turn.context.tracing()) {
    const std::string reason =
        known == nullptr
            ? "did not come back with its id"
            : fmt::format("not heard for {} ms",
                          known->is_new ? kNewMemberJoinTimeoutMs : known->session_timeout_ms);
    turn.effects.push_back(
        MemberPoint(events::kMemberExpired, group, member_id, {{"reason", reason}}));
  }
  if (known == nullptr) {
    group.Remove(member_id);
    if (group.Is(GroupState::kPreparingRebalance) && group.HasAllMembersJoined()) {
      CompleteJoin(turn, shard, group);
    }
    return;
  }
  AnswerJoin(turn, *group.FindMember(member_id), {.error = ErrorCode::kUnknownMemberId});
  group.Remove(member_id);
  if (group.Is(GroupState::kStable) || group.Is(GroupState::kCompletingRebalance)) {
    MaybePrepareRebalance(turn, shard, group, member_id + " was not heard in time");
  } else if (group.Is(GroupState::kPreparingRebalance) && group.HasAllMembersJoined()) {
    CompleteJoin(turn, shard, group);
  }
}

}  // namespace kafkasim::coordinator

// One consumer group in its coordinator's memory: its state, generation and members, as the classic
// protocol has them (classes ClassicGroup and ClassicGroupMember, Kafka 4.4 development line).
//
// Members stand in the order in which they joined; Kafka's order is that of a hash map. Who waits
// for an answer, and until when, is part of a member; a log keeps neither.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "broker/error_code.h"
#include "broker/ids.h"
#include "broker/messages_group.h"
#include "coordinator/group_state.h"
#include "sim/fingerprint.h"
#include "sim/process.h"
#include "sim/time.h"

namespace kafkasim::coordinator {

// A new member has no id to send heartbeats with: its JoinGroup may wait so long, and is then given
// up (group.new.member.join.timeout.ms, which no configuration changes).
inline constexpr int64_t kNewMemberJoinTimeoutMs = 300'000;

using GroupProtocols = std::vector<broker::JoinGroupRequest::Protocol>;

struct GroupMember {
  std::string member_id{};
  std::optional<std::string> group_instance_id{};  // of a static member (KIP-345)
  std::string client_id{};
  int32_t rebalance_timeout_ms = 0;
  int32_t session_timeout_ms = 0;
  GroupProtocols protocols{};  // in the member's order of preference
  broker::PartitionList assignment{};
  bool is_new = false;                          // has not been through a whole join phase
  std::optional<sim::ReplyTo> awaiting_join{};  // to no process: answered with an error already
  std::optional<sim::ReplyTo> awaiting_sync{};
  std::optional<sim::Time> session_deadline{};

  // Members that wait for the others need no heartbeat; a new one has only its JoinGroup.
  [[nodiscard]] bool HasSatisfiedHeartbeat() const {
    return !is_new && (awaiting_join.has_value() || awaiting_sync.has_value());
  }
  // Null if it does not support that protocol.
  [[nodiscard]] const broker::MemberSubscription* FindSubscription(std::string_view protocol) const;

  void AppendTo(sim::CanonicalBytes& out) const;
};

// Somebody who was told an id and has not joined with it yet (KIP-394).
struct PendingMember {
  std::string member_id{};
  sim::Time deadline{};

  void AppendTo(sim::CanonicalBytes& out) const;
};

// What ends the join phase by time. The first rebalance of an empty group waits in steps of
// group.initial.rebalance.delay.ms, as long as members come and `remaining_ms` allows.
struct JoinTimer {
  sim::Time deadline{};
  bool initial = false;
  int64_t delay_ms = 0;  // of the step under way
  int64_t remaining_ms = 0;

  void AppendTo(sim::CanonicalBytes& out) const;
};

// A struct with the steps of Kafka's class; the coordinator calls them in Kafka's order.
struct ClassicGroup {
  std::string group_id{};
  GroupState state = GroupState::kEmpty;
  GroupState previous_state = GroupState::kDead;
  int32_t generation_id = 0;
  std::optional<std::string> protocol_type{};  // none: simple group, offsets without members
  std::optional<std::string> protocol_name{};
  std::optional<std::string> leader{};
  int64_t state_timestamp_ms = -1;
  bool new_member_added = false;  // while the initial delay runs
  std::vector<GroupMember> members{};
  std::vector<PendingMember> pending_members{};
  std::vector<std::string> pending_sync{};  // members whose SyncGroup has not come; sorted
  // Of all members, known once a protocol is chosen; for the expiry of offsets. Sorted.
  std::optional<std::vector<broker::TopicId>> subscribed_topics{};
  std::optional<JoinTimer> join_timer{};
  std::optional<sim::Time> sync_deadline{};

  // ---- Looking ----
  [[nodiscard]] bool Is(GroupState wanted) const { return state == wanted; }
  [[nodiscard]] GroupMember* FindMember(std::string_view member_id);
  [[nodiscard]] const GroupMember* FindMember(std::string_view member_id) const;
  // "" if no member has that instance id.
  [[nodiscard]] std::string StaticMemberId(std::string_view group_instance_id) const;
  [[nodiscard]] bool IsPending(std::string_view member_id) const;
  [[nodiscard]] bool IsLeader(std::string_view member_id) const { return leader == member_id; }
  [[nodiscard]] int64_t AwaitingJoin() const;
  [[nodiscard]] bool HasAllMembersJoined() const;
  // The longest of all members.
  [[nodiscard]] int32_t RebalanceTimeoutMs() const;
  // Whether a member with these protocols can be in the group: it shares one with all others.
  [[nodiscard]] bool Supports(std::string_view type, const GroupProtocols& protocols) const;
  // The protocol with the most votes among those that all members support; each votes for the one
  // it likes best. A tie goes to the first by name. There must be members.
  [[nodiscard]] std::string SelectProtocol() const;
  [[nodiscard]] bool IsSubscribedTo(broker::TopicId topic) const;
  // NONE, or why a request of this member is refused:
  //   UNKNOWN_MEMBER_ID   no such instance, or no such member
  //   FENCED_INSTANCE_ID  the instance belongs to another member by now
  [[nodiscard]] broker::ErrorCode ValidateMember(
      std::string_view member_id, const std::optional<std::string>& group_instance_id) const;

  // ---- Changing ----
  // An illegal step is a bug.
  void TransitionTo(GroupState next, int64_t now_ms);
  // The first member decides the protocol type, and leads.
  void Add(GroupMember member, std::string_view type);
  // Also a pending one. The first member that is left becomes leader if the leader goes.
  void Remove(std::string_view member_id);
  // Whether the group has a leader that has joined; if need be, the first member that has.
  bool MaybeElectNewJoinedLeader();
  // The id of a static member that has come back; its place, assignment and leadership stay.
  GroupMember& ReplaceStaticMember(std::string_view old_member_id,
                                   const std::string& new_member_id);
  void AddPendingSync(const std::string& member_id);
  void RemovePendingSync(std::string_view member_id);
  // The join phase is over: COMPLETING_REBALANCE with a protocol, or EMPTY.
  void InitNextGeneration(int64_t now_ms);
  void ComputeSubscribedTopics();

  void AppendTo(sim::CanonicalBytes& out) const;
};

}  // namespace kafkasim::coordinator

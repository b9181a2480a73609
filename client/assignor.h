// Who of a group gets which partitions, as its leader decides: interface ConsumerPartitionAssignor
// and the assignors that come with Kafka, 4.4 development line. Pure functions: the same members
// and topics give the same assignment.
//
// Simplified on purpose: no racks (KIP-881). Where Kafka goes through members in the order of a
// hash map, members are gone through here in the order of their ids.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "broker/ids.h"
#include "broker/messages_group.h"

namespace kafkasim::client {

struct SubscribedTopic {
  broker::TopicId id{};
  std::string name{};
  int32_t partitions = 0;
};

using GroupMember = broker::JoinGroupResponse::Member;

// What an assignor is given.
struct GroupSubscription {
  std::vector<SubscribedTopic> topics{};  // that exist and somebody wants, by name
  std::vector<GroupMember> members{};     // by member id
};

// What it gives: a row a member, in their order.
using GroupAssignment = std::vector<broker::SyncGroupRequest::Assignment>;

struct Assignor {
  std::string_view name{};   // "cooperative-sticky"
  bool cooperative = false;  // members keep what they have until they are told to give it up
  GroupAssignment (*assign)(const GroupSubscription&) = nullptr;
};

// range, roundrobin, sticky, cooperative-sticky.
[[nodiscard]] std::span<const Assignor> Assignors();
// Null if there is none of this name.
[[nodiscard]] const Assignor* FindAssignor(std::string_view name);

// Each topic by itself: its partitions in a row, divided among its members; the first get one more.
[[nodiscard]] GroupAssignment AssignRange(const GroupSubscription& group);
// All partitions of all topics, dealt out in turn to those who want them.
[[nodiscard]] GroupAssignment AssignRoundRobin(const GroupSubscription& group);
// As balanced as possible, and everybody keeps what he has as far as that allows.
[[nodiscard]] GroupAssignment AssignSticky(const GroupSubscription& group);
// The same, but what has to change hands is left out: its owner must give it up first, and then the
// group rebalances once more (KIP-429).
[[nodiscard]] GroupAssignment AssignCooperativeSticky(const GroupSubscription& group);

// The members as range and roundrobin go through them: static members by instance id, then the
// others by member id (AbstractPartitionAssignor.MemberInfo). Positions in `group.members`.
[[nodiscard]] std::vector<size_t> MembersInOrder(const GroupSubscription& group);
[[nodiscard]] bool IsSubscribed(const GroupMember& member, broker::TopicId topic);

}  // namespace kafkasim::client

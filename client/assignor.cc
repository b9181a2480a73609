// The table of assignors, and the two that do not look at what members have.
#include "client/assignor.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace kafkasim::client {
namespace {

constexpr std::array kAssignors = {
    Assignor{.name = "range", .assign = &AssignRange},
    Assignor{.name = "roundrobin", .assign = &AssignRoundRobin},
    Assignor{.name = "sticky", .assign = &AssignSticky},
    Assignor{.name = "cooperative-sticky", .cooperative = true, .assign = &AssignCooperativeSticky},
};

GroupAssignment NothingFor(const GroupSubscription& group) {
  GroupAssignment assignment;
  for (const GroupMember& member : group.members) {
    assignment.push_back({.member_id = member.member_id});
  }
  return assignment;
}

}  // namespace

std::span<const Assignor> Assignors() { return kAssignors; }

const Assignor* FindAssignor(std::string_view name) {
  const auto* found = std::find_if(kAssignors.begin(), kAssignors.end(),
                                   [name](const Assignor& known) { return known.name == name; });
  return found == kAssignors.end() ? nullptr : found;
}

std::vector<size_t> MembersInOrder(const GroupSubscription& group) {
  std::vector<size_t> order(group.members.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const auto& first = group.members[a].group_instance_id;
    const auto& second = group.members[b].group_instance_id;
    if (first.has_value() != second.has_value()) return first.has_value();
    if (first.has_value()) return *first < *second;
    return group.members[a].member_id < group.members[b].member_id;
  });
  return order;
}

bool IsSubscribed(const GroupMember& member, broker::TopicId topic) {
  const std::vector<broker::TopicId>& topics = member.subscription.topics;
  return std::find(topics.begin(), topics.end(), topic) != topics.end();
}

// RangeAssignor.
GroupAssignment AssignRange(const GroupSubscription& group) {
  GroupAssignment assignment = NothingFor(group);
  for (const SubscribedTopic& topic : group.topics) {
    std::vector<size_t> consumers;
    for (const size_t member : MembersInOrder(group)) {
      if (IsSubscribed(group.members[member], topic.id)) consumers.push_back(member);
    }
    const auto count = static_cast<int32_t>(consumers.size());
    int32_t next = 0;
    for (int32_t i = 0; i < count; ++i) {
      const int32_t share = topic.partitions / count + (i < topic.partitions % count ? 1 : 0);
      for (int32_t j = 0; j < share; ++j) {
        assignment[consumers[static_cast<size_t>(i)]].partitions.push_back({topic.id, next++});
      }
    }
  }
  return assignment;
}

// RoundRobinAssignor.
GroupAssignment AssignRoundRobin(const GroupSubscription& group) {
  GroupAssignment assignment = NothingFor(group);
  const std::vector<size_t> order = MembersInOrder(group);
  size_t turn = 0;
  for (const SubscribedTopic& topic : group.topics) {
    const bool wanted = std::any_of(order.begin(), order.end(), [&](size_t member) {
      return IsSubscribed(group.members[member], topic.id);
    });
    for (int32_t partition = 0; wanted && partition < topic.partitions; ++partition) {
      while (!IsSubscribed(group.members[order[turn]], topic.id)) turn = (turn + 1) % order.size();
      assignment[order[turn]].partitions.push_back({topic.id, partition});
      turn = (turn + 1) % order.size();
    }
  }
  return assignment;
}

}  // namespace kafkasim::client

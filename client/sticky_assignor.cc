// sticky and cooperative-sticky: classes AbstractStickyAssignor, StickyAssignor and
// CooperativeStickyAssignor, Kafka 4.4 development line. The two algorithms are in
// sticky_constrained.cc and sticky_general.cc.
#include <algorithm>
#include <map>

#include "client/assignor.h"
#include "client/sticky_assignment.h"

namespace kafkasim::client {
namespace {

GroupAssignment ToAssignment(const StickyTask& task, const StickyResult& result) {
  GroupAssignment assignment;
  for (int member = 0; member < task.member_count(); ++member) {
    auto& row = assignment.emplace_back();
    row.member_id = task.group->members[static_cast<size_t>(member)].member_id;
    for (const PartitionNumber number : result.assignment[static_cast<size_t>(member)]) {
      row.partitions.push_back(task.partitions[static_cast<size_t>(number)].id);
    }
  }
  return assignment;
}

StickyResult Assign(const StickyTask& task) {
  return task.same_topics ? AssignConstrained(task) : AssignGeneral(task);
}

// computePartitionsTransferringOwnership: what somebody has to give up and somebody else is to get.
std::vector<std::pair<PartitionNumber, MemberNumber>> Transferred(const StickyTask& task,
                                                                  const StickyResult& result) {
  std::map<PartitionNumber, MemberNumber> added;
  std::set<PartitionNumber> revoked;
  for (int member = 0; member < task.member_count(); ++member) {
    const auto& claimed = task.claimed[static_cast<size_t>(member)];
    const auto& assigned = result.assignment[static_cast<size_t>(member)];
    const auto contains = [](const auto& list, PartitionNumber number) {
      return std::find(list.begin(), list.end(), number) != list.end();
    };
    for (const PartitionNumber number : assigned) {
      if (!contains(claimed, number)) added[number] = member;
    }
    for (const PartitionNumber number : claimed) {
      if (!contains(assigned, number)) revoked.insert(number);
    }
  }
  std::vector<std::pair<PartitionNumber, MemberNumber>> transferred;
  for (const auto& [number, member] : added) {
    if (revoked.count(number) > 0) transferred.emplace_back(number, member);
  }
  return transferred;
}

}  // namespace

int32_t StickyTask::GenerationOf(MemberNumber member) const {
  return group->members[static_cast<size_t>(member)].subscription.generation_id;
}

StickyTask PrepareSticky(const GroupSubscription& group) {
  StickyTask task{.group = &group};
  for (size_t topic = 0; topic < group.topics.size(); ++topic) {
    task.first_of.push_back(task.partition_count());
    for (int32_t i = 0; i < group.topics[topic].partitions; ++i) {
      task.partitions.push_back({{group.topics[topic].id, i}, static_cast<int>(topic)});
    }
  }
  task.first_of.push_back(task.partition_count());
  std::map<broker::PartitionId, PartitionNumber> numbers;
  for (int number = 0; number < task.partition_count(); ++number) {
    numbers[task.partitions[static_cast<size_t>(number)].id] = number;
  }
  task.owned.resize(group.members.size());
  task.claimed.resize(group.members.size());
  std::map<PartitionNumber, MemberNumber> owner;
  for (int member = 0; member < task.member_count(); ++member) {
    const auto& subscription = group.members[static_cast<size_t>(member)].subscription;
    if (subscription.topics != group.members.front().subscription.topics) task.same_topics = false;
    task.max_generation = std::max(task.max_generation, subscription.generation_id);
    for (const broker::PartitionId& id : subscription.owned) {
      const auto number = numbers.find(id);
      if (number == numbers.end()) continue;  // its topic is gone
      task.claimed[static_cast<size_t>(member)].push_back(number->second);
      const auto other = owner.find(number->second);
      if (other != owner.end()) {
        const int32_t other_generation = task.GenerationOf(other->second);
        if (subscription.generation_id < other_generation) continue;
        auto& others = task.owned[static_cast<size_t>(other->second)];
        others.erase(std::remove(others.begin(), others.end(), number->second), others.end());
        if (subscription.generation_id == other_generation) {
          // Two owners in one generation: neither keeps it.
          task.claimed_twice.insert(number->second);
          owner[number->second] = member;
          continue;
        }
      }
      task.owned[static_cast<size_t>(member)].push_back(number->second);
      owner[number->second] = member;
    }
  }
  return task;
}

GroupAssignment AssignSticky(const GroupSubscription& group) {
  const StickyTask task = PrepareSticky(group);
  return ToAssignment(task, Assign(task));
}

GroupAssignment AssignCooperativeSticky(const GroupSubscription& group) {
  const StickyTask task = PrepareSticky(group);
  StickyResult result = Assign(task);
  if (!result.transferred.has_value()) result.transferred = Transferred(task, result);
  for (const auto& [number, member] : *result.transferred) {
    auto& row = result.assignment[static_cast<size_t>(member)];
    row.erase(std::remove(row.begin(), row.end(), number), row.end());
  }
  return ToAssignment(task, result);
}

}  // namespace kafkasim::client

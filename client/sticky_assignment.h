// The state in which the sticky assignors count: members and partitions as small numbers, and who
// owned what. Class AbstractStickyAssignor, Kafka 4.4 development line. Private to the assignors.
//
// A member's number is its position in the group, so numbers are in the order of member ids; a
// partition's number counts through all partitions of all topics in the order of topic names.
#pragma once

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "client/assignor.h"

namespace kafkasim::client {

using MemberNumber = int;
using PartitionNumber = int;

struct AssignablePartition {
  broker::PartitionId id{};
  int topic = 0;  // position in the group's topics
};

struct StickyTask {
  const GroupSubscription* group = nullptr;
  std::vector<AssignablePartition> partitions{};        // by number
  std::vector<PartitionNumber> first_of{};              // of each topic, and the total at the end
  std::vector<std::vector<PartitionNumber>> owned{};    // by member: what counts as owned now
  std::vector<std::vector<PartitionNumber>> claimed{};  // by member: what it said it has
  std::set<PartitionNumber> claimed_twice{};            // by two members of one generation
  bool same_topics = true;                              // everybody subscribed to the same
  int32_t max_generation = -1;

  [[nodiscard]] int member_count() const { return static_cast<int>(group->members.size()); }
  [[nodiscard]] int partition_count() const { return static_cast<int>(partitions.size()); }
  [[nodiscard]] int32_t GenerationOf(MemberNumber member) const;
};

// What an algorithm finds.
struct StickyResult {
  std::vector<std::vector<PartitionNumber>> assignment{};  // by member
  // Partitions that go from one owner to another, and to whom; nullopt: to be found by comparing.
  std::optional<std::vector<std::pair<PartitionNumber, MemberNumber>>> transferred{};
};

// allSubscriptionsEqual: who owns what, when members of several generations claim the same.
[[nodiscard]] StickyTask PrepareSticky(const GroupSubscription& group);

// ConstrainedAssignmentBuilder: everybody subscribed to the same topics.
[[nodiscard]] StickyResult AssignConstrained(const StickyTask& task);
// GeneralAssignmentBuilder: subscriptions differ.
[[nodiscard]] StickyResult AssignGeneral(const StickyTask& task);

}  // namespace kafkasim::client

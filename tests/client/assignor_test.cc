// The assignors against the examples of Kafka's own tests (RangeAssignorTest,
// RoundRobinAssignorTest, AbstractStickyAssignorTest, CooperativeStickyAssignorTest).
#include "client/assignor.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kafkasim::client {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

// Topic n is called topic<n>.
broker::PartitionId Tp(int topic, int partition) { return {broker::TopicId(topic), partition}; }

GroupMember Member(std::string id, std::initializer_list<int> topics,
                   std::initializer_list<broker::PartitionId> owned = {}, int generation = -1) {
  GroupMember member{.member_id = std::move(id)};
  for (const int topic : topics) member.subscription.topics.push_back(broker::TopicId(topic));
  member.subscription.owned.assign(owned.begin(), owned.end());
  member.subscription.generation_id = generation;
  return member;
}

// Topics with so many partitions, by number.
GroupSubscription Group(std::map<int, int> topics, std::vector<GroupMember> members) {
  GroupSubscription group{.members = std::move(members)};
  for (const auto& [number, partitions] : topics) {
    group.topics.push_back({broker::TopicId(number), "topic" + std::to_string(number), partitions});
  }
  return group;
}

// What each member gets, in the order of members.
std::vector<std::vector<std::string>> Assigned(const GroupAssignment& assignment) {
  std::vector<std::vector<std::string>> all;
  for (const auto& row : assignment) {
    std::vector<std::string>& texts = all.emplace_back();
    for (const broker::PartitionId& id : row.partitions) {
      texts.push_back(std::to_string(id.topic.value()) + "-" + std::to_string(id.index));
    }
  }
  return all;
}
using Texts = std::vector<std::string>;

TEST(RangeAssignor, GivesTheFirstMembersOneMoreOfEachTopic) {
  const GroupSubscription group =
      Group({{1, 3}, {2, 3}}, {Member("consumer1", {1, 2}), Member("consumer2", {1, 2})});
  EXPECT_THAT(Assigned(AssignRange(group)),
              ElementsAre(Texts{"1-0", "1-1", "2-0", "2-1"}, Texts{"1-2", "2-2"}));
}

TEST(RangeAssignor, GivesATopicOnlyToThoseWhoSubscribedToIt) {
  const GroupSubscription group =
      Group({{1, 3}, {2, 2}},
            {Member("consumer1", {1}), Member("consumer2", {1, 2}), Member("consumer3", {1})});
  EXPECT_THAT(Assigned(AssignRange(group)),
              ElementsAre(Texts{"1-0"}, Texts{"1-1", "2-0", "2-1"}, Texts{"1-2"}));
}

TEST(RangeAssignor, StaticMembersComeFirstByTheirInstanceIds) {
  GroupSubscription group =
      Group({{1, 3}, {2, 3}}, {Member("consumer-a", {1, 2}), Member("consumer-b", {1, 2})});
  group.members[1].group_instance_id = "instance1";
  EXPECT_THAT(Assigned(AssignRange(group)),
              ElementsAre(Texts{"1-2", "2-2"}, Texts{"1-0", "1-1", "2-0", "2-1"}));
}

TEST(RangeAssignor, MoreMembersThanPartitionsLeaveSomeWithoutAny) {
  const GroupSubscription group =
      Group({{1, 1}}, {Member("consumer1", {1}), Member("consumer2", {1})});
  EXPECT_THAT(Assigned(AssignRange(group)), ElementsAre(Texts{"1-0"}, Texts{}));
}

TEST(RoundRobinAssignor, DealsOutAllPartitionsInTurn) {
  const GroupSubscription group =
      Group({{1, 3}, {2, 3}}, {Member("consumer1", {1, 2}), Member("consumer2", {1, 2})});
  EXPECT_THAT(Assigned(AssignRoundRobin(group)),
              ElementsAre(Texts{"1-0", "1-2", "2-1"}, Texts{"1-1", "2-0", "2-2"}));
}

TEST(RoundRobinAssignor, PassesOverThoseWhoDidNotSubscribe) {
  const GroupSubscription group =
      Group({{1, 3}, {2, 2}},
            {Member("consumer1", {1}), Member("consumer2", {1, 2}), Member("consumer3", {1})});
  EXPECT_THAT(Assigned(AssignRoundRobin(group)),
              ElementsAre(Texts{"1-0"}, Texts{"1-1", "2-0", "2-1"}, Texts{"1-2"}));
}

TEST(StickyAssignor, KeepsWhatItCanWhenMembersComeAndGo) {
  const GroupAssignment first = AssignSticky(Group({{1, 3}}, {Member("consumer1", {1})}));
  EXPECT_THAT(Assigned(first), ElementsAre(Texts{"1-0", "1-1", "1-2"}));
  const GroupAssignment second =
      AssignSticky(Group({{1, 3}}, {Member("consumer1", {1}, {Tp(1, 0), Tp(1, 1), Tp(1, 2)}, 1),
                                    Member("consumer2", {1}, {}, 1)}));
  EXPECT_THAT(Assigned(second), ElementsAre(Texts{"1-0", "1-1"}, Texts{"1-2"}));
  const GroupAssignment third =
      AssignSticky(Group({{1, 3}}, {Member("consumer2", {1}, {Tp(1, 2)}, 1)}));
  EXPECT_THAT(Assigned(third)[0], UnorderedElementsAre("1-0", "1-1", "1-2"));
}

TEST(StickyAssignor, TwoMoreMembersTakeFromTheTwoThereAre) {
  const GroupAssignment first = AssignSticky(
      Group({{1, 3}, {2, 4}}, {Member("consumer1", {1, 2}), Member("consumer2", {1, 2})}));
  EXPECT_THAT(Assigned(first),
              ElementsAre(Texts{"1-0", "1-2", "2-1", "2-3"}, Texts{"1-1", "2-0", "2-2"}));
  const GroupAssignment second = AssignSticky(Group(
      {{1, 3}, {2, 4}}, {Member("consumer1", {1, 2}, {Tp(1, 0), Tp(1, 2), Tp(2, 1), Tp(2, 3)}, 1),
                         Member("consumer2", {1, 2}, {Tp(1, 1), Tp(2, 0), Tp(2, 2)}, 1),
                         Member("consumer3", {1, 2}, {}, 1), Member("consumer4", {1, 2}, {}, 1)}));
  EXPECT_THAT(Assigned(second), ElementsAre(Texts{"1-0", "2-1"}, Texts{"2-0", "1-1"},
                                            Texts{"1-2", "2-3"}, Texts{"2-2"}));
}

TEST(StickyAssignor, WhoHasTheMinimumMayGetOneMore) {
  const GroupSubscription group =
      Group({{1, 2}, {2, 3}}, {Member("consumer1", {1, 2}, {Tp(1, 0), Tp(2, 1)}, 1),
                               Member("consumer2", {1, 2}, {Tp(1, 1), Tp(2, 2)}, 1)});
  EXPECT_THAT(Assigned(AssignSticky(group)),
              ElementsAre(Texts{"1-0", "2-1", "2-0"}, Texts{"1-1", "2-2"}));
}

TEST(StickyAssignor, OnlyAsManyKeepTheMaximumAsMay) {
  // Kafka looks at the members in the order of a hash map, here the first one keeps two.
  const GroupSubscription group =
      Group({{1, 2}, {2, 2}}, {Member("consumer1", {1, 2}, {Tp(1, 0), Tp(2, 0)}, 1),
                               Member("consumer2", {1, 2}, {Tp(1, 1), Tp(2, 1)}, 1),
                               Member("consumer3", {1, 2}, {}, 1)});
  EXPECT_THAT(Assigned(AssignSticky(group)),
              ElementsAre(Texts{"1-0", "2-0"}, Texts{"1-1"}, Texts{"2-1"}));
}

TEST(StickyAssignor, AnOlderGenerationHasNoClaim) {
  const GroupSubscription group =
      Group({{1, 3}, {2, 3}}, {Member("consumer1", {1, 2}, {Tp(1, 0), Tp(1, 2), Tp(2, 1)}, 10),
                               Member("consumer2", {1, 2}, {Tp(1, 0), Tp(1, 2), Tp(2, 1)}, 9)});
  const auto assigned = Assigned(AssignSticky(group));
  EXPECT_THAT(assigned[0], UnorderedElementsAre("1-0", "1-2", "2-1"));
  EXPECT_THAT(assigned[1], UnorderedElementsAre("1-1", "2-0", "2-2"));
}

TEST(StickyAssignor, PartitionsGoToTheHighestGenerationThatClaimsThem) {
  const GroupSubscription group =
      Group({{1, 3}, {2, 3}, {3, 3}},
            {Member("consumer1", {1, 2, 3}, {Tp(1, 0), Tp(2, 0), Tp(3, 0)}, 10),
             Member("consumer2", {1, 2, 3}, {Tp(1, 1), Tp(2, 1), Tp(3, 1)}, 9),
             Member("consumer3", {1, 2, 3}, {Tp(2, 1), Tp(3, 0), Tp(3, 2)}, 8)});
  const auto assigned = Assigned(AssignSticky(group));
  EXPECT_THAT(assigned[0], UnorderedElementsAre("1-0", "2-0", "3-0"));
  EXPECT_THAT(assigned[1], UnorderedElementsAre("1-1", "2-1", "3-1"));
  EXPECT_THAT(assigned[2], UnorderedElementsAre("1-2", "2-2", "3-2"));
}

TEST(StickyAssignor, DifferentSubscriptionsAreBalancedToo) {
  const GroupSubscription group =
      Group({{1, 3}, {2, 2}},
            {Member("consumer1", {1}), Member("consumer2", {1, 2}), Member("consumer3", {1})});
  EXPECT_THAT(Assigned(AssignSticky(group)),
              ElementsAre(Texts{"1-0", "1-2"}, Texts{"2-0", "2-1"}, Texts{"1-1"}));
}

TEST(StickyAssignor, MovesNothingIfNoTwoMembersCanBecomeMoreEven) {
  // consumer1 could get more only if consumer2 got something from consumer3 at the same time.
  const GroupSubscription group =
      Group({{1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}, {6, 1}},
            {Member("consumer1", {1, 2}, {Tp(1, 0)}, 1),
             Member("consumer2", {1, 2, 3, 4}, {Tp(2, 0), Tp(3, 0)}, 1),
             Member("consumer3", {2, 3, 4, 5, 6}, {Tp(4, 0), Tp(5, 0), Tp(6, 0)}, 1)});
  const auto assigned = Assigned(AssignSticky(group));
  EXPECT_THAT(assigned[0], UnorderedElementsAre("1-0"));
  EXPECT_THAT(assigned[1], UnorderedElementsAre("2-0", "3-0"));
  EXPECT_THAT(assigned[2], UnorderedElementsAre("4-0", "5-0", "6-0"));
}

TEST(StickyAssignor, MovesFromWhoHasTwoMoreToWhoWantsIt) {
  const auto assigned = Assigned(AssignSticky(
      Group({{1, 4}, {2, 1}}, {Member("consumer1", {1, 2}, {Tp(1, 0), Tp(1, 1), Tp(1, 2)}, 1),
                               Member("consumer2", {1}, {Tp(1, 3)}, 1)})));
  EXPECT_THAT(assigned[0], SizeIs(3));
  EXPECT_THAT(assigned[0], ::testing::Contains("2-0"));
  EXPECT_THAT(assigned[1], SizeIs(2));
  EXPECT_THAT(assigned[1], ::testing::Contains("1-3"));
}

TEST(StickyAssignor, ATopicThatIsGoneIsForgotten) {
  EXPECT_THAT(Assigned(AssignSticky(
                  Group({}, {Member("consumer1", {1}, {Tp(1, 0), Tp(1, 1), Tp(1, 2)}, 1)}))),
              ElementsAre(IsEmpty()));
  const GroupAssignment left = AssignSticky(
      Group({{2, 1}}, {Member("consumer1", {1, 2}, {Tp(1, 0)}, 1), Member("consumer2", {1})}));
  EXPECT_THAT(Assigned(left), ElementsAre(Texts{"2-0"}, Texts{}));
}

TEST(CooperativeStickyAssignor, WhatMovesIsLeftOutUntilItsOwnerHasGivenItUp) {
  const std::vector<GroupMember> first = {
      Member("consumer1", {1}, {Tp(1, 0), Tp(1, 1), Tp(1, 2)}, 1), Member("consumer2", {1})};
  EXPECT_THAT(Assigned(AssignCooperativeSticky(Group({{1, 3}}, first))),
              ElementsAre(Texts{"1-0", "1-1"}, Texts{}));
  const std::vector<GroupMember> second = {Member("consumer1", {1}, {Tp(1, 0), Tp(1, 1)}, 2),
                                           Member("consumer2", {1}, {}, 2)};
  EXPECT_THAT(Assigned(AssignCooperativeSticky(Group({{1, 3}}, second))),
              ElementsAre(Texts{"1-0", "1-1"}, Texts{"1-2"}));
}

TEST(CooperativeStickyAssignor, WhatTwoClaimInOneGenerationIsGivenToNobodyYet) {
  const std::vector<GroupMember> members = {Member("consumer1", {1}, {Tp(1, 0), Tp(1, 1)}, 1),
                                            Member("consumer2", {1}, {Tp(1, 0), Tp(1, 2)}, 1),
                                            Member("consumer3", {1}, {}, 1)};
  EXPECT_THAT(Assigned(AssignCooperativeSticky(Group({{1, 3}}, members))),
              ElementsAre(Texts{"1-1"}, Texts{"1-2"}, Texts{}));
  EXPECT_THAT(Assigned(AssignCooperativeSticky(Group({{1, 4}}, members))),
              ElementsAre(Texts{"1-1", "1-3"}, Texts{"1-2"}, Texts{}));
}

TEST(CooperativeStickyAssignor, DifferentSubscriptionsMoveInTwoStepsAsWell) {
  const std::vector<GroupMember> members = {
      Member("consumer1", {1, 2}, {Tp(1, 0), Tp(1, 1), Tp(2, 0)}, 1), Member("consumer2", {1})};
  EXPECT_THAT(Assigned(AssignCooperativeSticky(Group({{1, 2}, {2, 1}}, members))),
              ElementsAre(UnorderedElementsAre("1-1", "2-0"), IsEmpty()));
}

// Every partition of a topic that somebody wants goes to exactly one member who wants it.
void ExpectValid(const GroupSubscription& group, const GroupAssignment& assignment) {
  std::map<broker::PartitionId, int> given;
  for (size_t m = 0; m < group.members.size(); ++m) {
    EXPECT_EQ(assignment[m].member_id, group.members[m].member_id);
    for (const broker::PartitionId& id : assignment[m].partitions) {
      ++given[id];
      EXPECT_TRUE(IsSubscribed(group.members[m], id.topic));
    }
  }
  for (const SubscribedTopic& topic : group.topics) {
    for (int i = 0; i < topic.partitions; ++i) EXPECT_EQ(given[Tp(topic.id.value(), i)], 1);
  }
}

void DropUnwanted(GroupSubscription& group) {
  std::erase_if(group.topics, [&](const SubscribedTopic& topic) {
    return std::none_of(group.members.begin(), group.members.end(),
                        [&](const GroupMember& member) { return IsSubscribed(member, topic.id); });
  });
}

TEST(Assignors, AllOfThemGiveEverythingOutOnce) {
  // Members 0 to 5 subscribe to topics in all sorts of ways, and topic n has n partitions.
  for (int shape = 0; shape < 64; ++shape) {
    std::map<int, int> topics;
    for (int topic = 1; topic <= 4; ++topic) topics[topic] = topic;
    std::vector<GroupMember> members;
    for (int m = 0; m < 6; ++m) {
      GroupMember member{.member_id = "m" + std::to_string(m)};
      for (int topic = 1; topic <= 4; ++topic) {
        if (((shape >> (m % 3 * 2)) & 3) != topic % 4) {
          member.subscription.topics.push_back(broker::TopicId(topic));
        }
      }
      members.push_back(member);
    }
    GroupSubscription group = Group(topics, members);
    DropUnwanted(group);
    ExpectValid(group, AssignRange(group));
    ExpectValid(group, AssignRoundRobin(group));
    const GroupAssignment fresh = AssignSticky(group);
    ExpectValid(group, fresh);
    ExpectValid(group, AssignCooperativeSticky(group));
    for (size_t m = 0; m < group.members.size(); ++m) {
      group.members[m].subscription.owned = fresh[m].partitions;
      group.members[m].subscription.generation_id = 1;
    }
    // Nobody gives up anything if nothing has changed.
    const GroupAssignment again = AssignSticky(group);
    for (size_t m = 0; m < again.size(); ++m) {
      EXPECT_THAT(again[m].partitions, ::testing::UnorderedElementsAreArray(fresh[m].partitions));
    }
    group.members.pop_back();
    DropUnwanted(group);
    ExpectValid(group, AssignSticky(group));
  }
}

}  // namespace
}  // namespace kafkasim::client

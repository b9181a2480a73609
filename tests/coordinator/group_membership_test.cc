// Dynamic members of a group: joining and syncing, and what happens by time
// (GroupMetadataManagerTest, Kafka 4.4 development line).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/coordinator/group_consumer.h"
#include "tests/coordinator/values.h"

namespace kafkasim::coordinator {
namespace {

using broker::ErrorCode;
using broker::JoinGroupResponse;
using broker::PartitionId;
using broker::PartitionList;
using broker::TopicId;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(JoinGroup, ANewMemberIsToldItsIdFirst) {
  GroupHost host;
  GroupConsumer member(host, "c");
  const auto told = host.Ask<JoinGroupResponse>(member.JoinRequest());
  EXPECT_EQ(told->error, ErrorCode::kMemberIdRequired);
  EXPECT_EQ(told->member_id, "c-0-1") << "client id, leader epoch, number";
  EXPECT_EQ(host.Find("g").state, GroupState::kEmpty);
  EXPECT_THAT(host.Find("g").pending_members, ElementsAre("c-0-1"));
  EXPECT_THAT(host.Log(), ElementsAre("g generation 0, no members"));
  // An old client joins at once.
  GroupConsumer old(host, "o");
  old.join_version = 3;
  old.Join();
  EXPECT_EQ(host.Find("g").state, GroupState::kPreparingRebalance);
}

TEST(JoinGroup, AnIdThatIsNotComeBackWithIsForgotten) {
  GroupHost host;
  GroupConsumer member(host, "c");
  member.session_timeout_ms = 10'000;
  (void)host.Ask<JoinGroupResponse>(member.JoinRequest());
  host.AdvanceTo(sim::Time{9'999'000});
  EXPECT_EQ(host.Find("g").pending_members.size(), 1u);
  host.AdvanceTo(sim::Time{10'000'000});
  EXPECT_THAT(host.Find("g").pending_members, IsEmpty());
  EXPECT_THAT(host.TextsOf(events::kMemberExpired, "reason"),
              ElementsAre("did not come back with its id"));
}

TEST(JoinGroup, RefusesInKafkasOrder) {
  GroupHost host;
  GroupConsumer member(host, "c");
  const auto error = [&] { return host.Ask<JoinGroupResponse>(member.JoinRequest())->error; };
  member.group = "";
  member.session_timeout_ms = 1;
  EXPECT_EQ(error(), ErrorCode::kInvalidGroupId);
  member.group = "g";
  EXPECT_EQ(error(), ErrorCode::kInvalidSessionTimeout);
  member.session_timeout_ms = 5'999;
  EXPECT_EQ(error(), ErrorCode::kInvalidSessionTimeout);
  member.session_timeout_ms = 1'800'001;
  EXPECT_EQ(error(), ErrorCode::kInvalidSessionTimeout);
  member.session_timeout_ms = 6'000;
  member.member_id = "somebody";
  EXPECT_EQ(error(), ErrorCode::kUnknownMemberId) << "no such group, and none is made";
  EXPECT_FALSE(host.Knows("g"));
  member.member_id = "";
  member.protocols = {};
  EXPECT_EQ(error(), ErrorCode::kInconsistentGroupProtocol);
  EXPECT_TRUE(host.Knows("g"));
  member.protocols = {"range"};
  member.member_id = "somebody";
  EXPECT_EQ(error(), ErrorCode::kUnknownMemberId);
}

TEST(JoinGroup, RefusesAnotherProtocol) {
  GroupHost host;
  GroupConsumer first(host, "c");
  Stabilise(host, {&first});
  GroupConsumer second(host, "d");
  second.protocols = {"sticky"};
  EXPECT_EQ(host.Ask<JoinGroupResponse>(second.JoinRequest())->error,
            ErrorCode::kInconsistentGroupProtocol);
}

TEST(JoinGroup, TheFirstRebalanceWaitsForMoreMembers) {
  GroupHost host;  // group.initial.rebalance.delay.ms is 3 s
  GroupConsumer first(host, "c");
  GroupConsumer second(host, "d");
  first.Join();
  host.AdvanceTo(sim::Time{2'000'000});
  second.Join();
  host.AdvanceTo(sim::Time{5'999'000});
  EXPECT_FALSE(first.Joined().has_value()) << "the second one has prolonged the delay";
  host.AdvanceTo(sim::Time{6'000'000});
  EXPECT_EQ(first.Joined()->error, ErrorCode::kNone);
  EXPECT_EQ(second.Joined()->generation_id, 1);
  EXPECT_EQ(first.Joined()->leader, "c-0-1");
  EXPECT_EQ(first.Joined()->members.size(), 2u) << "the leader is told of all";
  EXPECT_THAT(second.Joined()->members, IsEmpty());
  EXPECT_EQ(second.Joined()->protocol_name, "range");
}

TEST(JoinGroup, TheFirstRebalanceEndsWithTheRebalanceTimeout) {
  GroupHost host;
  GroupConsumer first(host, "c");
  GroupConsumer second(host, "d");
  GroupConsumer third(host, "e");
  for (GroupConsumer* member : {&first, &second, &third}) member->rebalance_timeout_ms = 4'000;
  first.Join();
  host.AdvanceTo(sim::Time{2'000'000});
  second.Join();
  host.AdvanceTo(sim::Time{3'500'000});
  third.Join();
  host.AdvanceTo(sim::Time{3'999'000});
  EXPECT_FALSE(first.Joined().has_value());
  host.AdvanceTo(sim::Time{4'000'000});
  EXPECT_EQ(third.Joined()->generation_id, 1) << "3 s, and then the 1 s that were left";
}

TEST(JoinGroup, AFollowerWithTheSameMetadataKeepsTheGeneration) {
  GroupHost host;
  GroupConsumer leader(host, "c");
  GroupConsumer follower(host, "d");
  Stabilise(host, {&leader, &follower});
  follower.Join();
  EXPECT_EQ(follower.Joined()->generation_id, 1);
  EXPECT_EQ(host.Find("g").state, GroupState::kStable);
  // The leader's JoinGroup always begins a rebalance, and so do other topics.
  follower.topics = {TopicId(2)};
  follower.Join();
  EXPECT_FALSE(follower.Joined().has_value());
  EXPECT_EQ(host.Find("g").state, GroupState::kPreparingRebalance);
  leader.Join();
  EXPECT_EQ(leader.Joined()->generation_id, 2);
  leader.Sync();
  leader.Join();
  EXPECT_EQ(host.Find("g").state, GroupState::kPreparingRebalance);
}

TEST(JoinGroup, AMissedAnswerIsGivenAgainWhileTheGenerationWaits) {
  GroupHost host;
  GroupConsumer leader(host, "c");
  GroupConsumer follower(host, "d");
  leader.Join();
  follower.Join();
  host.Advance(sim::Seconds(10));
  leader.Join();
  EXPECT_EQ(leader.Joined()->generation_id, 1);
  EXPECT_EQ(leader.Joined()->members.size(), 2u);
  follower.Join();
  EXPECT_EQ(follower.Joined()->generation_id, 1);
  EXPECT_THAT(follower.Joined()->members, IsEmpty());
  EXPECT_EQ(host.Find("g").state, GroupState::kCompletingRebalance);
}

TEST(JoinGroup, MembersThatDoNotJoinInTimeAreRemoved) {
  GroupHost host;
  GroupConsumer leader(host, "c");
  GroupConsumer late(host, "d");
  for (GroupConsumer* member : {&leader, &late}) member->rebalance_timeout_ms = 30'000;
  Stabilise(host, {&leader, &late});
  GroupConsumer third(host, "e");
  third.rebalance_timeout_ms = 30'000;
  third.Join();
  late.Join();
  for (int i = 0; i < 3; ++i) {
    host.Advance(sim::Millis(9'999));
    EXPECT_EQ(leader.Heartbeat(), ErrorCode::kRebalanceInProgress);
  }
  EXPECT_FALSE(late.Joined().has_value());
  host.Advance(sim::Millis(3));
  EXPECT_EQ(late.Joined()->generation_id, 2);
  EXPECT_EQ(late.Joined()->leader, late.member_id) << "the old leader has not joined";
  EXPECT_EQ(leader.Heartbeat(), ErrorCode::kUnknownMemberId);
}

TEST(JoinGroup, TheGroupHasAMaximumSize) {
  GroupHost host;
  host.broker_config.group_max_size = 1;
  GroupConsumer first(host, "c");
  Stabilise(host, {&first});
  GroupConsumer second(host, "d");
  const auto answer = host.Ask<JoinGroupResponse>(second.JoinRequest());
  EXPECT_EQ(answer->error, ErrorCode::kGroupMaxSizeReached);
  EXPECT_EQ(answer->member_id, "");
}

TEST(JoinGroup, AGroupThatCannotBeWrittenIsTakenBack) {
  GroupHost host;
  host.appends = GroupHost::Appends::kFail;
  GroupConsumer member(host, "c");
  const auto told = host.Ask<JoinGroupResponse>(member.JoinRequest());
  EXPECT_EQ(told->error, ErrorCode::kMemberIdRequired) << "the answer does not wait";
  EXPECT_FALSE(host.Knows("g"));
}

TEST(JoinGroup, AGroupThatIsNotReplicatedInTimeKeepsItsFirstMember) {
  GroupHost host;
  host.appends = GroupHost::Appends::kHold;
  GroupConsumer first(host, "c");
  first.join_version = 3;
  first.Join();
  GroupConsumer second(host, "d");
  second.join_version = 3;
  second.Join();
  host.Release(ErrorCode::kRequestTimedOut);
  EXPECT_EQ(first.Joined()->error, ErrorCode::kCoordinatorNotAvailable);
  EXPECT_FALSE(second.Joined().has_value()) << "only the one that made the group is told";
  EXPECT_TRUE(host.Find("g").members.at(0).awaits_join) << "it counts as joined, as in Kafka";
  host.ReleaseAll();
  host.Advance(sim::Seconds(10));
  EXPECT_EQ(second.Joined()->generation_id, 1);
}

TEST(SyncGroup, TheAssignmentIsWrittenBeforeTheMembersHearIt) {
  GroupHost host;
  GroupConsumer leader(host, "c");
  GroupConsumer follower(host, "d");
  leader.Join();
  follower.Join();
  host.Advance(sim::Seconds(10));
  (void)leader.Joined();
  (void)follower.Joined();
  follower.Sync();
  host.appends = GroupHost::Appends::kHold;
  leader.Sync({{leader.member_id, {kFoo0}}, {follower.member_id, {kFoo1}}});
  EXPECT_FALSE(leader.Synced().has_value());
  EXPECT_EQ(host.Find("g").state, GroupState::kCompletingRebalance);
  EXPECT_EQ(host.Log().back(), "g generation 1, range: c-0-1 leads; c-0-1 [foo-0], d-0-2 [foo-1]");
  host.Release();
  EXPECT_EQ(leader.Synced()->partitions, PartitionList{kFoo0});
  EXPECT_EQ(follower.Synced()->partitions, PartitionList{kFoo1});
  EXPECT_EQ(host.Find("g").state, GroupState::kStable);
  EXPECT_THAT(host.TextsOf(events::kGroupStable, "assignment"),
              ElementsAre("c-0-1: foo-0 d-0-2: foo-1"));
  // Again: the same answer.
  follower.Sync();
  EXPECT_EQ(follower.Synced()->partitions, PartitionList{kFoo1});
}

TEST(SyncGroup, AFailedWriteBeginsTheRebalanceAnew) {
  GroupHost host;
  GroupConsumer leader(host, "c");
  leader.Join();
  host.Advance(sim::Seconds(10));
  (void)leader.Joined();
  host.appends = GroupHost::Appends::kHold;
  leader.Sync({{leader.member_id, {kFoo0}}});
  host.Release(ErrorCode::kRequestTimedOut);
  EXPECT_EQ(leader.Synced()->error, ErrorCode::kCoordinatorNotAvailable);
  EXPECT_EQ(host.Find("g").state, GroupState::kPreparingRebalance);
  EXPECT_EQ(host.Find("g").generation_id, 1);
}

TEST(SyncGroup, AnOlderAssignmentIsIgnored) {
  GroupHost host;
  GroupConsumer leader(host, "c");
  leader.Join();
  host.Advance(sim::Seconds(10));
  (void)leader.Joined();
  host.appends = GroupHost::Appends::kHold;
  leader.Sync({{leader.member_id, {kFoo0}}});
  GroupConsumer second(host, "d");
  second.Join();
  EXPECT_EQ(leader.Synced()->error, ErrorCode::kRebalanceInProgress);
  host.ReleaseAll();
  EXPECT_EQ(host.Find("g").state, GroupState::kPreparingRebalance);
}

TEST(SyncGroup, RefusesInKafkasOrder) {
  GroupHost host;
  GroupConsumer member(host, "c");
  const auto error = [&] {
    member.Sync();
    return member.Synced()->error;
  };
  member.group = "";
  EXPECT_EQ(error(), ErrorCode::kInvalidGroupId);
  member.group = "g";
  EXPECT_EQ(error(), ErrorCode::kUnknownMemberId) << "no such group";
  member.Join();
  host.Advance(sim::Seconds(10));
  (void)member.Joined();
  const std::string id = std::exchange(member.member_id, "x");
  EXPECT_EQ(error(), ErrorCode::kUnknownMemberId);
  member.member_id = id;
  member.generation = 2;
  EXPECT_EQ(error(), ErrorCode::kIllegalGeneration);
  member.generation = 1;
  member.protocols = {"sticky"};
  EXPECT_EQ(error(), ErrorCode::kInconsistentGroupProtocol);
  member.protocols = {"range"};
  GroupConsumer second(host, "d");
  second.Join();
  EXPECT_EQ(error(), ErrorCode::kRebalanceInProgress);
}

TEST(SyncGroup, MembersThatDoNotSyncInTimeAreRemoved) {
  GroupHost host;
  GroupConsumer leader(host, "c");
  GroupConsumer lost(host, "d");
  for (GroupConsumer* member : {&leader, &lost}) member->rebalance_timeout_ms = 20'000;
  leader.Join();
  lost.Join();
  host.Advance(sim::Seconds(6));
  (void)leader.Joined();
  (void)lost.Joined();
  leader.Sync({{leader.member_id, {kFoo0}}, {lost.member_id, {kFoo1}}});
  EXPECT_EQ(host.Find("g").state, GroupState::kStable);
  host.Advance(sim::Millis(19'999));
  EXPECT_EQ(host.Find("g").members.size(), 2u);
  host.Advance(sim::Millis(1));
  EXPECT_EQ(host.Find("g").state, GroupState::kPreparingRebalance);
  EXPECT_EQ(lost.Heartbeat(), ErrorCode::kUnknownMemberId);
}

}  // namespace
}  // namespace kafkasim::coordinator

// Static members (KIP-345, KIP-814).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/coordinator/group_consumer.h"

namespace kafkasim::coordinator {
namespace {

using broker::ErrorCode;
using broker::JoinGroupResponse;
using broker::LeaveGroupRequest;
using broker::LeaveGroupResponse;
using ::testing::ElementsAre;

TEST(StaticMember, NeedsNoRoundForItsId) {
  GroupHost host;
  GroupConsumer fixed(host, "c", "i");
  fixed.Join();
  EXPECT_EQ(host.Find("g").members.at(0).member_id, "i-0-1");
}

TEST(StaticMember, ComesBackWithoutARebalance) {
  GroupHost host;
  GroupConsumer leader(host, "c", "i");
  GroupConsumer follower(host, "d");
  Stabilise(host, {&leader, &follower});
  GroupConsumer again(host, "c", "i");
  again.Join();
  const auto answer = again.Joined();
  EXPECT_EQ(answer->generation_id, 1);
  EXPECT_NE(answer->member_id, leader.member_id);
  EXPECT_EQ(answer->leader, answer->member_id);
  EXPECT_TRUE(answer->skip_assignment) << "it leads, but the assignment stays";
  EXPECT_EQ(answer->members.size(), 2u);
  EXPECT_EQ(host.Find("g").state, GroupState::kStable);
  again.Sync();
  EXPECT_EQ(again.Synced()->partitions.size(), 1u);
  // Whoever uses the old id is fenced.
  EXPECT_EQ(leader.Heartbeat(), ErrorCode::kFencedInstanceId);
  EXPECT_EQ(leader.Commit("foo-0", 1), ErrorCode::kFencedInstanceId);
  EXPECT_EQ(host.Log().back(), "g generation 1, range: i-0-3 leads; i-0-3 [foo-0], d-0-2 [foo-1]");
}

TEST(StaticMember, AnOlderClientDoesNotTakeItselfForTheLeader) {
  GroupHost host;
  GroupConsumer leader(host, "c", "i");
  Stabilise(host, {&leader});
  GroupConsumer again(host, "c", "i");
  again.join_version = 8;
  again.Join();
  EXPECT_EQ(again.Joined()->leader, leader.member_id);
  EXPECT_FALSE(again.Joined()->skip_assignment);
  EXPECT_TRUE(again.Joined()->members.empty());
}

TEST(StaticMember, IsTakenBackIfTheLogDoesNotTakeIt) {
  GroupHost host;
  GroupConsumer leader(host, "c", "i");
  Stabilise(host, {&leader});
  host.appends = GroupHost::Appends::kFail;
  host.append_error = ErrorCode::kNotLeaderOrFollower;
  GroupConsumer again(host, "c", "i");
  again.Join();
  EXPECT_EQ(again.Joined()->error, ErrorCode::kNotCoordinator);
  EXPECT_EQ(host.Find("g").members.at(0).member_id, leader.member_id);
  EXPECT_EQ(leader.Heartbeat(), ErrorCode::kNone);
}

TEST(StaticMember, WithOtherProtocolsBeginsARebalance) {
  GroupHost host;
  GroupConsumer leader(host, "c", "i");
  leader.protocols = {"range", "sticky"};
  Stabilise(host, {&leader});
  GroupConsumer again(host, "c", "i");
  again.protocols = {"sticky", "range"};
  again.Join();
  EXPECT_EQ(again.Joined()->generation_id, 2);
  EXPECT_EQ(again.Joined()->protocol_name, "sticky");
}

TEST(StaticMember, ComingBackWhileTheAssignmentIsMadeBeginsARebalance) {
  GroupHost host;
  GroupConsumer leader(host, "c");
  GroupConsumer fixed(host, "d", "i");
  leader.Join();
  fixed.Join();
  host.Advance(sim::Seconds(10));
  (void)leader.Joined();
  (void)fixed.Joined();
  fixed.Sync();
  GroupConsumer again(host, "d", "i");
  again.Join();
  EXPECT_EQ(fixed.Synced()->error, ErrorCode::kFencedInstanceId);
  EXPECT_EQ(host.Find("g").state, GroupState::kPreparingRebalance);
  leader.Join();
  EXPECT_EQ(again.Joined()->generation_id, 2);
}

TEST(StaticMember, KeepsItsPlaceThroughARebalanceThatItMisses) {
  GroupHost host;
  GroupConsumer leader(host, "c");
  GroupConsumer fixed(host, "d", "i");
  for (GroupConsumer* member : {&leader, &fixed}) {
    member->rebalance_timeout_ms = 20'000;
    member->session_timeout_ms = 60'000;
  }
  Stabilise(host, {&leader, &fixed});
  leader.Join();
  host.Advance(sim::Millis(19'999));
  EXPECT_FALSE(leader.Joined().has_value());
  host.Advance(sim::Millis(1));
  EXPECT_EQ(leader.Joined()->generation_id, 2);
  EXPECT_EQ(host.Find("g").members.size(), 2u);
  host.Advance(sim::Seconds(60));
  EXPECT_EQ(fixed.Heartbeat(), ErrorCode::kUnknownMemberId) << "its session is over";
}

TEST(StaticMember, IsRemovedByItsInstanceAlone) {
  GroupHost host;
  GroupConsumer first(host, "c", "i");
  GroupConsumer second(host, "d", "j");
  Stabilise(host, {&first, &second});
  const auto answer = host.Ask<LeaveGroupResponse>(
      LeaveGroupRequest{.group_id = "g",
                        .members = {{.group_instance_id = "i"},
                                    {.group_instance_id = "x"},
                                    {.member_id = ""},
                                    {.member_id = first.member_id, .group_instance_id = "j"}}});
  std::vector<ErrorCode> errors;
  for (const auto& member : answer->members) errors.push_back(member.error);
  EXPECT_THAT(errors, ElementsAre(ErrorCode::kNone, ErrorCode::kUnknownMemberId,
                                  ErrorCode::kUnknownMemberId, ErrorCode::kFencedInstanceId));
  EXPECT_EQ(host.Find("g").members.size(), 1u);
}

TEST(StaticMember, WithAPendingIdIsAFault) {
  GroupHost host;
  GroupConsumer member(host, "c");
  member.member_id = host.Ask<JoinGroupResponse>(member.JoinRequest())->member_id;
  auto request = member.JoinRequest();
  request.group_instance_id = "i";
  EXPECT_EQ(host.Ask<JoinGroupResponse>(request)->error, ErrorCode::kUnknownServerError);
}

}  // namespace
}  // namespace kafkasim::coordinator

// How members of a group stay, and how they leave (GroupMetadataManagerTest, Kafka 4.4 development
// line).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/coordinator/group_consumer.h"

namespace kafkasim::coordinator {
namespace {

using broker::ErrorCode;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Heartbeat, RefusesInKafkasOrder) {
  GroupHost host;
  GroupConsumer member(host, "c");
  member.group = "";
  EXPECT_EQ(member.Heartbeat(), ErrorCode::kInvalidGroupId);
  member.group = "g";
  EXPECT_EQ(member.Heartbeat(), ErrorCode::kUnknownMemberId) << "no such group";
  Stabilise(host, {&member});
  EXPECT_EQ(member.Heartbeat(), ErrorCode::kNone);
  member.generation = 0;
  EXPECT_EQ(member.Heartbeat(), ErrorCode::kIllegalGeneration);
  member.member_id = "x";
  EXPECT_EQ(member.Heartbeat(), ErrorCode::kUnknownMemberId) << "before the generation";
}

TEST(Heartbeat, KeepsTheSession) {
  GroupHost host;
  GroupConsumer member(host, "c");
  Stabilise(host, {&member});
  for (int i = 0; i < 10; ++i) {
    host.Advance(sim::Millis(44'999));
    EXPECT_EQ(member.Heartbeat(), ErrorCode::kNone);
  }
  host.Advance(sim::Millis(44'999));
  EXPECT_EQ(host.Find("g").state, GroupState::kStable);
  host.Advance(sim::Millis(1));
  EXPECT_EQ(host.Find("g").state, GroupState::kEmpty);
  EXPECT_EQ(host.Find("g").generation_id, 2);
  EXPECT_EQ(member.Heartbeat(), ErrorCode::kUnknownMemberId);
  EXPECT_THAT(host.TextsOf(events::kMemberExpired, "reason"),
              ElementsAre("not heard for 45000 ms"));
  EXPECT_EQ(host.Log().back(), "g generation 2, no members");
}

TEST(Heartbeat, LeavesNoTraceAndOneTimer) {
  GroupHost host;
  GroupConsumer member(host, "c");
  Stabilise(host, {&member});
  host.Advance(sim::Seconds(60));  // it is gone: EMPTY
  member.member_id = "";
  Stabilise(host, {&member});
  host.ForgetPoints();
  const size_t timers = host.armed_timers();
  for (int i = 0; i < 10; ++i) {
    host.Advance(sim::Seconds(1));
    (void)member.Heartbeat();
  }
  EXPECT_THAT(host.EventNames(), IsEmpty());
  EXPECT_LE(host.armed_timers(), timers);
}

TEST(Heartbeat, WaitsForWhatWasWrittenBefore) {
  GroupHost host;
  GroupConsumer member(host, "c");
  Stabilise(host, {&member});
  host.appends = GroupHost::Appends::kHold;
  EXPECT_EQ(member.Commit("foo-0", 1), std::nullopt);
  const uint64_t beat = host.Submit(broker::MakeMessage(broker::HeartbeatRequest{
      .group_id = "g", .generation_id = 1, .member_id = member.member_id}));
  EXPECT_FALSE(host.ReplyOf<broker::HeartbeatResponse>(beat).has_value());
  host.Release();
  host.Release(ErrorCode::kRequestTimedOut);
  EXPECT_EQ(host.ReplyOf<broker::HeartbeatResponse>(beat)->error,
            ErrorCode::kCoordinatorNotAvailable);
}

TEST(Heartbeat, MembersThatWaitForTheOthersNeedNone) {
  GroupHost host;
  GroupConsumer leader(host, "c");
  GroupConsumer follower(host, "d");
  leader.session_timeout_ms = 10'000;
  Stabilise(host, {&leader, &follower});
  GroupConsumer third(host, "e");
  third.Join();
  leader.Join();  // waits for the follower, longer than its session
  for (int i = 0; i < 4; ++i) {
    host.Advance(sim::Seconds(15));
    EXPECT_EQ(follower.Heartbeat(), ErrorCode::kRebalanceInProgress);
  }
  follower.Join();
  EXPECT_EQ(leader.Joined()->generation_id, 2);
  EXPECT_EQ(host.Find("g").members.size(), 3u);
}

TEST(LeaveGroup, BeginsARebalanceOrEmptiesTheGroup) {
  GroupHost host;
  GroupConsumer leader(host, "c");
  GroupConsumer follower(host, "d");
  Stabilise(host, {&leader, &follower});
  EXPECT_EQ(leader.Leave(), ErrorCode::kNone);
  EXPECT_EQ(host.Find("g").state, GroupState::kPreparingRebalance);
  EXPECT_EQ(host.Find("g").leader, follower.member_id);
  EXPECT_EQ(leader.Leave(), ErrorCode::kUnknownMemberId);
  EXPECT_EQ(follower.Leave(), ErrorCode::kNone);
  EXPECT_EQ(host.Find("g").state, GroupState::kEmpty);
  EXPECT_EQ(host.Find("g").generation_id, 2);
  EXPECT_EQ(host.Find("g").leader, "");
}

TEST(LeaveGroup, OfAGroupThatIsNotKnownNamesEachMember) {
  GroupHost host;
  const auto answer = host.Ask<broker::LeaveGroupResponse>(
      broker::LeaveGroupRequest{.group_id = "g", .members = {{.member_id = "x"}}});
  EXPECT_EQ(answer->error, ErrorCode::kNone);
  EXPECT_EQ(answer->members.at(0).error, ErrorCode::kUnknownMemberId);
}

TEST(LeaveGroup, WhoWaitsToJoinIsToldToTryAgain) {
  GroupHost host;
  GroupConsumer member(host, "c");
  member.Join();
  EXPECT_EQ(member.Leave(), ErrorCode::kNone);
  EXPECT_EQ(member.Joined()->error, ErrorCode::kUnknownMemberId);
}

}  // namespace
}  // namespace kafkasim::coordinator

// A consumer joins its group, beats its heart, and finds its positions, against a scripted
// coordinator.
#include "client/consumer_group.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/client/group_world.h"

namespace kafkasim::client {
namespace {

using broker::ApiKey;
using broker::ErrorCode;
using broker::FindCoordinatorRequest;
using broker::HeartbeatRequest;
using broker::JoinGroupRequest;
using broker::LeaveGroupRequest;
using broker::Offset;
using broker::OffsetFetchRequest;
using broker::SyncGroupRequest;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr sim::Duration kOneSecond = sim::Seconds(1);

TEST(ConsumerGroup, JoinsWithTheFirstPollAndAssignsAsTheLeader) {
  GroupWorld world;
  EXPECT_TRUE(world.DoPoll().ok());
  const auto finds = world.Received<FindCoordinatorRequest>(0);
  ASSERT_THAT(finds, SizeIs(1));
  EXPECT_EQ(finds[0].type, broker::CoordinatorType::kGroup);
  EXPECT_EQ(finds[0].key, "g");
  const auto joins = world.Received<JoinGroupRequest>(0);
  ASSERT_THAT(joins, SizeIs(1));
  EXPECT_EQ(joins[0].client_id, "client");
  EXPECT_EQ(joins[0].session_timeout_ms, 45'000);
  EXPECT_EQ(joins[0].rebalance_timeout_ms, 300'000);
  ASSERT_THAT(joins[0].protocols, SizeIs(2));
  EXPECT_EQ(joins[0].protocols[0].name, "range");
  EXPECT_EQ(joins[0].protocols[1].name, "cooperative-sticky");
  EXPECT_THAT(joins[0].protocols[0].subscription.topics, ElementsAre(broker::TopicId(0)));
  const auto syncs = world.Received<SyncGroupRequest>(0);
  ASSERT_THAT(syncs, SizeIs(1));
  ASSERT_THAT(syncs[0].assignments, SizeIs(1));
  EXPECT_THAT(syncs[0].assignments[0].partitions, ElementsAre(kOrders0, kOrders1));
  EXPECT_THAT(world.consumer().assignment(), ElementsAre(kOrders0, kOrders1));
  const auto metadata = std::get<ConsumerGroupMetadata>(world.Do(GroupMetadata{}).value);
  EXPECT_EQ(metadata,
            (ConsumerGroupMetadata{.group_id = "g", .generation_id = 1, .member_id = "m-1"}));
}

TEST(ConsumerGroup, JoinsAgainWithTheMemberIdThatItIsGiven) {
  GroupWorld world;
  world.Answer(0, ApiKey::kJoinGroup, {ErrorCode::kMemberIdRequired});
  world.Join();
  const auto joins = world.Received<JoinGroupRequest>(0);
  ASSERT_THAT(joins, SizeIs(2));
  EXPECT_EQ(joins[0].member_id, "");
  EXPECT_EQ(joins[1].member_id, "m-1");
  EXPECT_EQ(world.consumer().group_metadata().member_id, "m-1");
}

TEST(ConsumerGroup, AFollowerTakesWhatTheLeaderGivesIt) {
  GroupWorld world;
  world.Tell(0, {.leader = "somebody", .assigned = broker::PartitionList{kOrders1}});
  EXPECT_TRUE(world.DoPoll().ok());
  EXPECT_THAT(world.Received<SyncGroupRequest>(0)[0].assignments, IsEmpty());
  EXPECT_THAT(world.consumer().assignment(), ElementsAre(kOrders1));
}

TEST(ConsumerGroup, BeginsWhereTheGroupHasCommittedOrByTheResetPolicy) {
  GroupWorld world;
  world.Tell(0, {.committed = {{kOrders0, 5}}});
  world.Tell(1, {.offsets = {{kOrders1, 2}}});
  world.Data(kOrders0, 5, {"a"});
  EXPECT_THAT(ValuesOf(world.DoPoll()), ElementsAre("a"));
  const auto fetches = world.Received<OffsetFetchRequest>(0);
  ASSERT_THAT(fetches, SizeIs(1));
  EXPECT_TRUE(fetches[0].require_stable);
  EXPECT_THAT(*fetches[0].partitions, ElementsAre(kOrders0, kOrders1));
  EXPECT_EQ(world.consumer().position(kOrders0), Offset(6));
  (void)world.Do(Position{kOrders1});
  EXPECT_EQ(world.consumer().position(kOrders1), Offset(2));
  EXPECT_THAT(world.Received<broker::ListOffsetsRequest>(0), IsEmpty());
}

TEST(ConsumerGroup, WaitsForOffsetsThatAreStillUndecided) {
  GroupWorld world;
  world.Tell(0, {.committed = {{kOrders0, 5}, {kOrders1, 3}}});
  world.Answer(0, ApiKey::kOffsetFetch,
               std::vector<std::optional<ErrorCode>>(3, ErrorCode::kUnstableOffsetCommit));
  const CallResult empty = world.DoPoll(sim::Millis(250));
  EXPECT_THAT(ValuesOf(empty), IsEmpty());
  EXPECT_EQ(world.consumer().position(kOrders0), std::nullopt);
  EXPECT_THAT(world.Received<broker::FetchRequest>(0), IsEmpty());
  world.Data(kOrders0, 5, {"a"});
  EXPECT_THAT(ValuesOf(world.DoPoll(kOneSecond)), ElementsAre("a"));
  // 100 ms, 200 ms and 400 ms after the ones before.
  const auto times = world.TimesOf(0, ApiKey::kOffsetFetch);
  ASSERT_THAT(times, SizeIs(4));
  EXPECT_EQ((times[1] - times[0]).millis(), 102);
  EXPECT_EQ((times[2] - times[1]).millis(), 202);
  EXPECT_EQ((times[3] - times[2]).millis(), 402);
}

TEST(ConsumerGroup, PositionsOfAnAssignedPartitionComeFromTheGroupToo) {
  GroupWorld world({}, /*subscribe=*/false);
  world.Tell(0, {.committed = {{kOrders0, 7}}});
  EXPECT_EQ(std::get<PartitionOffsets>(world.Do(Position{kOrders0}).value).rows[0].offset,
            Offset(7));
  EXPECT_THAT(world.Received<JoinGroupRequest>(0), IsEmpty());
  EXPECT_THAT(world.Received<HeartbeatRequest>(0), IsEmpty());
}

TEST(ConsumerGroup, BeatsEveryThreeSecondsAlsoBetweenPolls) {
  GroupWorld world;
  world.Join();
  world.RunFor(sim::Millis(10'000));
  const auto beats = world.Received<HeartbeatRequest>(0);
  ASSERT_THAT(beats, SizeIs(3));
  EXPECT_EQ(beats[0].generation_id, 1);
  EXPECT_EQ(beats[0].member_id, "m-1");
  const auto times = world.TimesOf(0, ApiKey::kHeartbeat);
  EXPECT_EQ(times[1] - times[0], sim::Seconds(3));
}

TEST(ConsumerGroup, CloseLeavesTheGroupAndEndsTheHeartbeats) {
  GroupWorld world;
  world.Join();
  EXPECT_TRUE(world.Do(Close{}).ok());
  const auto leaves = world.Received<LeaveGroupRequest>(0);
  ASSERT_THAT(leaves, SizeIs(1));
  EXPECT_EQ(leaves[0].members[0].member_id, "m-1");
  EXPECT_EQ(leaves[0].members[0].reason, "the consumer is being closed");
  const size_t requests = world.broker(0).received().size();
  world.RunFor(sim::Seconds(60));
  EXPECT_EQ(world.broker(0).received().size(), requests);
  EXPECT_EQ(world.DoPoll().error.ExceptionName(), "IllegalStateException");
}

TEST(ConsumerGroup, AStaticMemberStaysInTheGroupWhenItCloses) {
  GroupWorld world({.group_instance_id = "i-1"});
  world.Join();
  EXPECT_EQ(world.Received<JoinGroupRequest>(0)[0].group_instance_id, "i-1");
  EXPECT_TRUE(world.Do(Close{}).ok());
  EXPECT_THAT(world.Received<LeaveGroupRequest>(0), IsEmpty());
}

TEST(ConsumerGroup, UnsubscribeLeavesTheGroupAndMayBeFollowedByASubscription) {
  GroupWorld world;
  world.Join();
  EXPECT_TRUE(world.Do(Unsubscribe{}).ok());
  EXPECT_THAT(world.consumer().assignment(), IsEmpty());
  EXPECT_EQ(world.DoPoll().error.ExceptionName(), "IllegalStateException");
  EXPECT_TRUE(world.Do(Subscribe{{broker::TopicId(0)}}).ok());
  world.Join();
  EXPECT_EQ(world.Received<LeaveGroupRequest>(0)[0].members[0].reason,
            "the consumer unsubscribed from all topics");
  EXPECT_EQ(world.Received<JoinGroupRequest>(0).back().member_id, "");
}

TEST(ConsumerGroup, AMemberThatDoesNotPollLeavesByItself) {
  GroupWorld world({.max_poll_interval_ms = 10'000});
  world.Join();
  world.RunFor(sim::Millis(9'900));
  EXPECT_THAT(world.Received<LeaveGroupRequest>(0), IsEmpty());
  world.RunFor(sim::Millis(300));
  const auto leaves = world.Received<LeaveGroupRequest>(0);
  ASSERT_THAT(leaves, SizeIs(1));
  EXPECT_THAT(leaves[0].members[0].reason, HasSubstr("poll timeout has expired"));
  const size_t beats = world.Received<HeartbeatRequest>(0).size();
  world.RunFor(sim::Seconds(30));
  EXPECT_EQ(world.Received<HeartbeatRequest>(0).size(), beats);
  // The application finds out with its next poll.
  EXPECT_THAT(world.Told(events::kPartitionsLost, "group_id"), IsEmpty());
  EXPECT_TRUE(world.DoPoll().ok());
  EXPECT_THAT(world.Told(events::kPartitionsLost, "group_id"), ElementsAre("g"));
  EXPECT_EQ(world.group().state(), MemberState::kStable);
}

TEST(ConsumerGroup, ALongPollIsPollingAllTheTime) {
  GroupWorld world({.max_poll_interval_ms = 10'000});
  world.Join();
  EXPECT_TRUE(world.DoPoll(sim::Seconds(25)).ok());
  EXPECT_THAT(world.Received<LeaveGroupRequest>(0), IsEmpty());
  world.RunFor(sim::Seconds(9));
  EXPECT_THAT(world.Received<LeaveGroupRequest>(0), IsEmpty());
  world.RunFor(sim::Seconds(2));
  EXPECT_THAT(world.Received<LeaveGroupRequest>(0), SizeIs(1));
}

TEST(ConsumerGroup, HeartbeatsThatAreNotAnsweredEndInANewSearchForTheCoordinator) {
  GroupWorld world({.session_timeout_ms = 10'000});
  world.Join();
  world.Answer(0, ApiKey::kHeartbeat, {std::nullopt, std::nullopt, std::nullopt});
  world.RunFor(sim::Seconds(9));
  EXPECT_THAT(world.Received<FindCoordinatorRequest>(0), SizeIs(1));
  world.RunFor(sim::Seconds(2));
  // Twice, as in Kafka: at first its broker is being left alone for reconnect.backoff.ms.
  EXPECT_THAT(world.Received<FindCoordinatorRequest>(0), SizeIs(3));
  world.RunFor(sim::Seconds(4));
  EXPECT_THAT(world.Received<HeartbeatRequest>(0), SizeIs(::testing::Ge(4)));
}

TEST(ConsumerGroup, AHeartbeatTellsOfARebalanceAndTheNextPollJoins) {
  GroupWorld world;
  world.Join();
  world.Answer(0, ApiKey::kHeartbeat, {ErrorCode::kRebalanceInProgress});
  world.RunFor(sim::Seconds(5));
  EXPECT_THAT(world.Received<JoinGroupRequest>(0), SizeIs(1));
  EXPECT_TRUE(world.DoPoll().ok());
  const auto joins = world.Received<JoinGroupRequest>(0);
  ASSERT_THAT(joins, SizeIs(2));
  EXPECT_EQ(joins[1].member_id, "m-1");
  EXPECT_EQ(joins[1].reason, "group is already rebalancing");
  EXPECT_EQ(world.consumer().group_metadata().generation_id, 2);
}

TEST(ConsumerGroup, AStaleGenerationKeepsTheMemberIdAndAnUnknownMemberLosesIt) {
  for (const ErrorCode error : {ErrorCode::kIllegalGeneration, ErrorCode::kUnknownMemberId}) {
    GroupWorld world;
    world.Answer(0, ApiKey::kJoinGroup, {ErrorCode::kMemberIdRequired});
    world.Join();
    world.Answer(0, ApiKey::kHeartbeat, {error});
    world.RunFor(sim::Seconds(4));
    EXPECT_EQ(world.group().state(), MemberState::kUnjoined);
    // It still believes what it was told last: a zombie does not know.
    EXPECT_EQ(world.consumer().group_metadata().generation_id, 1);
    EXPECT_THAT(world.consumer().assignment(), SizeIs(2));
    EXPECT_TRUE(world.DoPoll().ok());
    EXPECT_EQ(world.Received<JoinGroupRequest>(0).back().member_id,
              error == ErrorCode::kIllegalGeneration ? "m-1" : "");
    EXPECT_THAT(world.Told(events::kPartitionsLost, "group_id"), SizeIs(1));
    EXPECT_THAT(world.Told(events::kMembershipLost, "reason")[0],
                HasSubstr(std::string(broker::Name(error))));
  }
}

TEST(ConsumerGroup, AFencedInstanceFailsTheNextPoll) {
  GroupWorld world({.group_instance_id = "i-1"});
  world.Join();
  world.Answer(0, ApiKey::kHeartbeat, {ErrorCode::kFencedInstanceId});
  world.RunFor(sim::Seconds(4));
  const CallResult polled = world.DoPoll();
  EXPECT_EQ(polled.error.ExceptionName(), "FencedInstanceIdException");
  EXPECT_EQ(polled.error.error_class, ErrorClass::kFatal);
}

TEST(ConsumerGroup, LooksForTheCoordinatorWhenItHasMoved) {
  for (const ApiKey api : {ApiKey::kJoinGroup, ApiKey::kSyncGroup}) {
    GroupWorld world;
    world.Answer(0, api, {ErrorCode::kNotCoordinator});
    EXPECT_TRUE(world.DoPoll(kOneSecond).ok());
    EXPECT_THAT(world.Received<FindCoordinatorRequest>(0), SizeIs(::testing::Ge(2)));
    EXPECT_EQ(world.group().state(), MemberState::kStable);
  }
}

TEST(ConsumerGroup, TriesToFindTheCoordinatorUntilThereIsOne) {
  GroupWorld world;
  for (int id : {0, 1}) {
    world.Answer(id, ApiKey::kFindCoordinator,
                 std::vector<std::optional<ErrorCode>>(2, ErrorCode::kCoordinatorNotAvailable));
  }
  const CallResult early = world.DoPoll(sim::Millis(50));
  EXPECT_TRUE(early.ok());
  EXPECT_THAT(world.Received<JoinGroupRequest>(0), IsEmpty());
  EXPECT_TRUE(world.DoPoll(sim::Seconds(3)).ok());
  EXPECT_EQ(world.group().state(), MemberState::kStable);
}

TEST(ConsumerGroup, RetriesWhatCanBeRetriedWhileJoining) {
  GroupWorld world;
  world.Answer(0, ApiKey::kJoinGroup,
               {ErrorCode::kCoordinatorLoadInProgress, ErrorCode::kUnknownMemberId,
                ErrorCode::kRebalanceInProgress});
  world.Answer(0, ApiKey::kSyncGroup,
               {ErrorCode::kRebalanceInProgress, ErrorCode::kIllegalGeneration});
  EXPECT_TRUE(world.DoPoll(kOneSecond).ok());
  EXPECT_EQ(world.group().state(), MemberState::kStable);
  EXPECT_THAT(world.Received<JoinGroupRequest>(0), SizeIs(6));
  EXPECT_THAT(world.Received<SyncGroupRequest>(0), SizeIs(3));
}

TEST(ConsumerGroup, WhatCannotBeRetriedIsThrownByThePoll) {
  for (const ErrorCode error :
       {ErrorCode::kGroupMaxSizeReached, ErrorCode::kInconsistentGroupProtocol,
        ErrorCode::kInvalidSessionTimeout, ErrorCode::kInvalidGroupId,
        ErrorCode::kGroupAuthorizationFailed, ErrorCode::kFencedInstanceId}) {
    GroupWorld world;
    world.Answer(0, ApiKey::kJoinGroup, {error});
    const CallResult polled = world.DoPoll();
    EXPECT_EQ(polled.error.ExceptionName(), ExceptionOf(error));
    EXPECT_EQ(polled.error.code, error);
    // The next poll may have more luck.
    EXPECT_TRUE(world.DoPoll().ok()) << error;
  }
  GroupWorld world;
  world.Answer(0, ApiKey::kJoinGroup, {ErrorCode::kUnknownServerError});
  EXPECT_EQ(world.DoPoll().error.ExceptionName(), "KafkaException");
}

TEST(ConsumerGroup, OnlyAPollTakesTheAnswerToAJoin) {
  GroupWorld world;
  (void)world.DoPoll(sim::Millis(7));  // JoinGroup is under way
  world.RunFor(sim::Seconds(20));
  EXPECT_THAT(world.Received<JoinGroupRequest>(0), SizeIs(1));
  EXPECT_THAT(world.Received<SyncGroupRequest>(0), IsEmpty());
  EXPECT_THAT(world.Received<HeartbeatRequest>(0), IsEmpty());
  world.Join();
  EXPECT_THAT(world.Received<JoinGroupRequest>(0), SizeIs(1));
}

TEST(ConsumerGroup, AJoinMayTakeAsLongAsTheRebalance) {
  GroupWorld world({.request_timeout_ms = 5'000, .max_poll_interval_ms = 20'000});
  world.Answer(0, ApiKey::kJoinGroup, {std::nullopt});
  (void)world.DoPoll(sim::Millis(24'900));
  EXPECT_THAT(world.Received<JoinGroupRequest>(0), SizeIs(1));
  (void)world.DoPoll(sim::Millis(500));
  EXPECT_THAT(world.Received<JoinGroupRequest>(0), SizeIs(2));
}

TEST(ConsumerGroup, TheLeaderRebalancesWhenATopicGetsMorePartitions) {
  GroupWorld world({.metadata_max_age_ms = 1'000});
  world.Join();
  auto more = TestImage(2);
  more->topics[0].partitions.push_back(more->topics[0].partitions[0]);
  for (int id : {0, 1}) world.Tell(id, {.image = more});
  EXPECT_TRUE(world.DoPoll(sim::Seconds(3)).ok());
  EXPECT_EQ(world.Received<JoinGroupRequest>(0).back().reason, "cached metadata has changed");
  EXPECT_THAT(world.consumer().assignment(), SizeIs(3));
}

TEST(ConsumerGroup, AMoveOfALeaderIsNoReasonToRebalance) {
  GroupWorld world({.metadata_max_age_ms = 1'000});
  world.Join();
  auto moved = TestImage(2);
  moved->topics[0].partitions[0].leader = broker::BrokerId(1);
  for (int id : {0, 1}) world.Tell(id, {.image = moved});
  EXPECT_TRUE(world.DoPoll(sim::Seconds(3)).ok());
  EXPECT_THAT(world.Received<JoinGroupRequest>(0), SizeIs(1));
}

TEST(ConsumerGroup, AnotherSubscriptionIsAReasonToRejoin) {
  GroupWorld world;
  auto two = TestImage(2);
  two->topics.push_back(two->topics[0]);
  two->topics[1].name = "payments";
  for (int id : {0, 1}) world.Tell(id, {.image = two});
  world.Join();
  EXPECT_TRUE(world.Do(Subscribe{{broker::TopicId(1)}}).ok());
  EXPECT_TRUE(world.DoPoll().ok());
  EXPECT_EQ(world.Received<JoinGroupRequest>(0).back().reason, "subscription has changed");
  EXPECT_THAT(world.consumer().assignment(),
              ElementsAre(broker::PartitionId{broker::TopicId(1), 0},
                          broker::PartitionId{broker::TopicId(1), 1}));
}

TEST(ConsumerGroup, EnforceRebalanceJoinsWithTheNextPoll) {
  GroupWorld world;
  world.Join();
  EXPECT_TRUE(world.Do(EnforceRebalance{}).ok());
  EXPECT_THAT(world.Received<JoinGroupRequest>(0), SizeIs(1));
  EXPECT_TRUE(world.DoPoll().ok());
  EXPECT_EQ(world.Received<JoinGroupRequest>(0).back().reason, "rebalance enforced by user");
}

TEST(ConsumerGroup, ASubscriptionAfterAnAssignmentIsAnIllegalState) {
  GroupWorld world({}, /*subscribe=*/false);
  EXPECT_EQ(world.Do(Subscribe{{broker::TopicId(0)}}).error.ExceptionName(),
            "IllegalStateException");
  EXPECT_TRUE(world.Do(Unsubscribe{}).ok());
  EXPECT_TRUE(world.Do(Subscribe{{broker::TopicId(0)}}).ok());
}

TEST(ConsumerGroup, ARestartedMemberJoinsAsANewOne) {
  GroupWorld world;
  world.Join();
  world.world().Crash(world.client(), sim::CrashKind::kProcess, &world.log());
  world.RunFor(sim::Seconds(10));
  const size_t beats = world.Received<HeartbeatRequest>(0).size();
  world.world().Restart(world.client(), &world.log());
  EXPECT_THAT(world.consumer().assignment(), IsEmpty());
  world.Join();
  EXPECT_EQ(world.Received<JoinGroupRequest>(0).back().member_id, "");
  EXPECT_EQ(world.Received<HeartbeatRequest>(0).size(), beats);
}

}  // namespace
}  // namespace kafkasim::client

// How a consumer commits, and what it hears when that fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/client/group_world.h"

namespace kafkasim::client {
namespace {

using broker::ApiKey;
using broker::ErrorCode;
using broker::JoinGroupRequest;
using broker::Offset;
using broker::OffsetCommitRequest;
using broker::OffsetToCommit;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<OffsetToCommit> At(int64_t offset) {
  return {{.partition = kOrders0, .offset = Offset(offset)}};
}

TEST(CommitSync, CommitsThePositionsAsTheMemberThatItIs) {
  GroupWorld world;
  world.Data(kOrders0, 0, {"a", "b"});
  (void)world.DoPoll();
  (void)world.Do(Position{kOrders1});
  EXPECT_TRUE(world.Do(CommitSync{}).ok());
  const auto commits = world.Received<OffsetCommitRequest>(0);
  ASSERT_THAT(commits, SizeIs(1));
  EXPECT_EQ(commits[0].group_id, "g");
  EXPECT_EQ(commits[0].generation_id, 1);
  EXPECT_EQ(commits[0].member_id, "m-1");
  ASSERT_THAT(commits[0].offsets, SizeIs(2));
  EXPECT_EQ(commits[0].offsets[0].offset, Offset(2));
  EXPECT_EQ(commits[0].offsets[1].offset, Offset(0));
  EXPECT_THAT(world.Told(events::kCommitAcknowledged, "how"), ElementsAre("commit_sync"));
}

TEST(CommitSync, CommitsTheOffsetsThatItIsGiven) {
  GroupWorld world;
  world.Join();
  EXPECT_TRUE(world.Do(CommitSync{At(17)}).ok());
  EXPECT_EQ(world.Received<OffsetCommitRequest>(0)[0].offsets, At(17));
  const CallResult negative = world.Do(CommitSync{At(-1)});
  EXPECT_EQ(negative.error.ExceptionName(), "IllegalArgumentException");
}

TEST(CommitSync, WithAssignedPartitionsItIsNotAMember) {
  GroupWorld world({}, /*subscribe=*/false);
  EXPECT_TRUE(world.Do(CommitSync{At(4)}).ok());
  const auto commits = world.Received<OffsetCommitRequest>(0);
  ASSERT_THAT(commits, SizeIs(1));
  EXPECT_EQ(commits[0].generation_id, broker::kNoGeneration);
  EXPECT_EQ(commits[0].member_id, "");
}

TEST(CommitSync, NeedsAGroupId) {
  ClientWorld world;
  world.Start(std::make_unique<Consumer>(ClientWorld::Options(), ConsumerConfig{},
                                         std::vector<broker::PartitionId>{kOrders0}));
  for (const Operation& call :
       {Operation(CommitSync{At(4)}), Operation(CommitAsync{At(4)}), Operation(Committed{}),
        Operation(SeekToCommitted{}), Operation(GroupMetadata{}),
        Operation(Subscribe{{broker::TopicId(0)}})}) {
    EXPECT_EQ(world.Do(call).error.ExceptionName(), "InvalidGroupIdException") << Name(call);
  }
  EXPECT_EQ(world.Do(EnforceRebalance{}).error.ExceptionName(), "IllegalStateException");
  EXPECT_TRUE(world.Do(Unsubscribe{}).ok());
}

TEST(CommitSync, IsRetriedWhereThatMayHelp) {
  for (const ErrorCode error : {ErrorCode::kCoordinatorLoadInProgress,
                                ErrorCode::kCoordinatorNotAvailable, ErrorCode::kNotCoordinator,
                                ErrorCode::kRequestTimedOut, ErrorCode::kUnknownTopicOrPartition}) {
    GroupWorld world;
    world.Join();
    world.Answer(0, ApiKey::kOffsetCommit, {error, error});
    EXPECT_TRUE(world.Do(CommitSync{At(1)}).ok()) << error;
    EXPECT_THAT(world.Received<OffsetCommitRequest>(0), SizeIs(3));
  }
}

TEST(CommitSync, TimesOutAfterDefaultApiTimeout) {
  GroupWorld world({.default_api_timeout_ms = 1'000});
  world.Join();
  world.Answer(0, ApiKey::kOffsetCommit,
               std::vector<std::optional<ErrorCode>>(50, ErrorCode::kCoordinatorLoadInProgress));
  const CallResult commit = world.Do(CommitSync{At(1)});
  EXPECT_EQ(commit.error.ExceptionName(), "TimeoutException");
  EXPECT_EQ(commit.finished - commit.started, sim::Seconds(1));
}

TEST(CommitSync, WhatTheGroupRefusesIsThrown) {
  const struct {
    ErrorCode error;
    std::string_view exception;
    bool is_out;  // it is not a member any more
  } cases[] = {
      {ErrorCode::kUnknownMemberId, "CommitFailedException", true},
      {ErrorCode::kIllegalGeneration, "CommitFailedException", true},
      {ErrorCode::kRebalanceInProgress, "RebalanceInProgressException", false},
      {ErrorCode::kFencedInstanceId, "FencedInstanceIdException", false},
      {ErrorCode::kOffsetMetadataTooLarge, "OffsetMetadataTooLarge", false},
      {ErrorCode::kGroupAuthorizationFailed, "GroupAuthorizationException", false},
      {ErrorCode::kTopicAuthorizationFailed, "TopicAuthorizationException", false},
      {ErrorCode::kInvalidRequest, "KafkaException", false},
  };
  for (const auto& [error, exception, is_out] : cases) {
    GroupWorld world;
    world.Join();
    world.Answer(0, ApiKey::kOffsetCommit, {error});
    const CallResult commit = world.Do(CommitSync{At(1)});
    EXPECT_EQ(commit.error.ExceptionName(), exception) << error;
    EXPECT_EQ(commit.error.code, error);
    EXPECT_THAT(world.Received<OffsetCommitRequest>(0), SizeIs(1));
    EXPECT_EQ(world.group().state(), is_out ? MemberState::kUnjoined : MemberState::kStable);
  }
}

TEST(CommitSync, AfterARefusalTheNextPollJoinsAgain) {
  GroupWorld world;
  world.Join();
  world.Answer(0, ApiKey::kOffsetCommit, {ErrorCode::kRebalanceInProgress});
  (void)world.Do(CommitSync{At(1)});
  EXPECT_TRUE(world.DoPoll().ok());
  EXPECT_THAT(world.Received<JoinGroupRequest>(0).back().reason,
              HasSubstr("offset commit failed since group is already rebalancing"));
  EXPECT_TRUE(world.Do(CommitSync{At(1)}).ok());
  EXPECT_EQ(world.Received<OffsetCommitRequest>(0).back().generation_id, 2);
}

TEST(CommitSync, OutsideOfAGenerationNothingIsSent) {
  GroupWorld world;
  EXPECT_EQ(world.Do(CommitSync{At(1)}).error.ExceptionName(), "CommitFailedException");
  world.Answer(0, ApiKey::kJoinGroup, {std::nullopt});
  (void)world.DoPoll();
  ASSERT_EQ(world.group().state(), MemberState::kPreparingRebalance);
  EXPECT_EQ(world.Do(CommitSync{At(1)}).error.ExceptionName(), "RebalanceInProgressException");
  EXPECT_THAT(world.Received<OffsetCommitRequest>(0), IsEmpty());
}

TEST(CommitAsync, ReturnsWithTheCoordinatorsAnswerAndBlocksNothing) {
  GroupWorld world;
  world.Join();
  const CallId commit = world.Give(CommitAsync{At(1)});
  EXPECT_EQ(world.Result(commit).state, CallState::kOpen);
  EXPECT_TRUE(world.Do(Seek{kOrders0, Offset(2)}).ok());
  EXPECT_FALSE(world.Result(commit).done());
  EXPECT_TRUE(world.Await(commit).ok());
  EXPECT_THAT(world.Told(events::kCommitAcknowledged, "how"), ElementsAre("commit_async"));
}

TEST(CommitAsync, IsNotRetried) {
  GroupWorld world;
  world.Join();
  world.Answer(0, ApiKey::kOffsetCommit, {ErrorCode::kCoordinatorLoadInProgress});
  const CallResult commit = world.Do(CommitAsync{At(1)});
  EXPECT_EQ(commit.error.ExceptionName(), "RetriableCommitFailedException");
  EXPECT_EQ(commit.error.code, ErrorCode::kCoordinatorLoadInProgress);
  EXPECT_TRUE(commit.error.IsRetriableException());
  EXPECT_THAT(world.Received<OffsetCommitRequest>(0), SizeIs(1));
}

TEST(CommitAsync, ComesBeforeALaterCommitSync) {
  GroupWorld world;
  world.Join();
  const CallId first = world.Give(CommitAsync{At(1)});
  const CallId second = world.Give(CommitAsync{At(2)});
  const CallResult sync = world.Do(CommitSync{At(3)});
  EXPECT_TRUE(world.Result(first).done());
  EXPECT_TRUE(world.Result(second).done());
  EXPECT_LE(world.Result(second).finished, sync.finished);
  const auto commits = world.Received<OffsetCommitRequest>(0);
  ASSERT_THAT(commits, SizeIs(3));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(commits[i].offsets[0].offset, Offset(i + 1));
}

TEST(CommitAsync, AnEmptyCommitSyncWaitsForIt) {
  GroupWorld world;
  world.Join();
  const CallId commit = world.Give(CommitAsync{At(1)});
  EXPECT_TRUE(world.Do(CommitSync{std::vector<OffsetToCommit>{}}).ok());
  EXPECT_TRUE(world.Result(commit).done());
}

TEST(CommitAsync, LooksForTheCoordinatorItself) {
  GroupWorld world({}, /*subscribe=*/false);
  EXPECT_TRUE(world.Do(CommitAsync{At(4)}).ok());
  EXPECT_EQ(world.Received<OffsetCommitRequest>(0)[0].offsets, At(4));
}

TEST(CommitAsync, FailsIfThereIsNoCoordinator) {
  GroupWorld world({}, /*subscribe=*/false);
  for (int id : {0, 1}) {
    world.Answer(id, ApiKey::kFindCoordinator, {ErrorCode::kCoordinatorNotAvailable});
  }
  EXPECT_EQ(world.Do(CommitAsync{At(4)}).error.ExceptionName(), "RetriableCommitFailedException");
}

TEST(CommitAsync, AFencedInstanceIsFencedForGood) {
  GroupWorld world({.group_instance_id = "i-1"});
  world.Join();
  world.Answer(0, ApiKey::kOffsetCommit, {ErrorCode::kFencedInstanceId});
  EXPECT_EQ(world.Do(CommitAsync{At(1)}).error.ExceptionName(), "FencedInstanceIdException");
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(world.DoPoll().error.ExceptionName(), "FencedInstanceIdException");
    EXPECT_EQ(world.Do(CommitSync{At(1)}).error.ExceptionName(), "FencedInstanceIdException");
  }
}

TEST(AutoCommit, CommitsInPollsWhenTheIntervalIsOver) {
  GroupWorld world({.enable_auto_commit = true});
  world.Data(kOrders0, 0, {"a"});
  (void)world.DoPoll();
  world.RunFor(sim::Seconds(20));
  EXPECT_THAT(world.Received<OffsetCommitRequest>(0), IsEmpty());
  (void)world.DoPoll();
  const auto commits = world.Received<OffsetCommitRequest>(0);
  ASSERT_THAT(commits, SizeIs(1));
  EXPECT_EQ(commits[0].offsets[0].offset, Offset(1));
  (void)world.DoPoll(sim::Seconds(12));
  EXPECT_THAT(world.Received<OffsetCommitRequest>(0), SizeIs(3));
}

TEST(AutoCommit, CommitsBeforeARebalanceAndOnClose) {
  GroupWorld world({.enable_auto_commit = true});
  world.Data(kOrders0, 0, {"a"});
  (void)world.DoPoll();
  world.Answer(0, ApiKey::kHeartbeat, {ErrorCode::kRebalanceInProgress});
  world.RunFor(sim::Seconds(4));
  (void)world.DoPoll();
  EXPECT_THAT(world.Received<OffsetCommitRequest>(0), SizeIs(1));
  EXPECT_THAT(world.Told(events::kCommitAcknowledged, "how"),
              ElementsAre("auto commit before a rebalance"));
  const auto apis = world.Apis(0);
  const auto commit = std::find(apis.begin(), apis.end(), "OffsetCommit");
  EXPECT_EQ(std::count(commit, apis.end(), "JoinGroup"), 1);
  EXPECT_TRUE(world.Do(Close{}).ok());
  EXPECT_THAT(world.Received<OffsetCommitRequest>(0), SizeIs(2));
  EXPECT_EQ(world.Apis(0).back(), "LeaveGroup");
}

TEST(AutoCommit, TheCommitBeforeARebalanceIsRetriedButARefusalDoesNotStopIt) {
  GroupWorld world({.enable_auto_commit = true});
  world.Join();
  world.Answer(0, ApiKey::kHeartbeat, {ErrorCode::kRebalanceInProgress});
  world.RunFor(sim::Seconds(4));
  world.Answer(0, ApiKey::kOffsetCommit,
               {ErrorCode::kCoordinatorLoadInProgress, ErrorCode::kRebalanceInProgress});
  (void)world.DoPoll();
  EXPECT_THAT(world.Received<OffsetCommitRequest>(0), SizeIs(2));
  EXPECT_THAT(world.Received<JoinGroupRequest>(0), SizeIs(2));
}

TEST(AutoCommit, NothingIsReadBetweenTheCommitAndTheRevocation) {
  GroupWorld world({.enable_auto_commit = true});
  world.Join();
  world.Answer(0, ApiKey::kHeartbeat, {ErrorCode::kRebalanceInProgress});
  world.RunFor(sim::Seconds(4));
  world.Answer(0, ApiKey::kOffsetCommit, {ErrorCode::kCoordinatorLoadInProgress});
  world.Data(kOrders0, 0, {"a"});
  const CallId poll = world.Give(Poll{.timeout = sim::Millis(50)});
  EXPECT_THAT(ValuesOf(world.Await(poll)), IsEmpty());
  EXPECT_EQ(world.consumer().position(kOrders0), Offset(0));
}

TEST(Committed, TellsWhatTheGroupHasCommitted) {
  GroupWorld world;
  world.Tell(0, {.committed = {{kOrders0, 5}}});
  (void)world.DoPoll();
  const CallResult all = world.Do(Committed{});
  const auto& rows = std::get<CommittedOffsets>(all.value).rows;
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[0].offset, Offset(5));
  EXPECT_EQ(rows[1].offset, broker::kNoOffset);
  const CallResult one = world.Do(Committed{{kOrders1}});
  EXPECT_THAT(std::get<CommittedOffsets>(one.value).rows, SizeIs(1));
}

TEST(Committed, WaitsForUndecidedOffsetsUntilTheApiTimeout) {
  GroupWorld world({.default_api_timeout_ms = 2'000});
  world.Join();
  world.Answer(0, ApiKey::kOffsetFetch,
               std::vector<std::optional<ErrorCode>>(50, ErrorCode::kUnstableOffsetCommit));
  EXPECT_EQ(world.Do(Committed{}).error.ExceptionName(), "TimeoutException");
}

TEST(SeekToCommitted, GoesBackToWhatWasCommitted) {
  GroupWorld world;
  world.Tell(1, {.offsets = {{kOrders1, 3}}});
  world.Join();
  (void)world.Do(Seek{kOrders0, Offset(9)});
  (void)world.Do(Seek{kOrders1, Offset(9)});
  world.Tell(0, {.committed = {{kOrders0, 5}}});
  EXPECT_TRUE(world.Do(SeekToCommitted{}).ok());
  EXPECT_EQ(world.consumer().position(kOrders0), Offset(5));
  // Nothing is committed for the other: it begins by the policy.
  EXPECT_EQ(std::get<PartitionOffsets>(world.Do(Position{kOrders1}).value).rows[0].offset,
            Offset(3));
}

}  // namespace
}  // namespace kafkasim::client

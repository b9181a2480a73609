// What a rebalance does to the partitions of a consumer, eager and cooperative, and how its
// application hears of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/client/group_world.h"

namespace kafkasim::client {
namespace {

using broker::ApiKey;
using broker::ErrorCode;
using broker::JoinGroupRequest;
using broker::LeaveGroupRequest;
using broker::Offset;
using broker::OffsetCommitRequest;
using broker::PartitionList;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const ConsumerConfig kCooperative{.partition_assignment_strategy = "cooperative-sticky"};
const ConsumerConfig kListening{.external_listener = true};

// A follower, whose leader gives it these partitions.
void Give(GroupWorld& world, PartitionList partitions) {
  world.Tell(0, {.leader = "somebody", .assigned = std::move(partitions)});
}
void Rebalance(GroupWorld& world) {
  world.Answer(0, ApiKey::kHeartbeat, {ErrorCode::kRebalanceInProgress});
  world.RunFor(sim::Seconds(4));
}
// A member with a listener, after its first rebalance.
void JoinListening(GroupWorld& world) {
  const CallId poll = world.Give(Poll{.timeout = sim::Millis(200)});
  EXPECT_EQ(world.AwaitListener(), "on_partitions_assigned 0 1");
  world.CompleteCallback();
  EXPECT_TRUE(world.Await(poll).ok());
}

TEST(Rebalance, AnEagerMemberGivesEverythingUpBeforeItJoins) {
  GroupWorld world;
  Give(world, {kOrders0, kOrders1});
  world.Join();
  Give(world, {kOrders0});
  Rebalance(world);
  EXPECT_TRUE(world.DoPoll().ok());
  EXPECT_THAT(world.consumer().assignment(), ElementsAre(kOrders0));
  const auto joins = world.Received<JoinGroupRequest>(0);
  ASSERT_THAT(joins, SizeIs(2));
  EXPECT_THAT(joins[1].protocols[0].subscription.owned, IsEmpty());
  EXPECT_EQ(joins[1].protocols[0].subscription.generation_id, 1);
  EXPECT_THAT(world.Told(events::kPartitionsRevoked, "group_id"), SizeIs(1));
  EXPECT_THAT(world.Told(events::kPartitionsAssigned, "group_id"), SizeIs(2));
}

TEST(Rebalance, ACooperativeMemberGivesUpOnlyWhatMovesAndJoinsOnceMore) {
  GroupWorld world(kCooperative);
  Give(world, {kOrders0, kOrders1});
  world.Join();
  (void)world.Do(Seek{kOrders0, Offset(7)});
  Give(world, {kOrders0});
  Rebalance(world);
  EXPECT_TRUE(world.DoPoll().ok());
  EXPECT_THAT(world.consumer().assignment(), ElementsAre(kOrders0));
  EXPECT_EQ(world.consumer().position(kOrders0), Offset(7));
  const auto joins = world.Received<JoinGroupRequest>(0);
  ASSERT_THAT(joins, SizeIs(3));
  EXPECT_THAT(joins[1].protocols[0].subscription.owned, ElementsAre(kOrders0, kOrders1));
  EXPECT_EQ(joins[2].reason, "need to revoke partitions and re-join");
  EXPECT_THAT(joins[2].protocols[0].subscription.owned, ElementsAre(kOrders0));
  EXPECT_EQ(world.consumer().group_metadata().generation_id, 3);
}

TEST(Rebalance, ACooperativeMemberGoesOnReadingWhileItJoins) {
  GroupWorld world(kCooperative);
  Give(world, {kOrders0});
  world.Data(kOrders0, 0, {"a"});
  EXPECT_THAT(ValuesOf(world.DoPoll()), ElementsAre("a"));
  Rebalance(world);
  world.Answer(0, ApiKey::kJoinGroup, {std::nullopt});
  world.Data(kOrders0, 1, {"b"});
  EXPECT_THAT(ValuesOf(world.DoPoll(sim::Seconds(1))), ElementsAre("b"));
  EXPECT_EQ(world.group().state(), MemberState::kPreparingRebalance);
}

TEST(Rebalance, AnEagerMemberReadsNothingWhileItJoins) {
  GroupWorld world;
  Give(world, {kOrders0});
  world.Data(kOrders0, 0, {"a"});
  EXPECT_THAT(ValuesOf(world.DoPoll()), ElementsAre("a"));
  Rebalance(world);
  world.Answer(0, ApiKey::kJoinGroup, {std::nullopt});
  world.Data(kOrders0, 1, {"b"});
  EXPECT_THAT(ValuesOf(world.DoPoll(sim::Seconds(1))), IsEmpty());
}

TEST(Rebalance, WhatWasFetchedOfARevokedPartitionIsDropped) {
  GroupWorld world({.max_poll_records = 1});
  Give(world, {kOrders0, kOrders1});
  world.Data(kOrders1, 0, {"a", "b", "c"});
  EXPECT_THAT(ValuesOf(world.DoPoll()), ElementsAre("a"));
  Give(world, {kOrders0});
  Rebalance(world);
  EXPECT_THAT(ValuesOf(world.DoPoll()), IsEmpty());
}

TEST(Rebalance, APartitionThatComesBackBeginsAtItsCommittedOffset) {
  GroupWorld world;
  Give(world, {kOrders0});
  world.Data(kOrders0, 0, {"a", "b"});
  EXPECT_THAT(ValuesOf(world.DoPoll()), ElementsAre("a", "b"));
  world.Tell(0, {.committed = {{kOrders0, 1}}});
  Rebalance(world);
  (void)world.DoPoll();
  EXPECT_EQ(world.consumer().position(kOrders0), Offset(1));
}

// --- The listener --------------------------------------------------------------------------------

TEST(RebalanceListener, IsCalledInsideOfPollAndPollWaitsForIt) {
  GroupWorld world(kListening);
  const CallId poll = world.Give(Poll{.timeout = sim::Millis(200)});
  EXPECT_EQ(world.AwaitListener(), "on_partitions_assigned 0 1");
  world.RunFor(sim::Seconds(2));
  EXPECT_FALSE(world.Result(poll).done());
  EXPECT_THAT(world.consumer().assignment(), SizeIs(2));
  EXPECT_THAT(world.Received<broker::FetchRequest>(0), IsEmpty());
  world.CompleteCallback();
  EXPECT_TRUE(world.Await(poll).ok());
}

TEST(RebalanceListener, RevokedPartitionsStillHaveTheirPositionsAndCanBeCommitted) {
  GroupWorld world(kListening);
  JoinListening(world);
  (void)world.Do(Seek{kOrders0, Offset(7)});
  Rebalance(world);
  const CallId poll = world.Give(Poll{.timeout = sim::Millis(200)});
  EXPECT_EQ(world.AwaitListener(), "on_partitions_revoked 0 1");
  EXPECT_EQ(world.consumer().position(kOrders0), Offset(7));
  EXPECT_THAT(world.Received<JoinGroupRequest>(0), SizeIs(1));
  EXPECT_TRUE(world.Do(CommitSync{}).ok());
  EXPECT_FALSE(world.Result(poll).done());
  const auto commits = world.Received<OffsetCommitRequest>(0);
  ASSERT_THAT(commits, SizeIs(1));
  EXPECT_EQ(commits[0].generation_id, 1);
  EXPECT_EQ(commits[0].offsets[0].offset, Offset(7));
  world.CompleteCallback();
  EXPECT_EQ(world.AwaitListener(), "on_partitions_assigned 0 1");
  // Its place is known before the position is.
  EXPECT_EQ(world.consumer().position(kOrders0), std::nullopt);
  EXPECT_TRUE(world.Do(Seek{kOrders0, Offset(3)}).ok());
  world.CompleteCallback();
  EXPECT_TRUE(world.Await(poll).ok());
  EXPECT_EQ(world.consumer().position(kOrders0), Offset(3));
}

TEST(RebalanceListener, ACooperativeMemberHearsOnlyOfWhatMoves) {
  ConsumerConfig config = kCooperative;
  config.external_listener = true;
  GroupWorld world(config);
  Give(world, {kOrders0, kOrders1});
  JoinListening(world);
  Give(world, {kOrders0});
  Rebalance(world);
  const CallId poll = world.Give(Poll{.timeout = sim::Millis(200)});
  EXPECT_EQ(world.AwaitListener(), "on_partitions_revoked 1");
  world.CompleteCallback();
  // onPartitionsAssigned is called whatever is new.
  EXPECT_EQ(world.AwaitListener(), "on_partitions_assigned");
  world.CompleteCallback();
  EXPECT_EQ(world.AwaitListener(), "on_partitions_assigned");
  world.CompleteCallback();
  EXPECT_TRUE(world.Await(poll).ok());
}

TEST(RebalanceListener, AMemberThatWasThrownOutHasLostItsPartitions) {
  GroupWorld world(kListening);
  JoinListening(world);
  world.Answer(0, ApiKey::kHeartbeat, {ErrorCode::kUnknownMemberId});
  world.RunFor(sim::Seconds(4));
  const CallId poll = world.Give(Poll{.timeout = sim::Millis(200)});
  EXPECT_EQ(world.AwaitListener(), "on_partitions_lost 0 1");
  EXPECT_EQ(world.Do(CommitSync{}).error.ExceptionName(), "CommitFailedException");
  EXPECT_THAT(world.Received<OffsetCommitRequest>(0), IsEmpty());
  world.CompleteCallback();
  EXPECT_EQ(world.AwaitListener(), "on_partitions_assigned 0 1");
  world.CompleteCallback();
  EXPECT_TRUE(world.Await(poll).ok());
}

TEST(RebalanceListener, AnExceptionIsThrownByThePollAndTheNextOneGoesOn) {
  GroupWorld world(kListening);
  JoinListening(world);
  Rebalance(world);
  CallId poll = world.Give(Poll{.timeout = sim::Millis(200)});
  EXPECT_EQ(world.AwaitListener(), "on_partitions_revoked 0 1");
  world.CompleteCallback(
      ClientError(Exception::kCommitFailed, ErrorClass::kAbortable, "no longer mine"));
  const CallResult thrown = world.Await(poll);
  EXPECT_EQ(thrown.error.ExceptionName(), "KafkaException");
  EXPECT_THAT(thrown.error.ToString(), HasSubstr("CommitFailedException"));
  // The partitions are given up all the same, and the listener is not called for them again.
  EXPECT_THAT(world.consumer().assignment(), IsEmpty());
  poll = world.Give(Poll{.timeout = sim::Millis(200)});
  EXPECT_EQ(world.AwaitListener(), "on_partitions_assigned 0 1");
  world.CompleteCallback();
  EXPECT_TRUE(world.Await(poll).ok());
}

TEST(RebalanceListener, PollsAndSubscriptionsInsideOfItAreIllegal) {
  GroupWorld world(kListening);
  const CallId poll = world.Give(Poll{.timeout = sim::Millis(200)});
  (void)world.AwaitListener();
  for (const Operation& call : {Operation(Poll{}), Operation(Unsubscribe{}), Operation(Close{})}) {
    EXPECT_EQ(world.Do(call).error.ExceptionName(), "IllegalStateException");
  }
  EXPECT_TRUE(world.Do(GroupMetadata{}).ok());
  world.CompleteCallback();
  EXPECT_TRUE(world.Await(poll).ok());
}

TEST(RebalanceListener, ThePollIntervalRunsOnInsideOfIt) {
  ConsumerConfig config = kListening;
  config.max_poll_interval_ms = 10'000;
  GroupWorld world(config);
  const CallId poll = world.Give(Poll{.timeout = sim::Millis(200)});
  (void)world.AwaitListener();
  world.RunFor(sim::Seconds(11));
  EXPECT_THAT(world.Received<LeaveGroupRequest>(0), SizeIs(1));
  world.CompleteCallback();
  EXPECT_EQ(world.AwaitListener(), "on_partitions_lost 0 1");
  world.CompleteCallback();
  EXPECT_TRUE(world.Await(poll).ok());  // its time is over
  JoinListening(world);
}

TEST(RebalanceListener, CloseAndUnsubscribeCallItBeforeTheGroupIsLeft) {
  for (const Operation& call : {Operation(Close{}), Operation(Unsubscribe{})}) {
    GroupWorld world(kListening);
    JoinListening(world);
    const CallId leaving = world.Give(call);
    EXPECT_EQ(world.AwaitListener(), "on_partitions_revoked 0 1");
    EXPECT_THAT(world.Received<LeaveGroupRequest>(0), IsEmpty());
    EXPECT_TRUE(world.Do(CommitSync{}).ok());
    world.CompleteCallback();
    EXPECT_TRUE(world.Await(leaving).ok());
    world.RunFor(sim::Millis(10));
    EXPECT_THAT(world.Received<LeaveGroupRequest>(0), SizeIs(1));
  }
}

TEST(RebalanceListener, ACallGivenBeforeItIsCalledIsMadeAfterThePoll) {
  GroupWorld world(kListening);
  const CallId poll = world.Give(Poll{.timeout = sim::Millis(200)});
  const CallId commit = world.Give(CommitSync{});
  (void)world.AwaitListener();
  world.RunFor(sim::Millis(500));
  EXPECT_EQ(world.Result(commit).state, CallState::kWaiting);
  world.CompleteCallback();
  EXPECT_TRUE(world.Await(commit).ok());
  EXPECT_TRUE(world.Result(poll).done());
}

// A garbage collection longer than the session timeout.
TEST(Rebalance, APausedMemberFindsOutByItsHeartbeat) {
  GroupWorld world(kListening);
  JoinListening(world);
  world.world().Pause(world.client(), &world.log());
  world.RunFor(sim::Seconds(60));
  world.Answer(0, ApiKey::kHeartbeat, {ErrorCode::kUnknownMemberId});
  world.world().Resume(world.client(), &world.log());
  world.RunFor(sim::Seconds(1));
  EXPECT_EQ(world.group().state(), MemberState::kUnjoined);
  const CallId poll = world.Give(Poll{.timeout = sim::Millis(200)});
  EXPECT_EQ(world.AwaitListener(), "on_partitions_lost 0 1");
  world.CompleteCallback();
  EXPECT_EQ(world.AwaitListener(), "on_partitions_assigned 0 1");
  world.CompleteCallback();
  EXPECT_TRUE(world.Await(poll).ok());
}

TEST(Rebalance, ACopyOfTheWorldGoesOnAsTheOriginalDoes) {
  GroupWorld world;
  world.Join();
  sim::World copy = world.world();
  EXPECT_EQ(copy.fingerprint(), world.world().fingerprint());
  copy.RunUntil(copy.now() + sim::Seconds(10), nullptr);
  world.RunFor(sim::Seconds(10));
  EXPECT_EQ(copy.fingerprint(), world.world().fingerprint());
}

}  // namespace
}  // namespace kafkasim::client

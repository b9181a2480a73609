// Consumer groups whole: members, brokers and both coordinators.
#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/client/cluster_world.h"

namespace kafkasim::client {
namespace {

using broker::Offset;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

class GroupCluster : public ::testing::TestWithParam<int64_t> {
 protected:
  GroupCluster() : world_(GetParam()) {}

  // All of them poll, again and again, for so long; what they got, in the order of polls.
  std::vector<std::string> Poll(const std::vector<sim::ProcessId>& members,
                                sim::Duration duration) {
    std::vector<std::string> values;
    const sim::Time end = world_.world().now() + duration;
    while (world_.world().now() < end) {
      std::vector<CallId> polls;
      for (const sim::ProcessId member : members) {
        polls.push_back(world_.Give(member, client::Poll{.timeout = sim::Millis(200)}));
      }
      for (size_t i = 0; i < members.size(); ++i) {
        const CallResult polled = world_.Await(members[i], polls[i]);
        EXPECT_TRUE(polled.ok()) << polled.error;
        if (!polled.ok()) return values;
        for (const ConsumedRecord& record : *std::get<ConsumedRecords>(polled.value).records) {
          values.push_back(*record.value);
        }
      }
    }
    return values;
  }
  std::vector<broker::PartitionId> PartitionsOf(sim::ProcessId member) {
    return world_.ConsumerOf(member).assignment();
  }
  int32_t GenerationOf(sim::ProcessId member) {
    return world_.ConsumerOf(member).group_metadata().generation_id;
  }
  // What the group has committed for kFirst, -1 for nothing.
  Offset CommittedOf(sim::ProcessId member) {
    const CallResult committed = world_.Do(member, Committed{{kFirst}});
    EXPECT_TRUE(committed.ok()) << committed.error;
    return committed.ok() ? std::get<CommittedOffsets>(committed.value).rows[0].offset
                          : Offset(-99);
  }
  SendOffsetsToTransaction OffsetsOf(sim::ProcessId member) {
    return {.offsets = world_.ConsumerOf(member).positions(),
            .group = world_.ConsumerOf(member).group_metadata()};
  }
  // A transactional producer in an open transaction.
  void Open(sim::ProcessId producer) {
    EXPECT_TRUE(world_.Do(producer, InitTransactions{}).ok());
    EXPECT_TRUE(world_.Do(producer, BeginTransaction{}).ok());
  }

  ClusterWorld world_;
};

INSTANTIATE_TEST_SUITE_P(TransactionVersions, GroupCluster, ::testing::Values(1, 2),
                         [](const auto& version) { return "TV" + std::to_string(version.param); });

TEST_P(GroupCluster, TwoMembersShareATopicAndOneThatLeavesGivesItsPartToTheOther) {
  const auto a = world_.AddMember("a");
  const auto b = world_.AddMember("b");
  world_.Start();
  (void)Poll({a}, sim::Seconds(5));
  EXPECT_THAT(PartitionsOf(a), ElementsAre(kFirst, kSecond));
  (void)Poll({a, b}, sim::Seconds(10));
  EXPECT_THAT(PartitionsOf(a), SizeIs(1));
  EXPECT_THAT(PartitionsOf(b), SizeIs(1));
  EXPECT_NE(PartitionsOf(a), PartitionsOf(b));
  EXPECT_EQ(GenerationOf(a), GenerationOf(b));
  EXPECT_TRUE(world_.Do(b, Close{}).ok());
  (void)Poll({a}, sim::Seconds(5));
  EXPECT_THAT(PartitionsOf(a), ElementsAre(kFirst, kSecond));
}

TEST_P(GroupCluster, TheNextOwnerBeginsWhereTheLastOneHasCommitted) {
  const auto a = world_.AddMember("a");
  const auto b = world_.AddMember("b");
  const auto plain = world_.AddProducer("plain", {});
  world_.Start();
  EXPECT_TRUE(world_.DoSend(plain, kFirst, {"r0", "r1", "r2"}).ok());
  EXPECT_THAT(Poll({a}, sim::Seconds(5)), ElementsAre("r0", "r1", "r2"));
  EXPECT_TRUE(world_
                  .Do(a, CommitSync{std::vector<broker::OffsetToCommit>{
                             {.partition = kFirst, .offset = Offset(2)}}})
                  .ok());
  EXPECT_TRUE(world_.Do(a, Close{}).ok());
  EXPECT_THAT(Poll({b}, sim::Seconds(5)), ElementsAre("r2"));
}

TEST_P(GroupCluster, AMemberThatCrashedIsReplacedAfterItsSessionTimeout) {
  const auto a = world_.AddMember("a", {.session_timeout_ms = 10'000});
  const auto b = world_.AddMember("b", {.session_timeout_ms = 10'000});
  world_.Start();
  (void)Poll({a, b}, sim::Seconds(12));
  ASSERT_THAT(PartitionsOf(b), SizeIs(1));
  world_.Crash(a);
  (void)Poll({b}, sim::Seconds(5));
  EXPECT_THAT(PartitionsOf(b), SizeIs(1));
  (void)Poll({b}, sim::Seconds(12));
  EXPECT_THAT(PartitionsOf(b), SizeIs(2));
}

TEST_P(GroupCluster, CooperativeMembersKeepWhatDoesNotMove) {
  const ConsumerConfig config{.partition_assignment_strategy = "cooperative-sticky"};
  const auto a = world_.AddMember("a", config);
  const auto b = world_.AddMember("b", config);
  const auto plain = world_.AddProducer("plain", {});
  world_.Start();
  EXPECT_TRUE(world_.DoSend(plain, kFirst, {"r0", "r1"}).ok());
  (void)Poll({a}, sim::Seconds(5));
  EXPECT_EQ(world_.ConsumerOf(a).position(kFirst), Offset(2));
  (void)Poll({a, b}, sim::Seconds(10));
  // It never had to ask the group, which knows nothing, where to begin again.
  EXPECT_THAT(PartitionsOf(a), ElementsAre(kFirst));
  EXPECT_EQ(world_.ConsumerOf(a).position(kFirst), Offset(2));
  EXPECT_THAT(PartitionsOf(b), ElementsAre(kSecond));
}

TEST_P(GroupCluster, AStaticMemberComesBackWithoutARebalance) {
  const auto a = world_.AddMember("a", {.group_instance_id = "i-a"});
  const auto b = world_.AddMember("b", {.group_instance_id = "i-b"});
  world_.Start();
  (void)Poll({a, b}, sim::Seconds(12));
  const int32_t generation = GenerationOf(b);
  const auto partitions = PartitionsOf(a);
  ASSERT_THAT(partitions, SizeIs(1));
  world_.Crash(a);
  world_.RunFor(sim::Seconds(2));
  world_.Restart(a);
  (void)Poll({a, b}, sim::Seconds(10));
  EXPECT_EQ(PartitionsOf(a), partitions);
  EXPECT_EQ(GenerationOf(b), generation);
}

TEST_P(GroupCluster, MembersGoOnAtANewCoordinator) {
  const auto a = world_.AddMember("a");
  world_.Start();
  (void)Poll({a}, sim::Seconds(5));
  const int32_t generation = GenerationOf(a);
  EXPECT_TRUE(world_.Do(a, CommitSync{}).ok());
  const broker::BrokerId coordinator = world_.ConsumerOf(a).group()->coordinator();
  world_.Crash(broker::ProcessOf(coordinator));
  (void)Poll({a}, sim::Seconds(30));
  EXPECT_NE(world_.ConsumerOf(a).group()->coordinator(), coordinator);
  EXPECT_TRUE(world_.Do(a, CommitSync{}).ok());
  EXPECT_EQ(GenerationOf(a), generation);
}

TEST_P(GroupCluster, OffsetsAreCommittedWithTheTransactionOrNotAtAll) {
  const auto a = world_.AddMember("a");
  const auto plain = world_.AddProducer("plain", {});
  const auto worker = world_.AddTransactional("worker", "w-1");
  world_.Start();
  EXPECT_TRUE(world_.DoSend(plain, kFirst, {"r0", "r1"}).ok());
  EXPECT_THAT(Poll({a}, sim::Seconds(5)), ElementsAre("r0", "r1"));
  Open(worker);
  EXPECT_TRUE(world_.DoSend(worker, kSecond, {"x0"}).ok());
  EXPECT_TRUE(world_.Do(worker, OffsetsOf(a)).ok());
  EXPECT_TRUE(world_.Do(worker, AbortTransaction{}).ok());
  EXPECT_EQ(CommittedOf(a), broker::kNoOffset);
  EXPECT_TRUE(world_.Do(a, SeekToCommitted{}).ok());
  EXPECT_THAT(Poll({a}, sim::Seconds(2)), ElementsAre("r0", "r1"));
  EXPECT_TRUE(world_.Do(worker, BeginTransaction{}).ok());
  EXPECT_TRUE(world_.DoSend(worker, kSecond, {"x1"}).ok());
  EXPECT_TRUE(world_.Do(worker, OffsetsOf(a)).ok());
  EXPECT_TRUE(world_.Do(worker, CommitTransaction{}).ok());
  EXPECT_EQ(CommittedOf(a), Offset(2));
  EXPECT_THAT(Poll({a}, sim::Seconds(2)), ElementsAre("x1"));
}

TEST_P(GroupCluster, ANewOwnerWaitsForOffsetsOfAnOpenTransaction) {
  const auto a = world_.AddMember("a");
  const auto b = world_.AddMember("b");
  const auto plain = world_.AddProducer("plain", {});
  const auto worker = world_.AddTransactional("worker", "w-1");
  world_.Start();
  EXPECT_TRUE(world_.DoSend(plain, kFirst, {"r0", "r1"}).ok());
  EXPECT_THAT(Poll({a}, sim::Seconds(5)), ElementsAre("r0", "r1"));
  Open(worker);
  EXPECT_TRUE(world_.Do(worker, OffsetsOf(a)).ok());
  EXPECT_TRUE(world_.Do(a, Close{}).ok());
  EXPECT_THAT(Poll({b}, sim::Seconds(8)), IsEmpty());
  EXPECT_THAT(PartitionsOf(b), SizeIs(2));
  EXPECT_EQ(world_.ConsumerOf(b).position(kFirst), std::nullopt);
  EXPECT_TRUE(world_.Do(worker, CommitTransaction{}).ok());
  EXPECT_TRUE(world_.DoSend(plain, kFirst, {"r2"}).ok());
  EXPECT_THAT(Poll({b}, sim::Seconds(4)), ElementsAre("r2"));
}

// KIP-447: a member that was paused too long may not commit for its generation, unless it hides who
// it is behind the group id alone.
TEST_P(GroupCluster, AZombieIsFencedByItsGenerationUnlessItGivesTheGroupIdAlone) {
  for (const bool alone : {false, true}) {
    ClusterWorld& world = world_;
    if (alone) world_ = ClusterWorld(GetParam());
    const auto a = world.AddMember("a", {.session_timeout_ms = 10'000});
    const auto b = world.AddMember("b", {.session_timeout_ms = 10'000});
    const auto plain = world.AddProducer("plain", {});
    const auto worker = world.AddTransactional("worker", "w-a");
    world.Start();
    EXPECT_TRUE(world.DoSend(plain, kFirst, {"r0", "r1"}).ok());
    EXPECT_THAT(Poll({a}, sim::Seconds(5)), ElementsAre("r0", "r1"));
    Open(worker);
    EXPECT_TRUE(world.DoSend(worker, kSecond, {"x0"}).ok());
    world.world().Pause(a, nullptr);
    EXPECT_THAT(Poll({b}, sim::Seconds(25)), ElementsAre("r0", "r1"));
    SendOffsetsToTransaction offsets = OffsetsOf(a);
    if (alone) offsets.group = {.group_id = "g"};
    const CallResult sent = world.Do(worker, offsets);
    EXPECT_EQ(sent.ok(), alone) << sent.error;
    if (alone) {
      EXPECT_TRUE(world.Do(worker, CommitTransaction{}).ok());
    } else {
      EXPECT_EQ(sent.error.ExceptionName(), "CommitFailedException");
      EXPECT_TRUE(world.Do(worker, AbortTransaction{}).ok());
    }
    world.world().Resume(a, nullptr);
    world.RunFor(sim::Seconds(1));
    EXPECT_EQ(world.ConsumerOf(a).group()->state(), MemberState::kUnjoined);
    EXPECT_EQ(world.Do(a, CommitSync{}).error.ExceptionName(), "CommitFailedException");
  }
}

TEST_P(GroupCluster, AMemberAloneInAQuietWorldOnlyBeats) {
  const auto a = world_.AddMember("a");
  world_.Start();
  (void)Poll({a}, sim::Seconds(5));
  EXPECT_TRUE(world_.Do(a, Close{}).ok());
  world_.RunFor(sim::Seconds(60));
  EXPECT_THAT(PartitionsOf(a), IsEmpty());
}

}  // namespace
}  // namespace kafkasim::client

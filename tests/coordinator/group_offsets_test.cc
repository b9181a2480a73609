// Plain commits and fetches of offsets, and what becomes of them with time
// (OffsetMetadataManagerTest, Kafka 4.4 development line).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/coordinator/group_consumer.h"

namespace kafkasim::coordinator {
namespace {

using broker::ErrorCode;
using broker::Offset;
using broker::OffsetCommitRequest;
using broker::OffsetCommitResponse;
using broker::OffsetFetchRequest;
using broker::OffsetFetchResponse;
using broker::PartitionId;
using broker::TopicId;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The committed offset of a partition; -1 for none.
int64_t Fetched(GroupHost& host, std::string_view partition, bool require_stable) {
  OffsetFetchRequest request{.group_id = "g", .require_stable = require_stable};
  request.partitions = broker::PartitionList{host.Id(partition)};
  return host.Ask<OffsetFetchResponse>(request)->partitions.at(0).offset.value();
}

TEST(OffsetCommit, OfASimpleGroupNeedsNoMember) {
  GroupHost host;
  GroupConsumer simple(host, "c");
  EXPECT_EQ(simple.Commit("foo-0", 100), ErrorCode::kNone);
  EXPECT_EQ(Fetched(host, "foo-0", false), 100);
  EXPECT_EQ(host.Find("g").state, GroupState::kEmpty);
  EXPECT_EQ(host.Find("g").protocol_type, "");
  EXPECT_THAT(host.Log(), ElementsAre("g foo-0 → 100"));
  // The group id may even be empty.
  simple.group = "";
  EXPECT_EQ(simple.Commit("foo-0", 1), ErrorCode::kNone);
}

TEST(OffsetCommit, RefusesInKafkasOrder) {
  GroupHost host;
  GroupConsumer member(host, "c");
  member.generation = 1;
  EXPECT_EQ(member.Commit("foo-0", 1, 8), ErrorCode::kIllegalGeneration) << "no such group";
  EXPECT_EQ(member.Commit("foo-0", 1, 9), ErrorCode::kGroupIdNotFound);
  member.generation = -1;
  Stabilise(host, {&member});
  EXPECT_EQ(member.Commit("foo-0", 1), ErrorCode::kNone);
  GroupConsumer stranger(host, "d");
  EXPECT_EQ(stranger.Commit("foo-0", 1), ErrorCode::kUnknownMemberId)
      << "the group is not empty, and nothing is given";
  stranger.generation = 1;
  EXPECT_EQ(stranger.Commit("foo-0", 1), ErrorCode::kUnknownMemberId);
  member.generation = 0;
  EXPECT_EQ(member.Commit("foo-0", 1), ErrorCode::kIllegalGeneration);
  member.generation = 1;
  // While the group prepares a rebalance the old generation commits, while it completes one nobody
  // does.
  stranger.generation = -1;
  stranger.Join();
  EXPECT_EQ(host.Find("g").state, GroupState::kPreparingRebalance);
  EXPECT_EQ(member.Commit("foo-0", 2), ErrorCode::kNone);
  member.Join();
  (void)member.Joined();
  EXPECT_EQ(host.Find("g").state, GroupState::kCompletingRebalance);
  EXPECT_EQ(member.Commit("foo-0", 3), ErrorCode::kRebalanceInProgress);
  EXPECT_EQ(Fetched(host, "foo-0", false), 2);
}

TEST(OffsetCommit, KeepsTheSession) {
  GroupHost host;
  GroupConsumer member(host, "c");
  Stabilise(host, {&member});
  for (int i = 0; i < 5; ++i) {
    host.Advance(sim::Seconds(40));
    EXPECT_EQ(member.Commit("foo-0", i), ErrorCode::kNone);
  }
  EXPECT_EQ(host.Find("g").state, GroupState::kStable);
}

TEST(OffsetCommit, AnswersForEachPartition) {
  GroupHost host;
  host.broker_config.offset_metadata_max_bytes = 3;
  OffsetCommitRequest request{.version = 9, .group_id = "g"};
  const auto add = [&](const PartitionId& partition, std::string metadata) {
    request.offsets.push_back(
        {.partition = partition, .offset = Offset(1), .metadata = std::move(metadata)});
  };
  add(host.Id("foo-0"), "abc");
  add(host.Id("foo-1"), "abcd");
  add({TopicId(1), 7}, "");
  add({TopicId(9), 0}, "");
  add(host.Id("foo-2"), "äöü");
  const auto errors = [&] {
    std::vector<ErrorCode> all;
    const auto answer = host.Ask<OffsetCommitResponse>(request);
    for (const auto& result : answer->partitions) {
      all.push_back(result.error);
    }
    return all;
  };
  EXPECT_THAT(errors(), ElementsAre(ErrorCode::kNone, ErrorCode::kOffsetMetadataTooLarge,
                                    ErrorCode::kUnknownTopicOrPartition,
                                    ErrorCode::kUnknownTopicOrPartition, ErrorCode::kNone));
  request.version = 10;  // topics have ids
  request.generation_id = 1;
  request.member_id = "x";
  EXPECT_THAT(errors(), ElementsAre(ErrorCode::kUnknownMemberId, ErrorCode::kUnknownMemberId,
                                    ErrorCode::kUnknownTopicOrPartition, ErrorCode::kUnknownTopicId,
                                    ErrorCode::kUnknownMemberId));
}

TEST(OffsetCommit, ErrorsOfTheLogReadAsErrorsOfTheCoordinator) {
  const std::pair<ErrorCode, ErrorCode> cases[] = {
      {ErrorCode::kRequestTimedOut, ErrorCode::kCoordinatorNotAvailable},
      {ErrorCode::kNotEnoughReplicas, ErrorCode::kCoordinatorNotAvailable},
      {ErrorCode::kUnknownTopicOrPartition, ErrorCode::kCoordinatorNotAvailable},
      {ErrorCode::kNotLeaderOrFollower, ErrorCode::kNotCoordinator},
      {ErrorCode::kKafkaStorageError, ErrorCode::kNotCoordinator},
      {ErrorCode::kMessageTooLarge, ErrorCode::kUnknownServerError},
      {ErrorCode::kInvalidTxnState, ErrorCode::kInvalidTxnState},
  };
  for (const auto& [log_error, heard] : cases) {
    GroupHost host;
    host.appends = GroupHost::Appends::kFail;
    host.append_error = log_error;
    GroupConsumer simple(host, "c");
    EXPECT_EQ(simple.Commit("foo-0", 1), heard);
    EXPECT_FALSE(host.Knows("g")) << "nothing is left of it";
  }
}

TEST(OffsetFetch, SeesWhatIsReplicatedOrWaitsForIt) {
  GroupHost host;
  GroupConsumer simple(host, "c");
  EXPECT_EQ(simple.Commit("foo-0", 100), ErrorCode::kNone);
  host.appends = GroupHost::Appends::kHold;
  EXPECT_EQ(simple.Commit("foo-0", 101), std::nullopt);
  EXPECT_EQ(Fetched(host, "foo-0", false), 100);
  OffsetFetchRequest stable{.group_id = "g", .require_stable = true};
  stable.partitions = broker::PartitionList{host.Id("foo-0")};
  const uint64_t fetch = host.Submit(broker::MakeMessage(stable));
  const uint64_t given_up = host.Submit(broker::MakeMessage(stable));
  EXPECT_FALSE(host.ReplyOf<OffsetFetchResponse>(fetch).has_value());
  host.Release();
  host.Release();
  EXPECT_EQ(host.ReplyOf<OffsetFetchResponse>(fetch)->partitions.at(0).offset, Offset(101));
  host.Release(ErrorCode::kRequestTimedOut);
  EXPECT_EQ(host.ReplyOf<OffsetFetchResponse>(given_up)->error, ErrorCode::kNotCoordinator);
  EXPECT_EQ(Fetched(host, "foo-0", false), 101);
}

TEST(OffsetFetch, OfAllOffsets) {
  GroupHost host;
  EXPECT_THAT(host.Ask<OffsetFetchResponse>(OffsetFetchRequest{.group_id = "g"})->partitions,
              IsEmpty());
  GroupConsumer simple(host, "c");
  (void)simple.Commit("bar-2", 1);
  (void)simple.Commit("foo-0", 2);
  std::vector<PartitionId> all;
  const auto answer = host.Ask<OffsetFetchResponse>(OffsetFetchRequest{.group_id = "g"});
  for (const auto& result : answer->partitions) {
    all.push_back(result.partition);
  }
  EXPECT_THAT(all, ElementsAre(host.Id("foo-0"), host.Id("bar-2")));
}

TEST(Routing, EveryRequestNeedsALoadedCoordinator) {
  GroupHost host({.elect = false});
  GroupConsumer member(host, "c");
  const auto expect_all = [&](ErrorCode error, ErrorCode heartbeat) {
    EXPECT_EQ(host.Ask<broker::JoinGroupResponse>(member.JoinRequest())->error, error);
    member.Sync();
    EXPECT_EQ(member.Synced()->error, error);
    EXPECT_EQ(member.Heartbeat(), heartbeat);
    EXPECT_EQ(member.Leave(), error);
    EXPECT_EQ(member.Commit("foo-0", 1), error);
    EXPECT_EQ(host.Ask<OffsetFetchResponse>(OffsetFetchRequest{.group_id = "g"})->error, error);
  };
  expect_all(ErrorCode::kNotCoordinator, ErrorCode::kNotCoordinator);
  host.Elect(0, 0);
  (void)member.Commit("foo-0", 1);
  host.Resign(0);
  expect_all(ErrorCode::kNotCoordinator, ErrorCode::kNotCoordinator);
}

TEST(Routing, WhileLoadingOnlyHeartbeatsAreAnswered) {
  GroupHost host({.load_time = sim::Seconds(1)});
  GroupConsumer member(host, "c");
  (void)member.Commit("foo-0", 1);
  host.Elect(0, 1);
  EXPECT_EQ(member.Heartbeat(), ErrorCode::kNone) << "nobody knows better yet";
  EXPECT_EQ(member.Leave(), ErrorCode::kCoordinatorLoadInProgress);
  EXPECT_EQ(member.Commit("foo-0", 2), ErrorCode::kCoordinatorLoadInProgress);
  host.Advance(sim::Seconds(1));
  EXPECT_EQ(Fetched(host, "foo-0", true), 1);
}

// ---- Expiry: offsets.retention.minutes is 7 days, the check every 10 minutes ----

constexpr sim::Duration kRetention = sim::Seconds(7 * 86'400);
constexpr sim::Duration kCheck = sim::Seconds(600);

TEST(OffsetExpiry, ASimpleGroupForgetsByTheAgeOfTheCommit) {
  GroupHost host;
  GroupConsumer simple(host, "c");
  host.AdvanceTo(sim::Time{1'000'000});
  (void)simple.Commit("foo-0", 1);
  host.AdvanceTo(sim::Time{} + kRetention);
  EXPECT_EQ(Fetched(host, "foo-0", false), 1) << "one second to go";
  host.AdvanceTo(sim::Time{} + kRetention + kCheck);
  EXPECT_FALSE(host.Knows("g")) << "at the next check, and the group with it";
  EXPECT_THAT(host.Log(), ElementsAre("g foo-0 → 1", "g foo-0 tombstone", "g tombstone"));
  EXPECT_EQ(host.armed_timers(), 0u);
}

TEST(OffsetExpiry, AGroupForgetsSinceItHasNoMembers) {
  GroupHost host;
  GroupConsumer member(host, "c");
  Stabilise(host, {&member});  // at 10 s
  (void)member.Commit("foo-0", 1);
  (void)member.Commit("bar-0", 2);  // to which nobody subscribes
  for (sim::Time at = host.now(); at < sim::Time{} + kRetention + kCheck + kCheck;) {
    at = at + sim::Seconds(30);
    host.AdvanceTo(at);
    ASSERT_EQ(member.Heartbeat(), ErrorCode::kNone);
  }
  EXPECT_EQ(Fetched(host, "foo-0", false), 1) << "subscribed";
  EXPECT_EQ(Fetched(host, "bar-0", false), -1);
  EXPECT_EQ(member.Leave(), ErrorCode::kNone);
  const sim::Time left = host.now();
  host.AdvanceTo(left + kRetention - sim::Seconds(1));
  EXPECT_EQ(Fetched(host, "foo-0", false), 1);
  host.AdvanceTo(left + kRetention + kCheck);
  EXPECT_FALSE(host.Knows("g"));
}

TEST(OffsetExpiry, AnEmptyGroupWithoutOffsetsGoesAtTheNextCheck) {
  GroupHost host;
  GroupConsumer member(host, "c");
  Stabilise(host, {&member});
  EXPECT_EQ(member.Leave(), ErrorCode::kNone);
  host.AdvanceTo(sim::Time{} + kCheck - sim::Millis(1));
  EXPECT_TRUE(host.Knows("g"));
  host.AdvanceTo(sim::Time{} + kCheck);
  EXPECT_FALSE(host.Knows("g"));
  EXPECT_THAT(host.TextsOf(events::kGroupRemoved, "group_id"), ElementsAre("g"));
}

TEST(OffsetExpiry, OpenTransactionsHoldOffsetsAndGroup) {
  GroupHost host;
  const auto commit = [&](std::string_view partition) {
    return host
        .Ask<broker::TxnOffsetCommitResponse>(broker::TxnOffsetCommitRequest{
            .version = 5,
            .transactional_id = "t",
            .group_id = "g",
            .producer_id = broker::ProducerId(10),
            .producer_epoch = broker::ProducerEpoch(0),
            .offsets = {{.partition = host.Id(partition), .offset = Offset(5)}}})
        ->partitions.at(0)
        .error;
  };
  GroupConsumer simple(host, "c");
  (void)simple.Commit("foo-0", 1);
  EXPECT_EQ(commit("foo-0"), ErrorCode::kNone);
  EXPECT_EQ(commit("foo-1"), ErrorCode::kNone);
  host.AdvanceTo(sim::Time{} + kRetention + kCheck + kCheck);
  EXPECT_EQ(Fetched(host, "foo-0", false), 1);
  EXPECT_EQ(host.Mark(10, 1, false), ErrorCode::kNone);
  host.Advance(kCheck);
  EXPECT_FALSE(host.Knows("g"));
}

TEST(OffsetExpiry, OffsetsOfADeletedTopicAreRemoved) {
  GroupHost host;
  GroupConsumer simple(host, "c");
  (void)simple.Commit("foo-0", 1);
  (void)simple.Commit("bar-0", 2);
  host.cluster.topics[1].deleted = true;
  host.MetadataChanged();
  host.MetadataChanged();
  EXPECT_THAT(host.Log(), ElementsAre("g foo-0 → 1", "g bar-0 → 2", "g foo-0 tombstone"));
  EXPECT_EQ(host.Find("g").offsets.size(), 1u);
}

// ---- Rules switched off ----

TEST(GroupBugs, PendingOffsetsVisible) {
  GroupHost host;
  host.broker_config.bugs.Add(broker::Bug::kPendingOffsetsVisible);
  GroupConsumer simple(host, "c");
  (void)simple.Commit("foo-0", 1);
  (void)host.Ask<broker::TxnOffsetCommitResponse>(broker::TxnOffsetCommitRequest{
      .version = 5,
      .transactional_id = "t",
      .group_id = "g",
      .producer_id = broker::ProducerId(10),
      .producer_epoch = broker::ProducerEpoch(0),
      .offsets = {{.partition = host.Id("foo-0"), .offset = Offset(5)}}});
  EXPECT_EQ(Fetched(host, "foo-0", true), 1) << "a correct coordinator answers UNSTABLE";
}

TEST(GroupBugs, GenerationNotChecked) {
  GroupHost host;
  host.broker_config.bugs.Add(broker::Bug::kGenerationNotChecked);
  GroupConsumer member(host, "c");
  Stabilise(host, {&member});
  member.generation = 0;
  EXPECT_EQ(member.Commit("foo-0", 7), ErrorCode::kNone);
  EXPECT_EQ(Fetched(host, "foo-0", true), 7);
}

}  // namespace
}  // namespace kafkasim::coordinator

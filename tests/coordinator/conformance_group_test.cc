// Conformance cases 61 to 66 of the reference: offsets of groups and of transactions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/coordinator/group_consumer.h"

namespace kafkasim::coordinator {
namespace {

using broker::ErrorCode;
using broker::Offset;
using broker::OffsetFetchResponse;
using broker::ProducerEpoch;
using broker::ProducerId;
using ::testing::ElementsAre;

struct TxnCommit {
  std::string partition;
  int64_t offset = 0;
  int64_t producer_id = 10;
  int16_t epoch = 5;
  int16_t version = 5;
  int32_t generation = -1;
  std::string member_id{};
  std::optional<std::string> instance_id{};
  std::string group = "g";
};

ErrorCode Commit(GroupHost& host, const TxnCommit& commit) {
  return host
      .Ask<broker::TxnOffsetCommitResponse>(broker::TxnOffsetCommitRequest{
          .version = commit.version,
          .transactional_id = "txn",
          .group_id = commit.group,
          .producer_id = ProducerId(commit.producer_id),
          .producer_epoch = ProducerEpoch(commit.epoch),
          .generation_id = commit.generation,
          .member_id = commit.member_id,
          .group_instance_id = commit.instance_id,
          .offsets = {{.partition = host.Id(commit.partition), .offset = Offset(commit.offset)}}})
      ->partitions.at(0)
      .error;
}

// "100", or the error of the partition.
std::vector<std::string> Fetch(GroupHost& host, const std::vector<std::string>& partitions,
                               bool require_stable) {
  broker::OffsetFetchRequest request{.group_id = "g", .require_stable = require_stable};
  request.partitions.emplace();
  for (const std::string& name : partitions) request.partitions->push_back(host.Id(name));
  std::vector<std::string> texts;
  const auto answer = host.Ask<OffsetFetchResponse>(request);
  for (const auto& result : answer->partitions) {
    texts.push_back(result.error == ErrorCode::kNone ? std::to_string(result.offset.value())
                                                     : std::string(Name(result.error)));
  }
  return texts;
}

TEST(Conformance, Case61StableFetchesWaitForOpenTransactions) {
  GroupHost host;
  GroupConsumer simple(host, "c");
  for (const auto& [partition, offset] :
       {std::pair("foo-0", 100), std::pair("foo-1", 110), std::pair("bar-0", 200)}) {
    EXPECT_EQ(simple.Commit(partition, offset), ErrorCode::kNone);
  }
  for (const auto& [partition, offset] :
       {std::pair("foo-1", 111), std::pair("bar-0", 201), std::pair("bar-1", 211)}) {
    EXPECT_EQ(Commit(host, {.partition = partition, .offset = offset}), ErrorCode::kNone);
  }
  const std::vector<std::string> all = {"foo-0", "foo-1", "bar-0", "bar-1"};
  EXPECT_THAT(Fetch(host, all, true),
              ElementsAre("100", "UNSTABLE_OFFSET_COMMIT", "UNSTABLE_OFFSET_COMMIT",
                          "UNSTABLE_OFFSET_COMMIT"));
  EXPECT_THAT(Fetch(host, all, false), ElementsAre("100", "110", "200", "-1"));
  EXPECT_EQ(host.Mark(10, 6, true), ErrorCode::kNone);
  EXPECT_THAT(Fetch(host, all, true), ElementsAre("100", "111", "201", "211"));
}

TEST(Conformance, Case62TheLaterRecordWins) {
  GroupHost host;
  EXPECT_EQ(Commit(host, {.partition = "foo-0", .offset = 100}), ErrorCode::kNone);
  GroupConsumer simple(host, "c");
  EXPECT_EQ(simple.Commit("foo-0", 101), ErrorCode::kNone);
  EXPECT_EQ(host.Mark(10, 6, true), ErrorCode::kNone);
  EXPECT_THAT(Fetch(host, {"foo-0"}, true), ElementsAre("101"));
  EXPECT_THAT(host.TextsOf(events::kOffsetsDropped, "reason"),
              ElementsAre("an offset was committed after them"));
}

TEST(Conformance, Case63AnAbortDropsThePendingOffsets) {
  GroupHost host;
  GroupConsumer simple(host, "c");
  EXPECT_EQ(simple.Commit("foo-0", 100), ErrorCode::kNone);
  EXPECT_EQ(Commit(host, {.partition = "foo-0", .offset = 200}), ErrorCode::kNone);
  EXPECT_EQ(Commit(host, {.partition = "foo-1", .offset = 201}), ErrorCode::kNone);
  EXPECT_EQ(host.Mark(10, 6, false), ErrorCode::kNone);
  EXPECT_THAT(Fetch(host, {"foo-0", "foo-1"}, true), ElementsAre("100", "-1"));
  EXPECT_TRUE(host.Find("g").pending.empty());
  EXPECT_THAT(host.TextsOf(events::kOffsetsDropped, "offsets"), ElementsAre("foo-0@200 foo-1@201"));
}

TEST(Conformance, Case64TransactionalCommitsOfMembersAreFencedByGeneration) {
  GroupHost host;
  GroupConsumer member(host, "c");
  Stabilise(host, {&member});
  const std::string& id = member.member_id;
  const auto commit = [&](int32_t generation, const std::string& member_id) {
    return Commit(
        host,
        {.partition = "foo-0", .offset = 1, .generation = generation, .member_id = member_id});
  };
  EXPECT_EQ(commit(1, "x"), ErrorCode::kUnknownMemberId);
  EXPECT_EQ(commit(0, id), ErrorCode::kIllegalGeneration);
  EXPECT_EQ(commit(2, id), ErrorCode::kIllegalGeneration);
  EXPECT_EQ(commit(1, id), ErrorCode::kNone);
  EXPECT_EQ(commit(-1, ""), ErrorCode::kNone) << "no fencing without member data";
  // A member id without a generation is still checked.
  EXPECT_EQ(commit(-1, id), ErrorCode::kIllegalGeneration);
  EXPECT_EQ(Commit(host, {.partition = "foo-0", .version = 5, .generation = 1, .group = "other"}),
            ErrorCode::kIllegalGeneration);
  EXPECT_EQ(Commit(host, {.partition = "foo-0", .version = 6, .generation = 1, .group = "other"}),
            ErrorCode::kGroupIdNotFound);
}

TEST(Conformance, Case64InstancesAreChecked) {
  GroupHost host;
  GroupConsumer fixed(host, "c", "i");
  Stabilise(host, {&fixed});
  const auto commit = [&](const std::string& member_id, const std::string& instance) {
    return Commit(host, {.partition = "foo-0",
                         .generation = fixed.generation,
                         .member_id = member_id,
                         .instance_id = instance});
  };
  EXPECT_EQ(commit(fixed.member_id, "i"), ErrorCode::kNone);
  EXPECT_EQ(commit(fixed.member_id, "j"), ErrorCode::kUnknownMemberId);
  EXPECT_EQ(commit("x", "i"), ErrorCode::kFencedInstanceId);
}

TEST(Conformance, Case64RebalancesDoNotStopTransactions) {
  GroupHost host;
  GroupConsumer member(host, "c");
  Stabilise(host, {&member});
  const auto commit = [&](int32_t generation) {
    return Commit(host,
                  {.partition = "foo-0", .generation = generation, .member_id = member.member_id});
  };
  GroupConsumer second(host, "d");
  second.Join();
  EXPECT_EQ(host.Find("g").state, GroupState::kPreparingRebalance);
  EXPECT_EQ(commit(1), ErrorCode::kNone) << "the old generation until the join phase ends";
  member.Join();
  EXPECT_EQ(host.Find("g").state, GroupState::kCompletingRebalance);
  EXPECT_EQ(commit(1), ErrorCode::kIllegalGeneration);
  EXPECT_EQ(commit(2), ErrorCode::kNone) << "although an OffsetCommit would be refused now";
}

TEST(Conformance, Case65AnOldMarkerCommitsTooEarlyOnlyUnderTV1) {
  for (const int16_t version : {int16_t{1}, int16_t{2}}) {
    GroupHost host;
    const auto txn_version = static_cast<int16_t>(version == 1 ? 4 : 5);
    const auto epoch = static_cast<int16_t>(version == 1 ? 5 : 6);  // of the second transaction
    EXPECT_EQ(Commit(host, {.partition = "foo-0", .offset = 1, .version = txn_version}),
              ErrorCode::kNone);
    EXPECT_EQ(host.Mark(10, epoch, true, version), ErrorCode::kNone);
    EXPECT_EQ(
        Commit(host, {.partition = "foo-0", .offset = 2, .epoch = epoch, .version = txn_version}),
        ErrorCode::kNone);
    const ErrorCode replayed = host.Mark(10, epoch, true, version);
    if (version == 1) {
      EXPECT_EQ(replayed, ErrorCode::kNone);
      EXPECT_THAT(Fetch(host, {"foo-0"}, true), ElementsAre("2")) << "committed too early";
    } else {
      EXPECT_EQ(replayed, ErrorCode::kInvalidProducerEpoch);
      EXPECT_THAT(Fetch(host, {"foo-0"}, true), ElementsAre("UNSTABLE_OFFSET_COMMIT"));
    }
  }
}

TEST(Conformance, Case66TheEpochBeforeIsRefusedOnlyUnderTV2) {
  GroupHost classic;
  EXPECT_EQ(Commit(classic, {.partition = "foo-0", .version = 4}), ErrorCode::kNone);
  EXPECT_EQ(classic.Mark(10, 5, true, 1), ErrorCode::kNone);
  EXPECT_EQ(Commit(classic, {.partition = "foo-0", .version = 4}), ErrorCode::kNone);

  GroupHost bumping;
  EXPECT_EQ(Commit(bumping, {.partition = "foo-0", .version = 5}), ErrorCode::kNone);
  EXPECT_EQ(bumping.Mark(10, 6, true, 2), ErrorCode::kNone);
  EXPECT_EQ(Commit(bumping, {.partition = "foo-0", .version = 5}),
            ErrorCode::kInvalidProducerEpoch);
}

TEST(Conformance, Case67NoMarkersWhileLoading) {
  GroupHost host({.load_time = sim::Seconds(2)});
  GroupConsumer simple(host, "c");
  EXPECT_EQ(simple.Commit("foo-0", 1), ErrorCode::kNone) << "an empty log is read at once";
  host.Elect(0, 1);
  EXPECT_EQ(host.Mark(10, 0, true), ErrorCode::kNotLeaderOrFollower);
  host.Advance(sim::Seconds(2));
  EXPECT_EQ(host.Mark(10, 0, true), ErrorCode::kNone);
  host.Resign(0);
  EXPECT_EQ(host.Mark(10, 0, true), ErrorCode::kNotLeaderOrFollower);
}

}  // namespace
}  // namespace kafkasim::coordinator

// Reads of consumers: bounds by isolation level, waiting, ListOffsets.
#include <gmock/gmock.h>

#include "tests/broker/test_cluster.h"

namespace kafkasim::broker {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::SizeIs;

constexpr IsolationLevel kReadCommitted = IsolationLevel::kReadCommitted;
constexpr IsolationLevel kReadUncommitted = IsolationLevel::kReadUncommitted;

// An open transaction, its commit before and after replication.
TEST(Fetch, AReadCommittedConsumerWaitsForTheReplicatedMarker) {
  TestCluster cluster(TestCluster::Orders(2, 1));
  cluster.Run(sim::Millis(10));
  cluster.Produce(0, InTransaction(3, 0));
  cluster.Run(sim::Millis(10));

  const sim::Time asked = cluster.now();
  const size_t open = cluster.Fetch(0, Offset(0), kReadCommitted, /*max_wait_ms=*/500);
  cluster.Run(sim::Millis(501));
  EXPECT_FALSE(cluster.Answered(open));
  cluster.Run(sim::Millis(1));
  EXPECT_EQ(cluster.sent()[open].answered_at, asked + sim::Millis(502));
  EXPECT_THAT(cluster.Fetched(open).batches, IsEmpty());
  EXPECT_EQ(cluster.Fetched(open).last_stable_offset, Offset(0));
  EXPECT_EQ(cluster.Fetched(open).high_watermark, Offset(3));
  EXPECT_THAT(cluster.Fetched(open).aborted_transactions, Optional(IsEmpty()));

  const size_t waiting = cluster.Fetch(0, Offset(0), kReadCommitted, /*max_wait_ms=*/500);
  cluster.WriteMarker(0, kP, kE, /*commit=*/true);
  cluster.Run(sim::Millis(2));
  EXPECT_FALSE(cluster.Answered(waiting)) << "the marker is not replicated";
  cluster.Run(sim::Millis(2));
  EXPECT_THAT(cluster.Fetched(waiting).batches, SizeIs(2));
  EXPECT_EQ(cluster.Fetched(waiting).last_stable_offset, Offset(4));
}

TEST(Fetch, NamesAbortedTransactionsToReadCommittedOnly) {
  TestCluster cluster(TestCluster::Orders(2, 1));
  cluster.Run(sim::Millis(10));
  cluster.Produce(0, InTransaction(3, 0));
  cluster.Run(sim::Millis(10));
  cluster.WriteMarker(0, kP, kE, /*commit=*/false);
  cluster.Run(sim::Millis(10));
  const size_t committed = cluster.Fetch(0, Offset(0), kReadCommitted);
  const size_t uncommitted = cluster.Fetch(0, Offset(0), kReadUncommitted);
  cluster.Run(sim::Millis(10));
  EXPECT_THAT(cluster.Fetched(committed).batches, SizeIs(2)) << "the client leaves them out";
  EXPECT_THAT(cluster.Fetched(committed).aborted_transactions,
              Optional(ElementsAre(FetchResponse::AbortedTransaction{.producer_id = kP,
                                                                     .first_offset = Offset(0)})));
  EXPECT_EQ(cluster.Fetched(uncommitted).aborted_transactions, std::nullopt);
}

TEST(Fetch, AReadUncommittedConsumerSeesUpToTheHighWatermark) {
  TestCluster cluster(TestCluster::Orders(2, 1));
  cluster.Run(sim::Millis(10));
  cluster.Produce(0, InTransaction(3, 0));
  cluster.Run(sim::Millis(1));
  const size_t before = cluster.Fetch(0, Offset(0), kReadUncommitted);
  cluster.Run(sim::Millis(2));
  EXPECT_THAT(cluster.Fetched(before).batches, IsEmpty());
  const size_t after = cluster.Fetch(0, Offset(0), kReadUncommitted);
  cluster.Run(sim::Millis(2));
  EXPECT_THAT(cluster.Fetched(after).batches, SizeIs(1));
}

TEST(Fetch, WaitsForMinBytes) {
  TestCluster cluster(TestCluster::Orders(2, 1));
  cluster.Run(sim::Millis(10));
  FetchRequest request{.max_wait_ms = 10'000, .min_bytes = 150};
  request.partitions.push_back({.partition = cluster.Id("orders-0")});
  const size_t fetch = cluster.Send(0, MakeMessage(std::move(request)));
  cluster.Produce(0, {});
  cluster.Run(sim::Millis(100));
  EXPECT_FALSE(cluster.Answered(fetch)) << "one batch is not enough";
  cluster.Produce(0, {});
  cluster.Run(sim::Millis(100));
  EXPECT_FALSE(cluster.Answered(fetch));
  cluster.Produce(0, {});
  cluster.Run(sim::Millis(100));
  EXPECT_THAT(cluster.Fetched(fetch).batches, SizeIs(3));
}

TEST(Fetch, StopsAtMaxBytesButReturnsOneBatchAtLeast) {
  TestCluster cluster(TestCluster::Orders(2, 1));
  cluster.Run(sim::Millis(10));
  for (int i = 0; i < 3; ++i) cluster.Produce(0, {.records = 2});
  cluster.Run(sim::Millis(10));
  FetchRequest request{.max_wait_ms = 0, .max_bytes = 1};
  request.partitions.push_back({.partition = cluster.Id("orders-0")});
  const size_t fetch = cluster.Send(0, MakeMessage(std::move(request)));
  cluster.Run(sim::Millis(10));
  EXPECT_THAT(cluster.Fetched(fetch).batches, SizeIs(1));
}

TEST(Fetch, RefusesOffsetsOutOfRangeAndOtherEpochs) {
  TestCluster cluster(TestCluster::Orders(2, 1));
  cluster.Run(sim::Millis(10));
  cluster.Elect(BrokerId(1));
  cluster.Run(sim::Millis(10));
  const auto fetch = [&](Offset offset, LeaderEpoch epoch) {
    FetchRequest request{.max_wait_ms = 500};
    request.partitions.push_back({.partition = cluster.Id("orders-0"),
                                  .fetch_offset = offset,
                                  .current_leader_epoch = epoch});
    return cluster.Send(1, MakeMessage(std::move(request)));
  };
  const size_t beyond = fetch(Offset(1), kNoLeaderEpoch);
  const size_t fenced = fetch(Offset(0), LeaderEpoch(0));
  const size_t unknown = fetch(Offset(0), LeaderEpoch(2));
  const size_t follower = cluster.Fetch(0, Offset(0));
  cluster.Run(sim::Millis(10));
  EXPECT_EQ(cluster.Fetched(beyond).error, ErrorCode::kOffsetOutOfRange);
  EXPECT_EQ(cluster.Fetched(fenced).error, ErrorCode::kFencedLeaderEpoch);
  EXPECT_EQ(cluster.Fetched(unknown).error, ErrorCode::kUnknownLeaderEpoch);
  EXPECT_EQ(cluster.Fetched(follower).error, ErrorCode::kNotLeaderOrFollower);
}

TEST(Fetch, AWaitingFetchIsAnsweredWhenTheLeaderChanges) {
  TestCluster cluster(TestCluster::Orders(2, 1));
  cluster.Run(sim::Millis(10));
  const size_t fetch = cluster.Fetch(0, Offset(0), kReadUncommitted, /*max_wait_ms=*/60'000);
  cluster.Run(sim::Millis(10));
  cluster.Elect(BrokerId(1));
  cluster.Run(sim::Millis(10));
  EXPECT_EQ(cluster.Fetched(fetch).error, ErrorCode::kNotLeaderOrFollower);
}

// Latest and earliest, by who asks and how much is replicated.
TEST(ListOffsets, AnswersByIsolationLevel) {
  TestCluster cluster(TestCluster::Orders(2, 1));
  cluster.Run(sim::Millis(10));
  const auto latest = [&](IsolationLevel level, BrokerId replica = kNoBroker) {
    const size_t asked = cluster.ListOffsets(0, kLatestTimestamp, level, replica);
    cluster.Run(sim::Millis(2));
    return cluster.Listed(asked).offset;
  };
  cluster.Produce(0, InTransaction(3, 0));
  cluster.Run(sim::Millis(10));
  EXPECT_EQ(latest(kReadUncommitted), Offset(3));
  EXPECT_EQ(latest(kReadCommitted), Offset(0));
  EXPECT_EQ(latest(kReadUncommitted, BrokerId(1)), Offset(3));
  cluster.Cut(sim::ProcessId(0), sim::ProcessId(1));
  cluster.Produce(0, InTransaction(1, 3));
  EXPECT_EQ(latest(kReadUncommitted), Offset(3));
  EXPECT_EQ(latest(kReadUncommitted, BrokerId(1)), Offset(4)) << "a follower sees the log's end";
  const size_t earliest = cluster.ListOffsets(0, kEarliestTimestamp);
  cluster.Run(sim::Millis(2));
  EXPECT_EQ(cluster.Listed(earliest).offset, Offset(0));
}

TEST(ListOffsets, ANewLeaderDoesNotKnowTheLatestUntilItsEpochIsCommitted) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Millis(10));
  cluster.Produce(0, {.records = 3});
  cluster.Run(sim::Millis(10));
  ASSERT_EQ(cluster.Log(1).high_watermark(), Offset(0)) << "the follower has not heard of it";
  cluster.Cut(sim::ProcessId(1), sim::ProcessId(2));
  cluster.Crash(0);
  cluster.Run(sim::Seconds(10));
  ASSERT_TRUE(cluster.Replica(1).is_leader());
  const size_t asked = cluster.ListOffsets(1, kLatestTimestamp);
  const size_t fetched = cluster.Fetch(1, Offset(0));
  cluster.Run(sim::Millis(10));
  EXPECT_EQ(cluster.Listed(asked).error, ErrorCode::kOffsetNotAvailable);
  EXPECT_THAT(cluster.Fetched(fetched).batches, IsEmpty());
  cluster.Heal(sim::ProcessId(1), sim::ProcessId(2));
  cluster.Run(sim::Seconds(2));
  const size_t again = cluster.ListOffsets(1, kLatestTimestamp);
  cluster.Run(sim::Millis(10));
  EXPECT_EQ(cluster.Listed(again).offset, Offset(3));
}

}  // namespace
}  // namespace kafkasim::broker

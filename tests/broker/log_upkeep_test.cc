// Logs over time in a cluster: DeleteRecords, followers that lag behind the log start, periodic
// tasks, and orders.
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "broker/events.h"
#include "broker/messages_topics.h"
#include "tests/broker/test_cluster.h"

namespace kafkasim::broker {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

constexpr int64_t kDaySeconds = 86'400;  // seconds

size_t DeleteRecords(TestCluster& cluster, int32_t broker, int64_t before,
                     int32_t timeout_ms = 30'000) {
  DeleteRecordsRequest request{.timeout_ms = timeout_ms};
  request.partitions.push_back({.partition = cluster.Id("orders-0"), .offset = Offset(before)});
  return cluster.Send(broker, MakeMessage(std::move(request)));
}

const DeleteRecordsResponse::PartitionResult& Deleted(const TestCluster& cluster, size_t number) {
  return cluster.Answer<DeleteRecordsResponse>(number).partitions.front();
}

void Order(TestCluster& cluster, LogOrder::Kind kind) {
  for (int32_t broker = 0; broker < 3; ++broker) {
    cluster.world().Command(sim::ProcessId(broker),
                            std::make_shared<const LogOrder>(kind, cluster.Id("orders-0")),
                            &cluster.trace());
  }
}

TEST(DeleteRecords, IsAnsweredWhenAllReplicasStartThere) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Millis(10));
  cluster.Produce(0, {.records = 8});
  cluster.Run(sim::Seconds(1));
  const size_t asked = DeleteRecords(cluster, 0, 5);
  cluster.Run(sim::Millis(1));
  EXPECT_EQ(cluster.Log(0).log_start_offset(), Offset(5));
  EXPECT_EQ(cluster.Log(1).log_start_offset(), Offset(0));
  EXPECT_FALSE(cluster.Answered(asked));
  // Followers hear of it when their fetches would have expired, and say so with the next one.
  cluster.Run(sim::Millis(510));
  ASSERT_TRUE(cluster.Answered(asked));
  EXPECT_EQ(Deleted(cluster, asked).error, ErrorCode::kNone);
  EXPECT_EQ(Deleted(cluster, asked).low_watermark, Offset(5));
  EXPECT_EQ(cluster.Log(1).log_start_offset(), Offset(5));
  EXPECT_EQ(cluster.Log(2).log_start_offset(), Offset(5));

  const size_t below = cluster.Fetch(0, Offset(4));
  const size_t earliest = cluster.ListOffsets(0, kEarliestTimestamp);
  cluster.Run(sim::Millis(10));
  EXPECT_EQ(cluster.Fetched(below).error, ErrorCode::kOffsetOutOfRange);
  EXPECT_EQ(cluster.Listed(earliest).offset, Offset(5));
}

TEST(DeleteRecords, MinusOneMeansTheHighWatermark) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Millis(10));
  cluster.Produce(0, {.records = 8});
  cluster.Run(sim::Seconds(1));
  const size_t asked = DeleteRecords(cluster, 0, -1);
  cluster.Run(sim::Seconds(1));
  EXPECT_EQ(Deleted(cluster, asked).low_watermark, Offset(8));
  EXPECT_EQ(cluster.Log(0).log_start_offset(), Offset(8));
  EXPECT_EQ(cluster.Log(0).log_end_offset(), Offset(8));
}

TEST(DeleteRecords, RefusesWhatItMust) {
  ClusterSpec spec = TestCluster::Orders(3, 2);
  spec.topics.push_back({.name = "tables",
                         .partitions = 1,
                         .replication_factor = 3,
                         .config = TopicConfig{.cleanup_policy = {.compact = true, .del = false}}});
  TestCluster cluster(spec);
  cluster.Run(sim::Millis(10));
  const size_t beyond = DeleteRecords(cluster, 0, 1);
  const size_t negative = DeleteRecords(cluster, 0, -2);
  const size_t follower = DeleteRecords(cluster, 1, 0);
  DeleteRecordsRequest other;
  other.partitions.push_back({.partition = cluster.Id("tables-0"), .offset = Offset(0)});
  other.partitions.push_back({.partition = {.topic = TopicId(9), .index = 0}, .offset = Offset(0)});
  const size_t others = cluster.Send(0, MakeMessage(std::move(other)));
  cluster.Run(sim::Millis(10));
  EXPECT_EQ(Deleted(cluster, beyond).error, ErrorCode::kOffsetOutOfRange);
  EXPECT_EQ(Deleted(cluster, negative).error, ErrorCode::kOffsetOutOfRange);
  EXPECT_EQ(Deleted(cluster, follower).error, ErrorCode::kNotLeaderOrFollower);
  const auto& results = cluster.Answer<DeleteRecordsResponse>(others).partitions;
  EXPECT_EQ(results[0].error, ErrorCode::kPolicyViolation);
  EXPECT_EQ(results[1].error, ErrorCode::kUnknownTopicOrPartition);
}

TEST(DeleteRecords, TimesOutWhileAReplicaThatIsAliveDoesNotHearOfIt) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Millis(10));
  cluster.Produce(0, {.records = 8});
  cluster.Run(sim::Seconds(1));
  cluster.Cut(sim::ProcessId(0), sim::ProcessId(2));
  const size_t asked = DeleteRecords(cluster, 0, 5, 2'000);
  cluster.Run(sim::Millis(2'010));
  EXPECT_EQ(Deleted(cluster, asked).error, ErrorCode::kRequestTimedOut);
  EXPECT_EQ(cluster.Log(0).log_start_offset(), Offset(5)) << "it has happened all the same";
}

// Conformance case 28, along the whole path.
TEST(DeleteRecords, InsideAnOpenTransactionMovesTheLastStableOffset) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Millis(10));
  cluster.Produce(0, {.records = 8,
                      .producer_id = ProducerId(7),
                      .epoch = ProducerEpoch(0),
                      .sequence = Sequence(0),
                      .transactional = true});
  cluster.Run(sim::Seconds(1));
  ASSERT_EQ(cluster.Log(0).last_stable_offset(), Offset(0));
  DeleteRecords(cluster, 0, 5);
  cluster.Run(sim::Seconds(1));
  for (int32_t broker = 0; broker < 3; ++broker) {
    EXPECT_EQ(cluster.Log(broker).last_stable_offset(), Offset(5));
  }
  EXPECT_THAT(cluster.trace().OfKind(events::kLastStableOffset), SizeIs(1));
  const size_t committed = cluster.Fetch(0, Offset(5), IsolationLevel::kReadCommitted);
  cluster.WriteMarker(0, ProducerId(7), ProducerEpoch(0), /*commit=*/false);
  cluster.Run(sim::Seconds(1));
  EXPECT_TRUE(cluster.Fetched(committed).batches.empty());
  EXPECT_EQ(cluster.Log(0).last_stable_offset(), Offset(9));
  EXPECT_EQ(cluster.Log(0).aborted_txns().front().first_offset, Offset(0));
}

TEST(Follower, StartsAtTheLeadersLogStartIfItsEndIsBelow) {
  TestCluster cluster(TestCluster::Orders(3, 1));
  cluster.Run(sim::Millis(10));
  cluster.Produce(0, {.records = 2});
  cluster.Run(sim::Seconds(1));
  cluster.Crash(2);
  cluster.Run(sim::Seconds(40));  // out of the ISR
  cluster.Produce(0, {.records = 8});
  cluster.Run(sim::Seconds(1));
  DeleteRecords(cluster, 0, 6);
  cluster.Run(sim::Seconds(1));
  cluster.Restart(2);
  cluster.Run(sim::Seconds(1));
  EXPECT_EQ(cluster.Log(2).log_start_offset(), Offset(6));
  EXPECT_EQ(cluster.Log(2).log_end_offset(), Offset(10));
  const auto truncated = cluster.trace().OfKind(events::kTruncated);
  ASSERT_THAT(truncated, SizeIs(1));
  EXPECT_EQ(truncated.front().actor, sim::ProcessId(2));
}

// A fault takes the follower's question about the leader's log away: it asks again.
TEST(Follower, AsksAgainWhereTheLeadersLogStartsWhenTheConnectionBreaks) {
  TestCluster cluster(TestCluster::Orders(3, 1));
  cluster.Run(sim::Millis(10));
  cluster.Crash(2);
  cluster.Run(sim::Seconds(40));
  cluster.Produce(0, {.records = 8});
  cluster.Run(sim::Seconds(1));
  DeleteRecords(cluster, 0, 6);
  cluster.Run(sim::Seconds(1));
  sim::MessageRule lost;
  lost.action = sim::MessageAction::kDrop;
  lost.api = "ListOffsets";
  lost.reset = true;
  cluster.world().AddRule(lost);
  cluster.Restart(2);
  cluster.Run(sim::Seconds(1));
  EXPECT_EQ(cluster.Log(2).log_end_offset(), Offset(0)) << "it waits for replica.fetch.backoff.ms";
  cluster.Run(sim::Seconds(2));
  EXPECT_EQ(cluster.Log(2).log_start_offset(), Offset(6));
  EXPECT_EQ(cluster.Log(2).log_end_offset(), Offset(8));
}

TEST(LogManager, DeletesOldSegmentsAtItsPeriodicCheck) {
  ClusterSpec spec = TestCluster::Orders(3, 2);
  spec.topics[0].config->retention_ms = 1'000'000;
  TestCluster cluster(spec);
  cluster.Run(sim::Millis(10));
  cluster.Produce(0, {.records = 4});  // timestamp 0
  cluster.Run(sim::Seconds(1));
  EXPECT_EQ(cluster.world().NextEventAt(), sim::Time{} + sim::Seconds(1'230))
      << "checks come after 30 s and every 300 s; the first at which something is too old";
  cluster.Run(sim::Seconds(1'228));
  EXPECT_EQ(cluster.Log(0).log_start_offset(), Offset(0));
  cluster.Run(sim::Seconds(2));
  for (int32_t broker = 0; broker < 3; ++broker) {
    EXPECT_EQ(cluster.Log(broker).log_start_offset(), Offset(4));
  }
  EXPECT_THAT(cluster.trace().OfKind(events::kSegmentsDeleted), SizeIs(3));
  cluster.Run(sim::Seconds(1));
  EXPECT_EQ(cluster.world().NextEventAt(), std::nullopt) << "there is nothing more to delete";
}

TEST(LogManager, AWeekIsTheDefault) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Millis(10));
  cluster.Produce(0, {.records = 4});
  cluster.Run(sim::Seconds(7 * kDaySeconds));
  EXPECT_EQ(cluster.Log(0).log_start_offset(), Offset(0));
  cluster.Run(sim::Seconds(300));
  EXPECT_EQ(cluster.Log(0).log_start_offset(), Offset(4));
}

TEST(LogManager, TheLogStartOfDeleteRecordsSurvivesACrashOnceItIsSaved) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Millis(10));
  cluster.Produce(0, {.records = 8});
  cluster.Run(sim::Seconds(1));
  DeleteRecords(cluster, 0, 5);
  cluster.Run(sim::Seconds(10));
  for (const int32_t broker : {1, 2}) {
    cluster.Crash(broker);
    cluster.Restart(broker);
    EXPECT_EQ(cluster.Log(broker).log_start_offset(), Offset(broker == 1 ? 0 : 5));
    cluster.Run(sim::Seconds(60));  // log.flush.start.offset.checkpoint.interval.ms
  }
}

TEST(Orders, RollAndCleanActOnEachReplica) {
  ClusterSpec spec = TestCluster::Orders(3, 2);
  spec.topics[0].config->cleanup_policy = {.compact = true, .del = false};
  TestCluster cluster(spec);
  cluster.Run(sim::Millis(10));
  for (int i = 0; i < 3; ++i) {
    ProduceRequest request;
    request.partitions.push_back(
        {.partition = cluster.Id("orders-0"),
         .batch = std::make_shared<const RecordBatch>(MakeBatch({{.key = "k", .value = "v"}}))});
    cluster.Send(0, MakeMessage(std::move(request)));
    cluster.Run(sim::Seconds(1));
  }
  Order(cluster, LogOrder::Kind::kClean);
  for (const sim::TraceEvent& event : cluster.trace().OfKind(events::kCleaned)) {
    EXPECT_EQ(event.Int("from"), event.Int("to")) << "the segment is active";
  }
  cluster.trace().Clear();
  Order(cluster, LogOrder::Kind::kRoll);
  EXPECT_THAT(cluster.trace().OfKind(events::kSegmentRolled), SizeIs(3));
  Order(cluster, LogOrder::Kind::kClean);
  EXPECT_THAT(cluster.trace().OfKind(events::kCleaned), SizeIs(3));
  for (int32_t broker = 0; broker < 3; ++broker) {
    EXPECT_EQ(cluster.Log(broker).size_bytes(), 70) << "one record of three is left";
    EXPECT_EQ(cluster.Log(broker).log_end_offset(), Offset(3));
  }
}

TEST(LogCleaner, RunsAtItsNextBackoffWhenALogIsDirtyEnough) {
  ClusterSpec spec = TestCluster::Orders(3, 2);
  spec.topics[0].config->cleanup_policy = {.compact = true, .del = false};
  TestCluster cluster(spec);
  cluster.Run(sim::Millis(10));
  for (int i = 0; i < 3; ++i) {
    ProduceRequest request;
    request.partitions.push_back(
        {.partition = cluster.Id("orders-0"),
         .batch = std::make_shared<const RecordBatch>(MakeBatch({{.key = "k", .value = "v"}}))});
    cluster.Send(0, MakeMessage(std::move(request)));
    cluster.Run(sim::Seconds(1));
  }
  EXPECT_EQ(cluster.world().NextEventAt(), std::nullopt);
  Order(cluster, LogOrder::Kind::kRoll);
  EXPECT_EQ(cluster.world().NextEventAt(), sim::Time{} + sim::Seconds(15));
  cluster.Run(sim::Seconds(13));
  EXPECT_THAT(cluster.trace().OfKind(events::kCleaned), SizeIs(3));
  EXPECT_EQ(cluster.world().NextEventAt(), std::nullopt);
}

}  // namespace
}  // namespace kafkasim::broker

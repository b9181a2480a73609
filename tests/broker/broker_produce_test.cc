// Produce at a broker: acks, waiting for replication, refusals.
#include <gmock/gmock.h>

#include "broker/events.h"
#include "tests/broker/test_cluster.h"

namespace kafkasim::broker {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

TestBatch Idempotent(int32_t sequence) {
  return {.producer_id = kP, .epoch = ProducerEpoch(0), .sequence = Sequence(sequence)};
}

TEST(Produce, WithAllAcksIsAnsweredWhenReplicated) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Millis(10));
  const size_t produced = cluster.Produce(0, {.records = 3});
  cluster.Run(sim::Millis(3));
  EXPECT_FALSE(cluster.Answered(produced));
  cluster.Run(sim::Millis(1));
  EXPECT_EQ(cluster.Produced(produced).error, ErrorCode::kNone);
  EXPECT_EQ(cluster.Produced(produced).base_offset, Offset(0));
  EXPECT_EQ(cluster.Produced(produced).log_start_offset, Offset(0));
}

TEST(Produce, WithOneAckIsAnsweredAtOnce) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Millis(10));
  const size_t produced = cluster.Produce(0, {}, /*acks=*/1);
  cluster.Run(sim::Millis(2));
  EXPECT_EQ(cluster.Produced(produced).error, ErrorCode::kNone);
  EXPECT_EQ(cluster.Log(0).high_watermark(), Offset(0));
}

TEST(Produce, WithoutAcksIsNotAnsweredButAFailureBreaksTheConnection) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Millis(10));
  const size_t good = cluster.Produce(0, {}, /*acks=*/0);
  cluster.Run(sim::Seconds(1));
  EXPECT_FALSE(cluster.Answered(good));
  EXPECT_FALSE(cluster.sent()[good].disconnected);
  EXPECT_EQ(cluster.Log(0).log_end_offset(), Offset(1));
  const size_t bad = cluster.Produce(1, {}, /*acks=*/0);  // not the leader
  cluster.Run(sim::Seconds(1));
  EXPECT_TRUE(cluster.sent()[bad].disconnected);
}

TEST(Produce, RefusesOtherAcks) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  const size_t produced = cluster.Produce(0, {}, /*acks=*/2);
  cluster.Run(sim::Millis(10));
  EXPECT_EQ(cluster.Produced(produced).error, ErrorCode::kInvalidRequiredAcks);
}

TEST(Produce, IsRefusedByAFollowerAndForUnknownPartitions) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  const size_t follower = cluster.Produce(1, {});
  ProduceRequest request;
  request.partitions.push_back(
      {.partition = {.topic = TopicId(0), .index = 5}, .batch = TestBatch().Make()});
  const size_t unknown = cluster.Send(0, MakeMessage(std::move(request)));
  cluster.Run(sim::Millis(10));
  EXPECT_EQ(cluster.Produced(follower).error, ErrorCode::kNotLeaderOrFollower);
  EXPECT_EQ(cluster.Produced(unknown).error, ErrorCode::kUnknownTopicOrPartition);
}

TEST(Produce, ToInternalTopicsIsForCoordinatorsOnly) {
  ClusterSpec spec = TestCluster::Orders(3, 2);
  spec.config.transaction_state_log_replication_factor = 3;
  TestCluster cluster(spec);
  ProduceRequest request;
  request.partitions.push_back(
      {.partition = cluster.Id("__transaction_state-0"), .batch = TestBatch().Make()});
  const size_t produced = cluster.Send(0, MakeMessage(std::move(request)));
  cluster.Run(sim::Millis(10));
  EXPECT_EQ(cluster.Produced(produced).error, ErrorCode::kInvalidTopic);
}

TEST(Produce, IsRefusedBelowMinIsrOnlyWithAllAcks) {
  TestCluster cluster(TestCluster::Orders(3, 3));
  cluster.Run(sim::Millis(10));
  cluster.Crash(2);
  cluster.Run(sim::Seconds(10));
  const size_t all = cluster.Produce(0, {}, /*acks=*/-1);
  const size_t one = cluster.Produce(0, {}, /*acks=*/1);
  cluster.Run(sim::Millis(10));
  EXPECT_EQ(cluster.Produced(all).error, ErrorCode::kNotEnoughReplicas);
  EXPECT_THAT(cluster.Produced(all).error_message, HasSubstr("min.insync.replicas"));
  EXPECT_EQ(cluster.Produced(one).error, ErrorCode::kNone);
  EXPECT_EQ(cluster.Log(0).log_end_offset(), Offset(1)) << "the refused one was not appended";
}

// min.insync.replicas above the replication factor asks for all replicas, not for more.
TEST(Produce, MinIsrIsAtMostTheReplicationFactor) {
  TestCluster cluster(TestCluster::Orders(2, 3));
  cluster.Run(sim::Millis(10));
  const size_t produced = cluster.Produce(0, {});
  cluster.Run(sim::Millis(10));
  EXPECT_EQ(cluster.Produced(produced).error, ErrorCode::kNone);
}

TEST(Produce, IsAnsweredWithAnErrorIfTheIsrShrinksBelowMinIsrMeanwhile) {
  TestCluster cluster(TestCluster::Orders(3, 3));
  cluster.Run(sim::Millis(10));
  cluster.Crash(2);
  const size_t produced = cluster.Produce(0, {}, -1, /*timeout_ms=*/60'000);
  cluster.Run(sim::Seconds(8));
  EXPECT_FALSE(cluster.Answered(produced));
  // Broker 2 is fenced. The high watermark may not move with an ISR of 2, so that the request
  // waits on: for its timeout, or for broker 2.
  cluster.Run(sim::Seconds(10));
  EXPECT_FALSE(cluster.Answered(produced));
  cluster.Run(sim::Seconds(60));
  EXPECT_EQ(cluster.Produced(produced).error, ErrorCode::kRequestTimedOut);
  EXPECT_EQ(cluster.Produced(produced).base_offset, Offset(0));
  EXPECT_EQ(cluster.Log(1).log_end_offset(), Offset(1)) << "the record is in the log";
}

TEST(Produce, TimesOutWhileAReplicaOfTheIsrIsAway) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Millis(10));
  cluster.Cut(sim::ProcessId(0), sim::ProcessId(2));
  const size_t produced = cluster.Produce(0, {}, -1, /*timeout_ms=*/500);
  cluster.Run(sim::Millis(501));
  EXPECT_FALSE(cluster.Answered(produced));
  cluster.Run(sim::Millis(1));
  EXPECT_EQ(cluster.Produced(produced).error, ErrorCode::kRequestTimedOut);
  EXPECT_TRUE(cluster.broker(0).pending_writes().empty());
}

TEST(Produce, ADuplicateIsAnsweredWithTheFirstOffsetsOnceTheyAreReplicated) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Millis(10));
  cluster.Cut(sim::ProcessId(0), sim::ProcessId(2));
  const size_t first = cluster.Produce(0, Idempotent(0));
  const size_t again = cluster.Produce(0, Idempotent(0));
  cluster.Run(sim::Millis(100));
  EXPECT_FALSE(cluster.Answered(again)) << "the first append is not replicated yet";
  cluster.Heal(sim::ProcessId(0), sim::ProcessId(2));
  cluster.Run(sim::Millis(100));
  EXPECT_EQ(cluster.Produced(first).base_offset, Offset(0));
  EXPECT_EQ(cluster.Produced(again).error, ErrorCode::kNone);
  EXPECT_EQ(cluster.Produced(again).base_offset, Offset(0));
  EXPECT_EQ(cluster.Log(0).log_end_offset(), Offset(1));
  EXPECT_EQ(cluster.trace().OfKind(events::kDuplicate).size(), 1u);
}

TEST(Produce, ADuplicateOfWhatIsReplicatedIsAnsweredAtOnce) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Millis(10));
  cluster.Produce(0, Idempotent(0));
  cluster.Run(sim::Millis(10));
  const size_t again = cluster.Produce(0, Idempotent(0));
  cluster.Run(sim::Millis(2));
  EXPECT_EQ(cluster.Produced(again).base_offset, Offset(0));
}

TEST(Produce, NamesWhatWasComparedWhenItRefuses) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Millis(10));
  cluster.Produce(0, Idempotent(0));
  const size_t gap = cluster.Produce(0, Idempotent(5));
  cluster.Run(sim::Millis(10));
  EXPECT_EQ(cluster.Produced(gap).error, ErrorCode::kOutOfOrderSequenceNumber);
  EXPECT_THAT(cluster.Produced(gap).error_message, HasSubstr("5"));
  const auto refused = cluster.trace().OfKind(events::kAppendRefused);
  ASSERT_EQ(refused.size(), 1u);
  EXPECT_EQ(refused[0].Text("error"), "OUT_OF_ORDER_SEQUENCE_NUMBER");
  EXPECT_EQ(refused[0].Int("base_sequence"), 5);
}

TEST(Produce, TransactionalRecordsNeedATransactionalId) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  ProduceRequest request;
  TestBatch batch = Idempotent(0);
  batch.transactional = true;
  request.partitions.push_back({.partition = cluster.Id("orders-0"), .batch = batch.Make()});
  const size_t produced = cluster.Send(0, MakeMessage(std::move(request)));
  cluster.Run(sim::Millis(10));
  EXPECT_EQ(cluster.Produced(produced).error, ErrorCode::kTransactionalIdAuthorizationFailed);
}

TEST(Produce, OneRequestBelongsToOneTransaction) {
  ClusterSpec spec = TestCluster::Orders(3, 2);
  spec.topics[0].partitions = 2;
  TestCluster cluster(spec);
  ProduceRequest request{.transactional_id = "txn"};
  TestBatch batch = Idempotent(0);
  batch.transactional = true;
  request.partitions.push_back({.partition = cluster.Id("orders-0"), .batch = batch.Make()});
  batch.epoch = ProducerEpoch(1);
  request.partitions.push_back({.partition = cluster.Id("orders-1"), .batch = batch.Make()});
  const size_t produced = cluster.Send(0, MakeMessage(std::move(request)));
  cluster.Run(sim::Millis(10));
  for (const auto& result : cluster.Answer<ProduceResponse>(produced).partitions) {
    EXPECT_EQ(result.error, ErrorCode::kInvalidProducerIdMapping);
  }
}

// Each partition of a request is answered for itself, and the answer waits for all of them.
TEST(Produce, ToSeveralPartitionsIsAnsweredTogether) {
  ClusterSpec spec = TestCluster::Orders(3, 2);
  spec.topics[0].assignment = {{BrokerId(0), BrokerId(1), BrokerId(2)},
                               {BrokerId(0), BrokerId(1), BrokerId(2)}};
  spec.topics[0].partitions = 2;
  TestCluster cluster(spec);
  cluster.Run(sim::Millis(10));
  ProduceRequest request;
  request.partitions.push_back({.partition = cluster.Id("orders-0"), .batch = TestBatch().Make()});
  request.partitions.push_back(
      {.partition = cluster.Id("orders-1"), .batch = Idempotent(0).Make()});
  const size_t first = cluster.Send(0, MakeMessage(request));
  request.partitions[1].batch = Idempotent(3).Make();
  const size_t second = cluster.Send(0, MakeMessage(std::move(request)));
  cluster.Run(sim::Millis(20));
  EXPECT_EQ(cluster.Answer<ProduceResponse>(first).partitions[0].error, ErrorCode::kNone);
  EXPECT_EQ(cluster.Answer<ProduceResponse>(first).partitions[1].error, ErrorCode::kNone);
  EXPECT_EQ(cluster.Answer<ProduceResponse>(second).partitions[0].base_offset, Offset(1));
  EXPECT_EQ(cluster.Answer<ProduceResponse>(second).partitions[1].error,
            ErrorCode::kOutOfOrderSequenceNumber);
}

TEST(Produce, ALeaderThatIsReplacedAnswersWhatWaits) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Millis(10));
  cluster.Cut(sim::ProcessId(0), sim::ProcessId(2));
  const size_t produced = cluster.Produce(0, {});
  cluster.Run(sim::Millis(100));
  EXPECT_EQ(cluster.Elect(BrokerId(1)), ErrorCode::kNone);
  cluster.Run(sim::Millis(10));
  EXPECT_EQ(cluster.Produced(produced).error, ErrorCode::kNotLeaderOrFollower);
}

TEST(Produce, TheTraceTellsTheWayOfARecord) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Millis(10));
  cluster.Produce(0, {.records = 2});
  cluster.Run(sim::Millis(10));
  const auto appended = cluster.trace().OfKind(events::kAppended);
  ASSERT_EQ(appended.size(), 1u);
  EXPECT_EQ(appended[0].Text("partition"), "orders-0");
  EXPECT_EQ(appended[0].Int("base_offset"), 0);
  EXPECT_EQ(appended[0].Int("last_offset"), 1);
  EXPECT_EQ(cluster.trace().OfKind(events::kReplicated).size(), 2u);
  const auto moved = cluster.trace().OfKind(events::kHighWatermark);
  ASSERT_EQ(moved.size(), 1u);
  EXPECT_EQ(moved[0].Int("from"), 0);
  EXPECT_EQ(moved[0].Int("to"), 2);
  EXPECT_THAT(cluster.trace().OfKind(events::kTransactionOpened), IsEmpty());
}

}  // namespace
}  // namespace kafkasim::broker

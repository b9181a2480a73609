// Topics that are created and deleted while the cluster runs.
#include <gmock/gmock.h>

#include "broker/events.h"
#include "broker/messages_topics.h"
#include "tests/broker/test_cluster.h"

namespace kafkasim::broker {
namespace {

size_t Create(TestCluster& cluster, int32_t broker, CreateTopicsRequest::Topic topic) {
  CreateTopicsRequest request;
  request.topics.push_back(std::move(topic));
  return cluster.Send(broker, MakeMessage(std::move(request)));
}

size_t Delete(TestCluster& cluster, int32_t broker, const std::string& topic) {
  return cluster.Send(broker, MakeMessage(DeleteTopicsRequest{.topics = {topic}}));
}

ErrorCode Created(const TestCluster& cluster, size_t number) {
  return cluster.Answer<CreateTopicsResponse>(number).topics.front().error;
}

TEST(CreateTopics, MakesATopicThatCanBeWritten) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Millis(10));
  const size_t created = Create(cluster, 2,
                                {.name = "bills",
                                 .num_partitions = 2,
                                 .replication_factor = 3,
                                 .configs = {{"min.insync.replicas", "2"}}});
  cluster.Run(sim::Millis(10));
  ASSERT_EQ(Created(cluster, created), ErrorCode::kNone);
  const auto id = cluster.controller().image()->Parse("bills-1");
  ASSERT_TRUE(id.has_value());
  EXPECT_EQ(cluster.controller().image()->FindTopic(id->topic)->config.min_insync_replicas, 2);
  const BrokerId leader = cluster.controller().image()->FindPartition(*id)->leader;
  EXPECT_EQ(leader, BrokerId(1));
  ProduceRequest request;
  request.partitions.push_back({.partition = *id, .batch = TestBatch{}.Make()});
  const size_t produced = cluster.Send(1, MakeMessage(std::move(request)));
  cluster.Run(sim::Millis(20));
  EXPECT_EQ(cluster.Produced(produced).error, ErrorCode::kNone);
}

TEST(CreateTopics, RefusesWhatItMust) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Millis(10));
  const size_t twice = Create(cluster, 0, {.name = "orders"});
  const size_t name = Create(cluster, 0, {.name = "a topic"});
  const size_t many = Create(cluster, 0, {.name = "a", .replication_factor = 4});
  const size_t none = Create(cluster, 0, {.name = "a", .num_partitions = 0});
  const size_t config = Create(cluster, 0, {.name = "a", .configs = {{"retention", "1"}}});
  cluster.Run(sim::Millis(10));
  EXPECT_EQ(Created(cluster, twice), ErrorCode::kTopicAlreadyExists);
  EXPECT_EQ(Created(cluster, name), ErrorCode::kInvalidTopic);
  EXPECT_EQ(Created(cluster, many), ErrorCode::kInvalidReplicationFactor);
  EXPECT_EQ(Created(cluster, none), ErrorCode::kInvalidPartitions);
  EXPECT_EQ(Created(cluster, config), ErrorCode::kInvalidConfig);
}

TEST(DeleteTopics, TakesTheLogsAndEndsWhatWaits) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Millis(10));
  const PartitionId orders = cluster.Id("orders-0");
  cluster.Produce(0, {.records = 3});
  cluster.Run(sim::Seconds(1));
  const size_t reading = cluster.Fetch(0, Offset(3), IsolationLevel::kReadUncommitted, 60'000);
  const size_t deleted = Delete(cluster, 1, "orders");
  cluster.Run(sim::Millis(10));
  EXPECT_EQ(cluster.Answer<DeleteTopicsResponse>(deleted).topics.front().error, ErrorCode::kNone);
  for (int32_t broker = 0; broker < 3; ++broker) {
    EXPECT_EQ(cluster.broker(broker).FindReplica(orders), nullptr);
  }
  EXPECT_EQ(cluster.Fetched(reading).error, ErrorCode::kUnknownTopicId);
  const size_t again = Delete(cluster, 0, "orders");
  cluster.Run(sim::Millis(10));
  EXPECT_EQ(cluster.Answer<DeleteTopicsResponse>(again).topics.front().error,
            ErrorCode::kUnknownTopicOrPartition);
}

TEST(DeleteTopics, ATopicOfTheSameNameIsAnother) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  cluster.Run(sim::Millis(10));
  const PartitionId old = cluster.Id("orders-0");
  cluster.Produce(0, {.records = 3});
  cluster.Run(sim::Seconds(1));
  Delete(cluster, 0, "orders");
  cluster.Run(sim::Millis(10));
  Create(cluster, 0, {.name = "orders", .num_partitions = 1, .replication_factor = 3});
  cluster.Run(sim::Millis(10));
  const PartitionId fresh = *cluster.controller().image()->Parse("orders-0");
  EXPECT_NE(fresh, old);
  EXPECT_EQ(cluster.broker(0).FindReplica(fresh)->log().log_end_offset(), Offset(0));
  EXPECT_EQ(cluster.broker(0).FindReplica(old), nullptr);
}

// A broker that was down meanwhile finds out when it is back.
TEST(DeleteTopics, ReachesABrokerThatWasDown) {
  TestCluster cluster(TestCluster::Orders(3, 1));
  cluster.Run(sim::Millis(10));
  const PartitionId orders = cluster.Id("orders-0");
  cluster.Crash(2);
  Delete(cluster, 0, "orders");
  cluster.Run(sim::Seconds(1));
  cluster.Restart(2);
  EXPECT_NE(cluster.broker(2).FindReplica(orders), nullptr) << "its disk has the log still";
  cluster.Run(sim::Seconds(20));
  EXPECT_EQ(cluster.broker(2).FindReplica(orders), nullptr);
}

}  // namespace
}  // namespace kafkasim::broker

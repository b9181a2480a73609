// The initial image of a cluster.
#include "broker/cluster_builder.h"

#include <gmock/gmock.h>

namespace kafkasim::broker {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST(ClusterBuilder, SpreadsReplicasInARing) {
  const auto image = BuildClusterImage(
      {.brokers = 3, .topics = {{.name = "orders", .partitions = 4, .replication_factor = 2}}});
  ASSERT_TRUE(image.ok());
  const TopicImage& orders = *image->FindTopic(TopicId(0));
  ASSERT_THAT(orders.partitions, SizeIs(4));
  EXPECT_THAT(orders.partitions[0].replicas, ElementsAre(BrokerId(0), BrokerId(1)));
  EXPECT_THAT(orders.partitions[2].replicas, ElementsAre(BrokerId(2), BrokerId(0)));
  EXPECT_THAT(orders.partitions[2].isr, ElementsAre(BrokerId(0), BrokerId(2))) << "sorted";
  EXPECT_EQ(orders.partitions[3].leader, BrokerId(0));
  EXPECT_EQ(orders.partitions[3].leader_epoch, LeaderEpoch(0));
}

TEST(ClusterBuilder, TopicsFollowTheBrokersSettings) {
  ClusterSpec spec{.brokers = 3};
  spec.config.num_partitions = 2;
  spec.config.default_replication_factor = 3;
  spec.config.min_insync_replicas = 2;
  spec.topics.push_back({.name = "orders"});
  const auto image = BuildClusterImage(spec);
  const TopicImage& orders = *image->FindTopic(TopicId(0));
  EXPECT_THAT(orders.partitions, SizeIs(2));
  EXPECT_THAT(orders.partitions[0].replicas, SizeIs(3));
  EXPECT_EQ(orders.config.min_insync_replicas, 2);
}

TEST(ClusterBuilder, InternalTopicsExistIfThereAreEnoughBrokers) {
  ClusterSpec spec{.brokers = 3};
  const auto three = BuildClusterImage(spec);
  const auto id = three->FindTopicId(kTransactionStateTopic);
  ASSERT_TRUE(id.has_value());
  EXPECT_THAT(three->FindTopic(*id)->partitions, SizeIs(50));
  EXPECT_EQ(three->FindTopic(*id)->config.min_insync_replicas, 2);
  EXPECT_TRUE(three->FindTopicId(kConsumerOffsetsTopic).has_value());
  spec.brokers = 2;
  EXPECT_FALSE(BuildClusterImage(spec)->FindTopicId(kTransactionStateTopic).has_value());
  spec.config.transaction_state_log_replication_factor = 2;
  EXPECT_TRUE(BuildClusterImage(spec)->FindTopicId(kTransactionStateTopic).has_value());
}

TEST(ClusterBuilder, LeadersAndReplicasCanBeChosen) {
  ClusterSpec spec{.brokers = 3};
  spec.topics.push_back({.name = "orders",
                         .assignment = {{BrokerId(2), BrokerId(1)}, {BrokerId(0), BrokerId(2)}},
                         .leaders = {{.partition = 1, .broker = BrokerId(2)}}});
  spec.topics.push_back({.name = std::string(kTransactionStateTopic),
                         .leaders = {{.partition = 21, .broker = BrokerId(2)}}});
  const auto image = BuildClusterImage(spec);
  ASSERT_TRUE(image.ok()) << image.status();
  EXPECT_EQ(image->FindTopic(TopicId(0))->partitions[0].leader, BrokerId(2));
  EXPECT_EQ(image->FindTopic(TopicId(0))->partitions[1].leader, BrokerId(2));
  EXPECT_THAT(image->FindTopic(TopicId(0))->partitions[1].replicas,
              ElementsAre(BrokerId(0), BrokerId(2)));
  EXPECT_EQ(image->FindPartition(*image->Parse("__transaction_state-21"))->leader, BrokerId(2));
}

TEST(ClusterBuilder, SaysWhichTopicIsImpossible) {
  const auto why = [](TopicSpec topic) {
    return std::string(
        BuildClusterImage({.brokers = 2, .topics = {std::move(topic)}}).status().message());
  };
  EXPECT_THAT(why({.name = "orders", .replication_factor = 3}),
              HasSubstr("topic orders: 3 replicas on 2 brokers"));
  EXPECT_THAT(why({.name = "orders", .assignment = {{BrokerId(0), BrokerId(5)}}}),
              HasSubstr("no broker 5"));
  EXPECT_THAT(why({.name = "orders", .assignment = {{BrokerId(1), BrokerId(1)}}}),
              HasSubstr("two replicas"));
  EXPECT_THAT(why({.name = "orders", .leaders = {{.partition = 4, .broker = BrokerId(0)}}}),
              HasSubstr("no partition 4"));
  EXPECT_THAT(why({.name = "orders", .leaders = {{.partition = 0, .broker = BrokerId(1)}}}),
              HasSubstr("broker 1 is no replica"));
  EXPECT_FALSE(BuildClusterImage({.topics = {{.name = "a"}, {.name = "a"}}}).ok());
}

}  // namespace
}  // namespace kafkasim::broker

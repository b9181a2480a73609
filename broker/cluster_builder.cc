#include "broker/cluster_builder.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "broker/broker.h"
#include "broker/channels.h"
#include "broker/controller.h"
#include "broker/replica_placement.h"

namespace kafkasim::broker {
namespace {

constexpr sim::Duration kMetadataTimeout = sim::Seconds(2);  // controller.quorum.request.timeout.ms

absl::Status Wrong(std::string_view topic, std::string_view what) {
  return absl::InvalidArgumentError(fmt::format("topic {}: {}", topic, what));
}

absl::Status CheckReplicas(const std::string& topic, const std::vector<BrokerId>& replicas,
                           int32_t brokers) {
  if (replicas.empty()) return Wrong(topic, "a partition without replicas");
  std::vector<BrokerId> sorted = replicas;
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] < BrokerId(0) || sorted[i] >= BrokerId(brokers)) {
      return Wrong(topic, fmt::format("there is no broker {}", sorted[i]));
    }
    if (i > 0 && sorted[i] == sorted[i - 1]) {
      return Wrong(topic, fmt::format("broker {} has two replicas of one partition", sorted[i]));
    }
  }
  return absl::OkStatus();
}

absl::Status SetLeaders(const TopicSpec& spec, TopicImage& topic) {
  for (const TopicSpec::Leader& leader : spec.leaders) {
    if (leader.partition < 0 || static_cast<size_t>(leader.partition) >= topic.partitions.size()) {
      return Wrong(spec.name, fmt::format("there is no partition {}", leader.partition));
    }
    PartitionImage& partition = topic.partitions[static_cast<size_t>(leader.partition)];
    if (std::find(partition.replicas.begin(), partition.replicas.end(), leader.broker) ==
        partition.replicas.end()) {
      return Wrong(spec.name, fmt::format("broker {} is no replica of partition {}", leader.broker,
                                          leader.partition));
    }
    partition.leader = leader.broker;
  }
  return absl::OkStatus();
}

absl::StatusOr<TopicImage> BuildTopic(const TopicSpec& spec, const ClusterSpec& cluster) {
  TopicImage topic{.name = spec.name,
                   .config = spec.config.value_or(DefaultTopicConfig(cluster.config))};
  std::vector<std::vector<BrokerId>> assignment = spec.assignment;
  if (assignment.empty()) {
    const auto partitions =
        spec.partitions.value_or(static_cast<int32_t>(cluster.config.num_partitions));
    const auto factor = spec.replication_factor.value_or(
        static_cast<int32_t>(cluster.config.default_replication_factor));
    if (partitions < 1) return Wrong(spec.name, "a topic has at least one partition");
    if (factor < 1 || factor > cluster.brokers) {
      return Wrong(spec.name, fmt::format("{} replicas on {} brokers", factor, cluster.brokers));
    }
    std::vector<BrokerId> brokers;
    for (int32_t i = 0; i < cluster.brokers; ++i) brokers.push_back(BrokerId(i));
    for (int32_t p = 0; p < partitions; ++p) {
      assignment.push_back(PlaceReplicas(p, factor, brokers));
    }
  } else if (spec.partitions.has_value() &&
             static_cast<size_t>(*spec.partitions) != assignment.size()) {
    return Wrong(spec.name, fmt::format("{} partitions, but replicas for {}", *spec.partitions,
                                        assignment.size()));
  }
  for (std::vector<BrokerId>& replicas : assignment) {
    absl::Status checked = CheckReplicas(spec.name, replicas, cluster.brokers);
    if (!checked.ok()) return checked;
    PartitionImage partition{.leader = replicas.front(), .replicas = replicas, .isr = replicas};
    std::sort(partition.isr.begin(), partition.isr.end());
    topic.partitions.push_back(std::move(partition));
  }
  absl::Status led = SetLeaders(spec, topic);
  if (!led.ok()) return led;
  return topic;
}

// The internal topics that Kafka would create, as far as there are enough brokers.
std::vector<TopicSpec> InternalTopics(const BrokerConfig& config, int32_t brokers) {
  TopicConfig transactions = DefaultTopicConfig(config);
  transactions.min_insync_replicas = config.transaction_state_log_min_isr;
  transactions.unclean_leader_election_enable = false;
  transactions.cleanup_policy = {.compact = true, .del = false};
  TopicConfig offsets = DefaultTopicConfig(config);
  offsets.cleanup_policy = transactions.cleanup_policy;
  transactions.segment_bytes = config.transaction_state_log_segment_bytes;
  offsets.segment_bytes = config.offsets_topic_segment_bytes;
  const auto spec = [](std::string_view name, int64_t partitions, int64_t factor,
                       const TopicConfig& topic) {
    return TopicSpec{.name = std::string(name),
                     .partitions = static_cast<int32_t>(partitions),
                     .replication_factor = static_cast<int32_t>(factor),
                     .config = topic};
  };
  std::vector<TopicSpec> topics = {
      spec(kTransactionStateTopic, config.transaction_state_log_num_partitions,
           config.transaction_state_log_replication_factor, transactions),
      spec(kConsumerOffsetsTopic, config.offsets_topic_num_partitions,
           config.offsets_topic_replication_factor, offsets)};
  std::erase_if(topics,
                [&](const TopicSpec& topic) { return *topic.replication_factor > brokers; });
  return topics;
}

absl::StatusOr<std::vector<InitialBatch>> InitialBatches(const ClusterSpec& spec,
                                                         const ClusterImage& image) {
  std::vector<InitialBatch> batches;
  for (const ClusterSpec::InitialRecord& initial : spec.initial_records) {
    const std::optional<PartitionId> partition =
        image.PartitionForKey(initial.topic, initial.record.key.value_or(""));
    if (!partition.has_value()) return Wrong(initial.topic, "there is no such topic to be filled");
    batches.push_back({.partition = *partition, .batch = MakeBatch({initial.record})});
  }
  return batches;
}

}  // namespace

absl::StatusOr<ClusterImage> BuildClusterImage(const ClusterSpec& spec) {
  if (spec.brokers < 1) return absl::InvalidArgumentError("a cluster has at least one broker");
  ClusterImage image;
  for (int32_t i = 0; i < spec.brokers; ++i) image.brokers.push_back(BrokerId(i));
  std::vector<TopicSpec> topics;
  for (const TopicSpec& topic : spec.topics) {
    if (!IsInternalTopic(topic.name)) topics.push_back(topic);
  }
  for (TopicSpec& internal : InternalTopics(spec.config, spec.brokers)) {
    for (const TopicSpec& topic : spec.topics) {
      if (topic.name == internal.name) internal.leaders = topic.leaders;
    }
    topics.push_back(std::move(internal));
  }
  for (const TopicSpec& topic : topics) {
    if (image.FindTopicId(topic.name).has_value()) return Wrong(topic.name, "named twice");
    absl::StatusOr<TopicImage> built = BuildTopic(topic, spec);
    if (!built.ok()) return built.status();
    image.topics.push_back(*std::move(built));
  }
  return image;
}

absl::StatusOr<Cluster> AddCluster(sim::World& world, const ClusterSpec& spec,
                                   const ServiceFactory& make_services) {
  KAFKASIM_CHECK(world.process_count() == 0, "brokers are the first processes of a world");
  absl::StatusOr<ClusterImage> image = BuildClusterImage(spec);
  if (!image.ok()) return image.status();
  const absl::StatusOr<std::vector<InitialBatch>> initial = InitialBatches(spec, *image);
  if (!initial.ok()) return initial.status();
  Cluster cluster{.brokers = {},
                  .controller = sim::ProcessId(spec.brokers),
                  .config = std::make_shared<const BrokerConfig>(spec.config),
                  .image = std::make_shared<const ClusterImage>(*std::move(image))};
  for (int32_t i = 0; i < spec.brokers; ++i) {
    Broker::Options options{.id = BrokerId(i),
                            .controller = cluster.controller,
                            .config = cluster.config,
                            .image = cluster.image,
                            .services = {},
                            .initial_batches = *initial};
    if (make_services) options.services = make_services();
    cluster.brokers.push_back(world.AddProcess(fmt::format("broker-{}", i),
                                               std::make_unique<Broker>(std::move(options))));
  }
  world.AddProcess("controller", std::make_unique<Controller>(Controller::Options{
                                     .config = cluster.config,
                                     .image = cluster.image,
                                     .first_producer_id = spec.first_producer_id}));
  world.SetTimeout(
      {.channel = kReplicaChannel,
       .timeout = GivenUpAfter(sim::Millis(cluster.config->replica_socket_timeout_ms))});
  world.SetTimeout({.channel = kControllerChannel, .timeout = GivenUpAfter(kMetadataTimeout)});
  for (const sim::ProcessId broker : cluster.brokers) {
    world.WatchReachability(cluster.controller, broker);
    for (const sim::ProcessId peer : cluster.brokers) {
      if (peer != broker) world.WatchReachability(broker, peer);
    }
  }
  return cluster;
}

}  // namespace kafkasim::broker

// A cluster as it stands before the first event: brokers, the controller, topics with leaders in
// place at epoch 0.
//
//   const absl::StatusOr<Cluster> cluster = AddCluster(world, spec, make_services);
//
// Brokers are the processes 0..n-1, "broker-0" and so on, the controller is the next one,
// "controller"; the cluster must be the first thing that is added to a world. Topics are numbered
// in the order of the specification; then come __transaction_state and __consumer_offsets, if there
// are enough brokers for their replication factors (Kafka creates them at their first use).
//
// The usual assignment is the same in every run: replica j of partition p is on broker (p + j) mod
// n, and the first replica leads. (Kafka starts at a random broker.)
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <absl/status/statusor.h>

#include "broker/cluster_image.h"
#include "broker/config.h"
#include "broker/record_batch.h"
#include "broker/service.h"
#include "sim/world.h"

namespace kafkasim::broker {

struct TopicSpec {
  std::string name{};
  std::optional<int32_t> partitions{};          // num.partitions of the brokers
  std::optional<int32_t> replication_factor{};  // default.replication.factor of the brokers
  std::optional<TopicConfig> config{};          // DefaultTopicConfig of the brokers
  // Replicas of each partition, the preferred leader first; empty = the usual assignment.
  std::vector<std::vector<BrokerId>> assignment{};
  // Leaders that are not the first replica, by partition.
  struct Leader {
    int32_t partition = 0;
    BrokerId broker = kNoBroker;
  };
  std::vector<Leader> leaders{};
};

struct ClusterSpec {
  int32_t brokers = 3;
  BrokerConfig config{};
  // For an internal topic only `leaders` counts.
  std::vector<TopicSpec> topics{};
  ProducerId first_producer_id{0};
  // Records that topics have from the start, each in the partition that its key belongs to.
  struct InitialRecord {
    std::string topic{};
    Record record{};  // with a key
  };
  std::vector<InitialRecord> initial_records{};
};

// The image at time zero. InvalidArgumentError, saying which topic: a name twice, more replicas
// than brokers, an unknown broker or partition, a broker twice in a list, a leader that is no
// replica.
[[nodiscard]] absl::StatusOr<ClusterImage> BuildClusterImage(const ClusterSpec& spec);

// Makes the services of one broker.
using ServiceFactory = std::function<std::vector<std::unique_ptr<Service>>()>;

struct Cluster {
  std::vector<sim::ProcessId> brokers{};
  sim::ProcessId controller = sim::kNoProcess;
  std::shared_ptr<const BrokerConfig> config{};
  ClusterImageRef image{};
};

// Adds the processes to a world that is empty, and lets them watch each other. Errors as above, and
// for an initial record of a topic that does not exist.
[[nodiscard]] absl::StatusOr<Cluster> AddCluster(sim::World& world, const ClusterSpec& spec,
                                                 const ServiceFactory& make_services = {});

}  // namespace kafkasim::broker

// How to look into the processes of a run from outside: the cluster as the controller knows it, the
// logs of the brokers, the coordinators.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "broker/broker.h"
#include "broker/cluster_image.h"
#include "broker/ids.h"
#include "broker/partition_log.h"
#include "coordinator/transaction_coordinator.h"
#include "scenarios/moment.h"
#include "sim/ids.h"

namespace kafkasim::scenarios {

// The controller's metadata: who leads what at this moment.
const broker::ClusterImage& CurrentCluster(const Moment& moment);
// The same, to be kept.
broker::ClusterImageRef CurrentClusterRef(const Moment& moment);

const broker::Broker& BrokerAt(const Moment& moment, broker::BrokerId broker);

// The log of a replica; null if that broker has none.
const broker::PartitionLog* FindLog(const Moment& moment, broker::BrokerId broker,
                                    const broker::PartitionId& partition);

// The producers that a replica knows, by producer id; none if that broker has no replica.
std::vector<broker::ProducerStateEntry> ProducersOf(const Moment& moment, broker::BrokerId broker,
                                                    const broker::PartitionId& partition);

// The leader by the controller's metadata; kNoBroker if there is none.
broker::BrokerId LeaderOf(const Moment& moment, const broker::PartitionId& partition);

// The partition of __transaction_state that a transactional id belongs to; nullopt while there is
// no such topic. Its leader is the coordinator.
std::optional<broker::PartitionId> CoordinatorPartition(const Moment& moment,
                                                        std::string_view transactional_id);
// The partition of __consumer_offsets that a group belongs to; nullopt while there is no such
// topic.
std::optional<broker::PartitionId> GroupPartition(const Moment& moment, std::string_view group_id);
// The coordinator service of a broker; null if there is no such broker, or if it is down.
const coordinator::TransactionCoordinator* FindCoordinator(const Moment& moment,
                                                           broker::BrokerId broker);
broker::BrokerId CoordinatorOf(const Moment& moment, std::string_view transactional_id);

}  // namespace kafkasim::scenarios

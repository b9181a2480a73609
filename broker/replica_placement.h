// Where the replicas of a new partition go. Kafka starts at a random broker (StripedReplicaPlacer);
// here the usual assignment is the same in every run.
#pragma once

#include <cstdint>
#include <vector>

#include "broker/ids.h"

namespace kafkasim::broker {

// Replica j of partition p is on broker number (p + j) mod n of `brokers`, which has at least
// `replication_factor` elements; the first replica is the preferred leader.
[[nodiscard]] std::vector<BrokerId> PlaceReplicas(int32_t partition, int32_t replication_factor,
                                                  const std::vector<BrokerId>& brokers);

}  // namespace kafkasim::broker

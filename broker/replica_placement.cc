#include "broker/replica_placement.h"

#include <cstddef>

namespace kafkasim::broker {

std::vector<BrokerId> PlaceReplicas(int32_t partition, int32_t replication_factor,
                                    const std::vector<BrokerId>& brokers) {
  std::vector<BrokerId> replicas;
  for (int32_t j = 0; j < replication_factor; ++j) {
    replicas.push_back(brokers[static_cast<size_t>(partition + j) % brokers.size()]);
  }
  return replicas;
}

}  // namespace kafkasim::broker

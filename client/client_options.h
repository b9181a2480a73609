// What every client is told at its birth, beside its configuration.
#pragma once

#include <cstdint>
#include <vector>

#include "broker/cluster_image.h"
#include "broker/ids.h"

namespace kafkasim::client {

struct ClientOptions {
  // bootstrap.servers: whom to ask for the first metadata, in this order.
  std::vector<broker::BrokerId> bootstrap{};
  // How the application calls its topics, for the trace of its calls only. Without it they have
  // names as soon as the client has metadata.
  broker::ClusterImageRef names{};
};

}  // namespace kafkasim::client

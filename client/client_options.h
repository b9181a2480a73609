// What every client is told at its birth, beside its configuration.
#pragma once

#include <cstdint>
#include <vector>

#include "broker/ids.h"

namespace kafkasim::client {

struct ClientOptions {
  // bootstrap.servers: whom to ask for the first metadata, in this order.
  std::vector<broker::BrokerId> bootstrap{};
};

}  // namespace kafkasim::client

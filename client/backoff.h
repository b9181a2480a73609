// The pause before a retry: doubles with each attempt up to a maximum. Class ExponentialBackoff of
// Kafka's clients (KIP-580) without its 20 % of chance, so that runs are easy to follow.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/time.h"

namespace kafkasim::client {

struct Backoff {
  sim::Duration initial{};
  sim::Duration maximum{};

  // The pause after `attempts` failures before this one: initial, 2 initial, 4 initial, ...
  [[nodiscard]] constexpr sim::Duration After(int32_t attempts) const {
    sim::Duration pause = initial;
    for (int32_t i = 0; i < attempts && pause < maximum; ++i) pause = pause * 2;
    return std::min(pause, maximum);
  }
};

}  // namespace kafkasim::client

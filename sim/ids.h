// Ids of the simulation kernel.
#pragma once

#include <cstdint>

#include "sim/strong_int.h"

namespace kafkasim::sim {

// A simulated process: its index in the world, in the order of creation.
using ProcessId = StrongInt<struct ProcessIdTag, int32_t>;
inline constexpr ProcessId kNoProcess{-1};

// What one process uses a connection for. Two processes may hold several connections at once, one a
// channel; messages on one channel are FIFO, messages on different channels may overtake each
// other.
using Channel = StrongInt<struct ChannelTag, uint8_t>;

// Names a request until its answer has come; unique in a world.
using CorrelationId = StrongInt<struct CorrelationIdTag, uint64_t>;

// A trace event of the run, counted from 1; 0 = none.
using EventId = StrongInt<struct EventIdTag, uint64_t>;
inline constexpr EventId kNoEvent{0};

}  // namespace kafkasim::sim

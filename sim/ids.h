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

// A part of a process that is made of several, each with its own timers and connections: a Java
// application holds a consumer and a producer. Whoever is not made of parts is part 0 altogether.
using Part = StrongInt<struct PartTag, uint8_t>;
inline constexpr Part kWholeProcess{0};
inline constexpr int kChannelsOfAPart = 16;  // so many parts there can be as well

// The channel by which the network knows a part's channel, and back.
constexpr Channel ChannelOf(Part part, Channel channel) {
  return Channel(static_cast<uint8_t>(part.value() * kChannelsOfAPart + channel.value()));
}
constexpr Part PartOf(Channel channel) {
  return Part(static_cast<uint8_t>(channel.value() / kChannelsOfAPart));
}
constexpr Channel WithoutPart(Channel channel) {
  return Channel(static_cast<uint8_t>(channel.value() % kChannelsOfAPart));
}

// The same for the kinds of timers.
constexpr uint32_t TimerKindOf(Part part, uint32_t kind) {
  return uint32_t{part.value()} << 24 | kind;
}
constexpr Part PartOfTimer(uint32_t kind) { return Part(static_cast<uint8_t>(kind >> 24)); }
constexpr uint32_t TimerKindWithoutPart(uint32_t kind) { return kind & 0xFFFFFF; }

// Names a request until its answer has come; unique in a world.
using CorrelationId = StrongInt<struct CorrelationIdTag, uint64_t>;

// A trace event of the run, counted from 1; 0 = none.
using EventId = StrongInt<struct EventIdTag, uint64_t>;
inline constexpr EventId kNoEvent{0};

}  // namespace kafkasim::sim

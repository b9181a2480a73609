// The coordinator's timers and tokens. Private to the coordinator's sources.
#pragma once

#include <cstdint>
#include <utility>

#include "broker/ids.h"

namespace kafkasim::coordinator {

enum class CoordinatorTimer : uint32_t {
  kAbortSweep,   // transaction.abort.timed.out.transaction.cleanup.interval.ms
  kExpirySweep,  // transaction.remove.expired.transaction.cleanup.interval.ms
  kLoad,         // argument: partition and epoch
  kReconnect,    // argument: broker
  kAppendRetry,
};

// A load's partition and epoch as one argument.
[[nodiscard]] constexpr uint64_t LoadArgument(int32_t index, broker::CoordinatorEpoch epoch) {
  return uint64_t{static_cast<uint32_t>(index)} << 32 | static_cast<uint32_t>(epoch.value());
}
[[nodiscard]] constexpr std::pair<int32_t, broker::CoordinatorEpoch> LoadArgument(
    uint64_t argument) {
  return {static_cast<int32_t>(argument >> 32),
          broker::CoordinatorEpoch(static_cast<int32_t>(argument & 0xffffffffu))};
}

// Requests under way: one for producer ids, one for markers to each broker.
inline constexpr uint64_t kProducerIdsToken = ~uint64_t{0};
[[nodiscard]] constexpr uint64_t MarkersToken(broker::BrokerId broker) {
  return static_cast<uint32_t>(broker.value());
}
[[nodiscard]] constexpr broker::BrokerId MarkersTokenBroker(uint64_t token) {
  return broker::BrokerId(static_cast<int32_t>(token));
}

}  // namespace kafkasim::coordinator

// What has become of the marker that a decided transaction still waits for on a partition: refused
// by the leader, held or lost in the network, or on its way to a broker that is not there.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scenarios/moment.h"
#include "scenarios/snapshot.h"
#include "sim/ids.h"

namespace kafkasim::scenarios {

struct MarkerFate {
  std::string text{};  // "was refused by broker-0: NOT_ENOUGH_REPLICAS (...)"
  sim::EventId event = sim::kNoEvent;
};

// Of the last attempt to write a marker of this producer on the partition of the view. nullopt if
// no coordinator has asked for one, if one was written, or if the trace was not kept.
[[nodiscard]] std::optional<MarkerFate> FateOfMarker(const Moment& moment,
                                                     const PartitionView& view,
                                                     std::int64_t producer_id);

}  // namespace kafkasim::scenarios

// Notices which message a fault of the network has hit where the network itself says nothing: a
// delay, or a repetition. To be asked after each event of the trace and between two handlers.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <absl/container/btree_map.h>

#include "sim/ids.h"
#include "sim/trace.h"
#include "sim/world.h"

namespace kafkasim::scenarios {

class RuleWatch {
 public:
  struct Hit {
    sim::EventId sent = sim::kNoEvent;  // the message as it left
    std::string text{};                 // "WriteTxnMarkers to broker-0 comes 500ms later"
  };

  // What has been hit since the last call. The hit message is the last one that OnSent() was told
  // of: the network applies its rules right after it has reported the message.
  std::vector<Hit> TakeHits(const sim::World& world);
  void OnSent(const sim::TraceEvent& event);

 private:
  absl::btree_map<std::uint32_t, std::uint32_t> matched_;  // of each rule, by its id
  sim::EventId sent_ = sim::kNoEvent;
  std::string message_{};  // "WriteTxnMarkers to broker-0"
};

}  // namespace kafkasim::scenarios

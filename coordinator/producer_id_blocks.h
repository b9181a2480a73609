// Producer ids of one broker: blocks of 1,000 from the controller (KIP-730; class
// RPCProducerIdManager, Kafka 4.4 development line).
//
// The next block is asked for when 90 % of the current one are used. A broker that has no id left
// does not wait: the client is told COORDINATOR_LOAD_IN_PROGRESS and asks again. What is left of a
// block when the broker crashes is lost.
#pragma once

#include <cstdint>
#include <optional>

#include "broker/ids.h"
#include "sim/fingerprint.h"
#include "sim/time.h"

namespace kafkasim::coordinator {

// After a failed request none is sent for so long (RPCProducerIdManager.RETRY_BACKOFF_MS).
inline constexpr sim::Duration kProducerIdsBackoff = sim::Millis(50);

class ProducerIdBlocks {
 public:
  struct Generated {
    std::optional<broker::ProducerId> id;  // nullopt: COORDINATOR_LOAD_IN_PROGRESS
    bool request_block = false;            // AllocateProducerIds is to be sent now
  };

  // The next id. At most one request is on its way at a time.
  [[nodiscard]] Generated Generate(sim::Time now);
  // The controller's answer. A block that does not lie above the current one counts as a failure.
  void OnBlock(broker::ProducerId first, int32_t count, sim::Time now);
  // The request failed or got no answer.
  void OnFailure(sim::Time now);

  void AppendTo(sim::CanonicalBytes& out) const;

 private:
  struct Block {
    broker::ProducerId first{0};
    broker::ProducerId end{0};  // exclusive

    void AppendTo(sim::CanonicalBytes& out) const {
      out.Add(first);
      out.Add(end);
    }
  };

  [[nodiscard]] bool MayRequest(sim::Time now);

  Block current_;
  broker::ProducerId next_id_{0};
  std::optional<Block> next_block_;
  bool request_in_flight_ = false;  // until its block is put to use
  std::optional<sim::Time> not_before_;
};

}  // namespace kafkasim::coordinator

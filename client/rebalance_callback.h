// A call of the application's rebalance listener: interface ConsumerRebalanceListener, Kafka 4.4
// development line. It runs on the application's thread inside poll, unsubscribe or close.
//
// A consumer made with ConsumerOptions::external_listener stops there: pending_callback() says what
// is being called, other calls of the consumer may be made meanwhile (commit_sync inside
// on_partitions_revoked is the usual one), and CompleteCallback lets it go on. Without that option
// the application has no listener, and nothing stops.
#pragma once

#include <cstdint>
#include <string_view>

#include "broker/ids.h"
#include "broker/messages_transaction.h"
#include "sim/fingerprint.h"

namespace kafkasim::client {

struct RebalanceCallback {
  enum class Kind : uint8_t {
    kRevoked,   // before they are given away; their positions are still there
    kAssigned,  // after the assignment; these are new
    kLost,      // the member was thrown out: somebody else may own them already
  };

  Kind kind = Kind::kRevoked;
  broker::PartitionList partitions{};  // sorted

  friend bool operator==(const RebalanceCallback&, const RebalanceCallback&) = default;
  void AppendTo(sim::CanonicalBytes& out) const {
    out.Add(kind);
    out.AddAll(partitions);
  }
};

// "on_partitions_revoked".
[[nodiscard]] constexpr std::string_view Name(RebalanceCallback::Kind kind) {
  switch (kind) {
    case RebalanceCallback::Kind::kRevoked:
      return "on_partitions_revoked";
    case RebalanceCallback::Kind::kAssigned:
      return "on_partitions_assigned";
    case RebalanceCallback::Kind::kLost:
      return "on_partitions_lost";
  }
  return "?";
}

}  // namespace kafkasim::client

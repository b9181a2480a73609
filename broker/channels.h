// The connections that Kafka's processes keep to a broker or the controller, one channel each.
#pragma once

#include "sim/ids.h"
#include "sim/time.h"

namespace kafkasim::broker {

// Clients: produce, fetch and coordinator requests of one client to one broker share a connection.
inline constexpr sim::Channel kClientChannel{0};
// Followers fetching from leaders (ReplicaFetcherThread).
inline constexpr sim::Channel kReplicaChannel{1};
// WriteTxnMarkers from a coordinator to leaders (TransactionMarkerChannelManager).
inline constexpr sim::Channel kMarkerChannel{2};
// AddPartitionsToTxn from leaders to the coordinator (AddPartitionsToTxnManager).
inline constexpr sim::Channel kVerificationChannel{3};
// Brokers to and from the controller.
inline constexpr sim::Channel kControllerChannel{4};

// A consumer to its group's coordinator: apart from its fetches, so that neither waits for the
// other (Kafka numbers the coordinator as a node of its own).
inline constexpr sim::Channel kCoordinatorChannel{5};

// A request is given up when more than its timeout has passed, by a clock that counts milliseconds
// (InFlightRequests.hasExpiredRequest).
[[nodiscard]] constexpr sim::Duration GivenUpAfter(sim::Duration timeout) {
  return timeout + sim::Millis(1);
}

}  // namespace kafkasim::broker

// The clocks of a member of a group, and whether its heartbeat thread runs: class Heartbeat with
// the life of AbstractCoordinator.HeartbeatThread, Kafka 4.4 development line.
//
// Simplified on purpose: Java's thread looks at its clocks every retry.backoff.ms; here it acts at
// the moment that a clock has run out.
#pragma once

#include <cstdint>

#include "client/exception.h"
#include "sim/fingerprint.h"
#include "sim/time.h"

namespace kafkasim::client {

struct Heartbeat {
  bool started = false;         // the thread exists, since the group was first joined
  bool enabled = false;         // it beats: the member waits for its assignment, or has it
  ApiError failure{};           // what the thread died of; the next poll throws it
  sim::Time next_at{};          // of the next heartbeat
  sim::Time session_ends_at{};  // without an answer by then the coordinator is looked up anew
  sim::Time poll_ends_at{};     // without a poll by then the member leaves the group
  int32_t attempts = 0;         // heartbeats in a row that failed

  void AppendTo(sim::CanonicalBytes& out) const {
    out.Add(started);
    out.Add(enabled);
    out.Add(failure);
    out.Add(next_at);
    out.Add(session_ends_at);
    out.Add(poll_ends_at);
    out.Add(attempts);
  }
};

}  // namespace kafkasim::client

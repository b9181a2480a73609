// The settings that a partition log obeys (Kafka's LogConfig and ProducerStateManagerConfig, Kafka
// 4.4 development line), with Kafka's defaults.
#pragma once

#include <cstdint>

#include "broker/bugs.h"
#include "sim/fingerprint.h"

namespace kafkasim::broker {

struct LogConfig {
  int64_t segment_bytes = 1'073'741'824;  // segment.bytes: a fuller segment is rolled
  int64_t index_interval_bytes = 4'096;   // index.interval.bytes: how sparse the offset index is
  int64_t max_message_bytes = 1'048'588;  // max.message.bytes: of one batch
  bool compacted = false;                 // cleanup.policy = compact: records must have keys
  bool transaction_partition_verification_enable = true;
  int64_t producer_id_expiration_ms = 86'400'000;
  Bugs bugs{};

  friend bool operator==(const LogConfig&, const LogConfig&) = default;
  void AppendTo(sim::CanonicalBytes& out) const {
    out.Add(segment_bytes);
    out.Add(index_interval_bytes);
    out.Add(max_message_bytes);
    out.Add(compacted);
    out.Add(transaction_partition_verification_enable);
    out.Add(producer_id_expiration_ms);
    out.Add(bugs.bits());
  }
};

}  // namespace kafkasim::broker

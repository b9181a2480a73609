// The settings that a partition log obeys (Kafka's LogConfig and ProducerStateManagerConfig, Kafka
// 4.4 development line), with Kafka's defaults.
#pragma once

#include <cstdint>

#include "broker/bugs.h"
#include "broker/config.h"
#include "sim/fingerprint.h"

namespace kafkasim::broker {

// Later than any clock: a time in milliseconds that still fits into microseconds.
inline constexpr int64_t kForeverMs = INT64_MAX / 2'000;

struct LogConfig {
  int64_t segment_bytes = 1'073'741'824;  // segment.bytes: a fuller segment is rolled
  int64_t segment_ms = 604'800'000;       // segment.ms: an older segment is rolled
  int64_t index_interval_bytes = 4'096;   // index.interval.bytes: how sparse the offset index is
  int64_t max_message_bytes = 1'048'588;  // max.message.bytes: of one batch
  CleanupPolicy cleanup_policy{};         // compact: records must have keys
  int64_t retention_ms = 604'800'000;     // retention.ms: -1 keeps all
  int64_t retention_bytes = -1;           // retention.bytes: -1 keeps all
  Ratio min_cleanable_dirty_ratio{.millionths = 500'000};
  int64_t min_compaction_lag_ms = 0;
  int64_t max_compaction_lag_ms = INT64_MAX;
  int64_t delete_retention_ms = 86'400'000;
  bool transaction_partition_verification_enable = true;
  int64_t producer_id_expiration_ms = 86'400'000;
  Bugs bugs{};

  friend bool operator==(const LogConfig&, const LogConfig&) = default;
  void AppendTo(sim::CanonicalBytes& out) const {
    out.Add(segment_bytes);
    out.Add(segment_ms);
    out.Add(index_interval_bytes);
    out.Add(max_message_bytes);
    out.Add(cleanup_policy.compact);
    out.Add(cleanup_policy.del);
    out.Add(retention_ms);
    out.Add(retention_bytes);
    out.Add(min_cleanable_dirty_ratio.millionths);
    out.Add(min_compaction_lag_ms);
    out.Add(max_compaction_lag_ms);
    out.Add(delete_retention_ms);
    out.Add(transaction_partition_verification_enable);
    out.Add(producer_id_expiration_ms);
    out.Add(bugs.bits());
  }
};

}  // namespace kafkasim::broker

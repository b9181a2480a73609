// One batch of records on its way to a partition: class ProducerBatch, Kafka 4.4 development line.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <absl/container/inlined_vector.h>

#include "broker/ids.h"
#include "broker/record_batch.h"
#include "client/call.h"
#include "client/call_result.h"
#include "sim/fingerprint.h"
#include "sim/time.h"

namespace kafkasim::client {

// Nobody waits for these records: their send threw after they had been appended.
inline constexpr CallId kNoCall{-1};

// Consecutive records of one send that are consecutive in a batch.
struct RecordsOf {
  CallId call = kNoCall;
  int32_t first = 0;  // index in the call
  int32_t count = 0;

  void AppendTo(sim::CanonicalBytes& out) const;
};

struct ProducerBatch {
  uint64_t id = 0;  // in the order of creation, unique within the producer
  std::vector<broker::Record> open_records{};
  // Set when the batch is drained; from then on no record is added.
  std::shared_ptr<const std::vector<broker::Record>> records{};
  absl::InlinedVector<RecordsOf, 2> owners{};
  int64_t bytes = 0;
  int64_t max_timestamp_ms = 0;
  bool closed = false;  // takes no more records

  // Given when it is drained for the first time and kept for retries. -1: none.
  ProducerIdentity identity{};
  broker::Sequence base_sequence = broker::kNoSequence;
  bool sequence_was_reset = false;

  sim::Time created{};
  sim::Time last_attempt{};
  sim::Time last_append{};
  int32_t attempts = 0;  // how often it was put back after a failure
  bool in_retry = false;
  uint64_t request = 0;  // the request that carries it; 0 = it is in the queue
  bool done = false;     // its records are acknowledged or failed; only the answer is awaited
  broker::LeaderEpoch leader_epoch = broker::kNoLeaderEpoch;
  int32_t attempts_at_leader_change = 0;

  [[nodiscard]] int32_t record_count() const {
    return static_cast<int32_t>(records == nullptr ? open_records.size() : records->size());
  }
  [[nodiscard]] bool has_sequence() const { return base_sequence != broker::kNoSequence; }
  [[nodiscard]] broker::Sequence last_sequence() const {
    return broker::AddToSequence(base_sequence, record_count() - 1);
  }
  [[nodiscard]] bool queued() const { return request == 0 && !done; }
  [[nodiscard]] bool IsFull(int64_t batch_size) const { return closed || bytes >= batch_size; }
  [[nodiscard]] bool HasReachedDeliveryTimeout(sim::Duration timeout, sim::Time now) const {
    return now - created >= timeout;
  }
  // A new leader was found since the last attempt, so that no pause is needed.
  [[nodiscard]] bool LeaderChangedForRetry() const {
    return attempts >= 1 && attempts == attempts_at_leader_change;
  }
  void LearnLeaderEpoch(broker::LeaderEpoch latest) {
    if (latest == broker::kNoLeaderEpoch || latest <= leader_epoch) return;
    leader_epoch = latest;
    attempts_at_leader_change = attempts;
  }

  void AppendTo(sim::CanonicalBytes& out) const;
};

}  // namespace kafkasim::client

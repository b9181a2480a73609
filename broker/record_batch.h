// Record batches, magic 2 (KIP-98): the unit in which records are sent, stored, replicated and
// read. Class DefaultRecordBatch, Kafka 4.4 development line; the fields that matter for the model,
// no wire bytes. A batch is immutable: a leader that assigns an offset makes a new header over the
// same records.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <absl/container/inlined_vector.h>

#include "broker/ids.h"
#include "sim/cached_fingerprint.h"
#include "sim/fingerprint.h"

namespace kafkasim::broker {

// One record. An absent value is a tombstone.
struct Record {
  std::optional<std::string> key{};
  std::optional<std::string> value{};
  int64_t timestamp_ms = 0;
  int32_t offset_delta = 0;  // from the batch's base offset; compaction leaves gaps

  friend bool operator==(const Record&, const Record&) = default;
  void AppendTo(sim::CanonicalBytes& out) const;
};

// Type of a control record (ControlRecordType): the end of a transaction on one partition.
enum class ControlType : int16_t { kAbort = 0, kCommit = 1 };
[[nodiscard]] std::string_view Name(ControlType type);  // "ABORT", "COMMIT"

// What the one record of a control batch says (EndTransactionMarker).
struct EndTransactionMarker {
  ControlType type = ControlType::kAbort;
  CoordinatorEpoch coordinator_epoch = kNoCoordinatorEpoch;

  friend constexpr bool operator==(const EndTransactionMarker&,
                                   const EndTransactionMarker&) = default;
};

// The fingerprint of a shared batch, taken at most once: the logs and messages of all replicas and
// all copies of a world share the batch, and so this. A copy of a batch, which may be changed,
// starts without one.
class BatchFingerprint {
 public:
  BatchFingerprint() = default;
  BatchFingerprint(const BatchFingerprint& /*other*/) {}
  BatchFingerprint& operator=(const BatchFingerprint& /*other*/) {
    cache_.Forget();
    return *this;
  }
  [[nodiscard]] sim::CachedFingerprint& cache() const { return cache_; }

 private:
  mutable sim::CachedFingerprint cache_;
};

struct RecordBatch {
  Offset base_offset{0};  // 0 from a producer; the leader assigns it
  LeaderEpoch partition_leader_epoch = kNoLeaderEpoch;
  ProducerId producer_id = kNoProducerId;
  ProducerEpoch producer_epoch = kNoProducerEpoch;
  Sequence base_sequence = kNoSequence;
  int32_t last_offset_delta = 0;
  bool transactional = false;
  int64_t max_timestamp_ms = 0;
  // What a control batch says; it has no records of its own.
  std::optional<EndTransactionMarker> marker{};
  // A control batch whose marker the cleaner has removed: only its header is left.
  bool marker_removed = false;
  // From then on the cleaner may remove the tombstones or the marker (KIP-534, attribute bit 6).
  // Set by the first pass that could not remove them yet.
  std::optional<int64_t> delete_horizon_ms{};
  std::shared_ptr<const std::vector<Record>> records{};  // never null; empty in a control batch
  BatchFingerprint fingerprint{};                        // for AddBatch; no part of the value

  [[nodiscard]] bool is_control() const { return marker.has_value() || marker_removed; }
  [[nodiscard]] bool is_marker(ControlType type) const {
    return marker.has_value() && marker->type == type;
  }
  [[nodiscard]] bool has_producer_id() const { return producer_id != kNoProducerId; }
  [[nodiscard]] Offset last_offset() const { return base_offset + last_offset_delta; }
  [[nodiscard]] Offset next_offset() const { return last_offset() + 1; }
  [[nodiscard]] Sequence last_sequence() const {
    return base_sequence == kNoSequence ? kNoSequence
                                        : AddToSequence(base_sequence, last_offset_delta);
  }
  // Bytes that the batch would take on disk, for limits and reports: 61 for the header, 78 in all
  // for a marker, and about 7 a record beside key and value.
  [[nodiscard]] int64_t size_bytes() const;

  void AppendTo(sim::CanonicalBytes& out) const;
};

using RecordBatchRef = std::shared_ptr<const RecordBatch>;
// What is read and fetched at once: one batch more often than not.
using RecordBatches = absl::InlinedVector<RecordBatchRef, 1>;

// Adds a shared batch to a state's bytes: by its fingerprint, or whole in exact mode. `batch` must
// not be changed any more.
void AddBatch(sim::CanonicalBytes& out, const RecordBatchRef& batch);

// A plain, idempotent or transactional batch of a client, offsets 0..n-1.
[[nodiscard]] RecordBatch MakeBatch(std::vector<Record> records);
// A control batch with one marker.
[[nodiscard]] RecordBatch MakeMarkerBatch(ProducerId producer_id, ProducerEpoch epoch,
                                          const EndTransactionMarker& marker, int64_t timestamp_ms);

}  // namespace kafkasim::broker

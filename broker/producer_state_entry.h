// Last known state of one producer on one partition: the fence against zombies and duplicates.
// Follows Kafka's ProducerStateEntry and BatchMetadata (KIP-98), Kafka 4.4 development line.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <ostream>
#include <span>

#include "broker/ids.h"
#include "broker/log_append.h"
#include "broker/record_batch.h"
#include "sim/fingerprint.h"

namespace kafkasim::broker {

// What is remembered of one appended batch: enough to answer its repetition.
struct BatchMetadata {
  Sequence last_sequence = kNoSequence;
  int32_t offset_delta = 0;  // last offset - first offset = last sequence - first sequence
  Offset last_offset{-1};
  int64_t timestamp_ms = -1;

  [[nodiscard]] Sequence first_sequence() const;
  [[nodiscard]] Offset first_offset() const { return last_offset - offset_delta; }

  friend constexpr bool operator==(const BatchMetadata&, const BatchMetadata&) = default;
  void AppendTo(sim::CanonicalBytes& out) const;
};
std::ostream& operator<<(std::ostream& out, const BatchMetadata& batch);

class ProducerStateEntry {
 public:
  // Batches remembered: as many as a producer may have in flight.
  static constexpr int kNumBatchesToRetain = 5;

  ProducerStateEntry() = default;
  explicit ProducerStateEntry(ProducerId producer_id) : producer_id_(producer_id) {}

  [[nodiscard]] ProducerId producer_id() const { return producer_id_; }
  // -1 while nothing is known.
  [[nodiscard]] ProducerEpoch producer_epoch() const { return producer_epoch_; }
  // Of the last marker; -1 before the first. Data does not teach it.
  [[nodiscard]] CoordinatorEpoch coordinator_epoch() const { return coordinator_epoch_; }
  // Of the last batch, data or marker; what the expiry of the entry counts from.
  [[nodiscard]] int64_t last_timestamp_ms() const { return last_timestamp_ms_; }
  // Base offset of the open transaction's first batch here; nullopt = no open transaction.
  [[nodiscard]] std::optional<Offset> current_txn_first_offset() const {
    return in_txn_ ? std::optional(current_txn_first_offset_) : std::nullopt;
  }
  // Batches of the current epoch, oldest first, at most five.
  [[nodiscard]] std::span<const BatchMetadata> batches() const { return {batches_.data(), count_}; }
  // Of the newest batch; -1 if none of this epoch is remembered.
  [[nodiscard]] Sequence last_sequence() const;
  [[nodiscard]] Offset last_data_offset() const;

  // True if a transaction of exactly this epoch is open. (A newer epoch means that the old
  // transaction may be over at the coordinator.)
  [[nodiscard]] bool HasOngoingTransaction(ProducerEpoch epoch) const {
    return in_txn_ && producer_epoch_ == epoch;
  }
  // The remembered batch of the same epoch with exactly these first and last sequences; null if
  // there is none.
  [[nodiscard]] const BatchMetadata* FindDuplicate(const RecordBatch& batch) const;

  // Takes note of an appended data batch; a new epoch empties the memory. Returns true if it opened
  // a transaction. A batch of a newer epoch than the open transaction's joins that transaction.
  bool AddBatch(const RecordBatch& batch);
  // Takes note of an appended marker. Returns the transaction that it ended, if one was open.
  std::optional<CompletedTxn> AddMarker(const RecordBatch& batch);
  void ForgetTransaction();
  // The entry as a snapshot file keeps it: the newest batch only.
  [[nodiscard]] ProducerStateEntry ForSnapshot() const;

  friend bool operator==(const ProducerStateEntry&, const ProducerStateEntry&);
  void AppendTo(sim::CanonicalBytes& out) const;

 private:
  void UpdateEpoch(ProducerEpoch epoch);

  ProducerId producer_id_ = kNoProducerId;
  Offset current_txn_first_offset_{-1};
  int64_t last_timestamp_ms_ = -1;
  CoordinatorEpoch coordinator_epoch_ = kNoCoordinatorEpoch;
  ProducerEpoch producer_epoch_ = kNoProducerEpoch;
  bool in_txn_ = false;
  uint8_t count_ = 0;
  std::array<BatchMetadata, kNumBatchesToRetain> batches_{};  // the first count_ are valid
};
std::ostream& operator<<(std::ostream& out, const ProducerStateEntry& entry);

}  // namespace kafkasim::broker

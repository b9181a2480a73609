// All producers of one partition log: their last states, their open transactions, and the
// transactions whose end is not replicated yet. From the latter two follows the first unstable
// offset. Follows Kafka's ProducerStateManager (KIP-98), Kafka 4.4 development line.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <vector>

#include <absl/container/inlined_vector.h>

#include "broker/ids.h"
#include "broker/log_append.h"
#include "broker/producer_state_entry.h"
#include "broker/record_batch.h"
#include "sim/cow.h"
#include "sim/fingerprint.h"

namespace kafkasim::broker {

// A transaction on one partition (Kafka's TxnMetadata).
struct TxnSpan {
  ProducerId producer_id = kNoProducerId;
  Offset first_offset{0};
  Offset last_offset = kNoOffset;  // of the marker; -1 while the transaction is open

  friend constexpr bool operator==(const TxnSpan&, const TxnSpan&) = default;
  void AppendTo(sim::CanonicalBytes& out) const;
};
std::ostream& operator<<(std::ostream& out, const TxnSpan& span);
using TxnSpans = absl::InlinedVector<TxnSpan, 2>;  // by first offset

// A producer snapshot file: the producers as of `offset`, each with its newest batch only.
struct ProducerSnapshot {
  Offset offset{0};
  std::vector<ProducerStateEntry> entries{};  // by producer id

  friend bool operator==(const ProducerSnapshot&, const ProducerSnapshot&) = default;
  void AppendTo(sim::CanonicalBytes& out) const;
};

class ProducerStateManager {
 public:
  // What an appended batch did to its producer's transaction here.
  struct Outcome {
    bool started_txn = false;
    std::optional<CompletedTxn> completed_txn{};
  };

  // Null if the producer is not known.
  [[nodiscard]] const ProducerStateEntry* Find(ProducerId producer_id) const;
  // By producer id.
  [[nodiscard]] const std::vector<ProducerStateEntry>& entries() const { return entries_; }
  // Open transactions, and ended ones whose marker is not below the high watermark yet.
  [[nodiscard]] const TxnSpans& ongoing_txns() const { return ongoing_; }
  [[nodiscard]] const TxnSpans& unreplicated_txns() const { return unreplicated_; }
  // The first offset of any of those; nullopt if there is none.
  [[nodiscard]] std::optional<Offset> FirstUnstableOffset() const;
  // The first offset of an open transaction; nullopt if there is none.
  [[nodiscard]] std::optional<Offset> FirstUndecidedOffset() const;
  // The offset up to which (exclusive) the log is accounted for.
  [[nodiscard]] Offset map_end_offset() const { return map_end_offset_; }

  // Takes note of a batch with a producer id that is in the log now. A transaction that it
  // completes stays open here until CompleteTxn, so that its last stable offset can be computed.
  Outcome Update(const RecordBatch& batch);
  // The last stable offset to be written to the transaction index for a transaction that is about
  // to be completed: the first offset of the oldest open transaction of another producer, else the
  // offset after the marker.
  [[nodiscard]] Offset LastStableOffset(const CompletedTxn& txn) const;
  // Moves a transaction from the open ones to the unreplicated ones.
  void CompleteTxn(const CompletedTxn& txn);
  // No transaction is open any more, as if the log had none.
  void ForgetOpenTransactions();
  // Always after an append, also of a batch without a producer id.
  void UpdateMapEndOffset(Offset end) { map_end_offset_ = end; }
  // Every unreplicated transaction whose marker is below the high watermark is forgotten.
  void OnHighWatermarkUpdated(Offset high_watermark);
  // The log starts later: markers below are gone. Producers stay.
  void OnLogStartOffsetIncremented(Offset log_start_offset);
  // Forgets producers without an open transaction whose last batch is this old or older.
  void RemoveExpired(int64_t now_ms, int64_t expiration_ms);

  // What RemoveExpired would leave.
  [[nodiscard]] std::vector<ProducerStateEntry> NotExpired(int64_t now_ms,
                                                           int64_t expiration_ms) const;

  // Writes a snapshot at map_end_offset(), unless there is one already.
  void TakeSnapshot();
  [[nodiscard]] const std::vector<sim::Cow<ProducerSnapshot>>& snapshots() const {
    return snapshots_;
  }
  void RemoveSnapshot(Offset offset);
  // Keeps the snapshots for which `keep(offset)` holds.
  template <typename Predicate>
  void RetainSnapshots(Predicate keep) {
    std::erase_if(snapshots_, [&](const auto& snapshot) { return !keep(snapshot->offset); });
  }
  // After the log was cut to [log_start_offset, log_end_offset) or loaded: drops the snapshots out
  // of range and, unless nothing was cut, starts again from the newest one that is left, leaving
  // out expired producers. What follows map_end_offset() has to be replayed by the caller, unless
  // the answer is true: no producer was known before, so that none is sought.
  bool TruncateAndReload(Offset log_start_offset, Offset log_end_offset, int64_t now_ms,
                         int64_t expiration_ms);
  // Forgets everything, snapshots too.
  void TruncateFullyAndStartAt(Offset offset);
  // A crash: everything but the snapshots is gone.
  void DropVolatile();

  void AppendTo(sim::CanonicalBytes& out) const;

 private:
  ProducerStateEntry& FindOrAdd(ProducerId producer_id);
  void LoadFromSnapshot(Offset log_start_offset, int64_t now_ms, int64_t expiration_ms);

  std::vector<ProducerStateEntry> entries_;  // by producer id
  TxnSpans ongoing_;
  TxnSpans unreplicated_;
  Offset map_end_offset_{0};
  Offset last_snapshot_offset_{0};
  std::vector<sim::Cow<ProducerSnapshot>> snapshots_;  // by offset; the durable part
};

}  // namespace kafkasim::broker

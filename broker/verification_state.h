// Verifications under way: for which producers a partition leader has asked the coordinator whether
// their transaction is open, and under which guard (KIP-890, part 1). Follows Kafka's
// VerificationStateEntry and its use in ProducerStateManager, Kafka 4.4 development line. Volatile:
// a crash forgets it.
#pragma once

#include <cstdint>
#include <vector>

#include "broker/ids.h"
#include "broker/log_append.h"
#include "sim/fingerprint.h"

namespace kafkasim::broker {

struct VerificationStateEntry {
  ProducerId producer_id = kNoProducerId;
  VerificationGuard guard = kNoVerificationGuard;
  // No batch with a higher first sequence may be appended: a lower one is still being verified, and
  // overtaking it would make it out of order for ever.
  Sequence lowest_sequence{0};
  ProducerEpoch epoch{0};            // of lowest_sequence
  bool supports_epoch_bump = false;  // asked for by a client of transaction.version 2
  int64_t timestamp_ms = 0;          // of creation; what its expiry counts from

  // A lower sequence of the same epoch lowers it, a higher epoch replaces it, a lower is ignored.
  void MaybeUpdateLowestSequenceAndEpoch(Sequence sequence, ProducerEpoch incoming);

  friend constexpr bool operator==(const VerificationStateEntry&,
                                   const VerificationStateEntry&) = default;
  void AppendTo(sim::CanonicalBytes& out) const;
};

class VerificationStates {
 public:
  // Null if nothing of this producer is being verified.
  [[nodiscard]] const VerificationStateEntry* Find(ProducerId producer_id) const;
  // The producer's entry, with a fresh guard if it had none, with its lowest sequence updated.
  const VerificationStateEntry& MaybeCreate(ProducerId producer_id, Sequence sequence,
                                            ProducerEpoch epoch, bool supports_epoch_bump,
                                            int64_t now_ms);
  // After a transactional batch or a marker of this producer: the entry has served its purpose,
  // unless the marker ends the transaction before the one that a TV2 client is having verified.
  void OnAppended(const RecordBatch& batch);
  // Forgets entries of this age or older.
  void RemoveExpired(int64_t now_ms, int64_t expiration_ms);
  // A crash: all entries are gone. Guards handed out before stay invalid.
  void Clear() { entries_.clear(); }

  [[nodiscard]] const std::vector<VerificationStateEntry>& entries() const { return entries_; }

  friend bool operator==(const VerificationStates&, const VerificationStates&) = default;
  void AppendTo(sim::CanonicalBytes& out) const;

 private:
  std::vector<VerificationStateEntry> entries_;  // by producer id
  VerificationGuard last_guard_ = kNoVerificationGuard;
};

}  // namespace kafkasim::broker

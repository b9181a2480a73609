#include "broker/verification_state.h"

#include <algorithm>

namespace kafkasim::broker {

void VerificationStateEntry::MaybeUpdateLowestSequenceAndEpoch(Sequence sequence,
                                                               ProducerEpoch incoming) {
  if (incoming == epoch && sequence < lowest_sequence) lowest_sequence = sequence;
  if (incoming > epoch) {
    epoch = incoming;
    lowest_sequence = sequence;
  }
}

void VerificationStateEntry::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(producer_id);
  out.Add(guard);
  out.Add(lowest_sequence);
  out.Add(epoch);
  out.Add(supports_epoch_bump);
  out.Add(timestamp_ms);
}

const VerificationStateEntry* VerificationStates::Find(ProducerId producer_id) const {
  const auto at =
      std::ranges::lower_bound(entries_, producer_id, {}, &VerificationStateEntry::producer_id);
  return at != entries_.end() && at->producer_id == producer_id ? &*at : nullptr;
}

const VerificationStateEntry& VerificationStates::MaybeCreate(ProducerId producer_id,
                                                              Sequence sequence,
                                                              ProducerEpoch epoch,
                                                              bool supports_epoch_bump,
                                                              int64_t now_ms) {
  auto at =
      std::ranges::lower_bound(entries_, producer_id, {}, &VerificationStateEntry::producer_id);
  if (at == entries_.end() || at->producer_id != producer_id) {
    ++last_guard_;
    at = entries_.insert(at, VerificationStateEntry{.producer_id = producer_id,
                                                    .guard = last_guard_,
                                                    .lowest_sequence = sequence,
                                                    .epoch = epoch,
                                                    .supports_epoch_bump = supports_epoch_bump,
                                                    .timestamp_ms = now_ms});
  }
  at->MaybeUpdateLowestSequenceAndEpoch(sequence, epoch);
  return *at;
}

void VerificationStates::OnAppended(const RecordBatch& batch) {
  if (entries_.empty() || !batch.transactional) return;
  const auto at = std::ranges::lower_bound(entries_, batch.producer_id, {},
                                           &VerificationStateEntry::producer_id);
  if (at == entries_.end() || at->producer_id != batch.producer_id) return;
  // A TV2 marker carries the epoch that the next transaction will have: an entry of that epoch
  // belongs to that next transaction (KAFKA-18575).
  const bool of_next_txn =
      at->supports_epoch_bump && batch.is_control() && batch.producer_epoch == at->epoch;
  if (!of_next_txn) entries_.erase(at);
}

void VerificationStates::RemoveExpired(int64_t now_ms, int64_t expiration_ms) {
  std::erase_if(entries_, [&](const VerificationStateEntry& entry) {
    return now_ms - entry.timestamp_ms >= expiration_ms;
  });
}

void VerificationStates::AppendTo(sim::CanonicalBytes& out) const {
  out.AddAll(entries_);
  out.Add(last_guard_);
}

}  // namespace kafkasim::broker

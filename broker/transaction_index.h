// The index of aborted transactions: what a read_committed fetch tells a consumer to leave out.
// Follows Kafka's TransactionIndex and AbortedTxn (KIP-98), Kafka 4.4 development line. Each
// segment of a log has a part of the index, with the transactions whose ABORT marker is in the
// segment.
#pragma once

#include <ostream>
#include <span>
#include <vector>

#include "broker/ids.h"
#include "broker/log_append.h"
#include "sim/fingerprint.h"

namespace kafkasim::broker {

struct AbortedTxn {
  ProducerId producer_id = kNoProducerId;
  Offset first_offset{0};
  Offset last_offset{0};  // of the marker
  // First offset that was not stable right after the marker: the oldest transaction of another
  // producer that was open then, else the offset after the marker.
  Offset last_stable_offset{0};

  friend constexpr bool operator==(const AbortedTxn&, const AbortedTxn&) = default;
  void AppendTo(sim::CanonicalBytes& out) const;
};
std::ostream& operator<<(std::ostream& out, const AbortedTxn& txn);

class TransactionIndex {
 public:
  // Markers are appended in the order of their offsets; anything else is a bug.
  void Append(const AbortedTxn& txn);
  // Drops the transactions whose marker is at `offset` or higher.
  void TruncateTo(Offset offset);
  // Adds to `found`, in index order, the transactions that overlap [fetch_offset, upper_bound):
  // marker at or after the one, first offset before the other. True if the search is over: after an
  // entry whose last stable offset reaches the upper bound no later one can overlap.
  bool CollectAbortedTxns(Offset fetch_offset, Offset upper_bound,
                          std::vector<AbortedTxn>& found) const;

  [[nodiscard]] std::span<const AbortedTxn> entries() const { return entries_; }
  [[nodiscard]] bool empty() const { return entries_.empty(); }

  friend bool operator==(const TransactionIndex&, const TransactionIndex&) = default;
  void AppendTo(sim::CanonicalBytes& out) const { out.AddAll(entries_); }

 private:
  std::vector<AbortedTxn> entries_;  // by last offset
};

}  // namespace kafkasim::broker

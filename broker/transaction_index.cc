#include "broker/transaction_index.h"

#include <algorithm>

#include "sim/check.h"

namespace kafkasim::broker {

void AbortedTxn::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(producer_id);
  out.Add(first_offset);
  out.Add(last_offset);
  out.Add(last_stable_offset);
}

std::ostream& operator<<(std::ostream& out, const AbortedTxn& txn) {
  return out << "producer " << txn.producer_id << " offsets " << txn.first_offset << ".."
             << txn.last_offset << " LSO " << txn.last_stable_offset;
}

void TransactionIndex::Append(const AbortedTxn& txn) {
  KAFKASIM_CHECK(entries_.empty() || entries_.back().last_offset < txn.last_offset,
                 "the transaction index grows by rising marker offsets");
  entries_.push_back(txn);
}

void TransactionIndex::TruncateTo(Offset offset) {
  entries_.erase(std::ranges::lower_bound(entries_, offset, {}, &AbortedTxn::last_offset),
                 entries_.end());
}

bool TransactionIndex::CollectAbortedTxns(Offset fetch_offset, Offset upper_bound,
                                          std::vector<AbortedTxn>& found) const {
  for (const AbortedTxn& txn : entries_) {
    if (txn.last_offset >= fetch_offset && txn.first_offset < upper_bound) found.push_back(txn);
    if (txn.last_stable_offset >= upper_bound) return true;
  }
  return false;
}

}  // namespace kafkasim::broker

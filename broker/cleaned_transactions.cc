#include "broker/cleaned_transactions.h"

#include <algorithm>
#include <utility>

namespace kafkasim::broker {

CleanedTransactions::CleanedTransactions(std::vector<AbortedTxn> aborted)
    : upcoming_(std::move(aborted)) {
  std::ranges::stable_sort(upcoming_, {}, &AbortedTxn::first_offset);
}

void CleanedTransactions::BeginAbortedUpTo(Offset offset) {
  for (; next_ < upcoming_.size() && upcoming_[next_].first_offset <= offset; ++next_) {
    const AbortedTxn& txn = upcoming_[next_];
    const bool known = std::ranges::any_of(ongoing_aborted_, [&](const Aborted& aborted) {
      return aborted.txn.producer_id == txn.producer_id;
    });
    if (!known) ongoing_aborted_.push_back({.txn = txn});
  }
}

bool CleanedTransactions::OnBatch(const RecordBatch& batch) {
  BeginAbortedUpTo(batch.last_offset());
  if (!batch.transactional) return false;
  for (Aborted& aborted : ongoing_aborted_) {
    if (aborted.txn.producer_id != batch.producer_id) continue;
    aborted.batches_met = true;
    return true;
  }
  if (std::ranges::find(ongoing_committed_, batch.producer_id) == ongoing_committed_.end()) {
    ongoing_committed_.push_back(batch.producer_id);
  }
  return false;
}

bool CleanedTransactions::OnControlBatch(const RecordBatch& batch) {
  BeginAbortedUpTo(batch.last_offset());
  if (!batch.marker.has_value()) return true;
  if (batch.is_marker(ControlType::kCommit)) {
    const auto at = std::ranges::find(ongoing_committed_, batch.producer_id);
    if (at == ongoing_committed_.end()) return true;
    ongoing_committed_.erase(at);
    return false;
  }
  const auto at = std::ranges::find_if(ongoing_aborted_, [&](const Aborted& aborted) {
    return aborted.txn.producer_id == batch.producer_id;
  });
  if (at == ongoing_aborted_.end()) return true;
  const Aborted ended = *at;
  ongoing_aborted_.erase(at);
  if (ended.batches_met) retained_.push_back(ended.txn);
  return !ended.batches_met;
}

}  // namespace kafkasim::broker

// What of a transaction manager can influence the future: its canonical bytes.
#include "client/transaction_manager.h"

namespace kafkasim::client {

void TransactionRequest::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(kind);
  out.Add(retry);
  out.Add(backoff);
  out.Add(ends_transition);
  out.Add(committed);
  out.Add(version);
  out.Add(identity.producer_id);
  out.Add(identity.epoch);
  out.AddAll(partitions);
  out.Add(group_id);
  out.Add(offsets_result);
  if (offsets == nullptr) return;
  out.AddAll(offsets->offsets);
  out.Add(offsets->group);
}

void PendingTransition::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(state);
  out.Add(completed);
  out.Add(acknowledged);
  out.Add(error);
}

void OffsetsResult::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(number);
  out.Add(completed);
  out.Add(error);
}

void TransactionManager::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(state_);
  out.Add(last_error_);
  out.Add(identity_.producer_id);
  out.Add(identity_.epoch);
  out.Add(tv2_);
  out.Add(started_);
  out.Add(bump_required_);
  out.Add(coordinator_can_bump_);
  out.Add(coordinator_);
  out.Add(group_coordinator_);
  out.AddAll(new_partitions_);
  out.AddAll(pending_partitions_);
  out.AddAll(partitions_);
  out.AddAll(pending_offsets_);
  out.Add(offsets_result_);
  out.AddAll(queue_);
  out.Add(pending_);
  out.Add(sequences_reset_);
}

}  // namespace kafkasim::client

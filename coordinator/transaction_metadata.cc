#include "coordinator/transaction_metadata.h"

#include <algorithm>
#include <utility>

#include "sim/check.h"

namespace kafkasim::coordinator {

namespace {

using broker::kExhaustedEpoch;
using broker::kNoProducerEpoch;
using broker::kNoProducerId;
using broker::PartitionList;
using broker::ProducerEpoch;
using broker::ProducerId;

// The current value as the start of the next one (prepareTransitionTo): whatever happens, the
// producer id of now is the previous one of then.
TransactionValue Successor(const TransactionValue& current, TransactionState from,
                           TransactionCause cause) {
  const std::optional<TransactionState> next = NextState(from, cause);
  KAFKASIM_CHECK(next.has_value(), "a transaction changes by a step of the table only");
  TransactionValue value = current;
  value.state = *next;
  value.prev_producer_id = current.producer_id;
  return value;
}

// What InitProducerId leaves behind.
void Reset(TransactionValue& value, int32_t timeout_ms, int64_t now_ms) {
  value.timeout_ms = timeout_ms;
  value.partitions.clear();
  value.start_timestamp_ms = -1;
  value.last_update_timestamp_ms = now_ms;
}

bool IsAtRest(TransactionState state) {
  return state == TransactionState::kEmpty || IsComplete(state);
}

// validProducerEpoch of TransactionMetadata: producer id and epoch after a decision and its end.
bool IsEpochInOrder(const TransactionValue& now, const TransactionValue& next) {
  const bool bumps = SupportsEpochBump(next.client_transaction_version);
  if (bumps && IsComplete(next.state) && next.producer_epoch == ProducerEpoch(0)) {
    return next.last_producer_epoch == now.last_producer_epoch &&
           next.prev_producer_id == now.producer_id;
  }
  if (bumps && IsPrepared(next.state)) {
    return next.last_producer_epoch == now.producer_epoch && next.producer_id == now.producer_id;
  }
  return next.producer_epoch == now.producer_epoch && next.producer_id == now.producer_id;
}

// validProducerEpochBump: one more, or a new producer id from 0.
bool IsEpochBump(const TransactionValue& now, const TransactionValue& next) {
  return next.producer_epoch == now.producer_epoch + 1 ||
         (next.producer_epoch == ProducerEpoch(0) && next.producer_id != now.producer_id);
}

// The checks of completeTransitionTo.
bool Follows(const TransactionValue& now, const TransactionValue& next) {
  switch (next.state) {
    case TransactionState::kEmpty:
      return (next.producer_epoch == now.producer_epoch || IsEpochBump(now, next)) &&
             next.partitions.empty() && next.start_timestamp_ms == -1;
    case TransactionState::kOngoing:
      return IsEpochInOrder(now, next) && ContainsAll(next.partitions, now.partitions) &&
             next.timeout_ms == now.timeout_ms;
    case TransactionState::kPrepareCommit:
    case TransactionState::kPrepareAbort: {
      const bool empty_abort = next.state == TransactionState::kPrepareAbort &&
                               SupportsEpochBump(next.client_transaction_version) &&
                               IsAtRest(now.state);
      return IsEpochInOrder(now, next) && next.partitions == now.partitions &&
             next.timeout_ms == now.timeout_ms &&
             (next.start_timestamp_ms == now.start_timestamp_ms || empty_abort);
    }
    case TransactionState::kCompleteCommit:
    case TransactionState::kCompleteAbort:
      return IsEpochInOrder(now, next) && next.timeout_ms == now.timeout_ms &&
             next.start_timestamp_ms != -1;
    case TransactionState::kDead:
    case TransactionState::kPrepareEpochFence:
      return false;  // neither is ever written
  }
  return false;
}

}  // namespace

void TransactionValue::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(producer_id);
  out.Add(prev_producer_id);
  out.Add(next_producer_id);
  out.Add(producer_epoch);
  out.Add(last_producer_epoch);
  out.Add(timeout_ms);
  out.Add(state);
  out.AddAll(partitions);
  out.Add(start_timestamp_ms);
  out.Add(last_update_timestamp_ms);
  out.Add(client_transaction_version);
}

void TransactionMetadata::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(transactional_id);
  out.Add(value);
  out.Add(pending);
  out.Add(has_failed_epoch_fence);
}

bool Contains(const PartitionList& sorted, const broker::PartitionId& partition) {
  return std::binary_search(sorted.begin(), sorted.end(), partition);
}

bool ContainsAll(const PartitionList& sorted, const PartitionList& wanted) {
  return std::all_of(wanted.begin(), wanted.end(), [&](const broker::PartitionId& partition) {
    return Contains(sorted, partition);
  });
}

TransactionValue PrepareIncrementProducerEpoch(const TransactionMetadata& metadata,
                                               int32_t timeout_ms,
                                               std::optional<ProducerEpoch> expected,
                                               int64_t now_ms, EpochBump bump) {
  const TransactionValue& now = metadata.value;
  KAFKASIM_CHECK(!IsEpochExhausted(now.producer_epoch), "there is an epoch left to hand out");
  TransactionValue next = Successor(now, now.state, TransactionCause::kInitProducerId);
  if (bump == EpochBump::kNo && now.producer_epoch != kNoProducerEpoch) {
    // Nobody is fenced.
  } else if (!expected.has_value()) {
    next.producer_epoch = now.producer_epoch + 1;
    next.last_producer_epoch = kNoProducerEpoch;
  } else if (now.producer_epoch == kNoProducerEpoch || *expected == now.producer_epoch) {
    next.producer_epoch = now.producer_epoch + 1;
    next.last_producer_epoch = now.producer_epoch;
  } else {
    KAFKASIM_CHECK(*expected == now.last_producer_epoch, "a fenced epoch is refused before");
  }
  Reset(next, timeout_ms, now_ms);
  return next;
}

TransactionValue PrepareProducerIdRotation(const TransactionMetadata& metadata,
                                           ProducerId new_producer_id, int32_t timeout_ms,
                                           int64_t now_ms, bool record_last_epoch) {
  const TransactionValue& now = metadata.value;
  TransactionValue next = Successor(now, now.state, TransactionCause::kInitProducerId);
  next.producer_id = new_producer_id;
  next.producer_epoch = ProducerEpoch(0);
  next.last_producer_epoch = record_last_epoch ? now.producer_epoch : kNoProducerEpoch;
  Reset(next, timeout_ms, now_ms);
  return next;
}

TransactionValue PrepareAddPartitions(const TransactionMetadata& metadata,
                                      const PartitionList& added, int64_t now_ms,
                                      int8_t client_transaction_version) {
  const TransactionValue& now = metadata.value;
  TransactionValue next = Successor(now, now.state, TransactionCause::kAddPartitions);
  if (IsAtRest(now.state)) next.start_timestamp_ms = now_ms;
  for (const broker::PartitionId& partition : added) {
    const auto at = std::lower_bound(next.partitions.begin(), next.partitions.end(), partition);
    if (at == next.partitions.end() || *at != partition) next.partitions.insert(at, partition);
  }
  next.last_update_timestamp_ms = now_ms;
  next.client_transaction_version = client_transaction_version;
  return next;
}

TransactionValue PrepareFenceProducerEpoch(const TransactionMetadata& metadata, EpochBump bump) {
  const TransactionValue& now = metadata.value;
  TransactionValue next = Successor(now, now.state, TransactionCause::kFence);
  // An epoch that could not be written was told to nobody, so it can serve again. And 32767, which
  // only an old bug can have left, has no successor.
  if (bump == EpochBump::kYes && !metadata.has_failed_epoch_fence &&
      now.producer_epoch != kExhaustedEpoch) {
    next.producer_epoch = now.producer_epoch + 1;
  }
  return next;
}

TransactionValue PrepareAbortOrCommit(const TransactionMetadata& metadata, TransactionCause cause,
                                      int8_t client_transaction_version,
                                      ProducerId next_producer_id, int64_t now_ms) {
  const TransactionValue& now = metadata.value;
  const TransactionState from =
      cause == TransactionCause::kAbortFenced ? TransactionState::kPrepareEpochFence : now.state;
  TransactionValue next = Successor(now, from, cause);
  if (SupportsEpochBump(client_transaction_version)) {
    // At 32767 an abort goes through without a bump, to recover from an old bug.
    if (now.producer_epoch != kExhaustedEpoch || next.state != TransactionState::kPrepareAbort) {
      next.producer_epoch = now.producer_epoch + 1;
    }
    next.last_producer_epoch = now.producer_epoch;
  }
  if (cause == TransactionCause::kEmptyAbort) next.start_timestamp_ms = now_ms;
  next.next_producer_id = next_producer_id;
  next.last_update_timestamp_ms = now_ms;
  next.client_transaction_version = client_transaction_version;
  return next;
}

TransactionValue PrepareComplete(const TransactionMetadata& metadata, int64_t now_ms) {
  const TransactionValue& now = metadata.value;
  TransactionValue next = Successor(now, now.state, TransactionCause::kMarkersWritten);
  if (SupportsEpochBump(now.client_transaction_version) && now.next_producer_id != kNoProducerId) {
    // The client was told the new id and epoch 0; the last epoch it saw stays the last one.
    next.producer_id = now.next_producer_id;
    next.producer_epoch = ProducerEpoch(0);
  }
  next.next_producer_id = kNoProducerId;
  next.partitions.clear();
  next.last_update_timestamp_ms = now_ms;
  return next;
}

TransactionValue PrepareDead(const TransactionMetadata& metadata) {
  TransactionValue next =
      Successor(metadata.value, metadata.value.state, TransactionCause::kExpire);
  next.partitions.clear();
  return next;
}

void SetPending(TransactionMetadata& metadata, TransactionValue next) {
  KAFKASIM_CHECK(!metadata.pending.has_value(), "one change of a transaction at a time");
  KAFKASIM_CHECK(next.producer_id >= ProducerId(0), "a transaction has a producer id");
  KAFKASIM_CHECK(next.state == TransactionState::kDead || next.producer_epoch >= ProducerEpoch(0),
                 "a change has a producer epoch");
  // The fence that had failed has reached the log with the decision.
  if (IsComplete(next.state)) metadata.has_failed_epoch_fence = false;
  metadata.pending = std::move(next);
}

void ClearPending(TransactionMetadata& metadata) { metadata.pending.reset(); }

void Complete(TransactionMetadata& metadata) {
  KAFKASIM_CHECK(metadata.pending.has_value(), "only a pending change can be completed");
  KAFKASIM_CHECK(Follows(metadata.value, *metadata.pending),
                 "a change follows from what it changes");
  metadata.value = *std::move(metadata.pending);
  metadata.pending.reset();
}

void RemovePartition(TransactionMetadata& metadata, const broker::PartitionId& partition) {
  KAFKASIM_CHECK(IsPrepared(metadata.value.state), "markers are written after the decision only");
  PartitionList& partitions = metadata.value.partitions;
  const auto at = std::lower_bound(partitions.begin(), partitions.end(), partition);
  if (at != partitions.end() && *at == partition) partitions.erase(at);
}

}  // namespace kafkasim::coordinator

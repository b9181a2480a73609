// What a coordinator knows of one transactional id, and how it changes in two steps (KIP-98,
// KIP-360, KIP-890; classes TransactionMetadata and TxnTransitMetadata, Kafka 4.4 development
// line).
//
// A change is first prepared: a Prepare function works out the next value, SetPending keeps it
// beside the current one and blocks other changes. The caller writes it into __transaction_state.
// When the record is replicated, Complete makes it the current value; if the append failed,
// ClearPending leaves the old one. The Prepare functions change nothing.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "broker/ids.h"
#include "broker/messages_transaction.h"
#include "coordinator/transaction_state.h"
#include "sim/fingerprint.h"

namespace kafkasim::coordinator {

// Feature levels of transaction.version as far as they differ: 2 bumps the epoch at each end.
inline constexpr int8_t kTransactionVersion0 = 0;
inline constexpr int8_t kTransactionVersion2 = 2;
[[nodiscard]] constexpr bool SupportsEpochBump(int8_t transaction_version) {
  return transaction_version >= kTransactionVersion2;
}

// A two-phase-commit transaction is known by this timeout; it never times out (KIP-939).
inline constexpr int32_t kTwoPhaseCommitTimeoutMs = std::numeric_limits<int32_t>::max();

// An epoch beyond which the coordinator must be able to fence once more (isEpochExhausted).
[[nodiscard]] constexpr bool IsEpochExhausted(broker::ProducerEpoch epoch) {
  return epoch >= broker::kLastClientEpoch;
}

// What a record of __transaction_state says, and last_producer_epoch, which only memory holds.
struct TransactionValue {
  broker::ProducerId producer_id = broker::kNoProducerId;
  broker::ProducerId prev_producer_id = broker::kNoProducerId;  // before the last change
  broker::ProducerId next_producer_id = broker::kNoProducerId;  // taken over by COMPLETE_*
  broker::ProducerEpoch producer_epoch = broker::kNoProducerEpoch;
  broker::ProducerEpoch last_producer_epoch = broker::kNoProducerEpoch;
  int32_t timeout_ms = 0;
  TransactionState state = TransactionState::kEmpty;
  broker::PartitionList partitions{};  // sorted; while markers are written, those still without
  int64_t start_timestamp_ms = -1;     // when the first partition was added
  int64_t last_update_timestamp_ms = -1;
  int8_t client_transaction_version = kTransactionVersion0;

  friend bool operator==(const TransactionValue&, const TransactionValue&) = default;
  void AppendTo(sim::CanonicalBytes& out) const;
};

struct TransactionMetadata {
  std::string transactional_id{};
  TransactionValue value{};
  std::optional<TransactionValue> pending{};  // written, not yet known to be replicated
  // A fence of TV1 raised the epoch in memory but could not be written: the next fence must not
  // raise it again (KAFKA-8803).
  bool has_failed_epoch_fence = false;

  friend bool operator==(const TransactionMetadata&, const TransactionMetadata&) = default;
  void AppendTo(sim::CanonicalBytes& out) const;
};

[[nodiscard]] bool Contains(const broker::PartitionList& sorted,
                            const broker::PartitionId& partition);
[[nodiscard]] bool ContainsAll(const broker::PartitionList& sorted,
                               const broker::PartitionList& wanted);

// Without the bump a bug is on (broker/bugs.h).
enum class EpochBump : bool { kNo, kYes };

// InitProducerId on an id at rest whose epoch is not exhausted. `expected` is the epoch in the
// request, if it had one (KIP-360); it must be the stored one or the last one, unless the id is
// new: see DecideInitProducerId. The last one means a repeated request: nothing is bumped.
[[nodiscard]] TransactionValue PrepareIncrementProducerEpoch(
    const TransactionMetadata& metadata, int32_t timeout_ms,
    std::optional<broker::ProducerEpoch> expected, int64_t now_ms,
    EpochBump bump = EpochBump::kYes);

// InitProducerId on an id at rest whose epoch is exhausted: a new producer id with epoch 0.
[[nodiscard]] TransactionValue PrepareProducerIdRotation(const TransactionMetadata& metadata,
                                                         broker::ProducerId new_producer_id,
                                                         int32_t timeout_ms, int64_t now_ms,
                                                         bool record_last_epoch);

// Adds partitions. The clock of the transaction starts if none was open.
[[nodiscard]] TransactionValue PrepareAddPartitions(const TransactionMetadata& metadata,
                                                    const broker::PartitionList& added,
                                                    int64_t now_ms,
                                                    int8_t client_transaction_version);

// InitProducerId or the timeout strikes an open transaction: the epoch that fences its producer.
// Never written; PrepareAbortOrCommit with kAbortFenced follows at once.
[[nodiscard]] TransactionValue PrepareFenceProducerEpoch(const TransactionMetadata& metadata,
                                                         EpochBump bump = EpochBump::kYes);

// The decision. `cause` is kEndTxnCommit, kEndTxnAbort, kEmptyAbort or kAbortFenced. A version that
// bumps epochs raises the producer's, and `next_producer_id` is set where that exhausts it.
[[nodiscard]] TransactionValue PrepareAbortOrCommit(const TransactionMetadata& metadata,
                                                    TransactionCause cause,
                                                    int8_t client_transaction_version,
                                                    broker::ProducerId next_producer_id,
                                                    int64_t now_ms);

// All markers are to be written after this: the value of the record that will say so.
[[nodiscard]] TransactionValue PrepareComplete(const TransactionMetadata& metadata, int64_t now_ms);

// The id is forgotten; the log gets a tombstone.
[[nodiscard]] TransactionValue PrepareDead(const TransactionMetadata& metadata);

// Keeps `next` as pending. A pending change already there, or a step that the table of states does
// not have, is a bug.
void SetPending(TransactionMetadata& metadata, TransactionValue next);
void ClearPending(TransactionMetadata& metadata);
// Makes the pending value the current one. A value that does not follow from the current one (the
// checks of completeTransitionTo) is a bug.
void Complete(TransactionMetadata& metadata);

// A partition has its marker, or exists no more. Only while the transaction is being ended.
void RemovePartition(TransactionMetadata& metadata, const broker::PartitionId& partition);

}  // namespace kafkasim::coordinator

// What AddPartitionsToTxn and AddOffsetsToTxn do, and what a broker hears that only verifies
// (TransactionCoordinator's handleAddPartitionsToTransaction and
// handleVerifyPartitionsInTransaction; KIP-98, KIP-890; Kafka 4.4 development line).
#pragma once

#include <cstdint>
#include <optional>

#include "broker/ids.h"
#include "broker/messages_transaction.h"
#include "coordinator/refusal.h"
#include "coordinator/transaction_metadata.h"

namespace kafkasim::coordinator {

enum class AddPartitionsAction : uint8_t {
  kAdd,        // write ONGOING with the partitions
  kAlreadyIn,  // NONE, nothing is written
  kRefuse,
};

struct AddPartitionsDecision {
  AddPartitionsAction action = AddPartitionsAction::kRefuse;
  Refusal refusal = Refusal::kChangePending;  // for kRefuse

  friend bool operator==(const AddPartitionsDecision&, const AddPartitionsDecision&) = default;
};

// Refused in this order:
//   CONCURRENT_TRANSACTIONS      a change is pending, perhaps to the producer id of the request
//   INVALID_PRODUCER_ID_MAPPING  another producer id than the stored one
//   PRODUCER_FENCED              another epoch than the stored one, older or newer
//   CONCURRENT_TRANSACTIONS      the transaction is being ended
[[nodiscard]] AddPartitionsDecision DecideAddPartitions(const TransactionMetadata& metadata,
                                                        broker::ProducerId producer_id,
                                                        broker::ProducerEpoch epoch,
                                                        const broker::PartitionList& partitions);

// A broker asks whether the transaction is the open one; nullopt if so, and then each partition is
// in it or not (TRANSACTION_ABORTABLE). A pending change is no obstacle: the broker's append is
// checked again. Refused in the same order otherwise.
[[nodiscard]] std::optional<Refusal> CheckVerification(const TransactionMetadata& metadata,
                                                       broker::ProducerId producer_id,
                                                       broker::ProducerEpoch epoch);

}  // namespace kafkasim::coordinator

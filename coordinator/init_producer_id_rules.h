// What InitProducerId does with a transactional id that exists (TransactionCoordinator's
// prepareInitProducerIdTransit; KIP-98, KIP-360, KIP-890; Kafka 4.4 development line).
#pragma once

#include <cstdint>
#include <optional>

#include "broker/ids.h"
#include "coordinator/refusal.h"
#include "coordinator/transaction_metadata.h"

namespace kafkasim::coordinator {

// What a producer that lived before says it was (KIP-360).
struct ProducerIdAndEpoch {
  broker::ProducerId producer_id = broker::kNoProducerId;
  broker::ProducerEpoch epoch = broker::kNoProducerEpoch;
};

enum class InitProducerIdAction : uint8_t {
  kBumpEpoch,         // PrepareIncrementProducerEpoch; a repetition gets its answer again
  kRotateProducerId,  // PrepareProducerIdRotation: the epochs are used up
  kFenceAndAbort,     // a transaction is open: abort it, answer CONCURRENT_TRANSACTIONS
  kRefuse,
};

struct InitProducerIdDecision {
  InitProducerIdAction action = InitProducerIdAction::kRefuse;
  Refusal refusal = Refusal::kChangePending;  // for kRefuse

  friend bool operator==(const InitProducerIdDecision&, const InitProducerIdDecision&) = default;
};

// Refused in this order:
//   CONCURRENT_TRANSACTIONS  a change is pending
//   PRODUCER_FENCED          `expected` has a producer id that is neither the stored one nor the
//                            one before it with its epochs used up; a new id takes anything
//   CONCURRENT_TRANSACTIONS  the transaction is being ended
//   UNKNOWN_SERVER_ERROR     no epoch is left and `expected` has another than the stored one
//   PRODUCER_FENCED          `expected` has an epoch that is neither the stored one nor the last
// During an open transaction the epoch is not compared: any instance may abort it.
[[nodiscard]] InitProducerIdDecision DecideInitProducerId(
    const TransactionMetadata& metadata, const std::optional<ProducerIdAndEpoch>& expected);

}  // namespace kafkasim::coordinator

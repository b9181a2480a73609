// What EndTxn does, by the state of the transactional id and the epoch of the request: the tables
// of TransactionCoordinator.endTransaction (KIP-98, KIP-890; Kafka 4.4 development line).
//
// Request versions up to 4 come from clients of transaction.version 0 and 1, for whom the epoch
// stays through a transaction's end. From version 5 on the client speaks TV2: each end bumps the
// epoch, so the same epoch means the next transaction and the one before it means a repeated
// request.
#pragma once

#include <cstdint>
#include <ostream>
#include <string_view>

#include "broker/ids.h"
#include "coordinator/refusal.h"
#include "coordinator/transaction_metadata.h"

namespace kafkasim::coordinator {

enum class EndTxnAction : uint8_t {
  kPrepareCommit,  // write PREPARE_COMMIT, then markers
  kPrepareAbort,   // write PREPARE_ABORT, then markers
  kEmptyAbort,     // the same without partitions: only the epoch moves on (TV2)
  kAlreadyEnded,   // NONE: a repeated request, nothing is written
  kRefuse,
};

struct EndTxnDecision {
  EndTxnAction action = EndTxnAction::kRefuse;
  Refusal refusal = Refusal::kWrongState;  // for kRefuse

  friend bool operator==(const EndTxnDecision&, const EndTxnDecision&) = default;
};

// A request of version 4 or below. Refused in this order:
//   INVALID_PRODUCER_ID_MAPPING  another producer id than the stored one
//   PRODUCER_FENCED              another epoch than the stored one
//   CONCURRENT_TRANSACTIONS      a change is pending, or the same end is being carried out
//   INVALID_TXN_STATE            nothing to end, or decided otherwise
[[nodiscard]] EndTxnDecision DecideEndTxnTV1(const TransactionMetadata& metadata,
                                             broker::ProducerId producer_id,
                                             broker::ProducerEpoch epoch, bool commit);

// A request of version 5 or above. Refused in this order:
//   CONCURRENT_TRANSACTIONS      a change is pending: the id may be on its way to another producer
//                                id, which the client uses already
//   INVALID_PRODUCER_ID_MAPPING  another producer id, unless the request repeats the one that
//                                exhausted the epochs of the previous id
//   PRODUCER_FENCED              an epoch that fits neither this transaction nor a repetition
//   CONCURRENT_TRANSACTIONS      the same end is being carried out
//   INVALID_TXN_STATE            nothing to commit, or decided otherwise
[[nodiscard]] EndTxnDecision DecideEndTxnTV2(const TransactionMetadata& metadata,
                                             broker::ProducerId producer_id,
                                             broker::ProducerEpoch epoch, bool commit);

std::ostream& operator<<(std::ostream& out, EndTxnAction action);

}  // namespace kafkasim::coordinator

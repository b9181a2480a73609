// The states of a transactional id at its coordinator and the legal steps between them (KIP-98,
// KIP-890; class TransactionState, Kafka 4.4 development line).
//
//            +-------+  AddPartitions  +---------+
//   new ---->| Empty |---------------->| Ongoing |<--. AddPartitions
//            +-------+                 +---------+---'
//                       EndTxn(commit) |         | EndTxn(abort); InitProducerId or timeout, which
//                                      v         v pass through PrepareEpochFence
//                        +---------------+     +--------------+
//                        | PrepareCommit |     | PrepareAbort |
//                        +---------------+     +--------------+
//                    all markers |                    | all markers
//                        written v                    v written
//                       +----------------+     +---------------+
//                       | CompleteCommit |     | CompleteAbort |
//                       +----------------+     +---------------+
//
//   From Empty, CompleteCommit and CompleteAbort alike:
//     InitProducerId -> Empty        AddPartitions -> Ongoing        expiry of the id -> Dead
//     EndTxn(abort) of a TV2 client, although nothing was added -> PrepareAbort
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <ostream>
#include <span>
#include <string_view>

namespace kafkasim::coordinator {

// With Kafka's ids, which are written into the log.
enum class TransactionState : int8_t {
  kEmpty = 0,              // the id is initialised, nothing was added since
  kOngoing = 1,            // a transaction has at least one partition
  kPrepareCommit = 2,      // decided: will be committed, markers are under way
  kPrepareAbort = 3,       // decided: will be aborted, markers are under way
  kCompleteCommit = 4,     // the last transaction is committed everywhere
  kCompleteAbort = 5,      // the last transaction is aborted everywhere
  kDead = 6,               // the id is being expired; the log gets a tombstone instead
  kPrepareEpochFence = 7,  // about to abort a fenced producer's transaction; never in the log
};

inline constexpr std::array kAllTransactionStates = {
    TransactionState::kEmpty,          TransactionState::kOngoing,
    TransactionState::kPrepareCommit,  TransactionState::kPrepareAbort,
    TransactionState::kCompleteCommit, TransactionState::kCompleteAbort,
    TransactionState::kDead,           TransactionState::kPrepareEpochFence,
};

// What moves a transactional id on.
enum class TransactionCause : uint8_t {
  kInitProducerId,  // of an id without an open transaction
  kAddPartitions,   // AddPartitionsToTxn, AddOffsetsToTxn, or implicitly by a broker (TV2)
  kEndTxnCommit,
  kEndTxnAbort,
  kEmptyAbort,      // EndTxn(abort) although nothing was added, which TV2 allows
  kFence,           // InitProducerId during a transaction, or the transaction's timeout
  kAbortFenced,     // follows the fence at once
  kMarkersWritten,  // every partition has its marker
  kExpire,          // transactional.id.expiration.ms without a use
};

inline constexpr std::array kAllTransactionCauses = {
    TransactionCause::kInitProducerId, TransactionCause::kAddPartitions,
    TransactionCause::kEndTxnCommit,   TransactionCause::kEndTxnAbort,
    TransactionCause::kEmptyAbort,     TransactionCause::kFence,
    TransactionCause::kAbortFenced,    TransactionCause::kMarkersWritten,
    TransactionCause::kExpire,
};

// One row of the table: in a state, something happens, and leads to a state.
struct TransactionStep {
  TransactionState from;
  TransactionCause cause;
  TransactionState to;
};

// The whole table, in the order of the causes. What is not in it may not happen.
[[nodiscard]] std::span<const TransactionStep> TransactionSteps();
// Where `cause` leads from `from`; nullopt if it may not happen there.
[[nodiscard]] std::optional<TransactionState> NextState(TransactionState from,
                                                        TransactionCause cause);
// Whether some cause leads from `from` to `to`: Kafka's validPreviousStates.
[[nodiscard]] bool IsLegal(TransactionState from, TransactionState to);
// Whether an id that rests in this state may be forgotten: no transaction is open or being ended.
[[nodiscard]] bool IsExpirationAllowed(TransactionState state);

// PREPARE_COMMIT or PREPARE_ABORT: decided, markers under way.
[[nodiscard]] constexpr bool IsPrepared(TransactionState state) {
  return state == TransactionState::kPrepareCommit || state == TransactionState::kPrepareAbort;
}
// COMPLETE_COMMIT or COMPLETE_ABORT.
[[nodiscard]] constexpr bool IsComplete(TransactionState state) {
  return state == TransactionState::kCompleteCommit || state == TransactionState::kCompleteAbort;
}

// As DescribeTransactions prints it: "PrepareCommit".
[[nodiscard]] std::string_view Name(TransactionState state);
// As Kafka's documents write it: "PREPARE_COMMIT".
[[nodiscard]] std::string_view UpperName(TransactionState state);
// The state of either name; nullopt if there is none.
[[nodiscard]] std::optional<TransactionState> TransactionStateFromName(std::string_view name);
[[nodiscard]] std::string_view Name(TransactionCause cause);

std::ostream& operator<<(std::ostream& out, TransactionState state);
std::ostream& operator<<(std::ostream& out, TransactionCause cause);

}  // namespace kafkasim::coordinator

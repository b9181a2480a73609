// The states of a producer's transaction manager and the legal changes between them: enum State of
// Kafka's TransactionManager, Kafka 4.4 development line.
//
//   UNINITIALIZED -> INITIALIZING -> READY -> IN_TRANSACTION -> COMMITTING_TRANSACTION -> READY
//                                                  |                     |
//                                                  v                     v
//                        ABORTING_TRANSACTION <- ABORTABLE_ERROR     ABORTABLE_ERROR
//                                  |
//                                  v
//                        READY, or INITIALIZING to bump the epoch;         any -> FATAL_ERROR
//
// PREPARED_TRANSACTION belongs to two-phase commit (KIP-939): it stands in the table, nothing
// enters it.
#pragma once

#include <array>
#include <cstdint>
#include <ostream>
#include <string_view>

namespace kafkasim::client {

enum class TransactionState : uint8_t {
  kUninitialized,        // no producer id yet
  kInitializing,         // InitProducerId is under way, the first one or one that bumps the epoch
  kReady,                // a producer id, no transaction
  kInTransaction,        // begin_transaction was called
  kPreparedTransaction,  // two-phase commit: only commit or abort may follow
  kCommitting,           // commit_transaction was called, its EndTxn is not answered
  kAborting,             // abort_transaction was called, its EndTxn is not answered
  kAbortableError,       // something failed; only abort_transaction helps
  kFatalError,           // nothing helps but a new producer
};

inline constexpr std::array kTransactionStates = {TransactionState::kUninitialized,
                                                  TransactionState::kInitializing,
                                                  TransactionState::kReady,
                                                  TransactionState::kInTransaction,
                                                  TransactionState::kPreparedTransaction,
                                                  TransactionState::kCommitting,
                                                  TransactionState::kAborting,
                                                  TransactionState::kAbortableError,
                                                  TransactionState::kFatalError};

[[nodiscard]] std::string_view Name(TransactionState state);  // "COMMITTING_TRANSACTION"

// State.isTransitionValid.
[[nodiscard]] bool IsLegal(TransactionState from, TransactionState to);

std::ostream& operator<<(std::ostream& out, TransactionState state);

}  // namespace kafkasim::client

#include "client/transaction_state.h"

namespace kafkasim::client {
namespace {

using S = TransactionState;

constexpr uint16_t Bit(S state) {
  return static_cast<uint16_t>(1u << static_cast<unsigned>(state));
}

template <typename... States>
constexpr uint16_t Set(States... states) {
  return static_cast<uint16_t>((0u | ... | Bit(states)));
}

constexpr uint16_t kAny = 0x1ff;

struct TransitionRow {
  S to;
  uint16_t allowed_from;
};

// clang-format off
constexpr std::array kTransitions = {
    TransitionRow{S::kUninitialized,       Set(S::kReady, S::kAbortableError)},
    TransitionRow{S::kInitializing,        Set(S::kUninitialized, S::kCommitting, S::kAborting)},
    TransitionRow{S::kReady,               Set(S::kInitializing, S::kCommitting, S::kAborting)},
    TransitionRow{S::kInTransaction,       Set(S::kReady)},
    TransitionRow{S::kPreparedTransaction, Set(S::kInTransaction, S::kInitializing)},
    TransitionRow{S::kCommitting,          Set(S::kInTransaction, S::kPreparedTransaction)},
    TransitionRow{S::kAborting,            Set(S::kInTransaction, S::kPreparedTransaction, S::kAbortableError)},
    TransitionRow{S::kAbortableError,      Set(S::kInTransaction, S::kCommitting, S::kAbortableError, S::kInitializing)},
    TransitionRow{S::kFatalError,          kAny},
};
// clang-format on
static_assert(kTransitions.size() == kTransactionStates.size());

constexpr bool Legal(S from, S to) {
  for (const TransitionRow& row : kTransitions) {
    if (row.to == to) return (row.allowed_from & Bit(from)) != 0;
  }
  return false;
}

static_assert(!Legal(S::kCommitting, S::kAborting), "a commit that was begun is never an abort");
static_assert(!Legal(S::kFatalError, S::kReady), "a fatal error is the end of a producer");

}  // namespace

std::string_view Name(TransactionState state) {
  switch (state) {
    case S::kUninitialized:
      return "UNINITIALIZED";
    case S::kInitializing:
      return "INITIALIZING";
    case S::kReady:
      return "READY";
    case S::kInTransaction:
      return "IN_TRANSACTION";
    case S::kPreparedTransaction:
      return "PREPARED_TRANSACTION";
    case S::kCommitting:
      return "COMMITTING_TRANSACTION";
    case S::kAborting:
      return "ABORTING_TRANSACTION";
    case S::kAbortableError:
      return "ABORTABLE_ERROR";
    case S::kFatalError:
      return "FATAL_ERROR";
  }
  return "?";
}

bool IsLegal(TransactionState from, TransactionState to) { return Legal(from, to); }

std::ostream& operator<<(std::ostream& out, TransactionState state) { return out << Name(state); }

}  // namespace kafkasim::client

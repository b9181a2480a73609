#include "coordinator/transaction_state.h"

#include "sim/check.h"

namespace kafkasim::coordinator {

namespace {

using enum TransactionState;
using enum TransactionCause;

// clang-format off
constexpr std::array kTransactionSteps = {
    TransactionStep{kEmpty,             kInitProducerId, kEmpty},
    TransactionStep{kCompleteCommit,    kInitProducerId, kEmpty},
    TransactionStep{kCompleteAbort,     kInitProducerId, kEmpty},
    TransactionStep{kEmpty,             kAddPartitions,  kOngoing},
    TransactionStep{kOngoing,           kAddPartitions,  kOngoing},
    TransactionStep{kCompleteCommit,    kAddPartitions,  kOngoing},
    TransactionStep{kCompleteAbort,     kAddPartitions,  kOngoing},
    TransactionStep{kOngoing,           kEndTxnCommit,   kPrepareCommit},
    TransactionStep{kOngoing,           kEndTxnAbort,    kPrepareAbort},
    TransactionStep{kEmpty,             kEmptyAbort,     kPrepareAbort},
    TransactionStep{kCompleteCommit,    kEmptyAbort,     kPrepareAbort},
    TransactionStep{kCompleteAbort,     kEmptyAbort,     kPrepareAbort},
    TransactionStep{kOngoing,           kFence,          kPrepareEpochFence},
    TransactionStep{kPrepareEpochFence, kAbortFenced,    kPrepareAbort},
    TransactionStep{kPrepareCommit,     kMarkersWritten, kCompleteCommit},
    TransactionStep{kPrepareAbort,      kMarkersWritten, kCompleteAbort},
    TransactionStep{kEmpty,             kExpire,         kDead},
    TransactionStep{kCompleteCommit,    kExpire,         kDead},
    TransactionStep{kCompleteAbort,     kExpire,         kDead},
};
// clang-format on

constexpr std::optional<TransactionState> Next(TransactionState from, TransactionCause cause) {
  for (const TransactionStep& step : kTransactionSteps) {
    if (step.from == from && step.cause == cause) return step.to;
  }
  return std::nullopt;
}

constexpr bool Leads(TransactionState from, TransactionState to) {
  for (const TransactionStep& step : kTransactionSteps) {
    if (step.from == from && step.to == to) return true;
  }
  return false;
}

static_assert(!Leads(kPrepareCommit, kPrepareAbort), "a decided commit never turns into an abort");
static_assert(!Leads(kPrepareAbort, kPrepareCommit), "a decided abort never turns into a commit");
static_assert(!Leads(kPrepareCommit, kCompleteAbort) && !Leads(kPrepareAbort, kCompleteCommit),
              "what is completed is what was decided");
static_assert(!Leads(kPrepareCommit, kOngoing) && !Leads(kPrepareAbort, kOngoing),
              "nothing joins a transaction that is decided");
static_assert(!Leads(kOngoing, kEmpty) && !Leads(kOngoing, kDead),
              "an open transaction ends by a decision only");

struct TransactionStateNames {
  std::string_view name;
  std::string_view upper;
};

// In the order of the ids.
constexpr std::array kTransactionNames = {
    TransactionStateNames{"Empty", "EMPTY"},
    TransactionStateNames{"Ongoing", "ONGOING"},
    TransactionStateNames{"PrepareCommit", "PREPARE_COMMIT"},
    TransactionStateNames{"PrepareAbort", "PREPARE_ABORT"},
    TransactionStateNames{"CompleteCommit", "COMPLETE_COMMIT"},
    TransactionStateNames{"CompleteAbort", "COMPLETE_ABORT"},
    TransactionStateNames{"Dead", "DEAD"},
    TransactionStateNames{"PrepareEpochFence", "PREPARE_EPOCH_FENCE"},
};
static_assert(kTransactionNames.size() == kAllTransactionStates.size());

}  // namespace

std::span<const TransactionStep> TransactionSteps() { return kTransactionSteps; }

std::optional<TransactionState> NextState(TransactionState from, TransactionCause cause) {
  return Next(from, cause);
}

bool IsLegal(TransactionState from, TransactionState to) { return Leads(from, to); }

bool IsExpirationAllowed(TransactionState state) { return Next(state, kExpire).has_value(); }

std::string_view Name(TransactionState state) {
  return kTransactionNames[static_cast<size_t>(state)].name;
}

std::string_view UpperName(TransactionState state) {
  return kTransactionNames[static_cast<size_t>(state)].upper;
}

std::optional<TransactionState> TransactionStateFromName(std::string_view name) {
  for (const TransactionState state : kAllTransactionStates) {
    if (name == Name(state) || name == UpperName(state)) return state;
  }
  return std::nullopt;
}

std::string_view Name(TransactionCause cause) {
  switch (cause) {
    case kInitProducerId:
      return "InitProducerId";
    case kAddPartitions:
      return "AddPartitions";
    case kEndTxnCommit:
      return "EndTxn(commit)";
    case kEndTxnAbort:
      return "EndTxn(abort)";
    case kEmptyAbort:
      return "EndTxn(abort), empty";
    case kFence:
      return "fence";
    case kAbortFenced:
      return "abort of the fenced";
    case kMarkersWritten:
      return "all markers written";
    case kExpire:
      return "expiry of the id";
  }
  KAFKASIM_CHECK(false, "every cause has a name");
}

std::ostream& operator<<(std::ostream& out, TransactionState state) { return out << Name(state); }
std::ostream& operator<<(std::ostream& out, TransactionCause cause) { return out << Name(cause); }

}  // namespace kafkasim::coordinator

#include "coordinator/end_txn_rules.h"

#include <array>

#include "sim/check.h"

namespace kafkasim::coordinator {

namespace {

using broker::ProducerEpoch;
using broker::ProducerId;
using enum TransactionState;

// Cells of the tables, in the abbreviations of Kafka's own.
constexpr EndTxnDecision kCommit{EndTxnAction::kPrepareCommit, Refusal::kWrongState};
constexpr EndTxnDecision kAbort{EndTxnAction::kPrepareAbort, Refusal::kWrongState};
constexpr EndTxnDecision kEpochBump{EndTxnAction::kEmptyAbort, Refusal::kWrongState};
constexpr EndTxnDecision kNone{EndTxnAction::kAlreadyEnded, Refusal::kWrongState};
constexpr EndTxnDecision kConcurrent{EndTxnAction::kRefuse, Refusal::kStillEnding};
constexpr EndTxnDecision kInvalidState{EndTxnAction::kRefuse, Refusal::kWrongState};
constexpr EndTxnDecision kFenced{EndTxnAction::kRefuse, Refusal::kOtherEpoch};

struct RowTV1 {
  TransactionState state;
  EndTxnDecision commit;
  EndTxnDecision abort;
};

// The epoch is the stored one; any other is fenced.
// clang-format off
constexpr std::array kTableTV1 = {
    //     state            commit         abort
    RowTV1{kEmpty,          kInvalidState, kInvalidState},
    RowTV1{kOngoing,        kCommit,       kAbort},
    RowTV1{kPrepareCommit,  kConcurrent,   kInvalidState},
    RowTV1{kPrepareAbort,   kInvalidState, kConcurrent},
    RowTV1{kCompleteCommit, kNone,         kInvalidState},
    RowTV1{kCompleteAbort,  kInvalidState, kNone},
};

struct RowTV2 {
  TransactionState state;
  EndTxnDecision commit_current;  // the stored epoch
  EndTxnDecision commit_retry;    // the one before it
  EndTxnDecision abort_current;
  EndTxnDecision abort_retry;
};

constexpr std::array kTableTV2 = {
    //     state            commit, e=E    commit, retry  abort, e=E   abort, retry
    RowTV2{kEmpty,          kInvalidState, kFenced,       kEpochBump,  kFenced},
    RowTV2{kOngoing,        kCommit,       kFenced,       kAbort,      kFenced},
    RowTV2{kPrepareCommit,  kFenced,       kConcurrent,   kFenced,     kInvalidState},
    RowTV2{kPrepareAbort,   kFenced,       kInvalidState, kFenced,     kConcurrent},
    RowTV2{kCompleteCommit, kInvalidState, kNone,         kEpochBump,  kInvalidState},
    RowTV2{kCompleteAbort,  kInvalidState, kInvalidState, kEpochBump,  kNone},
};
// clang-format on

template <typename Table>
const auto& RowOf(const Table& table, TransactionState state) {
  for (const auto& row : table) {
    if (row.state == state) return row;
  }
  KAFKASIM_CHECK(false, "a transactional id never rests in this state");
}

constexpr EndTxnDecision RefuseEnd(Refusal refusal) { return {EndTxnAction::kRefuse, refusal}; }

// The client repeats the request that used up the epochs of the previous producer id.
bool IsRetryOnOverflow(const TransactionValue& now, ProducerId producer_id, ProducerEpoch epoch) {
  return now.prev_producer_id == producer_id && epoch == broker::kLastClientEpoch &&
         now.producer_epoch == ProducerEpoch(0);
}

}  // namespace

EndTxnDecision DecideEndTxnTV1(const TransactionMetadata& metadata, ProducerId producer_id,
                               ProducerEpoch epoch, bool commit) {
  const TransactionValue& now = metadata.value;
  if (producer_id != now.producer_id) return RefuseEnd(Refusal::kOtherProducerId);
  if (epoch != now.producer_epoch) return RefuseEnd(Refusal::kOtherEpoch);
  if (metadata.pending.has_value()) return RefuseEnd(Refusal::kChangePending);
  const RowTV1& row = RowOf(kTableTV1, now.state);
  return commit ? row.commit : row.abort;
}

EndTxnDecision DecideEndTxnTV2(const TransactionMetadata& metadata, ProducerId producer_id,
                               ProducerEpoch epoch, bool commit) {
  const TransactionValue& now = metadata.value;
  if (metadata.pending.has_value()) return RefuseEnd(Refusal::kChangePending);
  const bool overflow = IsRetryOnOverflow(now, producer_id, epoch);
  if (producer_id != now.producer_id && !overflow) return RefuseEnd(Refusal::kOtherProducerId);
  const RowTV2& row = RowOf(kTableTV2, now.state);
  if (epoch == now.producer_epoch) return commit ? row.commit_current : row.abort_current;
  if (now.producer_epoch == epoch + 1 || (overflow && IsComplete(now.state))) {
    return commit ? row.commit_retry : row.abort_retry;
  }
  return kFenced;
}

std::ostream& operator<<(std::ostream& out, EndTxnAction action) {
  constexpr std::array<std::string_view, 5> kNames = {"PrepareCommit", "PrepareAbort", "EmptyAbort",
                                                      "AlreadyEnded", "Refuse"};
  return out << kNames[static_cast<size_t>(action)];
}

}  // namespace kafkasim::coordinator

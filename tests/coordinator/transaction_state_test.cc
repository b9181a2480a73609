#include "coordinator/transaction_state.h"

#include <map>
#include <set>
#include <utility>

#include <gtest/gtest.h>

namespace kafkasim::coordinator {
namespace {

using enum TransactionState;
using enum TransactionCause;

// Kafka's validPreviousStates: for each state those from which it is entered.
const std::map<TransactionState, std::set<TransactionState>> kValidPreviousStates = {
    {kEmpty, {kEmpty, kCompleteCommit, kCompleteAbort}},
    {kOngoing, {kOngoing, kEmpty, kCompleteCommit, kCompleteAbort}},
    {kPrepareCommit, {kOngoing}},
    {kPrepareAbort, {kOngoing, kPrepareEpochFence, kEmpty, kCompleteCommit, kCompleteAbort}},
    {kCompleteCommit, {kPrepareCommit}},
    {kCompleteAbort, {kPrepareAbort}},
    {kDead, {kEmpty, kCompleteCommit, kCompleteAbort}},
    {kPrepareEpochFence, {kOngoing}},
};

TEST(TransactionState, EveryPairOfStatesIsLegalExactlyWhereKafkaSaysSo) {
  for (const TransactionState from : kAllTransactionStates) {
    for (const TransactionState to : kAllTransactionStates) {
      EXPECT_EQ(IsLegal(from, to), kValidPreviousStates.at(to).contains(from))
          << from << " -> " << to;
    }
  }
}

TEST(TransactionState, EveryPairOfStateAndCauseHasOneOutcomeOrNone) {
  const std::map<std::pair<TransactionState, TransactionCause>, TransactionState> expected = {
      {{kEmpty, kInitProducerId}, kEmpty},
      {{kCompleteCommit, kInitProducerId}, kEmpty},
      {{kCompleteAbort, kInitProducerId}, kEmpty},
      {{kEmpty, kAddPartitions}, kOngoing},
      {{kOngoing, kAddPartitions}, kOngoing},
      {{kCompleteCommit, kAddPartitions}, kOngoing},
      {{kCompleteAbort, kAddPartitions}, kOngoing},
      {{kOngoing, kEndTxnCommit}, kPrepareCommit},
      {{kOngoing, kEndTxnAbort}, kPrepareAbort},
      {{kEmpty, kEmptyAbort}, kPrepareAbort},
      {{kCompleteCommit, kEmptyAbort}, kPrepareAbort},
      {{kCompleteAbort, kEmptyAbort}, kPrepareAbort},
      {{kOngoing, kFence}, kPrepareEpochFence},
      {{kPrepareEpochFence, kAbortFenced}, kPrepareAbort},
      {{kPrepareCommit, kMarkersWritten}, kCompleteCommit},
      {{kPrepareAbort, kMarkersWritten}, kCompleteAbort},
      {{kEmpty, kExpire}, kDead},
      {{kCompleteCommit, kExpire}, kDead},
      {{kCompleteAbort, kExpire}, kDead},
  };
  for (const TransactionState from : kAllTransactionStates) {
    for (const TransactionCause cause : kAllTransactionCauses) {
      const auto at = expected.find({from, cause});
      const auto wanted =
          at == expected.end() ? std::nullopt : std::optional<TransactionState>(at->second);
      EXPECT_EQ(NextState(from, cause), wanted) << from << " by " << cause;
    }
  }
  EXPECT_EQ(TransactionSteps().size(), expected.size());
}

TEST(TransactionState, NamesAreThoseOfDescribeTransactions) {
  EXPECT_EQ(Name(kEmpty), "Empty");
  EXPECT_EQ(Name(kOngoing), "Ongoing");
  EXPECT_EQ(Name(kPrepareCommit), "PrepareCommit");
  EXPECT_EQ(Name(kPrepareAbort), "PrepareAbort");
  EXPECT_EQ(Name(kCompleteCommit), "CompleteCommit");
  EXPECT_EQ(Name(kCompleteAbort), "CompleteAbort");
  EXPECT_EQ(Name(kDead), "Dead");
  EXPECT_EQ(Name(kPrepareEpochFence), "PrepareEpochFence");
  EXPECT_EQ(UpperName(kPrepareEpochFence), "PREPARE_EPOCH_FENCE");
}

TEST(TransactionState, IsFoundByBothItsNames) {
  for (const TransactionState state : kAllTransactionStates) {
    EXPECT_EQ(TransactionStateFromName(Name(state)), state);
    EXPECT_EQ(TransactionStateFromName(UpperName(state)), state);
  }
  EXPECT_EQ(TransactionStateFromName("Prepare"), std::nullopt);
}

TEST(TransactionState, IdsAreKafkas) {
  EXPECT_EQ(static_cast<int>(kEmpty), 0);
  EXPECT_EQ(static_cast<int>(kPrepareCommit), 2);
  EXPECT_EQ(static_cast<int>(kPrepareAbort), 3);
  EXPECT_EQ(static_cast<int>(kPrepareEpochFence), 7);
}

TEST(TransactionState, OnlyIdsAtRestExpire) {
  for (const TransactionState state : kAllTransactionStates) {
    EXPECT_EQ(IsExpirationAllowed(state), state == kEmpty || IsComplete(state)) << state;
  }
}

}  // namespace
}  // namespace kafkasim::coordinator

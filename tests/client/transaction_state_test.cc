// Every pair of states against the reference's table.
#include "client/transaction_state.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

namespace kafkasim::client {
namespace {

using S = TransactionState;

// State.isTransitionValid of Kafka, as a reader finds it there: target, then its legal sources.
const std::map<S, std::set<S>> kLegal = {
    {S::kUninitialized, {S::kReady, S::kAbortableError}},
    {S::kInitializing, {S::kUninitialized, S::kCommitting, S::kAborting}},
    {S::kReady, {S::kInitializing, S::kCommitting, S::kAborting}},
    {S::kInTransaction, {S::kReady}},
    {S::kPreparedTransaction, {S::kInTransaction, S::kInitializing}},
    {S::kCommitting, {S::kInTransaction, S::kPreparedTransaction}},
    {S::kAborting, {S::kInTransaction, S::kPreparedTransaction, S::kAbortableError}},
    {S::kAbortableError, {S::kInTransaction, S::kCommitting, S::kAbortableError, S::kInitializing}},
    {S::kFatalError,
     {S::kUninitialized, S::kInitializing, S::kReady, S::kInTransaction, S::kPreparedTransaction,
      S::kCommitting, S::kAborting, S::kAbortableError, S::kFatalError}},
};

TEST(TransactionState, EveryPairOfStatesIsAsInKafka) {
  for (S from : kTransactionStates) {
    for (S to : kTransactionStates) {
      EXPECT_EQ(IsLegal(from, to), kLegal.at(to).count(from) == 1) << from << " -> " << to;
    }
  }
}

TEST(TransactionState, NamesAreKafkasAndDiffer) {
  std::set<std::string_view> names;
  for (S state : kTransactionStates) names.insert(Name(state));
  EXPECT_EQ(names.size(), kTransactionStates.size());
  EXPECT_EQ(Name(S::kCommitting), "COMMITTING_TRANSACTION");
  EXPECT_EQ(Name(S::kAbortableError), "ABORTABLE_ERROR");
}

}  // namespace
}  // namespace kafkasim::client

// The reaction table against the reference (7.2), cell by cell, and against what a producer really
// does with every error of every API.
#include "client/transaction_reactions.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/client/client_world.h"

namespace kafkasim::client {
namespace {

using broker::ApiKey;
using broker::ErrorCode;
using A = TransactionApi;
using R = Reaction;

constexpr A kCoordinatorApis[] = {A::kInitProducerId,  A::kAddPartitionsToTxn, A::kAddOffsetsToTxn,
                                  A::kTxnOffsetCommit, A::kEndTxnCommit,       A::kEndTxnAbort};

TEST(TransactionReactions, EveryCodeOfEveryApiHasOne) {
  for (A api : kTransactionApis) {
    for (ErrorCode code : broker::AllErrorCodes()) {
      const R reaction = ReactionTo(api, code);
      const bool is_error = code != ErrorCode::kNone && code != ErrorCode::kDuplicateSequenceNumber;
      if (is_error) {
        EXPECT_NE(reaction, R::kProceed) << code;
      }
      EXPECT_NE(Name(reaction), "?") << code;
    }
    EXPECT_EQ(ReactionTo(api, ErrorCode::kNone), R::kProceed);
  }
}

TEST(TransactionReactions, RetriableErrorsAreRetriedEverywhere) {
  for (A api : kTransactionApis) {
    for (ErrorCode code : broker::AllErrorCodes()) {
      if (!broker::IsRetriable(code)) continue;
      EXPECT_THAT(ReactionTo(api, code),
                  ::testing::AnyOf(R::kRetry, R::kRetrySoon, R::kFindCoordinatorAndRetry))
          << code;
    }
  }
}

TEST(TransactionReactions, AFencedProducerIsFencedForGoodByEveryCoordinatorAnswer) {
  for (A api : kCoordinatorApis) {
    EXPECT_EQ(ReactionTo(api, ErrorCode::kProducerFenced), R::kFatalAsFenced);
    EXPECT_EQ(ReactionTo(api, ErrorCode::kInvalidProducerEpoch), R::kFatalAsFenced);
  }
  EXPECT_EQ(ReactionTo(A::kProduce, ErrorCode::kProducerFenced), R::kFatal);
  EXPECT_EQ(ReactionTo(A::kProduce, ErrorCode::kInvalidProducerEpoch), R::kAbortable);
}

TEST(TransactionReactions, AnAbortThatIsAnsweredAbortableIsFatal) {
  for (A api : kTransactionApis) {
    EXPECT_EQ(ReactionTo(api, ErrorCode::kTransactionAbortable),
              api == A::kEndTxnAbort ? R::kFatalKafka : R::kAbortable);
  }
}

TEST(TransactionReactions, Case75AGroupThatHasMovedOnMakesTheTransactionAbortable) {
  for (ErrorCode code : {ErrorCode::kUnknownMemberId, ErrorCode::kIllegalGeneration,
                         ErrorCode::kGroupIdNotFound, ErrorCode::kStaleMemberEpoch}) {
    EXPECT_EQ(ReactionTo(A::kTxnOffsetCommit, code), R::kAbortableCommitFailed);
  }
  EXPECT_EQ(ReactionTo(A::kTxnOffsetCommit, ErrorCode::kFencedInstanceId), R::kAbortable);
}

TEST(TransactionReactions, InvalidStateAndMappingByApi) {
  EXPECT_EQ(ReactionTo(A::kProduce, ErrorCode::kInvalidTxnState), R::kAbortableAsAbortable);
  EXPECT_EQ(ReactionTo(A::kEndTxnCommit, ErrorCode::kInvalidTxnState), R::kFatal);
  EXPECT_EQ(ReactionTo(A::kAddPartitionsToTxn, ErrorCode::kInvalidTxnState), R::kFatal);
  for (A api : kTransactionApis) {
    EXPECT_THAT(ReactionTo(api, ErrorCode::kInvalidProducerIdMapping),
                ::testing::AnyOf(R::kFatal, R::kFatalKafka));
  }
}

bool IsFatal(R reaction) {
  return reaction == R::kFatal || reaction == R::kFatalAsFenced || reaction == R::kFatalKafka;
}
bool IsRetry(R reaction) {
  return reaction == R::kRetry || reaction == R::kRetrySoon ||
         reaction == R::kFindCoordinatorAndRetry;
}

// Where a producer is after this answer to EndTxn, AddPartitionsToTxn or Produce.
TransactionState StateAfter(ApiKey api, ErrorCode code) {
  TransactionalWorld world(/*transaction_version=*/1);
  EXPECT_TRUE(world.Do(InitTransactions{}).ok());
  EXPECT_TRUE(world.Do(BeginTransaction{}).ok());
  world.Answer(0, api, {code});
  (void)world.Await(world.GiveSend(kOrders0, "a"));
  if (api == ApiKey::kEndTxn) (void)world.Do(CommitTransaction{});
  return world.producer().transaction_state();
}

TEST(TransactionReactions, AProducerDoesWhatTheTableSays) {
  const struct {
    ApiKey key;
    A api;
    TransactionState succeeded;
  } apis[] = {
      {ApiKey::kProduce, A::kProduce, TransactionState::kInTransaction},
      {ApiKey::kAddPartitionsToTxn, A::kAddPartitionsToTxn, TransactionState::kInTransaction},
      {ApiKey::kEndTxn, A::kEndTxnCommit, TransactionState::kReady}};
  for (const auto& [key, api, succeeded] : apis) {
    for (ErrorCode code : broker::AllErrorCodes()) {
      const R reaction = ReactionTo(api, code);
      const TransactionState state = StateAfter(key, code);
      if (reaction == R::kProceed || IsRetry(reaction) || reaction == R::kResetAndRetry) {
        EXPECT_EQ(state, succeeded) << broker::Name(key) << " " << code;
      } else if (IsFatal(reaction)) {
        EXPECT_EQ(state, TransactionState::kFatalError) << broker::Name(key) << " " << code;
      } else {
        EXPECT_EQ(state, TransactionState::kAbortableError) << broker::Name(key) << " " << code;
      }
    }
  }
}

TEST(TransactionReactions, InitProducerIdDoesWhatTheTableSays) {
  for (ErrorCode code : broker::AllErrorCodes()) {
    TransactionalWorld world(/*transaction_version=*/2);
    world.Answer(0, ApiKey::kInitProducerId, {code});
    const CallResult init = world.Do(InitTransactions{});
    const R reaction = ReactionTo(A::kInitProducerId, code);
    EXPECT_EQ(init.ok(), reaction == R::kProceed || IsRetry(reaction)) << code;
    const TransactionState state = world.producer().transaction_state();
    if (IsFatal(reaction)) {
      EXPECT_EQ(state, TransactionState::kFatalError) << code;
    } else if (reaction == R::kAbortableThenUninitialized) {
      EXPECT_EQ(state, TransactionState::kUninitialized);
      EXPECT_TRUE(world.Do(InitTransactions{}).ok());
    } else if (!init.ok()) {
      EXPECT_EQ(state, TransactionState::kAbortableError) << code;
    }
  }
}

}  // namespace
}  // namespace kafkasim::client

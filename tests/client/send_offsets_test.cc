// sendOffsetsToTransaction: a producer commits the offsets of a consumer inside its transaction.
// Transactions are coordinated by broker 0, the group by broker 1.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "broker/messages_offsets.h"
#include "tests/client/client_world.h"

namespace kafkasim::client {
namespace {

using broker::AddOffsetsToTxnRequest;
using broker::ApiKey;
using broker::EndTxnRequest;
using broker::ErrorCode;
using broker::FindCoordinatorRequest;
using broker::Offset;
using broker::TxnOffsetCommitRequest;
using A = TransactionApi;
using R = Reaction;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

SendOffsetsToTransaction Offsets(int64_t offset = 5) {
  return {.offsets = {{.partition = kOrders0, .offset = Offset(offset)},
                      {.partition = kOrders1, .offset = Offset(7)}},
          .group = {.group_id = "g", .generation_id = 3, .member_id = "m-1"}};
}

// In a transaction in which nothing has happened yet. Broker 0 answers for both coordinators but
// tells the producer that the group's is broker 1 as soon as it has found its own.
class OffsetsWorld : public TransactionalWorld {
 public:
  explicit OffsetsWorld(int64_t transaction_version, ProducerConfig config = {})
      : TransactionalWorld(transaction_version, std::move(config)) {
    EXPECT_TRUE(Do(InitTransactions{}).ok());
    EXPECT_TRUE(Do(BeginTransaction{}).ok());
    for (int id : {0, 1}) Tell(id, {.coordinator = broker::BrokerId(1)});
  }
};

TEST(SendOffsets, WithTV1TheGroupIsAddedToTheTransactionFirst) {
  OffsetsWorld world(1);
  EXPECT_TRUE(world.Do(Offsets()).ok());
  const auto adds = world.Received<AddOffsetsToTxnRequest>(0);
  ASSERT_THAT(adds, SizeIs(1));
  EXPECT_EQ(adds[0].transactional_id, "pay-1");
  EXPECT_EQ(adds[0].group_id, "g");
  const auto finds = world.Received<FindCoordinatorRequest>(0);
  ASSERT_THAT(finds, SizeIs(2));
  EXPECT_EQ(finds[1].type, broker::CoordinatorType::kGroup);
  EXPECT_EQ(finds[1].key, "g");
  const auto commits = world.Received<TxnOffsetCommitRequest>(1);
  ASSERT_THAT(commits, SizeIs(1));
  EXPECT_EQ(commits[0].version, 4);
  EXPECT_EQ(commits[0].generation_id, 3);
  EXPECT_EQ(commits[0].member_id, "m-1");
  EXPECT_EQ(commits[0].offsets, Offsets().offsets);
}

TEST(SendOffsets, WithTV2TheGroupsCoordinatorAddsIt) {
  OffsetsWorld world(2);
  EXPECT_TRUE(world.Do(Offsets()).ok());
  EXPECT_THAT(world.Received<AddOffsetsToTxnRequest>(0), IsEmpty());
  const auto commits = world.Received<TxnOffsetCommitRequest>(1);
  ASSERT_THAT(commits, SizeIs(1));
  EXPECT_EQ(commits[0].version, 6);
  EXPECT_EQ(commits[0].producer_epoch, broker::ProducerEpoch(0));
}

TEST(SendOffsets, TheGroupIdAloneNamesNoMember) {
  OffsetsWorld world(2);
  SendOffsetsToTransaction send = Offsets();
  send.group = {.group_id = "g"};
  EXPECT_TRUE(world.Do(send).ok());
  const auto commits = world.Received<TxnOffsetCommitRequest>(1);
  EXPECT_EQ(commits[0].generation_id, broker::kNoGeneration);
  EXPECT_EQ(commits[0].member_id, "");
}

TEST(SendOffsets, ATransactionOfOffsetsAloneIsEndedAtTheCoordinator) {
  for (const int64_t version : {1, 2}) {
    OffsetsWorld world(version);
    EXPECT_TRUE(world.Do(Offsets()).ok());
    EXPECT_TRUE(world.Do(CommitTransaction{}).ok());
    EXPECT_THAT(world.Received<EndTxnRequest>(0), SizeIs(1));
  }
}

TEST(SendOffsets, NoOffsetsAreNoRequest) {
  OffsetsWorld world(1);
  EXPECT_TRUE(world.Do(SendOffsetsToTransaction{.group = {.group_id = "g"}}).ok());
  EXPECT_TRUE(world.Do(CommitTransaction{}).ok());
  EXPECT_THAT(world.Received<AddOffsetsToTxnRequest>(0), IsEmpty());
  EXPECT_THAT(world.Received<EndTxnRequest>(0), IsEmpty());
}

TEST(SendOffsets, OutsideOfATransactionItIsAnIllegalState) {
  TransactionalWorld world(2);
  EXPECT_EQ(world.Do(Offsets()).error.ExceptionName(), "IllegalStateException");
  (void)world.Do(InitTransactions{});
  EXPECT_EQ(world.Do(Offsets()).error.ExceptionName(), "IllegalStateException");
  EXPECT_EQ(world.producer().transaction_state(), TransactionState::kReady);
  PlainWorld plain;
  EXPECT_EQ(plain.Do(Offsets()).error.ExceptionName(), "IllegalStateException");
}

TEST(SendOffsets, AGenerationWithoutAMemberIsAnIllegalArgument) {
  OffsetsWorld world(2);
  SendOffsetsToTransaction send = Offsets();
  send.group.member_id = "";
  EXPECT_EQ(world.Do(send).error.ExceptionName(), "IllegalArgumentException");
  EXPECT_EQ(world.producer().transaction_state(), TransactionState::kInTransaction);
}

TEST(SendOffsets, RetriesAllOffsetsUntilTheGroupHasThemAll) {
  OffsetsWorld world(2);
  world.Answer(1, ApiKey::kTxnOffsetCommit,
               {ErrorCode::kCoordinatorLoadInProgress, ErrorCode::kUnknownTopicOrPartition});
  EXPECT_TRUE(world.Do(Offsets()).ok());
  const auto commits = world.Received<TxnOffsetCommitRequest>(1);
  ASSERT_THAT(commits, SizeIs(3));
  EXPECT_THAT(commits[2].offsets, SizeIs(2));
  const auto times = world.TimesOf(1, ApiKey::kTxnOffsetCommit);
  EXPECT_EQ((times[1] - times[0]).millis(), 102);
}

TEST(SendOffsets, FindsTheGroupsCoordinatorAgainWhenItHasMoved) {
  for (const ErrorCode error : {ErrorCode::kNotCoordinator, ErrorCode::kCoordinatorNotAvailable,
                                ErrorCode::kRequestTimedOut}) {
    OffsetsWorld world(2);
    world.Answer(1, ApiKey::kTxnOffsetCommit, {error});
    const CallId send = world.Give(Offsets());
    world.RunFor(sim::Millis(6));
    for (int id : {0, 1}) world.Tell(id, {.coordinator = broker::BrokerId(0)});
    EXPECT_TRUE(world.Await(send).ok());
    EXPECT_THAT(world.Received<TxnOffsetCommitRequest>(0), SizeIs(1)) << error;
  }
}

TEST(SendOffsets, TimesOutAfterMaxBlockAndTheCommitStillWaitsForTheOffsets) {
  OffsetsWorld world(2, {.max_block_ms = 500});
  world.Answer(1, ApiKey::kTxnOffsetCommit,
               std::vector<std::optional<ErrorCode>>(6, ErrorCode::kCoordinatorLoadInProgress));
  const CallResult send = world.Do(Offsets());
  EXPECT_EQ(send.error.ExceptionName(), "TimeoutException");
  EXPECT_EQ(send.finished - send.started, sim::Millis(500));
  EXPECT_TRUE(world.Do(CommitTransaction{}).ok());
  const auto offsets = world.TimesOf(1, ApiKey::kTxnOffsetCommit);
  const auto ends = world.TimesOf(0, ApiKey::kEndTxn);
  ASSERT_THAT(offsets, SizeIs(7));
  ASSERT_THAT(ends, SizeIs(1));
  EXPECT_GT(ends[0], offsets[6]);
}

TEST(SendOffsets, TheNextOneIsNotTakenForTheOneThatTimedOut) {
  OffsetsWorld world(2, {.max_block_ms = 150});
  world.Answer(1, ApiKey::kTxnOffsetCommit,
               {ErrorCode::kCoordinatorLoadInProgress, ErrorCode::kCoordinatorLoadInProgress});
  EXPECT_FALSE(world.Do(Offsets(5)).ok());
  EXPECT_TRUE(world.Do(Offsets(6)).ok());
  EXPECT_EQ(world.Received<TxnOffsetCommitRequest>(1).back().offsets[0].offset, Offset(6));
}

bool IsTriedAgain(R reaction) {
  return reaction == R::kProceed || reaction == R::kRetry ||
         reaction == R::kFindCoordinatorAndRetry;
}
bool EndsTheProducer(R reaction) {
  return reaction == R::kFatal || reaction == R::kFatalAsFenced || reaction == R::kFatalKafka;
}

// Every error of both APIs, under both versions, against the table of reactions.
TEST(SendOffsets, EveryAnswerDoesWhatTheTableSays) {
  const struct {
    int64_t transaction_version;
    ApiKey key;
    A api;
    int broker;
  } cases[] = {{1, ApiKey::kAddOffsetsToTxn, A::kAddOffsetsToTxn, 0},
               {1, ApiKey::kTxnOffsetCommit, A::kTxnOffsetCommit, 1},
               {2, ApiKey::kTxnOffsetCommit, A::kTxnOffsetCommit, 1}};
  for (const auto& [version, key, api, broker] : cases) {
    for (const ErrorCode code : broker::AllErrorCodes()) {
      OffsetsWorld world(version);
      world.Answer(broker, key, {code});
      // A coordinator that is looked up anew is where it was.
      const CallId send = world.Give(Offsets());
      world.RunFor(sim::Millis(20));
      if (api == A::kAddOffsetsToTxn) world.Tell(0, {.coordinator = broker::BrokerId(0)});
      const CallResult sent = world.Await(send);
      const R reaction = ReactionTo(api, code);
      const TransactionState state = world.producer().transaction_state();
      if (IsTriedAgain(reaction)) {
        EXPECT_TRUE(sent.ok()) << broker::Name(key) << " " << code;
        EXPECT_EQ(state, TransactionState::kInTransaction) << code;
      } else {
        EXPECT_FALSE(sent.ok()) << broker::Name(key) << " " << code;
        EXPECT_EQ(state, EndsTheProducer(reaction) ? TransactionState::kFatalError
                                                   : TransactionState::kAbortableError)
            << broker::Name(key) << " " << code;
      }
    }
  }
}

TEST(SendOffsets, Case75AGroupThatHasMovedOnIsACommitFailedExceptionAndAbortable) {
  for (const ErrorCode code : {ErrorCode::kUnknownMemberId, ErrorCode::kIllegalGeneration,
                               ErrorCode::kGroupIdNotFound, ErrorCode::kStaleMemberEpoch}) {
    for (const int64_t version : {1, 2}) {
      OffsetsWorld world(version);
      EXPECT_TRUE(world.Await(world.GiveSend(kOrders0, "a")).ok());
      world.Answer(1, ApiKey::kTxnOffsetCommit, {code});
      const CallResult sent = world.Do(Offsets());
      EXPECT_EQ(sent.error.ExceptionName(), "CommitFailedException");
      EXPECT_EQ(sent.error.code, code);
      EXPECT_EQ(sent.error.error_class, ErrorClass::kAbortable);
      const CallResult commit = world.Do(CommitTransaction{});
      EXPECT_EQ(commit.error.ExceptionName(), "KafkaException");
      EXPECT_TRUE(world.Do(AbortTransaction{}).ok());
      EXPECT_FALSE(world.Received<EndTxnRequest>(0).back().committed);
      EXPECT_TRUE(world.Do(BeginTransaction{}).ok());
      EXPECT_TRUE(world.Do(Offsets()).ok());
    }
  }
}

TEST(SendOffsets, AFencedProducerIsFencedByTheGroupsCoordinatorToo) {
  for (const ErrorCode code : {ErrorCode::kInvalidProducerEpoch, ErrorCode::kProducerFenced}) {
    OffsetsWorld world(2);
    world.Answer(1, ApiKey::kTxnOffsetCommit, {code});
    const CallResult sent = world.Do(Offsets());
    EXPECT_EQ(sent.error.ExceptionName(), "ProducerFencedException");
    EXPECT_EQ(world.Do(AbortTransaction{}).error.ExceptionName(), "ProducerFencedException");
  }
}

TEST(SendOffsets, AGroupThatMayNotBeReadIsAbortable) {
  OffsetsWorld world(2);
  world.Answer(0, ApiKey::kFindCoordinator, {ErrorCode::kGroupAuthorizationFailed});
  const CallResult sent = world.Do(Offsets());
  EXPECT_EQ(world.producer().transaction_state(), TransactionState::kAbortableError);
  EXPECT_EQ(sent.error.code, ErrorCode::kGroupAuthorizationFailed);
}

TEST(SendOffsets, ACrashForgetsThem) {
  OffsetsWorld world(2);
  world.Answer(1, ApiKey::kTxnOffsetCommit, {std::nullopt});
  const CallId send = world.Give(Offsets());
  world.RunFor(sim::Millis(200));
  world.world().Crash(world.client(), sim::CrashKind::kProcess, &world.log());
  EXPECT_EQ(world.Result(send).state, CallState::kLost);
  world.world().Restart(world.client(), &world.log());
  for (int id : {0, 1}) world.Tell(id, {.coordinator = broker::BrokerId(0)});
  EXPECT_TRUE(world.Do(InitTransactions{}).ok());
  EXPECT_TRUE(world.Do(BeginTransaction{}).ok());
  EXPECT_TRUE(world.Do(CommitTransaction{}).ok());
  EXPECT_THAT(world.Received<TxnOffsetCommitRequest>(1), SizeIs(1));
}

}  // namespace
}  // namespace kafkasim::client

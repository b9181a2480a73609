// The numbered cases of Kafka's own tests about producers (TransactionManagerTest), against a
// scripted coordinator and leader.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "broker/messages_transaction.h"
#include "tests/client/client_world.h"

namespace kafkasim::client {
namespace {

using broker::ApiKey;
using broker::EndTxnRequest;
using broker::ErrorCode;
using broker::InitProducerIdRequest;
using broker::ProduceRequest;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(ConformanceProducer, Case68InvalidProducerEpochFromALeaderIsAbortableAndTV1BumpsTheEpoch) {
  TransactionalWorld world(/*transaction_version=*/1);
  world.OpenTransaction();
  world.Answer(0, ApiKey::kProduce, {ErrorCode::kInvalidProducerEpoch});
  const CallResult sent = world.Await(world.GiveSend(kOrders0, "b"));
  EXPECT_EQ(sent.error.ExceptionName(), "InvalidProducerEpochException");
  EXPECT_EQ(sent.error.error_class, ErrorClass::kAbortable);
  EXPECT_EQ(world.producer().transaction_state(), TransactionState::kAbortableError);

  EXPECT_TRUE(world.Do(AbortTransaction{}).ok());
  const auto ends = world.Received<EndTxnRequest>(0);
  ASSERT_THAT(ends, SizeIs(1));
  EXPECT_FALSE(ends[0].committed);
  const auto inits = world.Received<InitProducerIdRequest>(0);
  ASSERT_THAT(inits, SizeIs(2));
  EXPECT_EQ(inits[1].producer_id, broker::ProducerId(7));
  EXPECT_EQ(inits[1].producer_epoch, broker::ProducerEpoch(0));
  EXPECT_EQ(world.producer().identity().epoch, broker::ProducerEpoch(1));
  EXPECT_EQ(world.producer().transaction_state(), TransactionState::kReady);
}

TEST(ConformanceProducer, Case68WithTV2TheAbortItselfBringsTheNewEpoch) {
  TransactionalWorld world(/*transaction_version=*/2);
  world.OpenTransaction();
  world.Answer(0, ApiKey::kProduce, {ErrorCode::kInvalidProducerEpoch});
  (void)world.Await(world.GiveSend(kOrders0, "b"));
  EXPECT_TRUE(world.Do(AbortTransaction{}).ok());
  EXPECT_THAT(world.Received<InitProducerIdRequest>(0), SizeIs(1));
  EXPECT_EQ(world.producer().identity().epoch, broker::ProducerEpoch(1));
}

TEST(ConformanceProducer, Case69ACommitWithTV2BringsTheNextEpochAndSequenceZero) {
  TransactionalWorld world(/*transaction_version=*/2);
  world.OpenTransaction();
  const CallResult committed = world.Do(CommitTransaction{});
  ASSERT_TRUE(committed.ok());
  EXPECT_EQ(std::get<ProducerIdentity>(committed.value),
            (ProducerIdentity{broker::ProducerId(7), broker::ProducerEpoch(1)}));
  (void)world.Do(BeginTransaction{});
  EXPECT_TRUE(world.Await(world.GiveSend(kOrders0, "b")).ok());
  const auto produced = world.Received<ProduceRequest>(0);
  ASSERT_THAT(produced, SizeIs(2));
  EXPECT_EQ(produced[1].partitions[0].batch->producer_epoch, broker::ProducerEpoch(1));
  EXPECT_EQ(produced[1].partitions[0].batch->base_sequence, broker::Sequence(0));
}

TEST(ConformanceProducer, Case69AnAnswerWithAnotherProducerIdIsAdopted) {
  TransactionalWorld world(/*transaction_version=*/2);
  world.OpenTransaction();
  world.Tell(0, {.identity = std::pair(int64_t{8}, int16_t{0})});
  ASSERT_TRUE(world.Do(CommitTransaction{}).ok());
  EXPECT_EQ(world.producer().identity(),
            (ProducerIdentity{broker::ProducerId(8), broker::ProducerEpoch(0)}));
  (void)world.Do(BeginTransaction{});
  EXPECT_TRUE(world.Await(world.GiveSend(kOrders0, "b")).ok());
  EXPECT_EQ(world.Received<ProduceRequest>(0).back().partitions[0].batch->producer_id,
            broker::ProducerId(8));
}

TEST(ConformanceProducer, Case69WithTV1SequencesRunOnAcrossTransactions) {
  TransactionalWorld world(/*transaction_version=*/1);
  world.OpenTransaction();
  ASSERT_TRUE(world.Do(CommitTransaction{}).ok());
  (void)world.Do(BeginTransaction{});
  EXPECT_TRUE(world.Await(world.GiveSend(kOrders0, "b")).ok());
  const auto produced = world.Received<ProduceRequest>(0);
  EXPECT_EQ(produced[1].partitions[0].batch->producer_epoch, broker::ProducerEpoch(0));
  EXPECT_EQ(produced[1].partitions[0].batch->base_sequence, broker::Sequence(1));
}

TEST(ConformanceProducer, Case70ATimedOutCommitCanOnlyBeRetriedAsCommit) {
  TransactionalWorld world(2, {.max_block_ms = 1'000});
  world.OpenTransaction();
  world.Answer(0, ApiKey::kEndTxn, {std::nullopt});
  const CallResult timed_out = world.Do(CommitTransaction{});
  EXPECT_EQ(timed_out.error.ExceptionName(), "TimeoutException");
  EXPECT_EQ(timed_out.error.error_class, ErrorClass::kRetriable);

  const CallResult abort = world.Do(AbortTransaction{});
  EXPECT_EQ(abort.error.ExceptionName(), "IllegalStateException");
  EXPECT_EQ(world.producer().transaction_state(), TransactionState::kCommitting);

  world.RunFor(sim::Seconds(31));  // the request times out and is sent again
  EXPECT_TRUE(world.Do(CommitTransaction{}).ok());
  EXPECT_TRUE(world.Do(BeginTransaction{}).ok());
}

// The batch never left the client: its leader is down.
TEST(ConformanceProducer, Case71ABatchThatExpiresWhileCommittingMakesTheTransactionAbortable) {
  for (int64_t version : {1, 2}) {
    TransactionalWorld world(version, {.delivery_timeout_ms = 2'000, .request_timeout_ms = 1'000});
    world.OpenTransaction();
    world.world().Crash(sim::ProcessId(1), sim::CrashKind::kProcess, &world.log());
    const CallId send = world.GiveSend(kOrders1, "b");
    const CallResult commit = world.Do(CommitTransaction{});
    EXPECT_EQ(commit.error.ExceptionName(), "TransactionAbortableException");
    EXPECT_EQ(world.Result(send).error.ExceptionName(), "TimeoutException");
    EXPECT_EQ(world.producer().transaction_state(), TransactionState::kAbortableError);
    EXPECT_TRUE(world.Do(AbortTransaction{}).ok()) << version;
    EXPECT_EQ(world.producer().transaction_state(), TransactionState::kReady);
  }
}

// The batch was sent before it expired: it may or may not have been written.
TEST(ConformanceProducer, Case71ABatchThatWasSentAndExpiresLeavesItsSequenceUnresolved) {
  for (int64_t version : {1, 2}) {
    TransactionalWorld world(version, {.delivery_timeout_ms = 2'000, .request_timeout_ms = 1'000});
    world.OpenTransaction();
    world.Answer(0, ApiKey::kProduce,
                 std::vector<std::optional<ErrorCode>>(100, ErrorCode::kNotLeaderOrFollower));
    const CallId send = world.GiveSend(kOrders0, "b");
    const CallResult commit = world.Do(CommitTransaction{});
    EXPECT_EQ(commit.error.ExceptionName(), "KafkaException");
    EXPECT_EQ(commit.error.error_class, ErrorClass::kAbortable);
    EXPECT_EQ(world.Result(send).error.ExceptionName(), "TimeoutException");
    EXPECT_TRUE(world.Do(AbortTransaction{}).ok()) << version;
    EXPECT_EQ(world.producer().identity().epoch, broker::ProducerEpoch(1));
  }
}

TEST(ConformanceProducer, Case72WithoutASendNothingIsSentAtTheEnd) {
  for (int64_t version : {1, 2}) {
    TransactionalWorld world(version);
    ASSERT_TRUE(world.Do(InitTransactions{}).ok());
    (void)world.Do(BeginTransaction{});
    EXPECT_TRUE(world.Do(CommitTransaction{}).ok());
    (void)world.Do(BeginTransaction{});
    EXPECT_TRUE(world.Do(AbortTransaction{}).ok());
    EXPECT_THAT(world.Received<EndTxnRequest>(0), IsEmpty());
    EXPECT_EQ(world.producer().transaction_state(), TransactionState::kReady);
    EXPECT_EQ(world.producer().identity().epoch, broker::ProducerEpoch(0));
  }
}

TEST(ConformanceProducer, Case73WithTV2AnAbortAfterASendThatNeverLeftIsSent) {
  TransactionalWorld world(2, {.linger_ms = 1'000});
  world.OpenTransaction();
  ASSERT_TRUE(world.Do(CommitTransaction{}).ok());
  (void)world.Do(BeginTransaction{});
  const CallId send = world.GiveSend(kOrders0, "never sent");
  EXPECT_TRUE(world.Do(AbortTransaction{}).ok());
  EXPECT_EQ(world.Result(send).error.ExceptionName(), "TransactionAbortedException");
  EXPECT_THAT(world.Received<ProduceRequest>(0), SizeIs(1));
  const auto ends = world.Received<EndTxnRequest>(0);
  ASSERT_THAT(ends, SizeIs(2));
  EXPECT_FALSE(ends[1].committed);
  EXPECT_EQ(ends[1].producer_epoch, broker::ProducerEpoch(1));
}

TEST(ConformanceProducer, Case74TransactionAbortableIsAbortableForACommitAndFatalForAnAbort) {
  TransactionalWorld world(2);
  world.OpenTransaction();
  world.Answer(0, ApiKey::kEndTxn,
               {ErrorCode::kTransactionAbortable, ErrorCode::kTransactionAbortable});
  const CallResult commit = world.Do(CommitTransaction{});
  EXPECT_EQ(commit.error.ExceptionName(), "TransactionAbortableException");
  EXPECT_EQ(commit.error.error_class, ErrorClass::kAbortable);
  const CallResult abort = world.Do(AbortTransaction{});
  EXPECT_EQ(abort.error.ExceptionName(), "KafkaException");
  EXPECT_EQ(abort.error.error_class, ErrorClass::kFatal);
  EXPECT_EQ(world.producer().transaction_state(), TransactionState::kFatalError);
}

TEST(ConformanceProducer, Case76AFencedProducerFailsToCommitForGood) {
  TransactionalWorld world(1);
  world.OpenTransaction();
  world.Answer(0, ApiKey::kEndTxn, {ErrorCode::kProducerFenced});
  const CallResult commit = world.Do(CommitTransaction{});
  EXPECT_EQ(commit.error.ExceptionName(), "ProducerFencedException");
  EXPECT_EQ(commit.error.code, ErrorCode::kProducerFenced);
  EXPECT_EQ(commit.error.error_class, ErrorClass::kFatal);
  EXPECT_THAT(commit.error.message, HasSubstr("producer id 7, epoch 0"));
  for (const Operation& later : {Operation(BeginTransaction{}), Operation(AbortTransaction{}),
                                 Operation(CommitTransaction{}), Operation(InitTransactions{})}) {
    EXPECT_EQ(world.Do(later).error.ExceptionName(), "ProducerFencedException");
  }
}

TEST(ConformanceProducer, Case77ASendAfterTheTakeoverFailsInItsFuture) {
  TransactionalWorld world(2);
  world.OpenTransaction();
  world.Answer(0, ApiKey::kProduce, {ErrorCode::kInvalidProducerEpoch});
  const CallResult first = world.Await(world.GiveSend(kOrders0, "b"));
  EXPECT_EQ(first.error.ExceptionName(), "InvalidProducerEpochException");
  // The next send fails at once, as itself and not wrapped.
  const CallResult second = world.Await(world.GiveSend(kOrders0, "c"));
  EXPECT_EQ(second.error.ExceptionName(), "InvalidProducerEpochException");
  EXPECT_THAT(world.Received<ProduceRequest>(0), SizeIs(2));
}

TEST(ConformanceProducer, Case80AnUnknownProducerIdMappingIsFatal) {
  for (ApiKey api : {ApiKey::kProduce, ApiKey::kEndTxn}) {
    TransactionalWorld world(2);
    world.OpenTransaction();
    world.Answer(0, api, {ErrorCode::kInvalidProducerIdMapping});
    (void)world.Await(world.GiveSend(kOrders0, "b"));
    const CallResult commit = world.Do(CommitTransaction{});
    EXPECT_EQ(commit.error.code, ErrorCode::kInvalidProducerIdMapping);
    EXPECT_EQ(world.producer().transaction_state(), TransactionState::kFatalError);
    const CallResult abort = world.Do(AbortTransaction{});
    EXPECT_EQ(abort.error.ExceptionName(), "KafkaException");
    EXPECT_EQ(abort.error.code, ErrorCode::kInvalidProducerIdMapping);
  }
}

}  // namespace
}  // namespace kafkasim::client

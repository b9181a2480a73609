// The transactional producer against scripted brokers: its calls, and what it sends for them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "broker/messages_cluster.h"
#include "client/producer.h"
#include "tests/client/client_world.h"

namespace kafkasim::client {
namespace {

using broker::AddPartitionsToTxnRequest;
using broker::ApiKey;
using broker::EndTxnRequest;
using broker::ErrorCode;
using broker::FindCoordinatorRequest;
using broker::InitProducerIdRequest;
using broker::ProduceRequest;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(TransactionalProducer, WithTV1PartitionsAreAddedBeforeTheirFirstBatch) {
  TransactionalWorld world(/*transaction_version=*/1);
  world.OpenTransaction();
  EXPECT_THAT(world.Apis(0), ElementsAre("ApiVersions", "Metadata", "FindCoordinator",
                                         "InitProducerId", "AddPartitionsToTxn", "Produce"));
  EXPECT_EQ(world.Received<ProduceRequest>(0)[0].version, 11);
  (void)world.Await(world.GiveSend(kOrders0, "b"));
  EXPECT_THAT(world.Received<AddPartitionsToTxnRequest>(0), SizeIs(1));
  (void)world.Await(world.GiveSend(kOrders1, "c"));
  EXPECT_THAT(world.Received<AddPartitionsToTxnRequest>(0), SizeIs(2));
  EXPECT_TRUE(world.Do(CommitTransaction{}).ok());
  EXPECT_EQ(world.Received<EndTxnRequest>(0)[0].version, 4);
}

TEST(TransactionalProducer, WithTV2PartitionsAreAddedByTheLeader) {
  TransactionalWorld world(/*transaction_version=*/2);
  world.OpenTransaction();
  EXPECT_THAT(world.Received<AddPartitionsToTxnRequest>(0), IsEmpty());
  EXPECT_EQ(world.Received<ProduceRequest>(0)[0].version, 12);
  EXPECT_TRUE(world.Do(CommitTransaction{}).ok());
  EXPECT_EQ(world.Received<EndTxnRequest>(0)[0].version, 5);
}

TEST(TransactionalProducer, TheFirstAddPartitionsWaitsOnlyTwentyMillisecondsForThePreviousEnd) {
  TransactionalWorld world(1);
  (void)world.Do(InitTransactions{});
  (void)world.Do(BeginTransaction{});
  world.Answer(0, ApiKey::kAddPartitionsToTxn, {ErrorCode::kConcurrentTransactions});
  (void)world.Await(world.GiveSend(kOrders0, "a"));
  world.Answer(0, ApiKey::kAddPartitionsToTxn, {ErrorCode::kConcurrentTransactions});
  (void)world.Await(world.GiveSend(kOrders1, "b"));
  const std::vector<sim::Time> times = world.TimesOf(0, ApiKey::kAddPartitionsToTxn);
  ASSERT_THAT(times, SizeIs(4));
  EXPECT_EQ((times[1] - times[0]).millis(), 22);
  EXPECT_EQ((times[3] - times[2]).millis(), 102);
}

TEST(TransactionalProducer, ACommitWaitsForItsBatches) {
  TransactionalWorld world(2, {.linger_ms = 10'000});
  (void)world.Do(InitTransactions{});
  (void)world.Do(BeginTransaction{});
  const CallId send = world.GiveSend(kOrders0, "a");
  EXPECT_TRUE(world.Do(CommitTransaction{}).ok());
  EXPECT_TRUE(world.Result(send).ok());
  EXPECT_EQ(world.Apis(0).back(), "EndTxn");
  EXPECT_LT(world.world().now(), sim::Time{} + sim::Seconds(1));
}

TEST(TransactionalProducer, FindsTheCoordinatorAgainWhenItHasMoved) {
  TransactionalWorld world(2);
  world.OpenTransaction();
  world.Answer(0, ApiKey::kEndTxn, {ErrorCode::kNotCoordinator});
  for (int id : {0, 1}) world.Tell(id, {.coordinator = broker::BrokerId(1)});
  EXPECT_TRUE(world.Do(CommitTransaction{}).ok());
  EXPECT_THAT(world.Received<FindCoordinatorRequest>(0), SizeIs(2));
  EXPECT_THAT(world.Received<EndTxnRequest>(1), SizeIs(1));
}

TEST(TransactionalProducer, ARecordBeforeBeginIsAnIllegalState) {
  TransactionalWorld world(2);
  const CallResult early = world.Await(world.GiveSend(kOrders0, "a"));
  EXPECT_EQ(early.error.ExceptionName(), "IllegalStateException");
  EXPECT_EQ(early.error.error_class, ErrorClass::kMisuse);
  (void)world.Do(InitTransactions{});
  EXPECT_EQ(world.Await(world.GiveSend(kOrders0, "b")).error.ExceptionName(),
            "IllegalStateException");
  EXPECT_EQ(world.producer().transaction_state(), TransactionState::kReady);
}

TEST(TransactionalProducer, CallsInTheWrongOrderAreIllegalAndChangeNothing) {
  TransactionalWorld world(2);
  EXPECT_EQ(world.Do(BeginTransaction{}).error.ExceptionName(), "IllegalStateException");
  EXPECT_TRUE(world.Do(InitTransactions{}).ok());
  EXPECT_EQ(world.Do(CommitTransaction{}).error.ExceptionName(), "IllegalStateException");
  EXPECT_EQ(world.Do(AbortTransaction{}).error.ExceptionName(), "IllegalStateException");
  EXPECT_EQ(world.Do(InitTransactions{}).error.ExceptionName(), "IllegalStateException");
  EXPECT_TRUE(world.Do(BeginTransaction{}).ok());
  EXPECT_EQ(world.Do(BeginTransaction{}).error.ExceptionName(), "IllegalStateException");
  EXPECT_EQ(world.producer().transaction_state(), TransactionState::kInTransaction);
}

TEST(TransactionalProducer, BlockingCallsAreDoneOneAfterTheOther) {
  TransactionalWorld world(2);
  const CallId init = world.Give(InitTransactions{});
  const CallId begin = world.Give(BeginTransaction{});
  const CallId send = world.GiveSend(kOrders0, "a");
  const CallId commit = world.Give(CommitTransaction{});
  EXPECT_EQ(world.Result(begin).state, CallState::kWaiting);
  EXPECT_TRUE(world.Await(commit).ok());
  for (CallId call : {init, begin, send}) EXPECT_TRUE(world.Result(call).ok());
  EXPECT_EQ(world.Result(begin).started, world.Result(init).finished);
}

TEST(TransactionalProducer, InitTransactionsTimesOutAndMayBeTriedAgain) {
  TransactionalWorld world(2, {.max_block_ms = 500});
  world.Answer(0, ApiKey::kInitProducerId,
               std::vector<std::optional<ErrorCode>>(10, ErrorCode::kConcurrentTransactions));
  const CallResult init = world.Do(InitTransactions{});
  EXPECT_EQ(init.error.ExceptionName(), "TimeoutException");
  EXPECT_EQ(world.Do(BeginTransaction{}).error.ExceptionName(), "IllegalStateException");
  world.RunFor(sim::Seconds(2));
  EXPECT_TRUE(world.Do(InitTransactions{}).ok());
  EXPECT_THAT(world.Received<InitProducerIdRequest>(0), SizeIs(11));
}

TEST(TransactionalProducer, CloseAbortsAnOpenTransaction) {
  TransactionalWorld world(2);
  world.OpenTransaction();
  const CallId send = world.GiveSend(kOrders0, "b");
  EXPECT_TRUE(world.Do(Close{}).ok());
  EXPECT_TRUE(world.Result(send).ok());
  const auto ends = world.Received<EndTxnRequest>(0);
  ASSERT_THAT(ends, SizeIs(1));
  EXPECT_FALSE(ends[0].committed);
  EXPECT_EQ(world.Do(BeginTransaction{}).error.ExceptionName(), "IllegalStateException");
  EXPECT_EQ(world.Await(world.GiveSend(kOrders0, "c")).error.ExceptionName(),
            "IllegalStateException");
}

TEST(TransactionalProducer, CloseGivesUpAnInitialisationThatIsBeingRetried) {
  TransactionalWorld world(2, {.max_block_ms = 500});
  world.Answer(0, ApiKey::kInitProducerId,
               std::vector<std::optional<ErrorCode>>(100, ErrorCode::kConcurrentTransactions));
  (void)world.Do(InitTransactions{});
  EXPECT_TRUE(world.Do(Close{}).ok());
  const size_t requests = world.broker(0).received().size();
  world.RunFor(sim::Seconds(10));
  EXPECT_EQ(world.broker(0).received().size(), requests);
}

TEST(TransactionalProducer, ACrashLosesTheOpenCallAndARestartBeginsAnew) {
  TransactionalWorld world(2);
  world.OpenTransaction();
  world.Answer(0, ApiKey::kEndTxn, {std::nullopt});
  const CallId commit = world.Give(CommitTransaction{});
  world.RunFor(sim::Millis(50));
  world.world().Crash(world.client(), sim::CrashKind::kProcess, &world.log());
  EXPECT_EQ(world.Result(commit).state, CallState::kLost);
  world.world().Restart(world.client(), &world.log());
  EXPECT_EQ(world.producer().transaction_state(), TransactionState::kUninitialized);
  EXPECT_TRUE(world.Do(InitTransactions{}).ok());
  EXPECT_EQ(world.Received<InitProducerIdRequest>(0).back().transactional_id, "pay-1");
}

TEST(TransactionalProducer, AnUpgradeToTV2BumpsTheEpochBetweenTransactions) {
  TransactionalWorld world(1);
  world.OpenTransaction();
  for (int id : {0, 1}) world.Tell(id, {.transaction_version = 2});
  // The next connection tells of the new level.
  (void)world.Await(world.GiveSend(kOrders1, "b"));
  EXPECT_TRUE(world.Do(CommitTransaction{}).ok());
  EXPECT_EQ(world.Received<EndTxnRequest>(0)[0].version, 4);
  const auto inits = world.Received<InitProducerIdRequest>(0);
  ASSERT_THAT(inits, SizeIs(2));
  EXPECT_EQ(inits[1].producer_epoch, broker::ProducerEpoch(0));
  (void)world.Do(BeginTransaction{});
  (void)world.Await(world.GiveSend(kOrders0, "c"));
  EXPECT_EQ(world.Received<ProduceRequest>(0).back().version, 12);
}

TEST(TransactionalProducer, TheTraceTellsCallsAndStates) {
  TransactionalWorld world(2);
  world.OpenTransaction();
  (void)world.Do(CommitTransaction{});
  std::vector<std::string> states;
  std::vector<std::string> results;
  for (const sim::TraceEvent& event : world.log().events) {
    if (event.Is(events::kProducerState)) states.emplace_back(event.Text("to"));
    if (event.Is(events::kCallFinished)) {
      results.push_back(std::string(event.Text("operation")) + " " +
                        std::string(event.Text("result")));
    }
  }
  EXPECT_THAT(states, ElementsAre("INITIALIZING", "READY", "IN_TRANSACTION",
                                  "COMMITTING_TRANSACTION", "READY"));
  EXPECT_THAT(results, ElementsAre("init_transactions producer_id=7 epoch=0", "begin_transaction ",
                                   "send orders-0@0", "commit_transaction producer_id=7 epoch=1"));
}

}  // namespace
}  // namespace kafkasim::client

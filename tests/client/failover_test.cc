// Clients while brokers fail: nothing is lost, nothing is written twice, and a transaction that was
// begun can be ended.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/client/cluster_world.h"

namespace kafkasim::client {
namespace {

using broker::IsolationLevel;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Failover : public ::testing::TestWithParam<int64_t> {};
INSTANTIATE_TEST_SUITE_P(TransactionVersions, Failover, ::testing::Values(1, 2),
                         [](const auto& level) { return "TV" + std::to_string(level.param); });

TEST_P(Failover, ALivingClientCommitsAtTheNewCoordinator) {
  ClusterWorld world(GetParam());
  const auto producer = world.AddTransactional("p", "pay-1");
  const auto reader = world.AddConsumer("reader", IsolationLevel::kReadCommitted);
  world.Start();
  (void)world.Do(producer, InitTransactions{});
  (void)world.Do(producer, BeginTransaction{});
  EXPECT_TRUE(world.DoSend(producer, kFirst, {"a"}).ok());
  world.Crash(world.CoordinatorOf("pay-1"));
  const CallResult committed = world.Do(producer, CommitTransaction{});
  EXPECT_TRUE(committed.ok()) << committed.error;
  EXPECT_THAT(world.ReadAll(reader), ElementsAre("a"));
}

TEST_P(Failover, TheLeaderOfThePartitionMoves) {
  ClusterWorld world(GetParam());
  const auto producer = world.AddTransactional("p", "pay-1");
  const auto reader = world.AddConsumer("reader", IsolationLevel::kReadCommitted);
  world.Start();
  (void)world.Do(producer, InitTransactions{});
  (void)world.Do(producer, BeginTransaction{});
  EXPECT_TRUE(world.DoSend(producer, kFirst, {"a"}).ok());
  world.Crash(sim::ProcessId(0));
  const CallResult sent = world.DoSend(producer, kFirst, {"b", "c"});
  EXPECT_TRUE(sent.ok()) << sent.error;
  EXPECT_TRUE(world.Do(producer, CommitTransaction{}).ok());
  EXPECT_THAT(world.ReadAll(reader), ElementsAre("a", "b", "c"));
}

TEST_P(Failover, ALostAnswerIsARetryAndNoDuplicate) {
  ClusterWorld world(GetParam());
  const auto producer = world.AddTransactional("p", "pay-1");
  const auto reader = world.AddConsumer("reader", IsolationLevel::kReadUncommitted);
  world.Start();
  (void)world.Do(producer, InitTransactions{});
  (void)world.Do(producer, BeginTransaction{});
  for (const char* api : {"Produce", "EndTxn"}) {
    world.world().AddRule({.action = sim::MessageAction::kDrop,
                           .api = api,
                           .answer = true,
                           .to = producer,
                           .reset = true});
  }
  const CallResult sent = world.DoSend(producer, kFirst, {"a"});
  EXPECT_TRUE(sent.ok()) << sent.error;
  EXPECT_EQ(sent.requests, 2);
  const CallResult committed = world.Do(producer, CommitTransaction{});
  EXPECT_TRUE(committed.ok()) << committed.error;
  EXPECT_EQ(world.ProducerOf(producer).identity().epoch.value(), GetParam() == 2 ? 1 : 0);
  EXPECT_THAT(world.ReadAll(reader), ElementsAre("a"));
}

TEST_P(Failover, FiveBatchesInFlightAreWrittenInOrderThoughTheFirstAnswerIsLost) {
  ClusterWorld world(GetParam());
  // Each record is a batch of its own and is sent at once.
  const auto producer = world.AddProducer("p", {.linger_ms = 0, .batch_size = 1});
  const auto reader = world.AddConsumer("reader", IsolationLevel::kReadUncommitted);
  world.Start();
  EXPECT_TRUE(world.DoSend(producer, kFirst, {"0"}).ok());
  world.world().AddRule({.action = sim::MessageAction::kDrop,
                         .api = "Produce",
                         .answer = true,
                         .to = producer,
                         .reset = true});
  const CallResult sent = world.DoSend(producer, kFirst, {"1", "2", "3", "4", "5", "6"});
  EXPECT_TRUE(sent.ok()) << sent.error;
  EXPECT_THAT(world.ReadAll(reader), ElementsAre("0", "1", "2", "3", "4", "5", "6"));
}

TEST_P(Failover, ACrashedProducersTransactionIsAbortedByItsSuccessor) {
  ClusterWorld world(GetParam());
  const auto producer = world.AddTransactional("p", "pay-1");
  const auto reader = world.AddConsumer("reader", IsolationLevel::kReadCommitted);
  world.Start();
  (void)world.Do(producer, InitTransactions{});
  (void)world.Do(producer, BeginTransaction{});
  EXPECT_TRUE(world.DoSend(producer, kFirst, {"a"}).ok());
  world.Crash(producer);
  world.Restart(producer);
  const CallResult init = world.Do(producer, InitTransactions{});
  ASSERT_TRUE(init.ok()) << init.error;
  EXPECT_EQ(std::get<ProducerIdentity>(init.value).producer_id, broker::ProducerId(7));
  (void)world.Do(producer, BeginTransaction{});
  EXPECT_TRUE(world.DoSend(producer, kFirst, {"b"}).ok());
  EXPECT_TRUE(world.Do(producer, CommitTransaction{}).ok());
  EXPECT_THAT(world.ReadAll(reader), ElementsAre("b"));
}

TEST_P(Failover, AZombieWakesUpAfterItsReplacement) {
  ClusterWorld world(GetParam());
  const auto old = world.AddTransactional("old", "pay-1");
  const auto fresh = world.AddTransactional("new", "pay-1");
  const auto reader = world.AddConsumer("reader", IsolationLevel::kReadCommitted);
  world.Start();
  (void)world.Do(old, InitTransactions{});
  (void)world.Do(old, BeginTransaction{});
  EXPECT_TRUE(world.DoSend(old, kFirst, {"42=paid"}).ok());
  world.world().Pause(old, nullptr);
  EXPECT_TRUE(world.Do(fresh, InitTransactions{}).ok());
  world.world().Resume(old, nullptr);
  const CallResult commit = world.Do(old, CommitTransaction{});
  EXPECT_EQ(commit.error.code, broker::ErrorCode::kProducerFenced);
  EXPECT_THAT(world.ReadAll(reader), IsEmpty());
}

// The world is a value: a copy in the middle of a run goes the same way to the same end.
TEST_P(Failover, ACopyOfTheWorldEndsInTheSameState) {
  ClusterWorld world(GetParam());
  const auto producer = world.AddTransactional("p", "pay-1");
  world.Start();
  (void)world.Do(producer, InitTransactions{});
  (void)world.Do(producer, BeginTransaction{});
  (void)world.GiveSend(producer, kFirst, {"a", "b"});
  (void)world.GiveSend(producer, kSecond, {"c"});
  (void)world.Give(producer, CommitTransaction{});
  for (int i = 0; i < 20; ++i) world.world().Step(nullptr);
  sim::World copy = world.world();
  const sim::Time end = world.world().now() + sim::Seconds(5);
  const sim::Fingerprint before = copy.fingerprint();
  world.world().RunUntil(end, nullptr);
  EXPECT_EQ(copy.fingerprint(), before);
  copy.RunUntil(end, nullptr);
  EXPECT_EQ(copy.fingerprint(), world.world().fingerprint());
  EXPECT_NE(copy.fingerprint(), before);
}

}  // namespace
}  // namespace kafkasim::client

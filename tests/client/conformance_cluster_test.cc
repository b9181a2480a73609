// The numbered end-to-end cases (TransactionsTest, TransactionsExpirationTest,
// TransactionsWithMaxInFlightOneTest): real clients, leaders and coordinators.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/client/cluster_world.h"

namespace kafkasim::client {
namespace {

using broker::ErrorCode;
using broker::IsolationLevel;
using broker::Offset;
using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr auto kCommitted = IsolationLevel::kReadCommitted;
constexpr auto kUncommitted = IsolationLevel::kReadUncommitted;

class ConformanceCluster : public ::testing::TestWithParam<int64_t> {};
INSTANTIATE_TEST_SUITE_P(TransactionVersions, ConformanceCluster, ::testing::Values(1, 2),
                         [](const auto& level) { return "TV" + std::to_string(level.param); });

TEST_P(ConformanceCluster, Case76TheSecondProducerOfAnIdFencesTheFirst) {
  ClusterWorld world(GetParam());
  const auto p1 = world.AddTransactional("p1", "pay-1");
  const auto p2 = world.AddTransactional("p2", "pay-1");
  const auto reader = world.AddConsumer("reader", kCommitted, {kFirst, kSecond});
  world.Start();
  EXPECT_EQ(std::get<ProducerIdentity>(world.Do(p1, InitTransactions{}).value),
            (ProducerIdentity{broker::ProducerId(7), broker::ProducerEpoch(0)}));
  (void)world.Do(p1, BeginTransaction{});
  EXPECT_TRUE(world.DoSend(p1, kFirst, {"p1-a", "p1-b"}).ok());
  const CallResult init = world.Do(p2, InitTransactions{});
  ASSERT_TRUE(init.ok()) << init.error;
  EXPECT_EQ(std::get<ProducerIdentity>(init.value).producer_id, broker::ProducerId(7));
  EXPECT_GT(std::get<ProducerIdentity>(init.value).epoch, broker::ProducerEpoch(0));
  (void)world.Do(p2, BeginTransaction{});
  EXPECT_TRUE(world.DoSend(p2, kFirst, {"p2-a"}).ok());
  EXPECT_TRUE(world.DoSend(p2, kSecond, {"p2-b"}).ok());
  const CallResult fenced = world.Do(p1, CommitTransaction{});
  EXPECT_EQ(fenced.error.ExceptionName(), "ProducerFencedException");
  EXPECT_TRUE(world.Do(p2, CommitTransaction{}).ok());
  EXPECT_THAT(world.ReadAll(reader), ::testing::UnorderedElementsAre("p2-a", "p2-b"));
}

TEST_P(ConformanceCluster, Case77ASendAfterTheTakeoverFailsInItsFuture) {
  ClusterWorld world(GetParam());
  const auto p1 = world.AddTransactional("p1", "pay-1");
  const auto p2 = world.AddTransactional("p2", "pay-1");
  world.Start();
  (void)world.Do(p1, InitTransactions{});
  (void)world.Do(p1, BeginTransaction{});
  EXPECT_TRUE(world.DoSend(p1, kFirst, {"a"}).ok());
  EXPECT_TRUE(world.Do(p2, InitTransactions{}).ok());
  world.RunFor(sim::Seconds(1));
  const CallResult sent = world.DoSend(p1, kFirst, {"b"});
  EXPECT_THAT(sent.error.ExceptionName(),
              AnyOf("InvalidProducerEpochException", "ProducerFencedException"));
  // A partition that has never seen the new epoch is protected by the coordinator.
  const CallResult elsewhere = world.DoSend(p1, kSecond, {"c"});
  EXPECT_FALSE(elsewhere.ok());
  EXPECT_EQ(world.LogOf(1, kSecond).log_end_offset(), Offset(0));
}

TEST_P(ConformanceCluster, Case78ATransactionThatTimedOutCannotGoOn) {
  ClusterWorld world(GetParam(), [](broker::BrokerConfig& config) {
    config.transaction_abort_cleanup_interval_ms = 200;
  });
  const auto producer = world.AddTransactional("p", "pay-1", {.transaction_timeout_ms = 300});
  const auto dirty = world.AddConsumer("dirty", kUncommitted);
  const auto clean = world.AddConsumer("clean", kCommitted);
  world.Start();
  (void)world.Do(producer, InitTransactions{});
  (void)world.Do(producer, BeginTransaction{});
  EXPECT_TRUE(world.DoSend(producer, kFirst, {"a"}).ok());
  world.RunFor(sim::Millis(600));
  const CallResult sent = world.DoSend(producer, kFirst, {"b"});
  EXPECT_THAT(sent.error.code, AnyOf(ErrorCode::kInvalidProducerEpoch, ErrorCode::kProducerFenced,
                                     ErrorCode::kConcurrentTransactions));
  EXPECT_THAT(world.ReadAll(dirty), ElementsAre("a"));
  EXPECT_THAT(world.ReadAll(clean), IsEmpty());
}

TEST_P(ConformanceCluster, Case79WhatLiesBehindAnOpenTransactionIsNotStable) {
  ClusterWorld world(GetParam());
  const auto open = world.AddTransactional("open", "pay-x");
  const auto other = world.AddTransactional("other", "pay-1");
  const auto plain = world.AddProducer("plain", {});
  const auto reader = world.AddConsumer("reader", kCommitted);
  world.Start();
  EXPECT_TRUE(world.DoSend(plain, kFirst, {"x-1"}).ok());
  (void)world.Do(open, InitTransactions{});
  (void)world.Do(open, BeginTransaction{});
  EXPECT_TRUE(world.DoSend(open, kFirst, {"x-2"}).ok());
  (void)world.Do(other, InitTransactions{});
  (void)world.Do(other, BeginTransaction{});
  EXPECT_TRUE(world.DoSend(other, kFirst, {"a", "b"}).ok());
  EXPECT_TRUE(world.Do(other, CommitTransaction{}).ok());
  world.RunFor(sim::Seconds(1));
  EXPECT_THAT(world.ReadAll(reader), ElementsAre("x-1"));
  (void)world.Do(reader, SeekToEnd{});
  EXPECT_EQ(std::get<PartitionOffsets>(world.Do(reader, Position{kFirst}).value).rows[0].offset,
            Offset(1));
  const auto first_at = [&](int64_t timestamp_ms) {
    const CallResult found = world.Do(reader, OffsetsForTimes{{kFirst}, timestamp_ms});
    return std::get<PartitionOffsets>(found.value).rows[0].offset;
  };
  const int64_t stable = world.LogOf(0, kFirst).FindBatch(Offset(0))->max_timestamp_ms;
  EXPECT_EQ(first_at(stable), Offset(0));
  EXPECT_EQ(first_at(stable + 1), broker::kNoOffset) << "later records are beyond the LSO";
  // And when it ends, all of it is.
  EXPECT_TRUE(world.Do(open, CommitTransaction{}).ok());
  EXPECT_THAT(world.ReadAll(reader), ElementsAre("x-2", "a", "b"));
}

TEST_P(ConformanceCluster, Case80AnExpiredTransactionalIdIsFatalAndANewProducerHelps) {
  ClusterWorld world(GetParam(), [](broker::BrokerConfig& config) {
    config.transactional_id_expiration_ms = 10'000;
    config.transaction_remove_expired_interval_ms = 500;
  });
  const auto p1 = world.AddTransactional("p1", "pay-1");
  const auto p2 = world.AddTransactional("p2", "pay-1");
  world.Start();
  (void)world.Do(p1, InitTransactions{});
  (void)world.Do(p1, BeginTransaction{});
  EXPECT_TRUE(world.DoSend(p1, kFirst, {"a"}).ok());
  EXPECT_TRUE(world.Do(p1, CommitTransaction{}).ok());
  world.RunFor(sim::Seconds(20));
  (void)world.Do(p1, BeginTransaction{});
  const CallResult sent = world.DoSend(p1, kFirst, {"b"});
  EXPECT_EQ(sent.error.code, ErrorCode::kInvalidProducerIdMapping) << sent.error;
  EXPECT_EQ(sent.error.error_class, ErrorClass::kFatal);
  const CallResult abort = world.Do(p1, AbortTransaction{});
  EXPECT_EQ(abort.error.ExceptionName(), "KafkaException");
  EXPECT_EQ(abort.error.code, ErrorCode::kInvalidProducerIdMapping);

  EXPECT_TRUE(world.Do(p2, InitTransactions{}).ok());
  (void)world.Do(p2, BeginTransaction{});
  EXPECT_TRUE(world.DoSend(p2, kFirst, {"c"}).ok());
  EXPECT_TRUE(world.Do(p2, CommitTransaction{}).ok());
}

TEST_P(ConformanceCluster, Case81AnIdThatOutlivesItsProducerStateKeepsItsProducerId) {
  ClusterWorld world(GetParam(), [](broker::BrokerConfig& config) {
    config.producer_id_expiration_ms = 5'000;
    config.producer_id_expiration_check_interval_ms = 500;
  });
  const auto p1 = world.AddTransactional("p1", "pay-1");
  const auto p2 = world.AddTransactional("p2", "pay-1");
  world.Start();
  (void)world.Do(p1, InitTransactions{});
  (void)world.Do(p1, BeginTransaction{});
  EXPECT_TRUE(world.DoSend(p1, kFirst, {"a"}).ok());
  EXPECT_TRUE(world.Do(p1, CommitTransaction{}).ok());
  world.RunFor(sim::Seconds(10));
  EXPECT_TRUE(world.Do(p2, InitTransactions{}).ok());
  const ProducerIdentity second = world.ProducerOf(p2).identity();
  EXPECT_EQ(second.producer_id, broker::ProducerId(7));
  EXPECT_GE(second.epoch.value(), GetParam() == 1 ? 1 : 2);
  (void)world.Do(p2, BeginTransaction{});
  EXPECT_TRUE(world.DoSend(p2, kFirst, {"b"}).ok());
  EXPECT_TRUE(world.Do(p2, CommitTransaction{}).ok());
}

TEST_P(ConformanceCluster, Case82AFenceThatFailsIsNotAppliedTwice) {
  ClusterWorld world(GetParam());
  const auto p1 = world.AddTransactional("p1", "pay-1");
  const auto p2 = world.AddTransactional("p2", "pay-1", {.max_block_ms = 5'000});
  const auto p3 = world.AddTransactional("p3", "pay-1");
  world.Start();
  (void)world.Do(p1, InitTransactions{});
  (void)world.Do(p1, BeginTransaction{});
  EXPECT_TRUE(world.DoSend(p1, kFirst, {"a"}).ok());
  EXPECT_TRUE(world.Do(p1, CommitTransaction{}).ok());
  const int16_t before = world.ProducerOf(p1).identity().epoch.value();
  const sim::ProcessId coordinator = world.CoordinatorOf("pay-1");
  for (sim::ProcessId broker : world.cluster().brokers) {
    if (broker != coordinator) world.Crash(broker);
  }
  world.RunFor(sim::Seconds(12));  // until they are out of the ISR, so that appends are refused
  const CallResult failed = world.Do(p2, InitTransactions{});
  EXPECT_EQ(failed.error.ExceptionName(), "TimeoutException");
  world.Crash(p2);  // else its sender would go on asking
  for (sim::ProcessId broker : world.cluster().brokers) world.Restart(broker);
  world.RunFor(sim::Seconds(20));
  const CallResult third = world.Do(p3, InitTransactions{});
  ASSERT_TRUE(third.ok()) << third.error;
  const int16_t after = std::get<ProducerIdentity>(third.value).epoch.value();
  if (GetParam() == 1) {
    EXPECT_EQ(after, before + 1);
  } else {
    EXPECT_GE(after, before + 1);
  }
}

}  // namespace
}  // namespace kafkasim::client

// The idempotent producer against scripted brokers: its id, its epoch and its sequences.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "broker/messages_cluster.h"
#include "client/producer.h"
#include "tests/client/client_world.h"

namespace kafkasim::client {
namespace {

using broker::ApiKey;
using broker::ErrorCode;
using broker::InitProducerIdRequest;
using broker::ProduceRequest;
using ::testing::ElementsAre;
using ::testing::SizeIs;

TEST(IdempotentProducer, GetsAnIdFromAnyBroker) {
  PlainWorld world;
  EXPECT_TRUE(world.Await(world.GiveSend(kOrders0, "a")).ok());
  const auto inits = world.Received<InitProducerIdRequest>(0);
  ASSERT_THAT(inits, SizeIs(1));
  EXPECT_EQ(inits[0].transactional_id, std::nullopt);
  EXPECT_EQ(world.producer().identity().producer_id, broker::ProducerId(7));
}

TEST(IdempotentProducer, AGapMakesItBumpItsOwnEpoch) {
  PlainWorld world({.linger_ms = 0, .batch_size = 1});
  EXPECT_TRUE(world.Await(world.GiveSend(kOrders0, "a")).ok());
  world.Answer(0, ApiKey::kProduce, {ErrorCode::kOutOfOrderSequenceNumber});
  EXPECT_TRUE(world.Await(world.GiveSend(kOrders0, "b")).ok());
  const auto produced = world.Received<ProduceRequest>(0);
  EXPECT_THAT(Sequences(produced), ElementsAre(0, 1, 0));
  EXPECT_EQ(produced[2].partitions[0].batch->producer_epoch, broker::ProducerEpoch(1));
  EXPECT_THAT(world.Received<InitProducerIdRequest>(0), SizeIs(1));
}

TEST(IdempotentProducer, AnExhaustedEpochMeansANewId) {
  PlainWorld world({.linger_ms = 0, .batch_size = 1});
  world.Tell(0, {.identity = std::pair(int64_t{7}, int16_t{32767})});
  EXPECT_TRUE(world.Await(world.GiveSend(kOrders0, "a")).ok());
  world.Tell(0, {.identity = std::pair(int64_t{8}, int16_t{0})});
  world.Answer(0, ApiKey::kProduce, {ErrorCode::kOutOfOrderSequenceNumber});
  EXPECT_TRUE(world.Await(world.GiveSend(kOrders0, "b")).ok());
  EXPECT_EQ(world.producer().identity(),
            (ProducerIdentity{broker::ProducerId(8), broker::ProducerEpoch(0)}));
}

TEST(IdempotentProducer, AfterAnExpiredBatchNothingIsSentUntilItsFateIsKnown) {
  PlainWorld world(
      {.delivery_timeout_ms = 3'000, .linger_ms = 0, .batch_size = 1, .request_timeout_ms = 1'000});
  (void)world.Await(world.GiveSend(kOrders0, "a"));
  world.Answer(0, ApiKey::kProduce, std::vector<std::optional<ErrorCode>>(3, std::nullopt));
  EXPECT_FALSE(world.Await(world.GiveSend(kOrders0, "b")).ok());
  EXPECT_TRUE(world.Await(world.GiveSend(kOrders0, "c")).ok());
  // Nobody knows whether sequence 1 was written: the epoch is bumped and numbering begins anew.
  const auto produced = world.Received<ProduceRequest>(0);
  EXPECT_EQ(produced.back().partitions[0].batch->base_sequence, broker::Sequence(0));
  EXPECT_EQ(produced.back().partitions[0].batch->producer_epoch, broker::ProducerEpoch(1));
}

TEST(IdempotentProducer, ItHasNoTransactions) {
  PlainWorld world;
  EXPECT_EQ(world.Do(InitTransactions{}).error.ExceptionName(), "IllegalStateException");
  EXPECT_EQ(world.Do(BeginTransaction{}).error.ExceptionName(), "IllegalStateException");
  EXPECT_EQ(world.Do(Poll{}).error.ExceptionName(), "IllegalArgumentException");
}

}  // namespace
}  // namespace kafkasim::client

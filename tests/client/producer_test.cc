// The producer as a process, against scripted brokers: when it sends, retries, waits and gives up.
#include "client/producer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "broker/messages_cluster.h"
#include "tests/client/client_world.h"

namespace kafkasim::client {
namespace {

using broker::ApiKey;
using broker::ErrorCode;
using broker::ProduceRequest;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// --- Batches -------------------------------------------------------------------------------------

TEST(Producer, RecordsLingerTogether) {
  PlainWorld world({.linger_ms = 20});
  EXPECT_TRUE(world.Await(world.GiveSend(kOrders0, "warm up")).ok());
  const sim::Time start = world.world().now();
  const CallId first = world.GiveSend(kOrders0, "a");
  world.RunFor(sim::Millis(10));
  const CallId second = world.GiveSend(kOrders0, "b");
  EXPECT_TRUE(world.Await(second).ok());
  EXPECT_TRUE(world.Result(first).ok());
  const auto produced = world.Received<ProduceRequest>(0);
  ASSERT_THAT(produced, SizeIs(2));
  EXPECT_EQ(produced[1].partitions[0].batch->records->size(), 2u);
  EXPECT_EQ(world.TimesOf(0, ApiKey::kProduce)[1], start + sim::Millis(21));
}

TEST(Producer, AFullBatchDoesNotLinger) {
  PlainWorld world({.linger_ms = 10'000, .batch_size = 200});
  const CallId send = world.Give(
      Send{.topic = kOrders0.topic,
           .partition = 0,
           .records = {{.value = std::string(100, 'a')}, {.value = std::string(100, 'b')}}});
  world.RunFor(sim::Millis(100));
  EXPECT_FALSE(world.Result(send).done());  // the second batch lingers
  EXPECT_THAT(world.Received<ProduceRequest>(0), SizeIs(1));
  EXPECT_TRUE(world.Do(Flush{}).ok());
  EXPECT_TRUE(world.Result(send).ok());
  EXPECT_LT(world.world().now(), sim::Time{} + sim::Seconds(1));
}

TEST(Producer, OneRequestCarriesABatchOfEachPartitionOfTheLeader) {
  PlainWorld world;
  auto together = TestImage(2);
  together->topics[0].partitions[1].leader = broker::BrokerId(0);
  for (int id : {0, 1}) world.Tell(id, {.image = together});
  const CallId a = world.GiveSend(kOrders0, "a");
  const CallId b = world.GiveSend(kOrders1, "b");
  EXPECT_TRUE(world.Await(a).ok());
  EXPECT_TRUE(world.Await(b).ok());
  const auto produced = world.Received<ProduceRequest>(0);
  ASSERT_THAT(produced, SizeIs(1));
  EXPECT_THAT(produced[0].partitions, SizeIs(2));
}

TEST(Producer, TheResultOfASendNamesWhereTheRecordsAre) {
  PlainWorld world;
  (void)world.Await(world.GiveSend(kOrders0, "a"));
  const CallResult sent =
      world.Do(Send{.topic = kOrders0.topic,
                    .partition = 0,
                    .records = {{.value = "b", .timestamp_ms = 77}, {.value = "c"}}});
  const auto& records = std::get<SentRecords>(sent.value).records;
  ASSERT_THAT(records, SizeIs(2));
  EXPECT_EQ(records[0].offset, broker::Offset(1));
  EXPECT_EQ(records[0].timestamp_ms, 77);
  EXPECT_EQ(records[1].offset, broker::Offset(2));
  EXPECT_EQ(records[1].partition, kOrders0);
}

TEST(Producer, KeysChooseThePartition) {
  PlainWorld world;
  const CallResult sent =
      world.Do(Send{.topic = kOrders0.topic, .records = {{.key = "foobar", .value = "a"}}});
  EXPECT_EQ(std::get<SentRecords>(sent.value).records[0].partition.index,
            PartitionForRecordKey("foobar", 2));
}

TEST(Producer, ARecordThatIsTooLargeFailsAtOnce) {
  PlainWorld world({.max_request_size = 200});
  const CallResult sent = world.Await(world.GiveSend(kOrders0, std::string(300, 'x')));
  EXPECT_EQ(sent.error.ExceptionName(), "RecordTooLargeException");
  EXPECT_THAT(world.Received<ProduceRequest>(0), IsEmpty());
}

// --- Retries -------------------------------------------------------------------------------------

TEST(Producer, RetriesBackOffExponentially) {
  PlainWorld world;
  (void)world.Await(world.GiveSend(kOrders0, "a"));
  world.Answer(0, ApiKey::kProduce,
               std::vector<std::optional<ErrorCode>>(6, ErrorCode::kNotEnoughReplicas));
  EXPECT_TRUE(world.Await(world.GiveSend(kOrders0, "b")).ok());
  const std::vector<sim::Time> times = world.TimesOf(0, ApiKey::kProduce);
  std::vector<int64_t> pauses;
  for (size_t i = 2; i < times.size(); ++i) pauses.push_back((times[i] - times[i - 1]).millis());
  // 1 ms each way, then 100, 200, 400, 800, 1000, 1000.
  EXPECT_THAT(pauses, ElementsAre(102, 202, 402, 802, 1002, 1002));
}

TEST(Producer, ARetryGoesFirstAndAloneAndKeepsItsSequence) {
  PlainWorld world({.linger_ms = 0, .batch_size = 1});
  (void)world.Await(world.GiveSend(kOrders0, "0"));
  world.Answer(0, ApiKey::kProduce,
               {ErrorCode::kNotEnoughReplicas, ErrorCode::kOutOfOrderSequenceNumber,
                ErrorCode::kOutOfOrderSequenceNumber});
  const CallId one = world.GiveSend(kOrders0, "1");
  const CallId two = world.GiveSend(kOrders0, "2");
  const CallId three = world.GiveSend(kOrders0, "3");
  for (CallId call : {one, two, three}) EXPECT_TRUE(world.Await(call).ok());
  EXPECT_THAT(Sequences(world.Received<ProduceRequest>(0)), ElementsAre(0, 1, 2, 3, 1, 2, 3));
  EXPECT_EQ(std::get<SentRecords>(world.Result(three).value).records[0].offset, broker::Offset(3));
}

TEST(Producer, AtMostFiveRequestsAreInFlight) {
  PlainWorld world({.linger_ms = 0, .batch_size = 1});
  (void)world.Await(world.GiveSend(kOrders0, "0"));
  world.Answer(0, ApiKey::kProduce, std::vector<std::optional<ErrorCode>>(5, std::nullopt));
  for (int i = 0; i < 8; ++i) (void)world.GiveSend(kOrders0, "x");
  world.RunFor(sim::Seconds(1));
  EXPECT_THAT(world.Received<ProduceRequest>(0), SizeIs(6));
}

TEST(Producer, WithoutIdempotenceARetryOvertakes) {
  PlainWorld world({.enable_idempotence = false, .linger_ms = 0, .batch_size = 1});
  (void)world.Await(world.GiveSend(kOrders0, "0"));
  world.Answer(0, ApiKey::kProduce, {ErrorCode::kNotEnoughReplicas});
  const CallId one = world.GiveSend(kOrders0, "1");
  const CallId two = world.GiveSend(kOrders0, "2");
  EXPECT_TRUE(world.Await(one).ok());
  EXPECT_TRUE(world.Await(two).ok());
  EXPECT_EQ(std::get<SentRecords>(world.Result(two).value).records[0].offset, broker::Offset(1));
  EXPECT_EQ(std::get<SentRecords>(world.Result(one).value).records[0].offset, broker::Offset(2));
}

TEST(Producer, WithoutIdempotenceOneInFlightKeepsTheOrder) {
  PlainWorld world({.enable_idempotence = false,
                    .max_in_flight_requests_per_connection = 1,
                    .linger_ms = 0,
                    .batch_size = 1});
  (void)world.Await(world.GiveSend(kOrders0, "0"));
  world.Answer(0, ApiKey::kProduce, {ErrorCode::kNotEnoughReplicas});
  const CallId one = world.GiveSend(kOrders0, "1");
  const CallId two = world.GiveSend(kOrders0, "2");
  EXPECT_TRUE(world.Await(two).ok());
  EXPECT_EQ(std::get<SentRecords>(world.Result(one).value).records[0].offset, broker::Offset(1));
}

TEST(Producer, RetriesAreLimited) {
  PlainWorld world({.enable_idempotence = false, .retries = 2});
  world.Answer(0, ApiKey::kProduce,
               std::vector<std::optional<ErrorCode>>(3, ErrorCode::kNotEnoughReplicas));
  const CallResult sent = world.Await(world.GiveSend(kOrders0, "a"));
  EXPECT_EQ(sent.error.code, ErrorCode::kNotEnoughReplicas);
  EXPECT_EQ(sent.error.error_class, ErrorClass::kRetriable);
  EXPECT_EQ(sent.requests, 3);
}

TEST(Producer, WithAcksZeroNoAnswerIsAwaited) {
  PlainWorld world({.acks = 0});
  const CallResult sent = world.Await(world.GiveSend(kOrders0, "a"));
  EXPECT_TRUE(sent.ok());
  EXPECT_EQ(std::get<SentRecords>(sent.value).records[0].offset, broker::kNoOffset);
}

TEST(Producer, ABatchExpiresAfterTheDeliveryTimeout) {
  PlainWorld world({.delivery_timeout_ms = 3'000, .request_timeout_ms = 1'000});
  (void)world.Await(world.GiveSend(kOrders0, "a"));
  world.Answer(0, ApiKey::kProduce, std::vector<std::optional<ErrorCode>>(10, std::nullopt));
  const CallResult sent = world.Await(world.GiveSend(kOrders0, "b"));
  EXPECT_EQ(sent.error.ExceptionName(), "TimeoutException");
  EXPECT_EQ(sent.finished - sent.started, sim::Millis(3'000));
  EXPECT_THAT(sent.error.message, HasSubstr("3000 ms"));
}

// --- Connections and metadata --------------------------------------------------------------------

TEST(Producer, BeginsWithTheFirstCallAndIsSilentAfterIt) {
  PlainWorld world;
  world.RunFor(sim::Seconds(10));
  EXPECT_THAT(world.broker(0).received(), IsEmpty());
  (void)world.Await(world.GiveSend(kOrders0, "a"));
  EXPECT_THAT(world.Apis(0), ElementsAre("ApiVersions", "Metadata", "InitProducerId", "Produce"));
  world.RunFor(sim::Seconds(3600));
  EXPECT_EQ(world.world().NextEventAt(), std::nullopt);
}

TEST(Producer, ARequestWithoutAnAnswerClosesTheConnection) {
  PlainWorld world({.request_timeout_ms = 1'000});
  (void)world.Await(world.GiveSend(kOrders0, "a"));
  world.Answer(0, ApiKey::kProduce, {std::nullopt});
  const CallResult sent = world.Await(world.GiveSend(kOrders0, "b"));
  EXPECT_TRUE(sent.ok());
  EXPECT_EQ(sent.requests, 2);
  const std::vector<std::string> apis = world.Apis(0);
  EXPECT_EQ(std::count(apis.begin(), apis.end(), "ApiVersions"), 2);
  // The same sequence both times: the leader can tell a duplicate.
  EXPECT_THAT(Sequences(world.Received<ProduceRequest>(0)), ElementsAre(0, 1, 1));
}

TEST(Producer, FollowsALeaderThatMoved) {
  PlainWorld world;
  (void)world.Await(world.GiveSend(kOrders0, "a"));
  auto moved = TestImage(2);
  moved->topics[0].partitions[0].leader = broker::BrokerId(1);
  moved->topics[0].partitions[0].leader_epoch = broker::LeaderEpoch(1);
  for (int id : {0, 1}) world.Tell(id, {.image = moved});
  world.Answer(0, ApiKey::kProduce, {ErrorCode::kNotLeaderOrFollower});
  EXPECT_TRUE(world.Await(world.GiveSend(kOrders0, "b")).ok());
  EXPECT_THAT(world.Received<ProduceRequest>(1), SizeIs(1));
}

TEST(Producer, ABrokerThatIsDownGetsNothingButConnectionAttempts) {
  PlainWorld world({.delivery_timeout_ms = 5'000, .request_timeout_ms = 1'000});
  (void)world.Await(world.GiveSend(kOrders0, "a"));
  world.world().Crash(sim::ProcessId(1), sim::CrashKind::kProcess, &world.log());
  const CallId send = world.GiveSend(kOrders1, "b");
  world.RunFor(sim::Millis(4'000));
  world.world().Restart(sim::ProcessId(1), &world.log());
  EXPECT_TRUE(world.Await(send).ok());
  // It was never handed to a connection that did not stand.
  EXPECT_EQ(world.Result(send).requests, 1);
}

TEST(Producer, ASendWaitsForMetadataAtMostMaxBlock) {
  PlainWorld world({.max_block_ms = 2'000});
  const CallId send =
      world.Give(Send{.topic = broker::TopicId(5), .partition = 0, .records = {{.value = "a"}}});
  const CallId later = world.GiveSend(kOrders0, "b");
  const CallResult failed = world.Await(send);
  EXPECT_EQ(failed.error.ExceptionName(), "TimeoutException");
  EXPECT_EQ(failed.finished - failed.started, sim::Millis(2'000));
  EXPECT_TRUE(world.Await(later).ok());
  EXPECT_GE(world.Result(later).started, failed.finished);  // the thread was blocked
}

// Sender.sendProducerData drains first and looks for expired batches then: the application is told
// of a timeout, and the leader gets the batch all the same.
TEST(Producer, ABatchThatExpiresAsItIsDrainedIsStillSent) {
  PlainWorld world({.delivery_timeout_ms = 2'000, .request_timeout_ms = 1'000});
  world.Answer(0, ApiKey::kProduce, {ErrorCode::kNotEnoughReplicas});
  const CallId send = world.GiveSend(kOrders0, "a");
  world.RunFor(sim::Millis(50));
  ASSERT_EQ(world.TimesOf(0, ApiKey::kProduce).size(), 1u) << "refused, and waiting to be retried";
  world.world().Pause(world.client(), nullptr);
  world.RunFor(sim::Seconds(5));
  world.world().Resume(world.client(), nullptr);
  const CallResult result = world.Await(send);
  EXPECT_EQ(result.error.ExceptionName(), "TimeoutException");
  world.RunFor(sim::Millis(50));
  EXPECT_EQ(world.TimesOf(0, ApiKey::kProduce).size(), 2u);
}

}  // namespace
}  // namespace kafkasim::client

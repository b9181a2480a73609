// The consumer as a process, against scripted leaders.
#include "client/consumer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/client/client_world.h"

namespace kafkasim::client {
namespace {

using broker::ApiKey;
using broker::ErrorCode;
using broker::FetchRequest;
using broker::IsolationLevel;
using broker::ListOffsetsRequest;
using broker::Offset;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class ConsumerWorld : public ClientWorld {
 public:
  explicit ConsumerWorld(ConsumerConfig config = {},
                         std::vector<broker::PartitionId> assignment = {kOrders0}) {
    Start(std::make_unique<Consumer>(Options(), config, std::move(assignment)));
  }
  const Consumer& consumer() { return static_cast<const Consumer&>(world().process(client())); }

  // The leader's next answer about this partition: plain records from this offset on.
  void Data(const broker::PartitionId& partition, int64_t offset, std::vector<std::string> values) {
    broker::FetchResponse::PartitionResult result{.partition = partition};
    std::vector<broker::Record> records;
    for (std::string& value : values) records.push_back({.value = std::move(value)});
    broker::RecordBatch batch = broker::MakeBatch(std::move(records));
    batch.base_offset = Offset(offset);
    result.high_watermark = batch.next_offset();
    result.last_stable_offset = batch.next_offset();
    result.log_start_offset = Offset(0);
    result.batches = {std::make_shared<const broker::RecordBatch>(std::move(batch))};
    Tell(partition.index, {.fetched = {result}});
  }
  void Error(const broker::PartitionId& partition, ErrorCode error) {
    Tell(partition.index, {.fetched = {{.partition = partition, .error = error}}});
  }
};

std::vector<std::string> Values(const CallResult& result) {
  std::vector<std::string> values;
  for (const ConsumedRecord& record : *std::get<ConsumedRecords>(result.value).records) {
    values.push_back(*record.value);
  }
  return values;
}

const ConsumerConfig kEarliest{.auto_offset_reset = OffsetReset::kEarliest};

TEST(Consumer, FindsItsPositionByTheResetPolicyAndDeliversFromThere) {
  ConsumerWorld world(kEarliest);
  world.Tell(0, {.offsets = {{kOrders0, 3}}});
  world.Data(kOrders0, 3, {"a", "b"});
  const CallResult polled = world.Do(Poll{});
  EXPECT_THAT(Values(polled), ElementsAre("a", "b"));
  EXPECT_EQ(world.consumer().position(kOrders0), Offset(5));
  EXPECT_EQ(world.consumer().lag(kOrders0), 0);
  EXPECT_EQ(world.Received<ListOffsetsRequest>(0)[0].partitions[0].timestamp,
            broker::kEarliestTimestamp);
  EXPECT_EQ(world.Received<FetchRequest>(0)[0].partitions[0].fetch_offset, Offset(3));
}

TEST(Consumer, AsksForTheLastStableOffsetUnderReadCommitted) {
  ConsumerWorld world({.isolation_level = IsolationLevel::kReadCommitted});
  world.Tell(0, {.end_offsets = {{kOrders0, 8}}});
  EXPECT_EQ(std::get<PartitionOffsets>(world.Do(Position{kOrders0}).value).rows[0].offset,
            Offset(8));
  const auto asked = world.Received<ListOffsetsRequest>(0);
  EXPECT_EQ(asked[0].isolation_level, IsolationLevel::kReadCommitted);
  EXPECT_EQ(asked[0].partitions[0].timestamp, broker::kLatestTimestamp);
}

TEST(Consumer, WithoutAPositionAndAPolicyAPollFails) {
  ConsumerWorld world({.auto_offset_reset = OffsetReset::kNone});
  EXPECT_EQ(world.Do(Poll{}).error.ExceptionName(), "NoOffsetForPartitionException");
  EXPECT_TRUE(world.Do(Seek{kOrders0, Offset(0)}).ok());
  world.Data(kOrders0, 0, {"a"});
  EXPECT_THAT(Values(world.Do(Poll{})), ElementsAre("a"));
}

TEST(Consumer, DeliversAtMostMaxPollRecordsAndKeepsTheRest) {
  ConsumerWorld world({.auto_offset_reset = OffsetReset::kEarliest, .max_poll_records = 2});
  world.Data(kOrders0, 0, {"a", "b", "c"});
  EXPECT_THAT(Values(world.Do(Poll{})), ElementsAre("a", "b"));
  EXPECT_EQ(world.consumer().position(kOrders0), Offset(2));
  const sim::Time before = world.world().now();
  EXPECT_THAT(Values(world.Do(Poll{})), ElementsAre("c"));
  EXPECT_EQ(world.world().now(), before);
  EXPECT_THAT(world.Received<FetchRequest>(0), SizeIs(1));
}

TEST(Consumer, AnEmptyPollReturnsAfterItsTimeout) {
  ConsumerWorld world(kEarliest);
  const CallResult polled = world.Do(Poll{.timeout = sim::Millis(250)});
  EXPECT_TRUE(polled.ok());
  EXPECT_THAT(Values(polled), IsEmpty());
  EXPECT_EQ(polled.finished - polled.started, sim::Millis(250));
}

TEST(Consumer, IsSilentBetweenPolls) {
  ConsumerWorld world(kEarliest);
  world.Data(kOrders0, 0, {"a"});
  (void)world.Do(Poll{});
  const size_t requests = world.broker(0).received().size();
  world.RunFor(sim::Seconds(3600));
  EXPECT_EQ(world.broker(0).received().size(), requests);
  EXPECT_EQ(world.world().NextEventAt(), std::nullopt);
}

TEST(Consumer, FetchesFromBothLeadersAtOnce) {
  ConsumerWorld world(kEarliest, {kOrders0, kOrders1});
  world.Data(kOrders0, 0, {"a"});
  world.Data(kOrders1, 0, {"b"});
  std::vector<std::string> values = Values(world.Do(Poll{}));
  if (values.size() == 1) {
    for (std::string& value : Values(world.Do(Poll{}))) values.push_back(value);
  }
  EXPECT_THAT(values, ::testing::UnorderedElementsAre("a", "b"));
  EXPECT_THAT(world.Received<FetchRequest>(1), SizeIs(1));
}

TEST(Consumer, DiscardsAnAnswerForAPositionThatHasMoved) {
  ConsumerWorld world(kEarliest);
  (void)world.Do(Position{kOrders0});
  world.Data(kOrders0, 0, {"old"});
  const CallId poll = world.Give(Poll{.timeout = sim::Duration{0}});
  EXPECT_TRUE(world.Result(poll).done());  // its fetch is under way
  (void)world.Do(Seek{kOrders0, Offset(7)});
  world.Data(kOrders0, 7, {"new"});
  EXPECT_THAT(Values(world.Do(Poll{})), ElementsAre("new"));
  EXPECT_EQ(world.consumer().position(kOrders0), Offset(8));
}

TEST(Consumer, OutOfRangeResetsThePosition) {
  ConsumerWorld world(kEarliest);
  (void)world.Do(Seek{kOrders0, Offset(99)});
  world.Error(kOrders0, ErrorCode::kOffsetOutOfRange);
  world.Tell(0, {.offsets = {{kOrders0, 4}}});
  world.Data(kOrders0, 4, {"a"});
  EXPECT_THAT(Values(world.Do(Poll{})), ElementsAre("a"));
}

TEST(Consumer, OutOfRangeWithoutAPolicyIsAnError) {
  ConsumerWorld world({.auto_offset_reset = OffsetReset::kNone});
  (void)world.Do(Seek{kOrders0, Offset(99)});
  world.Error(kOrders0, ErrorCode::kOffsetOutOfRange);
  const CallResult polled = world.Do(Poll{});
  EXPECT_EQ(polled.error.ExceptionName(), "OffsetOutOfRangeException");
  EXPECT_EQ(polled.error.code, ErrorCode::kOffsetOutOfRange);
  EXPECT_THAT(polled.error.message, HasSubstr("orders-0 at offset 99"));
}

TEST(Consumer, FollowsTheLeader) {
  ConsumerWorld world(kEarliest);
  (void)world.Do(Position{kOrders0});
  world.Error(kOrders0, ErrorCode::kNotLeaderOrFollower);
  auto moved = TestImage(2);
  moved->topics[0].partitions[0].leader = broker::BrokerId(1);
  moved->topics[0].partitions[0].leader_epoch = broker::LeaderEpoch(1);
  for (int id : {0, 1}) world.Tell(id, {.image = moved});
  broker::FetchResponse::PartitionResult result{.partition = kOrders0};
  broker::RecordBatch batch = broker::MakeBatch({{.value = "a"}});
  result.batches = {std::make_shared<const broker::RecordBatch>(std::move(batch))};
  world.Tell(1, {.fetched = {result}});
  EXPECT_THAT(Values(world.Do(Poll{.timeout = sim::Seconds(5)})), ElementsAre("a"));
  EXPECT_EQ(world.Received<FetchRequest>(1)[0].partitions[0].current_leader_epoch,
            broker::LeaderEpoch(1));
}

TEST(Consumer, SeekToTheEndIsLookedUpByTheNextCall) {
  ConsumerWorld world(kEarliest);
  world.Tell(0, {.end_offsets = {{kOrders0, 12}}});
  EXPECT_TRUE(world.Do(SeekToEnd{}).ok());
  EXPECT_EQ(world.consumer().position(kOrders0), std::nullopt);
  EXPECT_EQ(std::get<PartitionOffsets>(world.Do(Position{kOrders0}).value).rows[0].offset,
            Offset(12));
  EXPECT_TRUE(world.Do(SeekToBeginning{{kOrders0}}).ok());
  EXPECT_EQ(std::get<PartitionOffsets>(world.Do(Position{kOrders0}).value).rows[0].offset,
            Offset(0));
}

TEST(Consumer, EndOffsetsDoNotTouchThePosition) {
  ConsumerWorld world(kEarliest, {kOrders0, kOrders1});
  world.Tell(0, {.end_offsets = {{kOrders0, 12}}});
  world.Tell(1, {.end_offsets = {{kOrders1, 5}}});
  const CallResult ends = world.Do(EndOffsets{});
  const auto& rows = std::get<PartitionOffsets>(ends.value).rows;
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[0].offset, Offset(12));
  EXPECT_EQ(rows[1].offset, Offset(5));
  EXPECT_EQ(world.consumer().position(kOrders0), std::nullopt);
}

TEST(Consumer, RetriesOffsetsUntilTheApiTimeout) {
  ConsumerWorld world({.default_api_timeout_ms = 1'000});
  world.Answer(0, ApiKey::kListOffsets,
               std::vector<std::optional<ErrorCode>>(100, ErrorCode::kOffsetNotAvailable));
  const CallResult position = world.Do(Position{kOrders0});
  EXPECT_EQ(position.error.ExceptionName(), "TimeoutException");
  EXPECT_EQ(position.finished - position.started, sim::Millis(1'000));
  EXPECT_GT(position.requests, 5);
}

TEST(Consumer, APartitionThatIsNotAssignedIsAnIllegalState) {
  ConsumerWorld world(kEarliest);
  for (const Operation& call : {Operation(Seek{kOrders1, Offset(0)}), Operation(Position{kOrders1}),
                                Operation(SeekToEnd{{kOrders1}})}) {
    EXPECT_EQ(world.Do(call).error.ExceptionName(), "IllegalStateException");
  }
  EXPECT_EQ(world.Do(CommitTransaction{}).error.ExceptionName(), "IllegalArgumentException");
  EXPECT_TRUE(world.Do(Close{}).ok());
  EXPECT_EQ(world.Do(Poll{}).error.ExceptionName(), "IllegalStateException");
}

TEST(Consumer, AFetchThatIsNeverAnsweredIsSentAgainOnANewConnection) {
  ConsumerWorld world({.auto_offset_reset = OffsetReset::kEarliest, .request_timeout_ms = 1'000});
  const CallId poll = world.Give(Poll{.timeout = sim::Seconds(10)});
  world.RunFor(sim::Millis(900));
  world.Data(kOrders0, 0, {"a"});
  EXPECT_THAT(Values(world.Await(poll)), ElementsAre("a"));
  EXPECT_GE(world.Received<FetchRequest>(0).size(), 2u);
}

TEST(Consumer, ARestartBeginsAfreshAndLosesTheOpenCall) {
  ConsumerWorld world(kEarliest);
  world.Data(kOrders0, 0, {"a"});
  (void)world.Do(Poll{});
  const CallId poll = world.Give(Poll{.timeout = sim::Seconds(10)});
  world.RunFor(sim::Millis(10));
  world.world().Crash(world.client(), sim::CrashKind::kProcess, &world.log());
  EXPECT_EQ(world.Result(poll).state, CallState::kLost);
  world.world().Restart(world.client(), &world.log());
  EXPECT_EQ(world.consumer().position(kOrders0), std::nullopt);
  world.Data(kOrders0, 0, {"a"});
  EXPECT_THAT(Values(world.Do(Poll{})), ElementsAre("a"));
}

}  // namespace
}  // namespace kafkasim::client

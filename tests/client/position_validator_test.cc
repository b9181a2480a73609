// KIP-320 in the consumer: positions are validated by the new leader after each election.
#include "client/position_validator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/consumer.h"
#include "tests/client/client_world.h"

namespace kafkasim::client {
namespace {

using broker::ApiKey;
using broker::ErrorCode;
using broker::LeaderEpoch;
using broker::Offset;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A consumer that has read offsets 0 and 1, of leader epoch 0, from broker 0; then broker 1 leads
// with epoch 1, and broker 0 tells so.
class ElectionWorld : public ClientWorld {
 public:
  explicit ElectionWorld(OffsetReset reset = OffsetReset::kEarliest) {
    Start(std::make_unique<Consumer>(Options(), ConsumerConfig{.auto_offset_reset = reset},
                                     std::vector<broker::PartitionId>{kOrders0}));
    if (reset == OffsetReset::kNone) (void)Do(Seek{kOrders0, Offset(0)});
    Data(0, 0, 0, {"a", "b"});
    EXPECT_THAT(Read(), ElementsAre("a", "b"));
    auto image = TestImage(/*version=*/2);
    image->topics[0].partitions[0].leader = broker::BrokerId(1);
    image->topics[0].partitions[0].leader_epoch = LeaderEpoch(1);
    for (const int broker : {0, 1}) Tell(broker, {.image = image});
    Tell(0, {.fetched = {{.partition = kOrders0, .error = ErrorCode::kNotLeaderOrFollower}}});
  }
  void Data(int broker, int64_t offset, int32_t epoch, std::vector<std::string> values) {
    broker::FetchResponse::PartitionResult result{.partition = kOrders0};
    std::vector<broker::Record> records;
    for (std::string& value : values) records.push_back({.value = std::move(value)});
    broker::RecordBatch batch = broker::MakeBatch(std::move(records));
    batch.base_offset = Offset(offset);
    batch.partition_leader_epoch = LeaderEpoch(epoch);
    result.high_watermark = batch.next_offset();
    result.batches = {std::make_shared<const broker::RecordBatch>(std::move(batch))};
    Tell(broker, {.fetched = {result}});
  }
  void EpochEnds(int32_t epoch, int64_t offset) {
    Tell(1, {.epoch_ends = {{.partition = kOrders0,
                             .leader_epoch = LeaderEpoch(epoch),
                             .end_offset = Offset(offset)}}});
  }
  std::vector<std::string> Read() {
    const CallResult result = Do(Poll{});
    EXPECT_TRUE(result.ok()) << result.error;
    std::vector<std::string> values;
    for (const ConsumedRecord& record : *std::get<ConsumedRecords>(result.value).records) {
      values.push_back(*record.value);
    }
    return values;
  }
  std::optional<Offset> position() {
    return static_cast<const Consumer&>(world().process(client())).position(kOrders0);
  }
};

TEST(PositionValidator, AsksTheNewLeaderAboutTheEpochOfTheLastRecord) {
  ElectionWorld world;
  world.Data(1, 2, 1, {"c"});
  EXPECT_THAT(world.Read(), ElementsAre("c"));
  const auto asked = world.Received<broker::OffsetForLeaderEpochRequest>(1);
  ASSERT_THAT(asked, SizeIs(1));
  EXPECT_EQ(asked[0].partitions[0].leader_epoch, LeaderEpoch(0));
  EXPECT_EQ(asked[0].partitions[0].current_leader_epoch, LeaderEpoch(1));
  const auto fetches = world.Received<broker::FetchRequest>(1);
  EXPECT_EQ(fetches.at(0).partitions[0].fetch_offset, Offset(2));
  EXPECT_EQ(fetches.at(0).partitions[0].current_leader_epoch, LeaderEpoch(1));
}

// The new leader has only one record of epoch 0: the second was lost, and another is there now.
TEST(PositionValidator, ATruncatedLogMovesThePositionBack) {
  ElectionWorld world;
  world.EpochEnds(0, 1);
  world.Data(1, 1, 1, {"other"});
  EXPECT_THAT(world.Read(), ElementsAre("other"));
  EXPECT_EQ(world.Received<broker::FetchRequest>(1).at(0).partitions[0].fetch_offset, Offset(1));
  EXPECT_EQ(world.position(), Offset(2));
}

TEST(PositionValidator, AnUnknownEpochResetsThePosition) {
  ElectionWorld world;
  world.EpochEnds(-1, -1);
  world.Tell(1, {.offsets = {{kOrders0, 0}}});
  world.Data(1, 0, 1, {"first"});
  EXPECT_THAT(world.Read(), ElementsAre("first"));
  EXPECT_THAT(world.TimesOf(1, ApiKey::kListOffsets), SizeIs(1));
}

TEST(PositionValidator, WithoutAResetPolicyTheApplicationIsTold) {
  ElectionWorld world(OffsetReset::kNone);
  world.EpochEnds(0, 1);
  const CallResult polled = world.Do(Poll{});
  EXPECT_EQ(polled.error.ExceptionName(), "LogTruncationException");
  EXPECT_EQ(world.position(), Offset(2)) << "it stays until the application seeks";
  EXPECT_THAT(world.Read(), IsEmpty()) << "and is not read from";
  EXPECT_TRUE(world.Do(Seek{kOrders0, Offset(1)}).ok());
  world.Data(1, 1, 1, {"other"});
  EXPECT_THAT(world.Read(), ElementsAre("other"));
}

TEST(PositionValidator, AsksAgainAfterAnErrorThatPasses) {
  for (const ErrorCode error : {ErrorCode::kNotLeaderOrFollower, ErrorCode::kFencedLeaderEpoch,
                                ErrorCode::kUnknownLeaderEpoch}) {
    ElectionWorld world;
    world.Answer(1, ApiKey::kOffsetForLeaderEpoch, {error});
    world.Data(1, 2, 1, {"c"});
    EXPECT_THAT(world.Read(), ElementsAre("c"));
    EXPECT_THAT(world.TimesOf(1, ApiKey::kOffsetForLeaderEpoch), SizeIs(2));
  }
}

// A position that was set, not read, has no epoch: there is nothing to compare.
TEST(PositionValidator, APositionWithoutAnEpochIsNotValidated) {
  ElectionWorld world;
  EXPECT_TRUE(world.Do(Seek{kOrders0, Offset(2)}).ok());
  world.Data(1, 2, 1, {"c"});
  EXPECT_THAT(world.Read(), ElementsAre("c"));
  EXPECT_THAT(world.TimesOf(1, ApiKey::kOffsetForLeaderEpoch), IsEmpty());
}

// The first question is never answered; the connection is given up after 30 s, and it is asked
// again.
TEST(PositionValidator, PositionWaitsForTheValidation) {
  ElectionWorld world;
  world.Answer(1, ApiKey::kOffsetForLeaderEpoch, {std::nullopt});
  EXPECT_THAT(world.Read(), IsEmpty()) << "the position is in doubt";
  world.EpochEnds(0, 1);
  const CallResult position = world.Do(Position{kOrders0});
  ASSERT_TRUE(position.ok()) << position.error;
  EXPECT_EQ(std::get<PartitionOffsets>(position.value).rows[0].offset, Offset(1));
  EXPECT_GT(position.finished - position.started, sim::Seconds(28));
}

}  // namespace
}  // namespace kafkasim::client

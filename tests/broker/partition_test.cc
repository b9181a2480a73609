// One replica by itself: high watermark, ISR, followers, roles.
#include "broker/partition.h"

#include <gmock/gmock.h>

namespace kafkasim::broker {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

const BrokerId k0{0};
const BrokerId k1{1};
const BrokerId k2{2};
const PartitionId kId{.topic = TopicId(0), .index = 0};

// The leader on broker 0 of a partition with three replicas.
class LeaderTest : public ::testing::Test {
 protected:
  explicit LeaderTest(int64_t min_isr = 1, std::vector<BrokerId> isr = {k0, k1, k2})
      : partition_(k0, kId, TopicConfig{.min_insync_replicas = min_isr}, LogConfig{}) {
    cluster_.brokers = {k0, k1, k2};
    image_ = {.leader = k0, .replicas = {k0, k1, k2}, .isr = std::move(isr)};
    partition_.Apply(image_, Context());
  }
  PartitionContext Context() { return {.now = now_, .config = config_, .image = cluster_}; }
  void Append(int records) {
    std::vector<Record> values(static_cast<size_t>(records), Record{.value = "v"});
    ASSERT_TRUE(partition_
                    .AppendAsLeader(MakeBatch(std::move(values)), {.origin = AppendOrigin::kClient},
                                    /*acks=*/1, Context())
                    .ok());
  }
  Partition::FollowerFetch Fetch(BrokerId follower, int64_t offset, int64_t broker_epoch = 0,
                                 int32_t leader_epoch = 0, int32_t last_epoch = -1) {
    return partition_.OnFollowerFetch(follower, broker_epoch,
                                      {.partition = kId,
                                       .fetch_offset = Offset(offset),
                                       .current_leader_epoch = LeaderEpoch(leader_epoch),
                                       .last_fetched_epoch = LeaderEpoch(last_epoch)},
                                      Context());
  }
  // The controller's answer to a change.
  void Confirm(std::vector<BrokerId> isr) {
    image_.isr = std::move(isr);
    ++image_.partition_epoch;
    const auto again = partition_.OnAlterPartitionResponse(
        {.partition = kId, .error = ErrorCode::kNone, .state = image_}, Context());
    EXPECT_FALSE(again.has_value());
  }
  void Refuse(ErrorCode error) {
    EXPECT_FALSE(partition_
                     .OnAlterPartitionResponse({.partition = kId, .error = error, .state = image_},
                                               Context())
                     .has_value());
  }
  [[nodiscard]] Offset HighWatermark() const { return partition_.log().high_watermark(); }
  [[nodiscard]] const PartitionLog& log() const { return partition_.log(); }

  sim::Time now_{1'000'000};
  BrokerConfig config_;
  ClusterImage cluster_;
  PartitionImage image_;
  Partition partition_;
};

TEST_F(LeaderTest, TheSlowestMemberOfTheIsrSetsTheHighWatermark) {
  Append(5);
  EXPECT_EQ(Fetch(k1, 5).error, ErrorCode::kNone);
  EXPECT_EQ(HighWatermark(), Offset(0));
  EXPECT_EQ(Fetch(k2, 3).error, ErrorCode::kNone);
  EXPECT_EQ(HighWatermark(), Offset(3));
  EXPECT_EQ(Fetch(k2, 5).error, ErrorCode::kNone);
  EXPECT_EQ(HighWatermark(), Offset(5));
  EXPECT_EQ(Fetch(k1, 2).error, ErrorCode::kNone);
  EXPECT_EQ(HighWatermark(), Offset(5)) << "it never goes back";
}

class AloneInTheIsr : public LeaderTest {
 protected:
  AloneInTheIsr() : LeaderTest(1, {k0}) {}
};

TEST_F(AloneInTheIsr, MovesTheHighWatermarkByItsAppends) {
  Append(2);
  EXPECT_EQ(HighWatermark(), Offset(2));
}

// A follower outside the ISR that keeps up is waited for; otherwise it could never join.
TEST_F(AloneInTheIsr, WaitsForAFollowerThatIsAboutToJoin) {
  Append(2);
  const auto fetch = Fetch(k1, 2);
  ASSERT_TRUE(fetch.isr_change.has_value());
  ASSERT_EQ(fetch.isr_change->new_isr.size(), 2u);
  EXPECT_EQ(fetch.isr_change->new_isr[1].broker, k1);
  EXPECT_THAT(partition_.isr(), ElementsAre(k0));
  EXPECT_THAT(partition_.maximal_isr(), ElementsAre(k0, k1));
  Append(1);
  EXPECT_EQ(HighWatermark(), Offset(2)) << "the new member counts before it is confirmed";
  Confirm({k0, k1});
  EXPECT_THAT(partition_.isr(), ElementsAre(k0, k1));
  EXPECT_EQ(HighWatermark(), Offset(2));
  EXPECT_EQ(Fetch(k1, 3).error, ErrorCode::kNone);
  EXPECT_EQ(HighWatermark(), Offset(3));
}

TEST_F(AloneInTheIsr, ACaughtUpFollowerIsWaitedForWhileTheControllerRefusesIt) {
  Append(2);
  ASSERT_TRUE(Fetch(k1, 2).isr_change.has_value());
  Refuse(ErrorCode::kIneligibleReplica);
  EXPECT_THAT(partition_.maximal_isr(), ElementsAre(k0));
  Append(1);
  EXPECT_EQ(HighWatermark(), Offset(2));
  now_ = now_ + sim::Seconds(31);
  Append(1);
  EXPECT_EQ(HighWatermark(), Offset(4)) << "it has lagged too long";
}

TEST_F(AloneInTheIsr, AFollowerOfAFencedBrokerOrOfAnotherLifeMayNotJoin) {
  cluster_.fenced = {k1};
  EXPECT_FALSE(Fetch(k1, 0).isr_change.has_value());
  cluster_.fenced = {};
  cluster_.broker_epochs = {0, 3, 0};
  EXPECT_EQ(Fetch(k1, 0, /*broker_epoch=*/2).error, ErrorCode::kNotLeaderOrFollower)
      << "from its life before";
  EXPECT_TRUE(Fetch(k1, 0, /*broker_epoch=*/3).isr_change.has_value());
}

TEST_F(AloneInTheIsr, AFollowerJoinsOnceItHasReachedTheHighWatermark) {
  Append(4);
  EXPECT_FALSE(Fetch(k1, 3).isr_change.has_value());
  EXPECT_TRUE(Fetch(k1, 4).isr_change.has_value());
  EXPECT_FALSE(Fetch(k2, 4).isr_change.has_value()) << "one change at a time";
}

TEST_F(LeaderTest, AShrinkCountsOnlyWhenItIsConfirmed) {
  EXPECT_EQ(Fetch(k1, 0).error, ErrorCode::kNone);
  EXPECT_EQ(Fetch(k2, 0).error, ErrorCode::kNone);
  Append(2);
  EXPECT_THAT(partition_.NextLag(config_), Optional(now_ + sim::Seconds(30) + sim::Micros(1)));
  now_ = now_ + sim::Seconds(20);
  EXPECT_EQ(Fetch(k1, 2).error, ErrorCode::kNone);
  now_ = now_ + sim::Seconds(10);
  EXPECT_FALSE(partition_.MaybeShrinkIsr(Context()).has_value()) << "30 s are not too many";
  now_ = now_ + sim::Micros(1);
  const auto shrink = partition_.MaybeShrinkIsr(Context());
  ASSERT_TRUE(shrink.has_value());
  EXPECT_EQ(shrink->new_isr.size(), 2u);
  EXPECT_EQ(HighWatermark(), Offset(0));
  EXPECT_THAT(partition_.maximal_isr(), ElementsAre(k0, k1, k2));
  Confirm({k0, k1});
  EXPECT_EQ(HighWatermark(), Offset(2));
}

TEST_F(LeaderTest, AFollowerThatReachesTheEndOfItsPreviousFetchWasCaughtUpThen) {
  Append(1);
  EXPECT_EQ(Fetch(k1, 0).error, ErrorCode::kNone);  // the end is 1
  now_ = now_ + sim::Seconds(20);
  Append(1);
  EXPECT_EQ(Fetch(k1, 1).error, ErrorCode::kNone);  // reaches that 1, not the new end
  EXPECT_EQ(partition_.FindFollower(k1)->last_caught_up, sim::Time{1'000'000});
  now_ = now_ + sim::Seconds(20);
  Append(1);
  EXPECT_EQ(Fetch(k1, 2).error, ErrorCode::kNone);
  EXPECT_EQ(partition_.FindFollower(k1)->last_caught_up, sim::Time{21'000'000});
}

TEST_F(LeaderTest, APendingChangeStaysPendingUntilNewerMetadata) {
  now_ = now_ + sim::Seconds(31);
  Append(1);
  ASSERT_TRUE(partition_.MaybeShrinkIsr(Context()).has_value());
  Refuse(ErrorCode::kInvalidUpdateVersion);
  EXPECT_TRUE(partition_.isr_change_pending());
  EXPECT_FALSE(partition_.MaybeShrinkIsr(Context()).has_value());
  image_.partition_epoch = 3;
  partition_.Apply(image_, Context());
  EXPECT_FALSE(partition_.isr_change_pending());
  EXPECT_TRUE(partition_.MaybeShrinkIsr(Context()).has_value());
}

TEST_F(LeaderTest, AnUnexpectedErrorRepeatsTheChange) {
  now_ = now_ + sim::Seconds(31);
  Append(1);
  const auto first = partition_.MaybeShrinkIsr(Context());
  const auto again = partition_.OnAlterPartitionResponse(
      {.partition = kId, .error = ErrorCode::kUnknownServerError}, Context());
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->partition_epoch, first->partition_epoch);
}

class MinIsrThree : public LeaderTest {
 protected:
  MinIsrThree() : LeaderTest(3, {k0, k1}) {}
};

// Three have caught up, but the ISR of three is not confirmed yet.
TEST_F(MinIsrThree, Case31TheHighWatermarkStandsStillUntilTheIsrIsLargeEnough) {
  Append(1);
  EXPECT_EQ(Fetch(k1, 1).error, ErrorCode::kNone);
  EXPECT_EQ(HighWatermark(), Offset(0));
  const auto joins = Fetch(k2, 1);
  ASSERT_TRUE(joins.isr_change.has_value());
  EXPECT_EQ(HighWatermark(), Offset(0));
  Confirm({k0, k1, k2});
  EXPECT_EQ(HighWatermark(), Offset(1));
}

TEST_F(MinIsrThree, AppendsWithAllAcksAreRefused) {
  const auto refused = partition_.AppendAsLeader(
      MakeBatch({{.value = "v"}}), {.origin = AppendOrigin::kClient}, /*acks=*/-1, Context());
  EXPECT_EQ(CodeOf(refused.status()), ErrorCode::kNotEnoughReplicas);
}

TEST_F(LeaderTest, AnAppendIsConfirmedBelowTheHighWatermarkIfTheIsrIsStillLargeEnough) {
  Append(1);
  EXPECT_FALSE(partition_.CheckEnoughReplicasReachOffset(Offset(1)).enough);
  EXPECT_EQ(Fetch(k1, 1).error, ErrorCode::kNone);
  EXPECT_EQ(Fetch(k2, 1).error, ErrorCode::kNone);
  const Partition::AckState acked = partition_.CheckEnoughReplicasReachOffset(Offset(1));
  EXPECT_TRUE(acked.enough);
  EXPECT_EQ(acked.error, ErrorCode::kNone);
}

class MinIsrTwo : public LeaderTest {
 protected:
  MinIsrTwo() : LeaderTest(2) {}
};

TEST_F(MinIsrTwo, AnAppendIsRefusedAfterwardsIfTheIsrHasShrunkBelowTheMinimum) {
  Append(1);
  EXPECT_EQ(Fetch(k1, 1).error, ErrorCode::kNone);
  EXPECT_EQ(Fetch(k2, 1).error, ErrorCode::kNone);
  image_.isr = {k0};
  image_.partition_epoch = 1;
  partition_.Apply(image_, Context());
  EXPECT_EQ(partition_.CheckEnoughReplicasReachOffset(Offset(1)).error,
            ErrorCode::kNotEnoughReplicasAfterAppend);
}

// ---- Roles ----

TEST_F(LeaderTest, OlderMetadataIsIgnored) {
  image_.partition_epoch = 5;
  image_.isr = {k0, k1};
  partition_.Apply(image_, Context());
  PartitionImage old = image_;
  old.partition_epoch = 4;
  old.leader = k1;
  EXPECT_FALSE(partition_.Apply(old, Context()).new_epoch);
  EXPECT_TRUE(partition_.is_leader());
}

TEST_F(LeaderTest, ANewEpochBeginsAtTheEndOfTheLog) {
  Append(3);
  image_.leader_epoch = LeaderEpoch(4);
  image_.partition_epoch = 1;
  EXPECT_TRUE(partition_.Apply(image_, Context()).new_epoch);
  EXPECT_EQ(partition_.leader_epoch_start_offset(), Offset(3));
  EXPECT_EQ(log().leader_epochs().latest_epoch(), LeaderEpoch(4));
  EXPECT_EQ(Fetch(k1, 3, 0, 0).error, ErrorCode::kFencedLeaderEpoch);
  EXPECT_EQ(Fetch(k1, 3, 0, 5).error, ErrorCode::kUnknownLeaderEpoch);
  EXPECT_EQ(Fetch(BrokerId(9), 3, 0, 4).error, ErrorCode::kUnknownLeaderEpoch) << "no replica";
}

// A follower whose log has more of an old epoch than the leader's is told where to cut.
TEST_F(LeaderTest, AFollowerThatDivergesIsToldAndDoesNotCount) {
  Append(3);
  image_.leader_epoch = LeaderEpoch(1);
  image_.partition_epoch = 1;
  partition_.Apply(image_, Context());
  EXPECT_EQ(Fetch(k1, 5, 0, 1, /*last_epoch=*/0).error, ErrorCode::kNone);
  ASSERT_NE(partition_.FindFollower(k1), nullptr);
  EXPECT_EQ(partition_.NewsFor(*partition_.FindFollower(k1)), Partition::News::kAtOnce);
  EXPECT_EQ(HighWatermark(), Offset(0));
  const auto read = partition_.ReadForFollower(k1, 1'000'000, true);
  ASSERT_TRUE(read.result.diverging_epoch.has_value());
  EXPECT_EQ(read.result.diverging_epoch->epoch, LeaderEpoch(0));
  EXPECT_EQ(read.result.diverging_epoch->end_offset, Offset(3));
}

TEST_F(LeaderTest, WhatAFollowerIsToldOnceIsNoNews) {
  Append(2);
  EXPECT_EQ(Fetch(k1, 2).error, ErrorCode::kNone);
  EXPECT_EQ(Fetch(k2, 2).error, ErrorCode::kNone);
  EXPECT_EQ(partition_.NewsFor(*partition_.FindFollower(k1)), Partition::News::kGoesAlong);
  EXPECT_EQ(partition_.ReadForFollower(k1, 1'000'000, true).result.high_watermark, Offset(2));
  EXPECT_EQ(partition_.NewsFor(*partition_.FindFollower(k1)), Partition::News::kNothing);
  Append(1);
  EXPECT_EQ(partition_.NewsFor(*partition_.FindFollower(k1)), Partition::News::kAtOnce);
}

// ---- Followers ----

class FollowerTest : public ::testing::Test {
 protected:
  FollowerTest() : partition_(k1, kId, TopicConfig{}, LogConfig{}) {
    cluster_.brokers = {k0, k1};
    partition_.Apply(
        {.leader = k0, .leader_epoch = LeaderEpoch(2), .replicas = {k0, k1}, .isr = {k0, k1}},
        Context());
  }
  PartitionContext Context() { return {.now = sim::Time{}, .config = config_, .image = cluster_}; }
  static RecordBatchRef Batch(int64_t offset, int records, int32_t epoch) {
    RecordBatch batch =
        MakeBatch(std::vector<Record>(static_cast<size_t>(records), Record{.value = "v"}));
    batch.base_offset = Offset(offset);
    batch.partition_leader_epoch = LeaderEpoch(epoch);
    return std::make_shared<const RecordBatch>(std::move(batch));
  }
  void Take(RecordBatches batches, int64_t high_watermark) {
    (void)partition_.NextFetch();
    ASSERT_TRUE(partition_
                    .AppendAsFollower({.partition = kId,
                                       .high_watermark = Offset(high_watermark),
                                       .log_start_offset = Offset(0),
                                       .batches = std::move(batches)},
                                      Context())
                    .ok());
  }

  BrokerConfig config_;
  ClusterImage cluster_;
  Partition partition_;
};

TEST_F(FollowerTest, ItsHighWatermarkIsTheLeadersWithinItsOwnLog) {
  Take({Batch(0, 3, 2)}, 7);
  EXPECT_EQ(partition_.log().high_watermark(), Offset(3));
  Take({Batch(3, 2, 2)}, 4);
  EXPECT_EQ(partition_.log().high_watermark(), Offset(4));
}

TEST_F(FollowerTest, ExpectsTheAnswerToWhatItAskedLast) {
  EXPECT_FALSE(partition_.ExpectsAnswer()) << "it has not asked";
  const auto fetch = partition_.NextFetch();
  EXPECT_EQ(fetch.fetch_offset, Offset(0));
  EXPECT_EQ(fetch.current_leader_epoch, LeaderEpoch(2));
  EXPECT_TRUE(partition_.ExpectsAnswer());
  Take({Batch(0, 3, 2)}, 0);
  EXPECT_FALSE(partition_.ExpectsAnswer()) << "its position has changed";
  EXPECT_EQ(partition_.NextFetch().last_fetched_epoch, LeaderEpoch(2));
  partition_.Apply({.leader = k0,
                    .leader_epoch = LeaderEpoch(3),
                    .partition_epoch = 1,
                    .replicas = {k0, k1},
                    .isr = {k0, k1}},
                   Context());
  EXPECT_FALSE(partition_.ExpectsAnswer()) << "another epoch";
}

TEST_F(FollowerTest, CutsWhereTheLeadersEpochEnds) {
  Take({Batch(0, 3, 1), Batch(3, 2, 2), Batch(5, 2, 2)}, 2);
  EXPECT_TRUE(partition_.TruncateOnFetchResponse({.epoch = LeaderEpoch(2), .end_offset = Offset(5)},
                                                 Context()));
  EXPECT_EQ(partition_.log().log_end_offset(), Offset(5));
  EXPECT_FALSE(partition_.ExpectsAnswer()) << "it asks from there";
}

// The leader names an epoch that the follower never saw: it cuts its own later epochs and asks
// again.
TEST_F(FollowerTest, CutsStepByStepWhenItDoesNotKnowTheEpoch) {
  Take({Batch(0, 3, 0)}, 0);
  Take({Batch(3, 4, 2)}, 0);
  EXPECT_TRUE(partition_.TruncateOnFetchResponse({.epoch = LeaderEpoch(1), .end_offset = Offset(6)},
                                                 Context()));
  EXPECT_EQ(partition_.log().log_end_offset(), Offset(3));
  EXPECT_EQ(partition_.NextFetch().last_fetched_epoch, LeaderEpoch(0));
}

TEST_F(FollowerTest, OutOfRangeItCutsToTheLeadersEndIfThatIsBelowItsOwn) {
  Take({Batch(0, 3, 2), Batch(3, 4, 2)}, 0);
  EXPECT_TRUE(partition_.TruncateToLeadersEnd(Offset(3), Context()));
  EXPECT_EQ(partition_.log().log_end_offset(), Offset(3));
  EXPECT_FALSE(partition_.TruncateToLeadersEnd(Offset(3), Context()));
}

TEST_F(FollowerTest, OutOfRangeItStartsAtTheLeadersStartIfThatIsAboveItsOwnEnd) {
  Take({Batch(0, 3, 2)}, 3);
  EXPECT_FALSE(partition_.RestartAtLeadersStart(Offset(3), Context())) << "nothing is missing";
  EXPECT_TRUE(partition_.RestartAtLeadersStart(Offset(5), Context()));
  EXPECT_EQ(partition_.log().log_start_offset(), Offset(5));
  EXPECT_EQ(partition_.log().log_end_offset(), Offset(5));
  EXPECT_EQ(partition_.log().high_watermark(), Offset(5));
  const auto fetch = partition_.NextFetch();
  EXPECT_EQ(fetch.fetch_offset, Offset(5));
  EXPECT_EQ(fetch.last_fetched_epoch, kNoLeaderEpoch);
  EXPECT_EQ(fetch.log_start_offset, Offset(5));
}

}  // namespace
}  // namespace kafkasim::broker

#include "broker/leader_epoch_cache.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kafkasim::broker {
namespace {

using ::testing::ElementsAre;

EpochEntry Entry(int32_t epoch, int64_t start) { return {LeaderEpoch(epoch), Offset(start)}; }

LeaderEpochCache Cache() {
  LeaderEpochCache cache;
  cache.Assign(LeaderEpoch(2), Offset(6));
  cache.Assign(LeaderEpoch(3), Offset(8));
  cache.Assign(LeaderEpoch(5), Offset(11));
  return cache;
}

TEST(LeaderEpochCache, AnEpochEndsWhereTheNextKnownOneStarts) {
  const LeaderEpochCache cache = Cache();
  const auto end = [&](int32_t epoch) {
    return cache.EndOffsetFor(LeaderEpoch(epoch), Offset(20));
  };
  EXPECT_EQ(end(2), (EpochEndOffset{LeaderEpoch(2), Offset(8)}));
  EXPECT_EQ(end(3), (EpochEndOffset{LeaderEpoch(3), Offset(11)}));
  // Epoch 4 wrote nothing here: what it knew of the log ends with epoch 3.
  EXPECT_EQ(end(4), (EpochEndOffset{LeaderEpoch(3), Offset(11)}));
  EXPECT_EQ(end(5), (EpochEndOffset{LeaderEpoch(5), Offset(20)}));
  // Older than everything: its data is gone, the log begins after it.
  EXPECT_EQ(end(1), (EpochEndOffset{LeaderEpoch(1), Offset(6)}));
  EXPECT_EQ(end(6), EpochEndOffset{});
  EXPECT_EQ(end(-1), EpochEndOffset{});
  EXPECT_EQ(LeaderEpochCache().EndOffsetFor(LeaderEpoch(0), Offset(5)), EpochEndOffset{});
}

TEST(LeaderEpochCache, ALaterStartOfTheLatestEpochChangesNothing) {
  LeaderEpochCache cache = Cache();
  cache.Assign(LeaderEpoch(5), Offset(15));
  EXPECT_EQ(cache, Cache());
}

TEST(LeaderEpochCache, ContradictingEntriesAreDropped) {
  LeaderEpochCache cache = Cache();
  cache.Assign(LeaderEpoch(6), Offset(11));  // epoch 5 wrote nothing
  EXPECT_THAT(cache.entries(), ElementsAre(Entry(2, 6), Entry(3, 8), Entry(6, 11)));
  cache.Assign(LeaderEpoch(4), Offset(9));  // an older leader's history replaces it
  EXPECT_THAT(cache.entries(), ElementsAre(Entry(2, 6), Entry(3, 8), Entry(4, 9)));
}

TEST(LeaderEpochCache, TruncationFromTheEnd) {
  LeaderEpochCache cache = Cache();
  cache.TruncateFromEnd(Offset(12));
  EXPECT_EQ(cache, Cache());
  cache.TruncateFromEnd(Offset(11));
  EXPECT_THAT(cache.entries(), ElementsAre(Entry(2, 6), Entry(3, 8)));
  cache.TruncateFromEnd(Offset(0));
  EXPECT_EQ(cache.latest_epoch(), kNoLeaderEpoch);
}

TEST(LeaderEpochCache, TruncationFromTheStartKeepsTheEpochInForce) {
  LeaderEpochCache cache = Cache();
  cache.TruncateFromStart(Offset(6));
  EXPECT_EQ(cache, Cache());
  cache.TruncateFromStart(Offset(9));
  EXPECT_THAT(cache.entries(), ElementsAre(Entry(3, 9), Entry(5, 11)));
  cache.TruncateFromStart(Offset(40));
  EXPECT_THAT(cache.entries(), ElementsAre(Entry(5, 40)));
}

TEST(LeaderEpochCache, TheEpochOfAnOffset) {
  const LeaderEpochCache cache = Cache();
  EXPECT_EQ(cache.EpochForOffset(Offset(5)), kNoLeaderEpoch);
  EXPECT_EQ(cache.EpochForOffset(Offset(6)), LeaderEpoch(2));
  EXPECT_EQ(cache.EpochForOffset(Offset(10)), LeaderEpoch(3));
  EXPECT_EQ(cache.EpochForOffset(Offset(99)), LeaderEpoch(5));
}

}  // namespace
}  // namespace kafkasim::broker

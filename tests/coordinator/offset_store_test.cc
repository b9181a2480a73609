#include "coordinator/offset_store.h"

#include <gtest/gtest.h>

#include "tests/coordinator/values.h"

namespace kafkasim::coordinator {
namespace {

using broker::Offset;
using broker::PartitionId;
using broker::ProducerId;
using broker::TopicId;

constexpr Offset kNothingReplicated{0};
constexpr ProducerId kTen{10};
constexpr ProducerId kEleven{11};

OffsetAndMetadata OffsetAt(int64_t offset, int64_t record) {
  return {.offset = Offset(offset), .record_offset = Offset(record)};
}

int64_t Committed(const OffsetStore& store, const PartitionId& partition) {
  const OffsetStore::OfGroup* group = store.Find("g");
  if (group == nullptr || !group->committed.contains(partition)) return -1;
  return group->committed.at(partition).offset.value();
}

int64_t Replicated(const OffsetStore& store, const PartitionId& partition, int64_t high_watermark) {
  const GroupOffsets offsets = store.Replicated("g", Offset(high_watermark));
  return offsets.contains(partition) ? offsets.at(partition).offset.value() : -1;
}

TEST(OffsetStore, ReadersSeeWhatIsBelowTheHighWatermark) {
  OffsetStore store;
  store.Commit("g", kFoo0, OffsetAt(100, 0), kNothingReplicated);
  store.Commit("g", kFoo0, OffsetAt(200, 1), kNothingReplicated);
  store.Remove("g", kFoo0, Offset(2), kNothingReplicated);
  store.Commit("g", kFoo0, OffsetAt(300, 3), kNothingReplicated);
  EXPECT_EQ(Replicated(store, kFoo0, 0), -1);
  EXPECT_EQ(Replicated(store, kFoo0, 1), 100);
  EXPECT_EQ(Replicated(store, kFoo0, 2), 200);
  EXPECT_EQ(Replicated(store, kFoo0, 3), -1);
  EXPECT_EQ(Replicated(store, kFoo0, 4), 300);
  store.Forget(Offset(2));
  EXPECT_EQ(Replicated(store, kFoo0, 2), 200);
  EXPECT_EQ(Replicated(store, kFoo0, 3), -1);
  store.Forget(Offset(4));
  EXPECT_EQ(Replicated(store, kFoo0, 4), 300);
}

TEST(OffsetStore, ReplicatedChangesLeaveNoTrace) {
  OffsetStore now;
  now.Commit("g", kFoo0, OffsetAt(100, 0), Offset(1));
  now.Commit("g", kFoo0, OffsetAt(200, 1), Offset(2));
  OffsetStore direct;
  direct.Commit("g", kFoo0, OffsetAt(200, 1), Offset(2));
  EXPECT_EQ(sim::FingerprintOf(now), sim::FingerprintOf(direct));
}

TEST(OffsetStore, AMarkerCountsFromItsOwnReplication) {
  OffsetStore store;
  store.Commit("g", kFoo0, OffsetAt(100, 0), Offset(1));
  store.AddPending(kTen, "g", kFoo0, OffsetAt(150, 1));
  (void)store.EndTransaction(kTen, true, Offset(2), Offset(2));
  EXPECT_EQ(Committed(store, kFoo0), 150);
  EXPECT_EQ(Replicated(store, kFoo0, 2), 100);
  EXPECT_EQ(Replicated(store, kFoo0, 3), 150);
}

TEST(OffsetStore, ATransactionEndsForItsProducerOnly) {
  OffsetStore store;
  store.AddPending(kTen, "g", kFoo0, OffsetAt(1, 0));
  store.AddPending(kEleven, "g", kFoo0, OffsetAt(2, 1));
  store.AddPending(kEleven, "h", kFoo1, OffsetAt(3, 2));
  EXPECT_TRUE(store.IsPending("g", kFoo0));
  EXPECT_EQ(store.EndTransaction(kTen, false, Offset(3), Offset(4)).size(), 1u);
  EXPECT_TRUE(store.IsPending("g", kFoo0)) << "11 still holds it";
  EXPECT_EQ(store.EndTransaction(kEleven, true, Offset(4), Offset(5)).size(), 2u);
  EXPECT_FALSE(store.IsPending("g", kFoo0));
  EXPECT_EQ(Committed(store, kFoo0), 2);
  EXPECT_EQ(store.Find("h")->committed.at(kFoo1).offset, Offset(3));
  EXPECT_TRUE(store.EndTransaction(kEleven, true, Offset(5), Offset(6)).empty());
}

TEST(OffsetStore, ATombstoneTakesThePendingOffsetsToo) {
  OffsetStore store;
  store.Commit("g", kFoo0, OffsetAt(1, 0), Offset(9));
  store.AddPending(kTen, "g", kFoo0, OffsetAt(2, 1));
  store.AddPending(kTen, "g", kFoo1, OffsetAt(3, 2));
  store.Remove("g", kFoo0, Offset(3), Offset(9));
  EXPECT_FALSE(store.IsPending("g", kFoo0));
  EXPECT_TRUE(store.IsPending("g", kFoo1));
  (void)store.EndTransaction(kTen, true, Offset(4), Offset(9));
  EXPECT_EQ(Committed(store, kFoo0), -1);
  EXPECT_EQ(Committed(store, kFoo1), 3);
  store.Remove("g", kFoo1, Offset(5), Offset(9));
  EXPECT_EQ(store.Find("g"), nullptr);
  EXPECT_EQ(sim::FingerprintOf(store), sim::FingerprintOf(OffsetStore()));
}

}  // namespace
}  // namespace kafkasim::coordinator

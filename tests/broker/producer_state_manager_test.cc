#include "broker/producer_state_manager.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/broker/test_log.h"

namespace kafkasim::broker {
namespace {

using testing::At;
using testing::Commit;
using ::testing::ElementsAre;
using testing::Idempotent;
using ::testing::IsEmpty;
using testing::Transactional;

constexpr int64_t kNow = 0;
constexpr int64_t kExpiration = 1'000;

// Adds a batch as a log does.
void Add(ProducerStateManager& manager, const RecordBatchRef& batch) {
  const auto outcome = manager.Update(*batch);
  if (outcome.completed_txn.has_value()) manager.CompleteTxn(*outcome.completed_txn);
  manager.UpdateMapEndOffset(batch->next_offset());
}

std::vector<int64_t> SnapshotOffsets(const ProducerStateManager& manager) {
  std::vector<int64_t> offsets;
  for (const auto& snapshot : manager.snapshots()) offsets.push_back(snapshot->offset.value());
  return offsets;
}

TEST(ProducerStateManager, ASnapshotIsTakenOncePerOffset) {
  ProducerStateManager manager;
  manager.TakeSnapshot();
  EXPECT_THAT(SnapshotOffsets(manager), IsEmpty());
  Add(manager, At(0, Idempotent(7, 0, 0)));
  manager.TakeSnapshot();
  manager.TakeSnapshot();
  EXPECT_THAT(SnapshotOffsets(manager), ElementsAre(1));
}

TEST(ProducerStateManager, TruncationStartsAgainFromTheNewestSnapshotLeft) {
  ProducerStateManager manager;
  Add(manager, At(0, Idempotent(7, 0, 0)));
  Add(manager, At(1, Idempotent(7, 0, 1)));
  manager.TakeSnapshot();
  Add(manager, At(2, Transactional(8, 0, 0)));
  Add(manager, At(3, Idempotent(7, 0, 2)));
  manager.TakeSnapshot();
  EXPECT_FALSE(manager.TruncateAndReload(Offset(0), Offset(3), kNow, kExpiration));
  EXPECT_THAT(SnapshotOffsets(manager), ElementsAre(2));
  EXPECT_EQ(manager.map_end_offset(), Offset(2));
  EXPECT_THAT(manager.ongoing_txns(), IsEmpty());
  ASSERT_EQ(manager.entries().size(), 1u);
  EXPECT_EQ(manager.entries()[0].last_sequence(), Sequence(1));
  EXPECT_EQ(manager.entries()[0].batches().size(), 1u);
}

TEST(ProducerStateManager, AnOpenTransactionSurvivesInASnapshotAnUnreplicatedOneDoesNot) {
  ProducerStateManager manager;
  Add(manager, At(0, Transactional(7, 0, 0)));
  Add(manager, At(1, Transactional(8, 0, 0)));
  Add(manager, At(2, Commit(8, 0)));
  manager.TakeSnapshot();
  EXPECT_EQ(manager.unreplicated_txns().size(), 1u);
  Add(manager, At(3, Idempotent(9, 0, 0)));
  manager.TruncateAndReload(Offset(0), Offset(3), kNow, kExpiration);
  EXPECT_THAT(manager.ongoing_txns(), ElementsAre(TxnSpan{ProducerId(7), Offset(0)}));
  EXPECT_THAT(manager.unreplicated_txns(), IsEmpty());
}

TEST(ProducerStateManager, NothingIsReloadedWhenNothingWasCut) {
  ProducerStateManager manager;
  for (int i = 0; i < 3; ++i) Add(manager, At(i, Idempotent(7, 0, i)));
  manager.TruncateAndReload(Offset(0), Offset(3), kNow, kExpiration);
  EXPECT_EQ(manager.entries()[0].batches().size(), 3u);
}

TEST(ProducerStateManager, SnapshotsAtOrBelowTheLogStartGo) {
  ProducerStateManager manager;
  Add(manager, At(0, Idempotent(7, 0, 0)));
  manager.TakeSnapshot();
  Add(manager, At(1, Idempotent(7, 0, 1)));
  manager.TakeSnapshot();
  manager.TruncateAndReload(Offset(1), Offset(2), kNow, kExpiration);
  EXPECT_THAT(SnapshotOffsets(manager), ElementsAre(2));
}

TEST(ProducerStateManager, ExpiredProducersAreNotLoaded) {
  ProducerStateManager manager;
  Add(manager, At(0, Idempotent(7, 0, 0, 1, 500)));
  Add(manager, At(1, Transactional(8, 0, 0, 1, 500)));
  manager.TakeSnapshot();
  manager.DropVolatile();
  manager.TruncateAndReload(Offset(0), Offset(2), 1'500, kExpiration);
  EXPECT_EQ(manager.Find(ProducerId(7)), nullptr);
  EXPECT_NE(manager.Find(ProducerId(8)), nullptr);
}

TEST(ProducerStateManager, ATruncationBringsNoForgottenProducerBack) {
  ProducerStateManager manager;
  Add(manager, At(0, Idempotent(7, 0, 0, 1, 0)));
  Add(manager, At(1, Idempotent(7, 0, 1, 1, 0)));
  manager.RemoveExpired(5'000, kExpiration);
  EXPECT_TRUE(manager.TruncateAndReload(Offset(0), Offset(1), 5'000, kExpiration));
}

TEST(ProducerStateManager, EachUnreplicatedTransactionIsTested) {
  ProducerStateManager manager;
  Add(manager, At(0, Transactional(7, 0, 0)));
  Add(manager, At(1, Transactional(8, 0, 0)));
  Add(manager, At(2, Commit(8, 0)));  // the later transaction ends first
  Add(manager, At(3, Commit(7, 0)));
  manager.OnHighWatermarkUpdated(Offset(3));
  EXPECT_THAT(manager.unreplicated_txns(),
              ElementsAre(TxnSpan{ProducerId(7), Offset(0), Offset(3)}));
  EXPECT_EQ(manager.FirstUnstableOffset(), Offset(0));
}

}  // namespace
}  // namespace kafkasim::broker

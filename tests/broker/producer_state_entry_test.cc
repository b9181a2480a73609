#include "broker/producer_state_entry.h"

#include <gtest/gtest.h>

#include "tests/broker/test_log.h"

namespace kafkasim::broker {
namespace {

using testing::Abort;
using testing::At;
using testing::Commit;
using testing::Idempotent;
using testing::Transactional;

ProducerStateEntry Known() { return ProducerStateEntry(ProducerId(7)); }

TEST(ProducerStateEntry, RemembersTheFiveNewestBatches) {
  ProducerStateEntry entry = Known();
  for (int i = 0; i < 6; ++i) entry.AddBatch(*At(10 + i, Idempotent(7, 0, i)));
  ASSERT_EQ(entry.batches().size(), 5u);
  EXPECT_EQ(entry.batches().front().first_offset(), Offset(11));
  EXPECT_EQ(entry.last_sequence(), Sequence(5));
  EXPECT_EQ(entry.last_data_offset(), Offset(15));
}

TEST(ProducerStateEntry, ADuplicateHasTheSameEpochAndBothSequences) {
  ProducerStateEntry entry = Known();
  entry.AddBatch(*At(10, Idempotent(7, 1, 4, 3)));
  ASSERT_NE(entry.FindDuplicate(Idempotent(7, 1, 4, 3)), nullptr);
  EXPECT_EQ(entry.FindDuplicate(Idempotent(7, 1, 4, 3))->first_offset(), Offset(10));
  EXPECT_EQ(entry.FindDuplicate(Idempotent(7, 1, 4, 2)), nullptr);
  EXPECT_EQ(entry.FindDuplicate(Idempotent(7, 1, 5, 2)), nullptr);
  EXPECT_EQ(entry.FindDuplicate(Idempotent(7, 0, 4, 3)), nullptr);
}

TEST(ProducerStateEntry, ABatchAcrossTheWrapIsRecognised) {
  ProducerStateEntry entry = Known();
  const RecordBatch batch = Idempotent(7, 0, 2'147'483'646, 4);
  entry.AddBatch(*At(0, batch));
  EXPECT_EQ(entry.last_sequence(), Sequence(1));
  EXPECT_EQ(entry.batches()[0].first_sequence(), Sequence(2'147'483'646));
  EXPECT_NE(entry.FindDuplicate(batch), nullptr);
}

TEST(ProducerStateEntry, TheFirstTransactionalBatchOpensATransaction) {
  ProducerStateEntry entry = Known();
  EXPECT_FALSE(entry.AddBatch(*At(3, Idempotent(7, 0, 0))));
  EXPECT_TRUE(entry.AddBatch(*At(4, Transactional(7, 0, 1))));
  EXPECT_FALSE(entry.AddBatch(*At(5, Transactional(7, 0, 2))));
  EXPECT_EQ(entry.current_txn_first_offset(), Offset(4));
  EXPECT_TRUE(entry.HasOngoingTransaction(ProducerEpoch(0)));
  EXPECT_FALSE(entry.HasOngoingTransaction(ProducerEpoch(1)));
}

TEST(ProducerStateEntry, ANewerEpochJoinsTheOpenTransactionOfTheOlder) {
  ProducerStateEntry entry = Known();
  entry.AddBatch(*At(4, Transactional(7, 0, 0)));
  EXPECT_FALSE(entry.AddBatch(*At(5, Transactional(7, 1, 0))));
  EXPECT_EQ(entry.current_txn_first_offset(), Offset(4));
  EXPECT_EQ(entry.producer_epoch(), ProducerEpoch(1));
  EXPECT_EQ(entry.batches().size(), 1u);
}

TEST(ProducerStateEntry, AMarkerOfTheSameEpochKeepsTheSequences) {
  ProducerStateEntry entry = Known();
  entry.AddBatch(*At(0, Transactional(7, 0, 0, 3)));
  const auto txn = entry.AddMarker(*At(3, Commit(7, 0, 2)));
  EXPECT_EQ(txn, (CompletedTxn{ProducerId(7), Offset(0), Offset(3), false}));
  EXPECT_EQ(entry.last_sequence(), Sequence(2));
  EXPECT_EQ(entry.coordinator_epoch(), CoordinatorEpoch(2));
  EXPECT_EQ(entry.current_txn_first_offset(), std::nullopt);
}

TEST(ProducerStateEntry, AMarkerOfANewEpochForgetsTheSequences) {
  ProducerStateEntry entry = Known();
  entry.AddBatch(*At(0, Transactional(7, 0, 0, 3)));
  const auto txn = entry.AddMarker(*At(3, Abort(7, 1)));
  ASSERT_TRUE(txn.has_value());
  EXPECT_TRUE(txn->aborted);
  EXPECT_EQ(entry.last_sequence(), kNoSequence);
  EXPECT_EQ(entry.AddMarker(*At(4, Abort(7, 1))), std::nullopt);
}

TEST(ProducerStateEntry, ASnapshotKeepsTheNewestBatchOnly) {
  ProducerStateEntry entry = Known();
  for (int i = 0; i < 3; ++i) entry.AddBatch(*At(i, Transactional(7, 0, i)));
  const ProducerStateEntry kept = entry.ForSnapshot();
  ASSERT_EQ(kept.batches().size(), 1u);
  EXPECT_EQ(kept.batches()[0], entry.batches()[2]);
  EXPECT_EQ(kept.current_txn_first_offset(), Offset(0));
  EXPECT_NE(kept, entry);
  EXPECT_EQ(kept, kept.ForSnapshot());
}

TEST(ProducerStateEntry, WhatIsForgottenIsNoPartOfTheState) {
  ProducerStateEntry once_more = Known();
  once_more.AddBatch(*At(0, Idempotent(7, 0, 0, 9)));
  once_more.AddBatch(*At(20, Idempotent(7, 1, 0)));
  ProducerStateEntry only_new = Known();
  only_new.AddBatch(*At(20, Idempotent(7, 1, 0)));
  EXPECT_EQ(once_more, only_new);
  EXPECT_EQ(sim::FingerprintOf(once_more), sim::FingerprintOf(only_new));
}

}  // namespace
}  // namespace kafkasim::broker

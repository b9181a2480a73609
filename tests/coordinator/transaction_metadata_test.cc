#include "coordinator/transaction_metadata.h"

#include <gtest/gtest.h>

namespace kafkasim::coordinator {
namespace {

using broker::kNoProducerEpoch;
using broker::kNoProducerId;
using broker::PartitionId;
using broker::PartitionList;
using broker::ProducerEpoch;
using broker::ProducerId;
using broker::TopicId;

PartitionId P(int32_t index) { return {TopicId(2), index}; }

TransactionMetadata InStateAndEpoch(TransactionState state, int16_t epoch,
                                    PartitionList partitions = {}) {
  TransactionMetadata metadata{.transactional_id = "t"};
  metadata.value.producer_id = ProducerId(7);
  metadata.value.prev_producer_id = ProducerId(7);
  metadata.value.producer_epoch = ProducerEpoch(epoch);
  metadata.value.timeout_ms = 60'000;
  metadata.value.state = state;
  metadata.value.partitions = std::move(partitions);
  metadata.value.start_timestamp_ms = state == TransactionState::kEmpty ? -1 : 1'000;
  metadata.value.last_update_timestamp_ms = 1'000;
  return metadata;
}

TEST(PrepareIncrementProducerEpoch, WithoutExpectedEpochForgetsTheLastOne) {
  TransactionMetadata metadata = InStateAndEpoch(TransactionState::kCompleteCommit, 4);
  metadata.value.last_producer_epoch = ProducerEpoch(3);
  const TransactionValue next =
      PrepareIncrementProducerEpoch(metadata, 30'000, std::nullopt, 2'000);
  EXPECT_EQ(next.state, TransactionState::kEmpty);
  EXPECT_EQ(next.producer_epoch, ProducerEpoch(5));
  EXPECT_EQ(next.last_producer_epoch, kNoProducerEpoch);
  EXPECT_EQ(next.timeout_ms, 30'000);
  EXPECT_EQ(next.start_timestamp_ms, -1);
  EXPECT_EQ(next.last_update_timestamp_ms, 2'000);
}

TEST(PrepareIncrementProducerEpoch, WithTheCurrentEpochKeepsItAsTheLastOne) {
  const TransactionMetadata metadata = InStateAndEpoch(TransactionState::kEmpty, 4);
  const TransactionValue next =
      PrepareIncrementProducerEpoch(metadata, 60'000, ProducerEpoch(4), 2'000);
  EXPECT_EQ(next.producer_epoch, ProducerEpoch(5));
  EXPECT_EQ(next.last_producer_epoch, ProducerEpoch(4));
}

TEST(PrepareIncrementProducerEpoch, WithTheLastEpochBumpsNothing) {
  TransactionMetadata metadata = InStateAndEpoch(TransactionState::kEmpty, 4);
  metadata.value.last_producer_epoch = ProducerEpoch(3);
  const TransactionValue next =
      PrepareIncrementProducerEpoch(metadata, 60'000, ProducerEpoch(3), 2'000);
  EXPECT_EQ(next.producer_epoch, ProducerEpoch(4));
  EXPECT_EQ(next.last_producer_epoch, ProducerEpoch(3));
}

TEST(PrepareProducerIdRotation, BeginsAtEpochZeroAndRemembersThePreviousId) {
  const TransactionMetadata metadata = InStateAndEpoch(TransactionState::kEmpty, 32766);
  const TransactionValue next =
      PrepareProducerIdRotation(metadata, ProducerId(8), 60'000, 2'000, true);
  EXPECT_EQ(next.producer_id, ProducerId(8));
  EXPECT_EQ(next.prev_producer_id, ProducerId(7));
  EXPECT_EQ(next.producer_epoch, ProducerEpoch(0));
  EXPECT_EQ(next.last_producer_epoch, ProducerEpoch(32766));
  EXPECT_EQ(
      PrepareProducerIdRotation(metadata, ProducerId(8), 60'000, 2'000, false).last_producer_epoch,
      kNoProducerEpoch);
}

TEST(PrepareAddPartitions, KeepsPartitionsSortedAndUnique) {
  const TransactionMetadata metadata = InStateAndEpoch(TransactionState::kOngoing, 0, {P(1), P(3)});
  const TransactionValue next = PrepareAddPartitions(metadata, {P(3), P(2), P(0), P(2)}, 2'000, 0);
  EXPECT_EQ(next.partitions, (PartitionList{P(0), P(1), P(2), P(3)}));
}

TEST(PrepareAddPartitions, StartsTheClockOnlyWhenNothingWasOpen) {
  for (const auto state : {TransactionState::kEmpty, TransactionState::kCompleteCommit,
                           TransactionState::kCompleteAbort}) {
    EXPECT_EQ(PrepareAddPartitions(InStateAndEpoch(state, 0), {P(0)}, 2'000, 0).start_timestamp_ms,
              2'000);
  }
  EXPECT_EQ(PrepareAddPartitions(InStateAndEpoch(TransactionState::kOngoing, 0), {P(0)}, 2'000, 0)
                .start_timestamp_ms,
            1'000);
}

TEST(PrepareFenceProducerEpoch, BumpsOnceHoweverOftenTheRecordFails) {
  TransactionMetadata metadata = InStateAndEpoch(TransactionState::kOngoing, 4);
  EXPECT_EQ(PrepareFenceProducerEpoch(metadata).producer_epoch, ProducerEpoch(5));
  metadata.value.producer_epoch = ProducerEpoch(5);
  metadata.has_failed_epoch_fence = true;
  EXPECT_EQ(PrepareFenceProducerEpoch(metadata).producer_epoch, ProducerEpoch(5));
}

TEST(PrepareFenceProducerEpoch, NeverOverflows) {
  const TransactionMetadata metadata = InStateAndEpoch(TransactionState::kOngoing, 32767);
  EXPECT_EQ(PrepareFenceProducerEpoch(metadata).producer_epoch, ProducerEpoch(32767));
}

TEST(PrepareAbortOrCommit, KeepsTheEpochForTV1AndBumpsItForTV2) {
  const TransactionMetadata metadata = InStateAndEpoch(TransactionState::kOngoing, 4, {P(0)});
  const TransactionValue tv1 =
      PrepareAbortOrCommit(metadata, TransactionCause::kEndTxnCommit, 0, kNoProducerId, 2'000);
  EXPECT_EQ(tv1.state, TransactionState::kPrepareCommit);
  EXPECT_EQ(tv1.producer_epoch, ProducerEpoch(4));
  EXPECT_EQ(tv1.last_producer_epoch, kNoProducerEpoch);
  const TransactionValue tv2 =
      PrepareAbortOrCommit(metadata, TransactionCause::kEndTxnAbort, 2, kNoProducerId, 2'000);
  EXPECT_EQ(tv2.state, TransactionState::kPrepareAbort);
  EXPECT_EQ(tv2.producer_epoch, ProducerEpoch(5));
  EXPECT_EQ(tv2.last_producer_epoch, ProducerEpoch(4));
  EXPECT_EQ(tv2.client_transaction_version, 2);
  EXPECT_EQ(tv2.partitions, metadata.value.partitions);
  EXPECT_EQ(tv2.start_timestamp_ms, 1'000);
}

TEST(PrepareAbortOrCommit, AnEmptyAbortStartsNow) {
  const TransactionValue next =
      PrepareAbortOrCommit(InStateAndEpoch(TransactionState::kEmpty, 4),
                           TransactionCause::kEmptyAbort, 2, kNoProducerId, 2'000);
  EXPECT_EQ(next.state, TransactionState::kPrepareAbort);
  EXPECT_EQ(next.start_timestamp_ms, 2'000);
}

TEST(PrepareAbortOrCommit, LetsAnAbortAt32767ThroughWithoutABump) {
  const TransactionValue next =
      PrepareAbortOrCommit(InStateAndEpoch(TransactionState::kOngoing, 32767),
                           TransactionCause::kAbortFenced, 2, ProducerId(8), 2'000);
  EXPECT_EQ(next.producer_epoch, ProducerEpoch(32767));
  EXPECT_EQ(next.next_producer_id, ProducerId(8));
}

TEST(PrepareComplete, TakesOverTheReservedProducerId) {
  TransactionMetadata metadata = InStateAndEpoch(TransactionState::kOngoing, 32766, {P(0)});
  SetPending(metadata, PrepareAbortOrCommit(metadata, TransactionCause::kEndTxnCommit, 2,
                                            ProducerId(8), 2'000));
  Complete(metadata);
  EXPECT_EQ(metadata.value.producer_epoch, ProducerEpoch(32767));
  SetPending(metadata, PrepareComplete(metadata, 3'000));
  Complete(metadata);
  EXPECT_EQ(metadata.value.state, TransactionState::kCompleteCommit);
  EXPECT_EQ(metadata.value.producer_id, ProducerId(8));
  EXPECT_EQ(metadata.value.prev_producer_id, ProducerId(7));
  EXPECT_EQ(metadata.value.next_producer_id, kNoProducerId);
  EXPECT_EQ(metadata.value.producer_epoch, ProducerEpoch(0));
  EXPECT_EQ(metadata.value.last_producer_epoch, ProducerEpoch(32766));
}

TEST(PrepareComplete, ForgetsThePartitionsAndAFailedFence) {
  TransactionMetadata metadata = InStateAndEpoch(TransactionState::kPrepareAbort, 4, {P(0), P(1)});
  metadata.has_failed_epoch_fence = true;
  RemovePartition(metadata, P(0));
  EXPECT_EQ(metadata.value.partitions, PartitionList{P(1)});
  SetPending(metadata, PrepareComplete(metadata, 3'000));
  EXPECT_FALSE(metadata.has_failed_epoch_fence);
  Complete(metadata);
  EXPECT_EQ(metadata.value.state, TransactionState::kCompleteAbort);
  EXPECT_TRUE(metadata.value.partitions.empty());
  EXPECT_EQ(metadata.value.producer_epoch, ProducerEpoch(4));
}

TEST(TransactionMetadata, APendingChangeLeavesTheCurrentValueUntilItIsComplete) {
  TransactionMetadata metadata = InStateAndEpoch(TransactionState::kEmpty, 0);
  SetPending(metadata, PrepareAddPartitions(metadata, {P(0)}, 2'000, 0));
  EXPECT_EQ(metadata.value.state, TransactionState::kEmpty);
  EXPECT_EQ(metadata.pending->state, TransactionState::kOngoing);
  ClearPending(metadata);
  EXPECT_EQ(metadata, InStateAndEpoch(TransactionState::kEmpty, 0));
}

using TransactionMetadataDeathTest = ::testing::Test;

TEST(TransactionMetadataDeathTest, OneChangeAtATime) {
  TransactionMetadata metadata = InStateAndEpoch(TransactionState::kEmpty, 0);
  SetPending(metadata, PrepareAddPartitions(metadata, {P(0)}, 2'000, 0));
  EXPECT_EXIT(SetPending(metadata, PrepareDead(metadata)), ::testing::ExitedWithCode(4),
              "one change of a transaction at a time");
}

TEST(TransactionMetadataDeathTest, AStepThatTheTableDoesNotHaveIsABug) {
  EXPECT_EXIT((void)PrepareAddPartitions(InStateAndEpoch(TransactionState::kPrepareCommit, 0),
                                         {P(0)}, 0, 0),
              ::testing::ExitedWithCode(4), "by a step of the table only");
  EXPECT_EXIT((void)PrepareDead(InStateAndEpoch(TransactionState::kOngoing, 0)),
              ::testing::ExitedWithCode(4), "by a step of the table only");
}

TEST(TransactionMetadataDeathTest, AValueThatDoesNotFollowIsABug) {
  TransactionMetadata metadata = InStateAndEpoch(TransactionState::kOngoing, 0, {P(0)});
  TransactionValue other = PrepareAddPartitions(metadata, {P(1)}, 2'000, 0);
  other.producer_epoch = ProducerEpoch(3);
  SetPending(metadata, other);
  EXPECT_EXIT(Complete(metadata), ::testing::ExitedWithCode(4), "follows from what it changes");
}

}  // namespace
}  // namespace kafkasim::coordinator

// Numbered conformance cases of one partition log: last stable offset, aborted index, reading.
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/broker/test_log.h"

namespace kafkasim::broker {
namespace {

using testing::Abort;
using testing::Commit;
using ::testing::ElementsAre;
using testing::Idempotent;
using ::testing::IsEmpty;
using testing::Plain;
using testing::TestLog;
using testing::Transactional;

constexpr auto kLogEnd = FetchIsolation::kLogEnd;
constexpr auto kUncommitted = FetchIsolation::kHighWatermark;
constexpr auto kTxnCommitted = FetchIsolation::kTxnCommitted;

// The row of a table of offsets: LEO, HW, LSO, and where both kinds of consumers stop.
std::vector<int64_t> Row(const TestLog& t) {
  return {t.end(), t.log.high_watermark().value(), t.lso(), t.log.ReadBound(kUncommitted).value(),
          t.log.ReadBound(kTxnCommitted).value()};
}

TEST(Conformance, Case21ATransactionIsStableOnceItsMarkerIsReplicated) {
  TestLog t;
  const auto& producers = t.log.producers();
  t.Send(Transactional(1, 0, 0, 3));
  EXPECT_THAT(Row(t), ElementsAre(3, 0, 0, 0, 0));
  EXPECT_EQ(producers.ongoing_txns().size(), 1u);

  t.ReplicateTo(3);
  EXPECT_THAT(Row(t), ElementsAre(3, 3, 0, 3, 0));

  t.Send(Commit(1, 0));
  EXPECT_THAT(Row(t), ElementsAre(4, 3, 0, 3, 0));
  EXPECT_THAT(producers.ongoing_txns(), IsEmpty());
  ASSERT_EQ(producers.unreplicated_txns().size(), 1u);
  EXPECT_EQ(producers.unreplicated_txns()[0], (TxnSpan{ProducerId(1), Offset(0), Offset(3)}));

  t.ReplicateTo(4);
  EXPECT_THAT(Row(t), ElementsAre(4, 4, 4, 4, 4));
  EXPECT_THAT(producers.unreplicated_txns(), IsEmpty());
}

TEST(Conformance, Case22LatestOffsetByIsolation) {
  TestLog t;
  const auto query = [&](int64_t timestamp, FetchIsolation isolation) {
    return t.log.ListOffsets(timestamp, isolation, Offset(0))->offset.value();
  };
  for (int sequence = 0; sequence < 3; ++sequence) t.Send(Transactional(1, 0, sequence));
  EXPECT_EQ(query(-1, kLogEnd), 3);
  EXPECT_EQ(query(-1, kUncommitted), 0);
  EXPECT_EQ(query(-1, kTxnCommitted), 0);
  t.ReplicateTo(1);
  EXPECT_EQ(query(-1, kLogEnd), 3);
  EXPECT_EQ(query(-1, kUncommitted), 1);
  EXPECT_EQ(query(-1, kTxnCommitted), 0);
  for (const auto isolation : {kLogEnd, kUncommitted, kTxnCommitted}) {
    EXPECT_EQ(query(-2, isolation), 0);
  }
}

TEST(Conformance, Case23TransactionsBecomeStableInTheOrderOfTheirBeginning) {
  TestLog t;
  t.Send(Transactional(1, 0, 0, 5));
  t.Send(Plain(3));
  EXPECT_EQ(t.Send(Transactional(2, 0, 0, 2)), 8);
  t.Send(Transactional(1, 0, 5, 4));
  t.Send(Plain(2));
  t.Send(Transactional(1, 0, 9, 10));
  t.Replicate();
  EXPECT_EQ(t.lso(), 0);
  t.Send(Commit(1, 0));
  EXPECT_EQ(t.lso(), 0);
  t.Replicate();
  EXPECT_EQ(t.lso(), 8);
  t.Send(Abort(2, 0));
  EXPECT_EQ(t.lso(), 8);
  t.Replicate();
  EXPECT_EQ(t.lso(), t.end());
}

TEST(Conformance, Case24UndecidedAndUnstableOffsetsOfTwoProducers) {
  TestLog t;
  t.Send(Plain(99));
  EXPECT_EQ(t.Send(Transactional(1, 0, 0)), 99);
  t.Send(Plain(5));
  EXPECT_EQ(t.Send(Transactional(2, 0, 0)), 105);
  t.Send(Plain(3));
  const auto undecided = [&] { return t.log.producers().FirstUndecidedOffset(); };
  const auto unstable = [&] { return t.log.first_unstable_offset(); };
  EXPECT_EQ(undecided(), Offset(99));

  EXPECT_EQ(t.Send(Commit(1, 0)), 109);
  EXPECT_EQ(undecided(), Offset(105));
  EXPECT_EQ(unstable(), Offset(99));
  t.ReplicateTo(100);
  EXPECT_EQ(unstable(), Offset(99));
  t.ReplicateTo(110);
  EXPECT_EQ(unstable(), Offset(105));

  t.Send(Plain(2));
  EXPECT_EQ(t.Send(Abort(2, 0)), 112);
  EXPECT_EQ(undecided(), std::nullopt);
  EXPECT_EQ(unstable(), Offset(105));
  t.ReplicateTo(113);
  EXPECT_EQ(unstable(), std::nullopt);
}

TEST(Conformance, Case25TheIndexHoldsAbortedTransactionsOnly) {
  TestLog t;
  t.Send(Transactional(1, 0, 0, 5));                  // 0
  t.Send(Plain(3));                                   // 5
  EXPECT_EQ(t.Send(Transactional(2, 0, 0, 12)), 8);   // 8
  EXPECT_EQ(t.Send(Transactional(3, 0, 0, 9)), 20);   // 20
  EXPECT_EQ(t.Send(Abort(1, 0)), 29);                 // 29
  t.Send(Transactional(3, 0, 9, 6));                  // 30
  EXPECT_EQ(t.Send(Transactional(4, 0, 0, 22)), 36);  // 36
  EXPECT_EQ(t.Send(Commit(3, 0)), 58);                // 58
  t.Send(Transactional(2, 0, 12, 15));                // 59
  EXPECT_EQ(t.Send(Abort(2, 0)), 74);                 // 74
  const auto unstable = [&] { return t.log.first_unstable_offset(); };
  EXPECT_THAT(t.log.aborted_txns(),
              ElementsAre(AbortedTxn{ProducerId(1), Offset(0), Offset(29), Offset(8)},
                          AbortedTxn{ProducerId(2), Offset(8), Offset(74), Offset(36)}));
  t.ReplicateTo(30);
  EXPECT_EQ(unstable(), Offset(8));
  t.ReplicateTo(75);
  EXPECT_EQ(unstable(), Offset(36));
  t.Send(Commit(4, 0));
  t.Replicate();
  EXPECT_EQ(unstable(), std::nullopt);
  EXPECT_EQ(t.log.aborted_txns().size(), 2u);
}

TEST(Conformance, Case26SearchingTheIndex) {
  TransactionIndex index;
  const std::vector<AbortedTxn> txns{{ProducerId(0), Offset(0), Offset(10), Offset(11)},
                                     {ProducerId(1), Offset(5), Offset(15), Offset(13)},
                                     {ProducerId(2), Offset(18), Offset(35), Offset(25)},
                                     {ProducerId(3), Offset(32), Offset(50), Offset(40)}};
  for (const AbortedTxn& txn : txns) index.Append(txn);
  std::vector<AbortedTxn> found;
  const auto complete = [&](int64_t from, int64_t to) {
    found.clear();
    return index.CollectAbortedTxns(Offset(from), Offset(to), found);
  };
  EXPECT_FALSE(complete(0, 100));
  EXPECT_EQ(found, txns);
  EXPECT_TRUE(complete(0, 32));
  EXPECT_THAT(found, ElementsAre(txns[0], txns[1], txns[2]));
  EXPECT_TRUE(complete(10, 35));
  EXPECT_EQ(found, txns);
  EXPECT_TRUE(complete(11, 35));
  EXPECT_THAT(found, ElementsAre(txns[1], txns[2], txns[3]));
  EXPECT_FALSE(complete(20, 41));
  EXPECT_THAT(found, ElementsAre(txns[2], txns[3]));
}

TEST(Conformance, Case27AnAbortedTransactionOverTwoSegments) {
  TestLog t;
  t.Send(Transactional(1, 0, 0, 5));
  t.log.Roll();
  t.Send(Transactional(1, 0, 5, 5));
  t.Send(Abort(1, 0));
  t.Replicate();
  ASSERT_THAT(t.log.segment_base_offsets(), ElementsAre(Offset(0), Offset(5)));
  const ReadResult result = t.Read(0, kTxnCommitted);
  ASSERT_EQ(result.batches.size(), 1u);  // of the first segment only
  ASSERT_EQ(result.aborted.size(), 1u);
  EXPECT_EQ(result.aborted[0].producer_id, ProducerId(1));
  EXPECT_EQ(result.aborted[0].first_offset, Offset(0));
}

TEST(Conformance, Case28RecordsDeletedInsideAnOpenTransaction) {
  TestLog t;
  for (int sequence = 0; sequence < 8; ++sequence) t.Send(Transactional(1, 0, sequence));
  t.Replicate();
  EXPECT_EQ(t.log.first_unstable_offset(), Offset(0));
  ASSERT_TRUE(t.log.MaybeIncrementLogStartOffset(Offset(5)).ok());
  EXPECT_EQ(t.log.first_unstable_offset(), Offset(5));
  EXPECT_EQ(t.lso(), 5);
}

TEST(Conformance, Case29TruncationBelowAnOpenTransaction) {
  TestLog t;
  t.Send(Idempotent(2, 0, 0, 3));
  EXPECT_EQ(t.Send(Transactional(1, 0, 0)), 3);
  EXPECT_EQ(t.log.first_unstable_offset(), Offset(3));
  ASSERT_TRUE(t.log.TruncateTo(Offset(0), 0));
  EXPECT_THAT(t.log.producers().entries(), IsEmpty());
  EXPECT_EQ(t.log.first_unstable_offset(), std::nullopt);
}

TEST(Conformance, Case30ReadCommittedSeesATransactionOnceItsMarkerIsReplicated) {
  TestLog t;
  t.Send(Transactional(1, 0, 0, 3));
  t.Replicate();
  EXPECT_THAT(t.Read(0, kTxnCommitted).batches, IsEmpty());
  EXPECT_THAT(t.Read(0, kTxnCommitted).aborted, IsEmpty());
  EXPECT_EQ(t.lso(), 0);
  EXPECT_EQ(t.Read(0, kUncommitted).batches.size(), 1u);

  t.Send(Commit(1, 0));
  EXPECT_THAT(t.Read(0, kTxnCommitted).batches, IsEmpty());
  t.Replicate();
  const ReadResult result = t.Read(0, kTxnCommitted);
  ASSERT_EQ(result.batches.size(), 2u);
  EXPECT_TRUE(result.batches[1]->is_control());
  EXPECT_THAT(result.aborted, IsEmpty());
  EXPECT_EQ(t.lso(), 4);
}

}  // namespace
}  // namespace kafkasim::broker

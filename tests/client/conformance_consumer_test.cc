// The numbered cases of Kafka's own tests about what a consumer delivers (CompletedFetchTest,
// FetcherTest): the client's filter, fed with what a broker sends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/completed_fetch.h"
#include "client/subscription_state.h"

namespace kafkasim::client {
namespace {

using broker::ControlType;
using broker::IsolationLevel;
using broker::Offset;
using broker::ProducerId;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr int32_t kAll = 500;

// A fetched partition, batch by batch.
class Fetched {
 public:
  Fetched() {
    result_.partition = {broker::TopicId(0), 0};
    result_.aborted_transactions.emplace();
  }

  Fetched& Data(int64_t offset, int64_t producer, std::vector<std::string> values) {
    std::vector<broker::Record> records;
    for (std::string& value : values) records.push_back({.value = std::move(value)});
    broker::RecordBatch batch = broker::MakeBatch(std::move(records));
    batch.base_offset = Offset(offset);
    batch.producer_id = ProducerId(producer);
    batch.transactional = producer >= 0;
    return Add(std::move(batch));
  }
  Fetched& Marker(int64_t offset, int64_t producer, ControlType type) {
    broker::RecordBatch batch = broker::MakeMarkerBatch(
        ProducerId(producer), broker::ProducerEpoch(0), {.type = type}, /*timestamp_ms=*/0);
    batch.base_offset = Offset(offset);
    return Add(std::move(batch));
  }
  Fetched& Aborted(int64_t producer, int64_t first_offset) {
    result_.aborted_transactions->push_back({ProducerId(producer), Offset(first_offset)});
    return *this;
  }
  // read_uncommitted: there is no list.
  Fetched& WithoutList() {
    result_.aborted_transactions.reset();
    return *this;
  }

  CompletedFetch At(int64_t offset) const { return {result_, Offset(offset)}; }

 private:
  Fetched& Add(broker::RecordBatch batch) {
    result_.batches.push_back(std::make_shared<const broker::RecordBatch>(std::move(batch)));
    return *this;
  }

  broker::FetchResponse::PartitionResult result_;
};

std::vector<std::string> Take(CompletedFetch& fetch, IsolationLevel level, int32_t most = kAll) {
  std::vector<ConsumedRecord> records;
  std::vector<CompletedFetch::Skipped> skipped;
  fetch.Take({.isolation_level = level}, most, records, skipped);
  std::vector<std::string> values;
  for (const ConsumedRecord& record : records) values.push_back(*record.value);
  return values;
}

Fetched TenRecordsAborted() {
  Fetched fetched;
  for (int64_t i = 0; i < 10; ++i) fetched.Data(i, 1, {std::to_string(i)});
  return fetched.Marker(10, 1, ControlType::kAbort).Aborted(1, 0);
}

TEST(ConformanceConsumer, Case32AbortedRecordsAreSkippedUnderReadCommitted) {
  CompletedFetch fetch = TenRecordsAborted().At(0);
  EXPECT_THAT(Take(fetch, IsolationLevel::kReadCommitted), IsEmpty());
  EXPECT_EQ(fetch.next_fetch_offset(), Offset(11));
  EXPECT_TRUE(fetch.exhausted());
}

TEST(ConformanceConsumer, Case32ReadUncommittedGetsAbortedRecordsAndPassesTheMarker) {
  CompletedFetch fetch = TenRecordsAborted().WithoutList().At(0);
  EXPECT_THAT(Take(fetch, IsolationLevel::kReadUncommitted), SizeIs(10));
  EXPECT_EQ(fetch.next_fetch_offset(), Offset(11));
}

TEST(ConformanceConsumer, Case32ALimitOfExactlyTheRecordsLeavesThePositionOnTheMarker) {
  CompletedFetch fetch = TenRecordsAborted().WithoutList().At(0);
  EXPECT_THAT(Take(fetch, IsolationLevel::kReadUncommitted, 10), SizeIs(10));
  EXPECT_EQ(fetch.next_fetch_offset(), Offset(10));
  EXPECT_FALSE(fetch.exhausted());
  EXPECT_THAT(Take(fetch, IsolationLevel::kReadUncommitted, 10), IsEmpty());
  EXPECT_EQ(fetch.next_fetch_offset(), Offset(11));
}

TEST(ConformanceConsumer, Case33TwoInterleavedProducersOfWhomEachAbortsOnce) {
  CompletedFetch fetch = Fetched()
                             .Data(0, 1, {"commit1-1", "commit1-2"})
                             .Data(2, 2, {"abort2-1"})
                             .Marker(3, 1, ControlType::kCommit)
                             .Data(4, 2, {"abort2-2"})
                             .Marker(5, 2, ControlType::kAbort)
                             .Data(6, 1, {"abort1-1"})
                             .Data(7, 2, {"commit2-1"})
                             .Data(8, 1, {"abort1-2"})
                             .Marker(9, 1, ControlType::kAbort)
                             .Marker(10, 2, ControlType::kCommit)
                             .Aborted(2, 2)
                             .Aborted(1, 6)
                             .At(0);
  EXPECT_THAT(Take(fetch, IsolationLevel::kReadCommitted),
              ElementsAre("commit1-1", "commit1-2", "commit2-1"));
  EXPECT_EQ(fetch.next_fetch_offset(), Offset(11));
}

TEST(ConformanceConsumer, Case33TheListMayComeInTheOrderOfMarkers) {
  CompletedFetch fetch = Fetched()
                             .Data(0, 1, {"a"})
                             .Data(1, 2, {"b"})
                             .Marker(2, 2, ControlType::kAbort)
                             .Marker(3, 1, ControlType::kAbort)
                             .Aborted(2, 1)
                             .Aborted(1, 0)
                             .At(0);
  EXPECT_THAT(Take(fetch, IsolationLevel::kReadCommitted), IsEmpty());
}

TEST(ConformanceConsumer, Case34ASecondAbortMarkerDoesNotHideACommittedTransaction) {
  CompletedFetch fetch = Fetched()
                             .Data(0, 1, {"abort1", "abort2"})
                             .Marker(2, 1, ControlType::kAbort)
                             .Marker(3, 1, ControlType::kAbort)
                             .Data(4, 1, {"commit1", "commit2"})
                             .Marker(6, 1, ControlType::kCommit)
                             .Aborted(1, 0)
                             .At(0);
  EXPECT_THAT(Take(fetch, IsolationLevel::kReadCommitted), ElementsAre("commit1", "commit2"));
  EXPECT_EQ(fetch.next_fetch_offset(), Offset(7));
}

TEST(ConformanceConsumer, Case35AListedTransactionWhoseDataIsGoneHidesNothingLater) {
  CompletedFetch fetch = Fetched()
                             .Marker(5, 1, ControlType::kAbort)
                             .Data(6, 1, {"6", "7", "8"})
                             .Marker(9, 1, ControlType::kCommit)
                             .Aborted(1, 0)
                             .At(5);
  EXPECT_THAT(Take(fetch, IsolationLevel::kReadCommitted), ElementsAre("6", "7", "8"));
}

TEST(ConformanceConsumer, Case36WithoutAListAMarkerIsStillNotDelivered) {
  CompletedFetch fetch =
      Fetched().Data(0, 1, {"a"}).Marker(1, 1, ControlType::kAbort).WithoutList().At(0);
  EXPECT_THAT(Take(fetch, IsolationLevel::kReadUncommitted), ElementsAre("a"));
  EXPECT_EQ(fetch.next_fetch_offset(), Offset(2));
}

TEST(ConformanceConsumer, Case37OnlyAbortedDataAdvancesThePosition) {
  CompletedFetch fetch =
      Fetched().Data(0, 1, {"a", "b"}).Marker(2, 1, ControlType::kAbort).Aborted(1, 0).At(0);
  EXPECT_THAT(Take(fetch, IsolationLevel::kReadCommitted), IsEmpty());
  EXPECT_EQ(fetch.next_fetch_offset(), Offset(3));
}

TEST(ConformanceConsumer, Case38AnEmptyBatchInFrontIsNoError) {
  // What compaction leaves of an aborted batch: its header, over two offsets.
  broker::FetchResponse::PartitionResult result;
  broker::RecordBatch header = broker::MakeBatch({});
  header.last_offset_delta = 1;
  header.producer_id = ProducerId(1);
  header.transactional = true;
  result.batches = {std::make_shared<const broker::RecordBatch>(header)};
  broker::RecordBatch data = broker::MakeBatch({{.value = "a"}});
  data.base_offset = Offset(2);
  result.batches.push_back(std::make_shared<const broker::RecordBatch>(data));
  CompletedFetch fetch(result, Offset(0));
  EXPECT_THAT(Take(fetch, IsolationLevel::kReadCommitted), ElementsAre("a"));
  EXPECT_EQ(fetch.next_fetch_offset(), Offset(3));
}

TEST(ConformanceConsumer, Case39LagUnderReadCommittedIsCountedToTheLastStableOffset) {
  SubscriptionState state({{broker::TopicId(0), 0}});
  AssignedPartition& partition = state.partitions()[0];
  EXPECT_EQ(state.LagOf(partition, IsolationLevel::kReadCommitted), std::nullopt);
  state.Seek(partition, Offset(0));
  partition.high_watermark = Offset(100);
  partition.last_stable_offset = Offset(50);
  EXPECT_EQ(state.LagOf(partition, IsolationLevel::kReadCommitted), 50);
  EXPECT_EQ(state.LagOf(partition, IsolationLevel::kReadUncommitted), 100);
  partition.last_stable_offset = Offset(150);
  state.Seek(partition, Offset(3));
  EXPECT_EQ(state.LagOf(partition, IsolationLevel::kReadCommitted), 147);
}

TEST(CompletedFetch, ABatchThatBeginsBeforeThePositionIsDeliveredFromThePositionOn) {
  CompletedFetch fetch = Fetched().Data(0, -1, {"a", "b", "c"}).At(1);
  EXPECT_THAT(Take(fetch, IsolationLevel::kReadCommitted), ElementsAre("b", "c"));
}

TEST(CompletedFetch, PlainRecordsOfAnAbortedProducerAreDelivered) {
  broker::FetchResponse::PartitionResult result;
  result.aborted_transactions.emplace().push_back({ProducerId(1), Offset(0)});
  broker::RecordBatch plain = broker::MakeBatch({{.value = "plain"}});
  plain.producer_id = ProducerId(1);
  result.batches = {std::make_shared<const broker::RecordBatch>(plain)};
  CompletedFetch fetch(result, Offset(0));
  EXPECT_THAT(Take(fetch, IsolationLevel::kReadCommitted), ElementsAre("plain"));
}

TEST(CompletedFetch, AnEmptyAnswerLeavesThePositionAlone) {
  CompletedFetch fetch = Fetched().At(5);
  EXPECT_THAT(Take(fetch, IsolationLevel::kReadCommitted), IsEmpty());
  EXPECT_EQ(fetch.next_fetch_offset(), Offset(5));
  EXPECT_TRUE(fetch.exhausted());
}

}  // namespace
}  // namespace kafkasim::client

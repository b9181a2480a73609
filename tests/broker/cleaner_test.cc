// What one pass of the cleaner leaves of a compacted log.
#include "broker/cleaner.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <fmt/format.h>

#include "tests/broker/test_log.h"

namespace kafkasim::broker {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::Marker;

constexpr int64_t kHour = 3'600'000;

// A record "k=v"; "k=" is a tombstone.
RecordBatch Records(const std::vector<std::string>& texts, int64_t producer_id = -1,
                    int32_t sequence = 0) {
  std::vector<Record> records;
  for (const std::string& text : texts) {
    Record record{.key = text.substr(0, 1), .value = text.substr(2)};
    if (record.value->empty()) record.value.reset();
    records.push_back(std::move(record));
  }
  RecordBatch batch = MakeBatch(std::move(records));
  if (producer_id == -1) return batch;
  batch.producer_id = ProducerId(producer_id);
  batch.producer_epoch = ProducerEpoch(0);
  batch.base_sequence = Sequence(sequence);
  batch.transactional = true;
  return batch;
}

// "0:k=v1", "1:COMMIT", "2:-" for a batch without records, with "+" where a delete horizon is set.
std::vector<std::string> Texts(const std::vector<RecordBatchRef>& batches) {
  std::vector<std::string> texts;
  for (const RecordBatchRef& batch : batches) {
    const char* horizon = batch->delete_horizon_ms.has_value() ? "+" : "";
    if (batch->marker.has_value()) {
      texts.push_back(
          fmt::format("{}:{}{}", batch->base_offset, Name(batch->marker->type), horizon));
    } else if (batch->records->empty()) {
      texts.push_back(fmt::format("{}..{}:-{}", batch->base_offset, batch->last_offset(),
                                  batch->is_control() ? "control" : ""));
    }
    for (const Record& record : *batch->records) {
      texts.push_back(fmt::format("{}:{}={}{}", batch->base_offset + record.offset_delta,
                                  *record.key, record.value.value_or(""), horizon));
    }
  }
  return texts;
}

// A log that grows by batches, and passes over all of it.
struct Log {
  std::vector<RecordBatchRef> batches;
  std::vector<AbortedTxn> aborted;
  std::vector<ProducerStateEntry> producers;
  Offset first_dirty{0};
  Offset end{0};
  Bugs bugs{};

  void Add(const RecordBatch& batch) {
    batches.push_back(testing::At(end.value(), batch));
    end = batches.back()->next_offset();
  }
  void Commit(int64_t producer_id) { Add(Marker(ControlType::kCommit, producer_id, 0)); }
  void Abort(int64_t producer_id, int64_t first_offset) {
    aborted.push_back({ProducerId(producer_id), Offset(first_offset), end, end + 1});
    Add(Marker(ControlType::kAbort, producer_id, 0));
  }
  CleanedBatches Pass(int64_t now_ms = 0) {
    CleanedBatches cleaned = Clean({.batches = batches,
                                    .aborted = aborted,
                                    .producers = producers,
                                    .first_dirty = first_dirty,
                                    .end = end + 1,  // so that the last batch has no privilege
                                    .now_ms = now_ms,
                                    .delete_retention_ms = kHour,
                                    .bugs = bugs});
    batches = cleaned.batches;
    aborted = cleaned.aborted;
    first_dirty = end;
    return cleaned;
  }
};

TEST(Cleaner, KeepsTheLatestRecordOfEachKey) {
  Log log;
  log.Add(Records({"a=1", "b=1", "a=2"}));
  log.Add(Records({"c=1", "a=3"}));
  const CleanedBatches cleaned = log.Pass();
  EXPECT_THAT(Texts(log.batches), ElementsAre("1:b=1", "3:c=1", "4:a=3"));
  EXPECT_EQ(cleaned.records_removed, 2);
  EXPECT_EQ(log.batches[0]->base_offset, Offset(0)) << "the header keeps the range";
  EXPECT_EQ(log.batches[0]->last_offset(), Offset(2));
}

TEST(Cleaner, LooksForLaterRecordsInTheDirtyPartOnly) {
  Log log;
  log.Add(Records({"a=1", "b=1"}));
  log.Pass();
  log.Add(Records({"b=2", "c=1"}));
  log.Pass();
  EXPECT_THAT(Texts(log.batches), ElementsAre("0:a=1", "2:b=2", "3:c=1"));
}

// Case C94: what was aborted goes and does not count as newer.
TEST(Cleaner, AbortedRecordsGoAndMakeNothingObsolete) {
  Log log;
  log.Add(Records({"k=v1"}, 1));
  log.Commit(1);
  log.Add(Records({"k=v2"}, 1, 1));
  log.Abort(1, 2);
  log.Pass();
  EXPECT_THAT(Texts(log.batches), ElementsAre("0:k=v1", "1:COMMIT", "3:ABORT"));
  EXPECT_EQ(log.aborted.size(), 1U) << "its marker is there, and data was met in this pass";
  log.Pass();
  EXPECT_THAT(Texts(log.batches), ElementsAre("0:k=v1", "1:COMMIT", "3:ABORT+"));
  EXPECT_THAT(log.aborted, IsEmpty()) << "nothing of it is left to be filtered";
}

// Aborted data whose marker is above the cleaned part.
TEST(Cleaner, KnowsAnAbortThatComesLater) {
  Log log;
  log.Add(Records({"k=v1"}));
  log.Add(Records({"k=v2"}, 1));
  log.aborted.push_back({ProducerId(1), Offset(1), Offset(9), Offset(10)});
  log.Pass();
  EXPECT_THAT(Texts(log.batches), ElementsAre("0:k=v1"));
  EXPECT_THAT(log.aborted, IsEmpty()) << "its entry belongs to the marker's segment";
}

// Case C95, with the times of its description.
TEST(Cleaner, AMarkerOutlivesItsDataByTheDeleteRetention) {
  Log log;
  log.Add(Records({"k=v1"}, 1));
  log.Commit(1);
  log.Add(Records({"k=v2"}, 1, 1));
  log.Commit(1);
  log.Pass(0);
  EXPECT_THAT(Texts(log.batches), ElementsAre("1:COMMIT", "2:k=v2", "3:COMMIT"));
  log.Pass(kHour / 2);
  EXPECT_THAT(Texts(log.batches), ElementsAre("1:COMMIT+", "2:k=v2", "3:COMMIT"));
  EXPECT_EQ(log.batches[0]->delete_horizon_ms, kHour / 2 + kHour);
  log.Pass(kHour + kHour / 60);
  EXPECT_THAT(Texts(log.batches), ElementsAre("1:COMMIT+", "2:k=v2", "3:COMMIT"));
  EXPECT_EQ(log.Pass(kHour + kHour / 2).markers_removed, 1);
  EXPECT_THAT(Texts(log.batches), ElementsAre("2:k=v2", "3:COMMIT"));
}

TEST(Cleaner, ATombstoneStaysForTheDeleteRetention) {
  Log log;
  log.Add(Records({"a=1", "b=1"}));
  log.Add(Records({"a="}));
  log.Pass(0);
  EXPECT_THAT(Texts(log.batches), ElementsAre("1:b=1", "2:a=+"));
  log.Pass(kHour - 1);
  EXPECT_THAT(Texts(log.batches), ElementsAre("1:b=1", "2:a=+"));
  log.Pass(kHour);
  EXPECT_THAT(Texts(log.batches), ElementsAre("1:b=1"));
}

TEST(Cleaner, KeepsTheHeaderWithAProducersLastSequence) {
  Log log;
  const RecordBatch last = Records({"a=2", "b=2"}, 1, 4);
  log.Add(Records({"a=1"}, 1));
  log.Add(last);
  log.Commit(1);
  log.Add(Records({"a=3", "b=3"}));
  ProducerStateEntry producer(ProducerId(1));
  producer.AddBatch(*log.batches[0]);
  producer.AddBatch(*log.batches[1]);
  log.producers.push_back(producer);
  log.Pass();
  EXPECT_THAT(Texts(log.batches), ElementsAre("1..2:-", "3:COMMIT", "4:a=3", "5:b=3"));
  EXPECT_EQ(log.batches[0]->last_sequence(), Sequence(5));
  log.Pass(2 * kHour);
  log.Pass(4 * kHour);
  EXPECT_THAT(Texts(log.batches), ElementsAre("1..2:-", "3:COMMIT", "4:a=3", "5:b=3"))
      << "the empty batch is one of its transaction, which keeps the marker";
  log.producers.clear();  // expired
  log.Pass(5 * kHour);
  EXPECT_THAT(Texts(log.batches), ElementsAre("3:COMMIT", "4:a=3", "5:b=3"));
}

// A producer of which only a marker is known, as after the epoch bump of TV2.
TEST(Cleaner, KeepsTheHeaderOfTheMarkerWithAProducersLastEpoch) {
  Log log;
  log.Add(Records({"a=1"}, 1));
  log.Add(Marker(ControlType::kCommit, 1, 1));
  log.Add(Records({"a=2"}));
  ProducerStateEntry producer(ProducerId(1));
  producer.AddBatch(*log.batches[0]);
  producer.AddMarker(*log.batches[1]);
  log.producers.push_back(producer);
  log.Pass(0);
  log.Pass(0);
  EXPECT_THAT(Texts(log.batches), ElementsAre("1:COMMIT+", "2:a=2"));
  EXPECT_EQ(log.Pass(kHour).markers_removed, 1);
  EXPECT_THAT(Texts(log.batches), ElementsAre("1..1:-control", "2:a=2"));
  log.Pass(kHour);
  EXPECT_THAT(Texts(log.batches), ElementsAre("1..1:-control", "2:a=2"));
  log.producers.clear();
  log.Pass(kHour);
  EXPECT_THAT(Texts(log.batches), ElementsAre("2:a=2"));
}

TEST(Cleaner, KeepsTheHeaderOfTheLastBatch) {
  Log log;
  log.Add(Records({"a=1"}));
  log.Add(Records({"b=1"}, 1));
  log.aborted.push_back({ProducerId(1), Offset(1), Offset(9), Offset(10)});
  const CleanedBatches cleaned =
      Clean({.batches = log.batches, .aborted = log.aborted, .end = log.end});
  EXPECT_THAT(Texts(cleaned.batches), ElementsAre("0:a=1", "1..1:-"));
}

TEST(Cleaner, LeavesAloneWhatItNeedNotChange) {
  Log log;
  log.Add(Records({"a=1"}, 1));
  log.Commit(1);
  const std::vector<RecordBatchRef> before = log.batches;
  EXPECT_FALSE(log.Pass().changed);
  EXPECT_EQ(log.batches, before) << "the same objects";
}

// Case C100, and the bug that it is about.
TEST(Cleaner, WithTheBugKeepsTheLastMarkerOfEachKind) {
  for (const bool broken : {false, true}) {
    Log log;
    if (broken) log.bugs.Add(Bug::kMarkersCompactedByKey);
    for (int64_t producer = 1; producer <= 3; ++producer) {
      log.Add(Records({fmt::format("{}=v", producer)}, producer));
      log.Commit(producer);
    }
    log.Pass();
    if (broken) {
      EXPECT_THAT(Texts(log.batches), ElementsAre("0:1=v", "2:2=v", "4:3=v", "5:COMMIT"));
    } else {
      EXPECT_THAT(Texts(log.batches),
                  ElementsAre("0:1=v", "1:COMMIT", "2:2=v", "3:COMMIT", "4:3=v", "5:COMMIT"));
    }
  }
}

}  // namespace
}  // namespace kafkasim::broker

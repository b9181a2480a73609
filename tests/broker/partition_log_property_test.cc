// Laws of a partition log, held against a small model of what its clients were told.
#include <gtest/gtest.h>
//
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include <rapidcheck/gtest.h>

#include "broker/partition_log.h"
#include "tests/broker/test_log.h"

namespace kafkasim::broker {
namespace {

using testing::Abort;
using testing::Commit;
using testing::FollowerOf;
using testing::Plain;
using testing::TestLog;
using testing::Transactional;

enum class Fate { kOpen, kCommitted, kAborted, kPlain };

// A leader's log with three transactional producers, driven by random steps, and what became of
// each offset.
class World {
 public:
  void Step(uint32_t choice) {
    const uint32_t kind = choice % 16;
    const int64_t producer = 1 + (choice / 16) % 3;
    const int records = 1 + static_cast<int>((choice / 64) % 3);
    if (kind < 7) {
      Send(producer, records);
    } else if (kind < 9) {
      End(producer, Fate::kCommitted);
    } else if (kind < 11) {
      End(producer, Fate::kAborted);
    } else if (kind == 11) {
      Note(t_.Send(Plain(records)), records, Fate::kPlain);
    } else if (kind == 12) {
      t_.log.Roll();
    } else {
      // Followers have whole batches, so that the high watermark is the end of one.
      const int64_t from = t_.log.high_watermark().value();
      if (t_.end() > from) {
        const Offset chosen(from + choice / 64 % (t_.end() - from));
        t_.ReplicateTo(t_.log.FindBatch(chosen)->next_offset().value());
      }
    }
  }

  // What a read_committed consumer that filters by the aborted list is given from `position` on,
  // fetch by fetch; each offset once.
  [[nodiscard]] std::vector<int64_t> Consume(int64_t max_bytes, Offset position = Offset(0)) const {
    std::vector<int64_t> delivered;
    while (true) {
      const auto read = t_.log.Read(
          position, {.isolation = FetchIsolation::kTxnCommitted, .max_bytes = max_bytes});
      if (!read.ok() || read->batches.empty()) return delivered;
      Filter(*read, position, delivered);
    }
  }

  TestLog& log() { return t_; }
  [[nodiscard]] const TestLog& log() const { return t_; }
  [[nodiscard]] const std::map<int64_t, Fate>& fates() const { return fates_; }

 private:
  void Send(int64_t producer, int records) {
    int32_t& sequence = sequences_[producer];
    const int64_t first = t_.Send(Transactional(producer, 0, sequence, records));
    sequence += records;
    for (int i = 0; i < records; ++i) open_[producer].insert(first + i);
    Note(first, records, Fate::kOpen);
  }
  void End(int64_t producer, Fate fate) {
    t_.Send(fate == Fate::kAborted ? Abort(producer, 0) : Commit(producer, 0));
    for (const int64_t offset : open_[producer]) fates_[offset] = fate;
    open_[producer].clear();
  }
  void Note(int64_t first, int records, Fate fate) {
    for (int i = 0; i < records; ++i) fates_[first + i] = fate;
  }
  static void Filter(const ReadResult& read, Offset& position, std::vector<int64_t>& delivered) {
    std::multimap<Offset, ProducerId> aborted;
    for (const AbortedTxn& txn : read.aborted) aborted.emplace(txn.first_offset, txn.producer_id);
    std::set<ProducerId> out;
    for (const RecordBatchRef& batch : read.batches) {
      while (!aborted.empty() && aborted.begin()->first <= batch->last_offset()) {
        out.insert(aborted.begin()->second);
        aborted.erase(aborted.begin());
      }
      if (batch->is_control()) {
        if (batch->marker->type == ControlType::kAbort) out.erase(batch->producer_id);
      } else if (!batch->transactional || !out.contains(batch->producer_id)) {
        for (Offset o = std::max(position, batch->base_offset); o < batch->next_offset(); ++o) {
          delivered.push_back(o.value());
        }
      }
      position = batch->next_offset();
    }
  }

  TestLog t_;
  std::map<int64_t, int32_t> sequences_;
  std::map<int64_t, std::set<int64_t>> open_;
  std::map<int64_t, Fate> fates_;
};

World Run(const std::vector<uint32_t>& choices) {
  World world;
  for (const uint32_t choice : choices) world.Step(choice);
  return world;
}

RC_GTEST_PROP(PartitionLogLaws, TheLastStableOffsetNeverFallsOrPassesAnUndecidedRecord,
              (const std::vector<uint32_t>& choices)) {
  World world;
  int64_t before = 0;
  for (const uint32_t choice : choices) {
    world.Step(choice);
    const int64_t now = world.log().lso();
    RC_ASSERT(now >= before);
    RC_ASSERT(now <= world.log().log.high_watermark().value());
    for (const auto& [offset, fate] : world.fates()) {
      RC_ASSERT(fate != Fate::kOpen || offset >= now);
    }
    before = now;
  }
}

RC_GTEST_PROP(PartitionLogLaws, ReadCommittedGivesExactlyTheStableRecordsThatWereNotAborted,
              (const std::vector<uint32_t>& choices)) {
  World world = Run(choices);
  std::vector<int64_t> expected;
  for (const auto& [offset, fate] : world.fates()) {
    if (offset < world.log().lso() && fate != Fate::kAborted) expected.push_back(offset);
  }
  const int64_t max_bytes = *rc::gen::inRange<int64_t>(1, 1'000);
  world.log().log.set_config({.index_interval_bytes = *rc::gen::inRange<int64_t>(0, 500)});
  RC_ASSERT(world.Consume(max_bytes) == expected);
}

// Wherever a reader begins, in the middle of a batch or of an aborted transaction: it is given what
// it would have been given there, had it begun at the start.
RC_GTEST_PROP(PartitionLogLaws, SplittingAFetchAnywhereGivesTheSameRecords,
              (const std::vector<uint32_t>& choices)) {
  const World world = Run(choices);
  const int64_t max_bytes = *rc::gen::inRange<int64_t>(1, 1'000);
  const std::vector<int64_t> whole = world.Consume(1'000'000);
  for (int64_t split = 0; split <= world.log().end(); ++split) {
    const auto from = std::lower_bound(whole.begin(), whole.end(), split);
    RC_ASSERT(world.Consume(max_bytes, Offset(split)) == std::vector<int64_t>(from, whole.end()));
  }
}

RC_GTEST_PROP(PartitionLogLaws, AFollowerOfTheLogHasTheSameState,
              (const std::vector<uint32_t>& choices)) {
  World world = Run(choices);
  PartitionLog follower = FollowerOf(world.log().log);
  follower.SetHighWatermark(world.log().log.high_watermark());
  RC_ASSERT(follower.producers().entries() == world.log().log.producers().entries());
  RC_ASSERT(follower.last_stable_offset() == world.log().log.last_stable_offset());
  RC_ASSERT(follower.aborted_txns() == world.log().log.aborted_txns());
}

// Truncation to any point gives the state of a log that never went further, but for the memory of
// older batches.
RC_GTEST_PROP(PartitionLogLaws, ATruncatedLogIsOneThatNeverWentFurther,
              (const std::vector<uint32_t>& choices)) {
  World world = Run(choices);
  TestLog& t = world.log();
  const auto cut = *rc::gen::inRange<int64_t>(0, t.end() + 1);
  TestLog shorter;
  t.log.ForEachBatch(Offset(0), [&](const RecordBatchRef& batch) {
    if (batch->next_offset() > Offset(cut)) return;
    RC_ASSERT(shorter.log.AppendAsFollower({{batch}}, LeaderEpoch(0)).ok());
  });
  const Offset end = shorter.log.log_end_offset();
  t.log.TruncateTo(end, 0);
  shorter.log.SetHighWatermark(t.log.high_watermark());
  RC_ASSERT(t.log.log_end_offset() == end);
  RC_ASSERT(t.log.producers().ongoing_txns() == shorter.log.producers().ongoing_txns());
  RC_ASSERT(t.log.aborted_txns() == shorter.log.aborted_txns());
  const auto& entries = t.log.producers().entries();
  const auto& expected = shorter.log.producers().entries();
  RC_ASSERT(entries.size() == expected.size());
  for (size_t i = 0; i < entries.size(); ++i) {
    RC_ASSERT(entries[i].ForSnapshot() == expected[i].ForSnapshot());
  }
}

RC_GTEST_PROP(PartitionLogLaws, ARetryOfTheLastBatchIsIdempotent,
              (const std::vector<uint32_t>& choices)) {
  World world = Run(choices);
  TestLog& t = world.log();
  const sim::Fingerprint before = sim::FingerprintOf(t.log);
  std::vector<RecordBatch> last;
  for (const ProducerStateEntry& entry : t.log.producers().entries()) {
    if (entry.batches().empty()) continue;
    RecordBatch batch = *t.log.FindBatch(entry.last_data_offset());
    batch.base_offset = Offset(0);
    last.push_back(batch);
  }
  for (const RecordBatch& batch : last) {
    const auto again = t.Append(batch);
    RC_ASSERT(again.ok());
    RC_ASSERT(again->duplicate);
  }
  RC_ASSERT(sim::FingerprintOf(t.log) == before);
}

RC_GTEST_PROP(PartitionLogLaws, ACopyIsIndependentOfItsOriginal,
              (const std::vector<uint32_t>& choices, const std::vector<uint32_t>& more)) {
  World original = Run(choices);
  World copy = original;
  const sim::Fingerprint before = sim::FingerprintOf(original.log().log);
  for (const uint32_t choice : more) copy.Step(choice);
  RC_ASSERT(sim::FingerprintOf(original.log().log) == before);
  for (const uint32_t choice : more) original.Step(choice);
  RC_ASSERT(sim::FingerprintOf(original.log().log) == sim::FingerprintOf(copy.log().log));
}

RC_GTEST_PROP(PartitionLogLaws, ACrashNeverMovesWhatWasStableAndFlushed,
              (const std::vector<uint32_t>& choices)) {
  World world = Run(choices);
  TestLog& t = world.log();
  t.log.Flush();
  t.log.CheckpointHighWatermark();
  const PartitionLog before = t.log;
  t.log.Crash(*rc::gen::element(sim::CrashKind::kProcess, sim::CrashKind::kMachine));
  t.log.Recover(0);
  RC_ASSERT(t.log.log_end_offset() == before.log_end_offset());
  RC_ASSERT(t.log.high_watermark() == before.high_watermark());
  RC_ASSERT(t.log.last_stable_offset() >= before.last_stable_offset());
  RC_ASSERT(t.log.producers().ongoing_txns() == before.producers().ongoing_txns());
  RC_ASSERT(t.log.aborted_txns() == before.aborted_txns());
}

}  // namespace
}  // namespace kafkasim::broker

// Laws of a compacted log over random transactions, segments and passes of the cleaner.
#include <gtest/gtest.h>
//
#include <map>
#include <string>
#include <vector>

#include <rapidcheck/gtest.h>

#include "broker/partition_log.h"
#include "tests/broker/test_log.h"

namespace kafkasim::broker {
namespace {

using testing::Abort;
using testing::Commit;
using testing::FollowerOf;
using testing::TestLog;

enum class CleanedFate { kOpen, kCommitted, kAborted };

struct Sent {
  std::string key;
  CleanedFate fate = CleanedFate::kOpen;
};

// A compacted log with three transactional producers and three keys, and what was sent to it.
class CleanedWorld {
 public:
  CleanedWorld() {
    t_.log = PartitionLog(LogConfig{.cleanup_policy = {.compact = true, .del = false},
                                    .delete_retention_ms = 3,
                                    .transaction_partition_verification_enable = false});
  }

  void Step(uint32_t choice) {
    const uint32_t kind = choice % 16;
    const int64_t producer = 1 + (choice / 16) % 3;
    const std::string key(1, static_cast<char>('a' + (choice / 64) % 3));
    ++now_ms_;
    if (kind < 6) {
      Send(producer, key);
    } else if (kind < 8) {
      End(producer, CleanedFate::kCommitted);
    } else if (kind < 10) {
      End(producer, CleanedFate::kAborted);
    } else if (kind < 12) {
      t_.log.Roll();
    } else if (kind < 14) {
      t_.log.CleanNow(now_ms_);
    } else {
      t_.Replicate();
    }
  }

  // The offsets that a read_committed consumer is given, by key the last one.
  [[nodiscard]] std::map<std::string, int64_t> Table() const {
    std::map<std::string, int64_t> table;
    for (Offset position(0);;) {
      const auto read = t_.log.Read(position, {.isolation = FetchIsolation::kTxnCommitted});
      if (!read.ok() || read->batches.empty()) return table;
      for (const RecordBatchRef& batch : read->batches) {
        for (const Record& record : *batch->records) {
          const Offset offset = batch->base_offset + record.offset_delta;
          if (!IsAborted(*read, *batch)) table[*record.key] = offset.value();
        }
        position = batch->next_offset();
      }
    }
  }
  // The same by what was sent.
  [[nodiscard]] std::map<std::string, int64_t> Expected() const {
    std::map<std::string, int64_t> table;
    for (const auto& [offset, sent] : sent_) {
      if (offset < t_.lso() && sent.fate == CleanedFate::kCommitted) table[sent.key] = offset;
    }
    return table;
  }

  TestLog& log() { return t_; }

 private:
  void Send(int64_t producer, const std::string& key) {
    RecordBatch batch = MakeBatch({{.key = key, .value = "v", .timestamp_ms = now_ms_}});
    batch.producer_id = ProducerId(producer);
    batch.producer_epoch = ProducerEpoch(0);
    batch.base_sequence = Sequence(sequences_[producer]++);
    batch.transactional = true;
    const int64_t offset = t_.Send(batch);
    sent_[offset] = {.key = key};
    open_[producer].push_back(offset);
  }
  void End(int64_t producer, CleanedFate fate) {
    t_.Send(fate == CleanedFate::kAborted ? Abort(producer, 0) : Commit(producer, 0));
    for (const int64_t offset : open_[producer]) sent_[offset].fate = fate;
    open_[producer].clear();
  }
  static bool IsAborted(const ReadResult& read, const RecordBatch& batch) {
    for (const AbortedTxn& txn : read.aborted) {
      if (txn.producer_id == batch.producer_id && txn.first_offset <= batch.base_offset &&
          batch.base_offset < txn.last_offset) {
        return true;
      }
    }
    return false;
  }

  TestLog t_;
  int64_t now_ms_ = 0;
  std::map<int64_t, int32_t> sequences_;
  std::map<int64_t, std::vector<int64_t>> open_;
  std::map<int64_t, Sent> sent_;
};

RC_GTEST_PROP(CleanerLaws, AReaderEndsWithTheSameTable, (const std::vector<uint32_t>& choices)) {
  CleanedWorld world;
  for (const uint32_t choice : choices) {
    world.Step(choice);
    RC_ASSERT(world.Table() == world.Expected());
  }
}

RC_GTEST_PROP(CleanerLaws, ACopyOfTheLogKnowsTheSameOpenTransactions,
              (const std::vector<uint32_t>& choices)) {
  CleanedWorld world;
  for (const uint32_t choice : choices) world.Step(choice);
  world.log().Replicate();
  PartitionLog copy = FollowerOf(world.log().log);
  copy.SetHighWatermark(copy.log_end_offset());
  RC_ASSERT(copy.log_end_offset() == world.log().log.log_end_offset());
  RC_ASSERT(copy.last_stable_offset() == world.log().log.last_stable_offset());
}

RC_GTEST_PROP(CleanerLaws, ALogThatIsLoadedAgainGoesOnWhereItWas,
              (const std::vector<uint32_t>& choices)) {
  CleanedWorld world;
  for (const uint32_t choice : choices) world.Step(choice);
  world.log().Replicate();
  const auto before = world.Table();
  world.log().log.Flush();
  world.log().log.CheckpointHighWatermark();
  world.log().log.Crash(sim::CrashKind::kMachine);
  world.log().log.Recover(0);
  RC_ASSERT(world.Table() == before);
}

}  // namespace
}  // namespace kafkasim::broker

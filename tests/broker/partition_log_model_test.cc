// The partition log against a model of it (log_model.h): whatever is appended, replicated, deleted,
// truncated or restarted, both give the same answers and show the same.
#include <gtest/gtest.h>
//
#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <rapidcheck/state.h>

#include "broker/bugs.h"
#include "broker/partition_log.h"
#include "tests/broker/log_model.h"
#include "tests/broker/test_log.h"

namespace kafkasim::broker {
namespace {

using testing::Idempotent;
using testing::LogModel;
using testing::Marker;
using testing::ModelAnswer;
using testing::ModelBatch;
using testing::ModelProducer;
using testing::TestLog;

constexpr int64_t kLastSequence = ModelBatch::kSequences - 1;

using LogCommand = rc::state::Command<LogModel, TestLog>;

RecordBatch RealBatch(const ModelBatch& batch) {
  const auto epoch = static_cast<int16_t>(batch.epoch);
  if (batch.marker.has_value()) {
    return Marker(*batch.marker, batch.producer_id, epoch,
                  static_cast<int32_t>(batch.coordinator_epoch));
  }
  RecordBatch real = Idempotent(batch.producer_id, epoch, static_cast<int32_t>(batch.sequence),
                                static_cast<int>(batch.count));
  real.transactional = batch.transactional;
  return real;
}

// What a consumer is given that reads fetch by fetch and leaves out what is aborted.
std::set<int64_t> Delivered(const PartitionLog& log, FetchIsolation isolation, int64_t max_bytes) {
  std::set<int64_t> delivered;
  Offset position = log.log_start_offset();
  while (true) {
    const auto read = log.Read(position, {.isolation = isolation, .max_bytes = max_bytes});
    if (!read.ok() || read->batches.empty()) return delivered;
    for (const RecordBatchRef& batch : read->batches) {
      const auto is_in = [&](const AbortedTxn& txn) {
        return txn.producer_id == batch->producer_id && txn.first_offset <= batch->base_offset &&
               batch->base_offset < txn.last_offset;
      };
      const bool aborted =
          batch->transactional && std::any_of(read->aborted.begin(), read->aborted.end(), is_in);
      for (Offset o = std::max(position, batch->base_offset); o < batch->next_offset(); ++o) {
        if (!batch->is_control() && !aborted) delivered.insert(o.value());
      }
      position = batch->next_offset();
    }
  }
}

void SameProducer(const ModelProducer& model, const ProducerStateEntry* real) {
  RC_ASSERT((real == nullptr) == (model.epoch == -1));
  if (real == nullptr) return;
  RC_ASSERT(real->producer_epoch().value() == model.epoch);
  RC_ASSERT(real->coordinator_epoch().value() == model.coordinator_epoch);
  const int64_t last = model.batches.empty() ? -1 : model.batches.back().last_sequence();
  RC_ASSERT(real->last_sequence().value() == last);
  const auto open = real->current_txn_first_offset();
  RC_ASSERT((open ? open->value() : -1) == model.open_since.value_or(-1));
}

void SameLog(const LogModel& model, const TestLog& real) {
  RC_ASSERT(real.end() == model.end());
  RC_ASSERT(real.log.log_start_offset().value() == model.start());
  RC_ASSERT(real.log.high_watermark().value() == model.high_watermark());
  RC_ASSERT(real.lso() == model.last_stable_offset());
  for (int64_t id = 1; id <= 3; ++id) SameProducer(model.Producer(id), real.producer(id));
  for (const int64_t max_bytes : {1, 300, 1'000'000}) {
    RC_ASSERT(Delivered(real.log, FetchIsolation::kTxnCommitted, max_bytes) ==
              model.Visible(/*committed_only=*/true));
    RC_ASSERT(Delivered(real.log, FetchIsolation::kHighWatermark, max_bytes) ==
              model.Visible(/*committed_only=*/false));
  }
}

// Where a batch of the log begins, and its end: at or after `from`.
std::vector<int64_t> BatchBounds(const LogModel& model, int64_t from) {
  std::vector<int64_t> bounds{model.end()};
  for (const ModelBatch& batch : model.batches()) {
    if (batch.offset >= from) bounds.push_back(batch.offset);
  }
  return bounds;
}
bool IsBatchBound(const LogModel& model, int64_t offset) {
  const std::vector<int64_t> bounds = BatchBounds(model, 0);
  return std::find(bounds.begin(), bounds.end(), offset) != bounds.end();
}

// An append of data or of a marker: of what comes next for its producer, most often.
class AppendCommand : public LogCommand {
 public:
  explicit AppendCommand(const LogModel& model) {
    batch_.producer_id = *rc::gen::inRange<int64_t>(1, 4);
    const ModelProducer known = model.Producer(batch_.producer_id);
    batch_.epoch = std::max<int64_t>(0, known.epoch + *Drift());
    if (*rc::gen::inRange(0, 3) == 0) {
      batch_.marker = *rc::gen::element(ControlType::kCommit, ControlType::kAbort);
      batch_.coordinator_epoch = std::max<int64_t>(0, known.coordinator_epoch + *Drift());
      return;
    }
    batch_.transactional = *rc::gen::weightedElement<bool>({{4, true}, {1, false}});
    batch_.count = *rc::gen::inRange<int64_t>(1, 4);
    const bool follows = batch_.epoch == known.epoch && !known.batches.empty();
    batch_.sequence = follows ? known.batches.back().last_sequence() + 1 : 0;
    // Where nothing is known, any sequence is taken: some begin just before the last one.
    if (known.epoch == -1) batch_.sequence = *rc::gen::element<int64_t>(0, 5, kLastSequence - 1);
    batch_.sequence = std::max<int64_t>(0, batch_.sequence + *Drift()) % ModelBatch::kSequences;
  }

  void checkPreconditions(const LogModel& model) const override {
    RC_PRE(model.Ask(batch_).has_value());
  }
  void apply(LogModel& model) const override {
    const ModelAnswer answer = *model.Ask(batch_);
    if (answer.error == ErrorCode::kNone && !answer.duplicate) model.Append(batch_);
  }
  void run(const LogModel& model, TestLog& real) const override {
    const ModelAnswer expected = *model.Ask(batch_);
    const auto info = real.Append(RealBatch(batch_));
    RC_ASSERT(CodeOf(info.status()) == expected.error);
    if (info.ok()) {
      RC_ASSERT(info->first_offset.value() == expected.offset);
      RC_ASSERT(info->duplicate == expected.duplicate);
    }
    SameLog(nextState(model), real);
  }
  void show(std::ostream& out) const override { out << "append " << batch_; }

 protected:
  AppendCommand() = default;
  static rc::Gen<int64_t> Drift() {
    return rc::gen::weightedElement<int64_t>({{8, 0}, {1, -1}, {1, 1}});
  }
  ModelBatch batch_;
};

// A batch that is in the log comes again.
class RetryCommand : public AppendCommand {
 public:
  explicit RetryCommand(const LogModel& model) {
    std::vector<ModelBatch> sent;
    for (const ModelBatch& batch : model.batches()) {
      if (!batch.marker.has_value()) sent.push_back(batch);
    }
    RC_PRE(!sent.empty());
    batch_ = *rc::gen::elementOf(sent);
    batch_.memory = ModelBatch::Memory::kYes;
  }
};

class ReplicateCommand : public LogCommand {
 public:
  explicit ReplicateCommand(const LogModel& model)
      : to_(*rc::gen::elementOf(BatchBounds(model, model.high_watermark()))) {}
  void checkPreconditions(const LogModel& model) const override {
    RC_PRE(IsBatchBound(model, to_));
  }
  void apply(LogModel& model) const override { model.ReplicateTo(to_); }
  void run(const LogModel& model, TestLog& real) const override {
    real.ReplicateTo(to_);
    SameLog(nextState(model), real);
  }
  void show(std::ostream& out) const override { out << "replicate to " << to_; }

 private:
  int64_t to_;
};

class DeleteRecordsCommand : public LogCommand {
 public:
  explicit DeleteRecordsCommand(const LogModel& model)
      : to_(*rc::gen::inRange<int64_t>(0, model.end() + 1)) {}
  void apply(LogModel& model) const override {
    if (to_ <= model.high_watermark()) model.DeleteRecordsBefore(to_);
  }
  void run(const LogModel& model, TestLog& real) const override {
    const auto raised = real.log.MaybeIncrementLogStartOffset(Offset(to_));
    RC_ASSERT(CodeOf(raised.status()) ==
              (to_ <= model.high_watermark() ? ErrorCode::kNone : ErrorCode::kOffsetOutOfRange));
    SameLog(nextState(model), real);
  }
  void show(std::ostream& out) const override { out << "delete records before " << to_; }

 private:
  int64_t to_;
};

// As a follower cuts its log, and is then told the high watermark again.
class TruncateCommand : public LogCommand {
 public:
  explicit TruncateCommand(const LogModel& model)
      : to_(*rc::gen::elementOf(BatchBounds(model, model.start()))) {}
  void checkPreconditions(const LogModel& model) const override {
    RC_PRE(model.start() <= to_ && to_ < model.end() && IsBatchBound(model, to_));
    // What is below the log start is not replayed: its producers depend on the snapshots.
    RC_PRE(model.start() == 0);
    // Whether an end that is not replicated is known afterwards depends on the snapshots.
    for (const ModelBatch& batch : model.batches()) {
      RC_PRE(!batch.marker.has_value() || batch.offset >= to_ ||
             batch.offset < model.high_watermark());
    }
  }
  void apply(LogModel& model) const override { model.TruncateTo(to_); }
  void run(const LogModel& model, TestLog& real) const override {
    const LogModel next = nextState(model);
    RC_ASSERT(real.log.TruncateTo(Offset(to_), 0));
    real.log.SetHighWatermark(Offset(next.high_watermark()));
    SameLog(next, real);
  }
  void show(std::ostream& out) const override { out << "truncate to " << to_; }

 private:
  int64_t to_;
};

// A clean shutdown and a start.
class RestartCommand : public LogCommand {
 public:
  void checkPreconditions(const LogModel& model) const override {
    // A restart forgets which ends are not replicated yet, as in Kafka.
    RC_PRE(model.end() == model.high_watermark());
    // A snapshot at the log start is taken for one of deleted records, hence of no use.
    RC_PRE(model.start() < model.end());
  }
  void apply(LogModel& model) const override { model.Restart(); }
  void run(const LogModel& model, TestLog& real) const override {
    real.log.CloseCleanly();
    real.log.Crash(sim::CrashKind::kProcess);
    real.log.Recover(0);
    SameLog(nextState(model), real);
  }
  void show(std::ostream& out) const override { out << "restart"; }
};

TestLog LogWithout(std::optional<Bug> rule, int16_t transaction_version) {
  TestLog real;
  LogConfig config = real.log.config();
  if (rule.has_value()) config.bugs.Add(*rule);
  real.log.set_config(config);
  real.marker_version = transaction_version;
  return real;
}

void HoldAgainstTheModel(int16_t transaction_version, std::optional<Bug> rule = std::nullopt) {
  TestLog real = LogWithout(rule, transaction_version);
  rc::state::check(
      LogModel(transaction_version), real,
      rc::state::gen::execOneOfWithArgs<AppendCommand, AppendCommand, AppendCommand, RetryCommand,
                                        ReplicateCommand, ReplicateCommand, DeleteRecordsCommand,
                                        TruncateCommand, RestartCommand>());
}

RC_GTEST_PROP(PartitionLogModel, TheLogDoesWhatTheModelSaysInTV1, ()) { HoldAgainstTheModel(1); }
RC_GTEST_PROP(PartitionLogModel, TheLogDoesWhatTheModelSaysInTV2, ()) { HoldAgainstTheModel(2); }

TEST(PartitionLogModel, NoticesEachRuleOfTheLogThatIsSwitchedOff) {
  for (const Bug rule :
       {Bug::kLsoIsHighWatermark, Bug::kUnreplicatedEndIsStable, Bug::kLeaderIgnoresEpochs,
        Bug::kSequencesNotChecked, Bug::kMarkersNotChecked}) {
    const rc::detail::TestResult result =
        rc::detail::checkTestable([&] { HoldAgainstTheModel(2, rule); }, rc::detail::TestMetadata(),
                                  rc::detail::TestParams{.seed = 1});
    EXPECT_TRUE(result.is<rc::detail::FailureResult>())
        << AllBugs()[static_cast<size_t>(rule)].name;
  }
}

// Sequences, epochs and the memory of five batches alone, at length.
void HoldProducersAgainstTheModel(int16_t transaction_version) {
  TestLog real = LogWithout(std::nullopt, transaction_version);
  rc::state::check(LogModel(transaction_version), real,
                   rc::state::gen::execOneOfWithArgs<AppendCommand, AppendCommand, RetryCommand>());
}

RC_GTEST_PROP(ProducerStateModel, TheLeaderAnswersAsTheModelInTV1, ()) {
  HoldProducersAgainstTheModel(1);
}
RC_GTEST_PROP(ProducerStateModel, TheLeaderAnswersAsTheModelInTV2, ()) {
  HoldProducersAgainstTheModel(2);
}

}  // namespace
}  // namespace kafkasim::broker

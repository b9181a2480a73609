// Laws of the coordinator over random sequences of requests, times and faults: its log replayed is
// its memory, compacted or not, epochs never go back, every record follows from the one before it
// by a step of the table, and a copy of the coordinator behaves as the original.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "coordinator/transaction_log_record.h"
#include "sim/fingerprint.h"
#include "tests/coordinator/scripted_host.h"

namespace kafkasim::coordinator {
namespace {

using broker::ErrorCode;

enum class Op {
  kInit,
  kInitAgain,
  kAdd,
  kAddImplicitly,
  kAddOffsets,
  kCommit,
  kAbort,
  kWait,
  kAnswer,
  kDisconnect,
  kHold,
  kFail,
  kReplicate,
  kFailover,
};
constexpr Op kLastOp = Op::kFailover;

struct Step {
  Op op = Op::kInit;
  int id = 0;
  int epoch_offset = 0;
  int amount = 0;
};

std::ostream& operator<<(std::ostream& out, const Step& step) {
  return out << "{op " << static_cast<int>(step.op) << ", id " << step.id << ", epoch "
             << step.epoch_offset << ", amount " << step.amount << "}";
}

rc::Gen<Step> AnyStep() {
  return rc::gen::exec([] {
    return Step{.op = static_cast<Op>(*rc::gen::inRange(0, static_cast<int>(kLastOp) + 1)),
                .id = *rc::gen::inRange(0, 2),
                .epoch_offset = *rc::gen::weightedElement<int>({{6, 0}, {1, -1}, {1, 1}}),
                .amount = *rc::gen::inRange(0, 90)};
  });
}

// A request of a producer that believes to have this epoch.
void TakeRequest(ScriptedHost& host, const Step& step, int64_t version) {
  const std::string id = step.id == 0 ? "a" : "b";
  const auto view = host.Find(id);
  const int64_t pid = view.has_value() ? view->value.producer_id.value() : 1;
  const int now = view.has_value() ? view->value.producer_epoch.value() : 0;
  const auto epoch = static_cast<int16_t>(std::max(0, now + step.epoch_offset));
  const broker::PartitionList partitions = host.OrdersList({step.amount % 3});
  if (step.op == Op::kInit) (void)host.Init(id);
  if (step.op == Op::kInitAgain) (void)host.Init(id, pid, epoch);
  if (step.op == Op::kAdd) (void)host.Add(id, pid, epoch, partitions);
  if (step.op == Op::kAddImplicitly) (void)host.Add(id, pid, epoch, partitions, 5);
  if (step.op == Op::kAddOffsets) (void)host.AddOffsets(id, pid, epoch, "group");
  if (step.op == Op::kCommit || step.op == Op::kAbort) {
    (void)host.End(id, pid, epoch, step.op == Op::kCommit, version == 2 ? 5 : 4);
  }
}

void TakeAnswer(ScriptedHost& host, const Step& step) {
  if (host.marker_requests().empty()) return;
  if (step.op == Op::kDisconnect) return host.DisconnectMarkers(0);
  host.AnswerMarkers(0, step.amount % 4 == 0 ? ErrorCode::kNotEnoughReplicas : ErrorCode::kNone);
}

void Take(ScriptedHost& host, const Step& step, int64_t version, int32_t& leader_epoch) {
  switch (step.op) {
    case Op::kWait:
      return host.AdvanceTo(host.now() + sim::Seconds(step.amount));
    case Op::kAnswer:
    case Op::kDisconnect:
      return TakeAnswer(host, step);
    case Op::kHold:
      host.appends = ScriptedHost::Appends::kHold;
      return;
    case Op::kFail:
      host.appends = ScriptedHost::Appends::kFail;
      return;
    case Op::kReplicate:
      host.appends = ScriptedHost::Appends::kReplicate;
      while (host.held_appends() > 0) host.Release();
      return;
    case Op::kFailover:
      return host.Elect(0, ++leader_epoch);
    default:
      return TakeRequest(host, step, version);
  }
}

// What of the value is in the log, and comparable: while markers are written, memory counts the
// partitions down.
TransactionValue Persistent(TransactionValue value) {
  value.last_producer_epoch = broker::kNoProducerEpoch;
  if (IsPrepared(value.state)) value.partitions.clear();
  return value;
}

void CheckReplayIsMemory(const ScriptedHost& host) {
  const LoadedTransactions loaded = ReplayTransactionLog(host.log(0));
  size_t written = 0;
  for (const TransactionView& view : ViewTransactions(host.coordinator)) {
    if (view.value.producer_epoch == broker::kNoProducerEpoch) continue;  // never written
    ++written;
    const auto at = loaded.find(view.transactional_id);
    RC_ASSERT(at != loaded.end());
    if (view.has_failed_epoch_fence) continue;  // raised in memory, told to nobody
    RC_ASSERT(Persistent(at->second) == Persistent(view.value));
  }
  RC_ASSERT(loaded.size() == written);
}

// A cleaned log tells a new coordinator the same.
void CheckCleanedLogSaysTheSame(const broker::PartitionLog& log) {
  broker::PartitionLog cleaned = log;
  broker::LogConfig config = log.config();
  config.cleanup_policy = {.compact = true, .del = false};
  cleaned.set_config(config);
  cleaned.SetHighWatermark(cleaned.log_end_offset());
  cleaned.Roll();
  cleaned.CleanNow(0);
  RC_ASSERT(ReplayTransactionLog(cleaned) == ReplayTransactionLog(log));
}

void CheckRecordsFollow(const broker::PartitionLog& log) {
  std::map<std::string, TransactionValue> last;
  for (const TransactionLogEntry& entry : DecodeTransactionLog(log)) {
    const std::string& id = entry.record.transactional_id;
    if (!entry.record.value.has_value()) {
      last.erase(id);
      continue;
    }
    const TransactionValue& next = *entry.record.value;
    if (const auto at = last.find(id); at != last.end()) {
      const TransactionValue& before = at->second;
      RC_ASSERT(IsLegal(before.state, next.state));
      RC_ASSERT(
          next.producer_id > before.producer_id ||
          (next.producer_id == before.producer_id && next.producer_epoch >= before.producer_epoch));
    }
    last[id] = next;
  }
}

void RunLaws(int64_t version) {
  ScriptedHost host = ScriptedHost::ForVersion(version);
  host.markers = ScriptedHost::Markers::kHold;
  int32_t leader_epoch = 0;
  for (const Step& step : *rc::gen::container<std::vector<Step>>(AnyStep())) {
    Take(host, step, version, leader_epoch);
    if (host.held_appends() == 0) CheckReplayIsMemory(host);
  }
  CheckRecordsFollow(host.log(0));
  // Once everything works again, every transaction that is decided is completed.
  host.appends = ScriptedHost::Appends::kReplicate;
  while (host.held_appends() > 0) host.Release();
  host.markers = ScriptedHost::Markers::kAcknowledge;
  while (!host.marker_requests().empty()) host.AnswerMarkers(0);
  host.AdvanceTo(host.now() + sim::Seconds(200));
  for (const TransactionView& view : ViewTransactions(host.coordinator)) {
    RC_ASSERT(!view.pending.has_value());
    RC_ASSERT(view.value.state == TransactionState::kEmpty || IsComplete(view.value.state));
  }
  CheckReplayIsMemory(host);
  CheckCleanedLogSaysTheSame(host.log(0));
}

RC_GTEST_PROP(CoordinatorLaws, TheLogReplayedIsTheMemoryInTV1, ()) { RunLaws(1); }
RC_GTEST_PROP(CoordinatorLaws, TheLogReplayedIsTheMemoryInTV2, ()) { RunLaws(2); }

RC_GTEST_PROP(CoordinatorLaws, ACopyGoesOnAsTheOriginal, ()) {
  ScriptedHost original = ScriptedHost::ForVersion(2);
  original.markers = ScriptedHost::Markers::kHold;
  int32_t epoch = 0;
  for (const Step& step : *rc::gen::container<std::vector<Step>>(AnyStep())) {
    Take(original, step, 2, epoch);
  }
  ScriptedHost copy = original;
  RC_ASSERT(sim::FingerprintOf(copy.coordinator) == sim::FingerprintOf(original.coordinator));
  const auto steps = *rc::gen::container<std::vector<Step>>(AnyStep());
  const sim::Fingerprint before = sim::FingerprintOf(original.coordinator);
  int32_t epoch_of_copy = epoch;
  for (const Step& step : steps) Take(copy, step, 2, epoch_of_copy);
  RC_ASSERT(sim::FingerprintOf(original.coordinator) == before);
  for (const Step& step : steps) Take(original, step, 2, epoch);
  RC_ASSERT(sim::FingerprintOf(copy.coordinator) == sim::FingerprintOf(original.coordinator));
}

}  // namespace
}  // namespace kafkasim::coordinator

// What holds in the logs of partitions.
#include <algorithm>
#include <utility>

#include <absl/container/btree_map.h>
#include <fmt/format.h>

#include "scenarios/invariants/invariant.h"

namespace kafkasim::scenarios {
namespace {

using broker::Offset;
using broker::PartitionLog;
using broker::RecordBatch;
using broker::RecordBatchRef;

// Whether the log has its beginning, from which on transactions can be followed.
bool HasItsStart(const PartitionLog& log) { return log.log_start_offset() == Offset(0); }

// Whether the log has all that was ever written to it: no cleaner takes anything out.
bool HasAllRecords(const PartitionLog& log) {
  return HasItsStart(log) && !log.config().cleanup_policy.compact;
}

void OffsetsInOrder(const Subject& now, const LedPartition& led, Findings& found) {
  const PartitionLog& log = led.log();
  const bool in_order = log.log_start_offset() <= log.last_stable_offset() &&
                        log.last_stable_offset() <= log.high_watermark() &&
                        log.high_watermark() <= log.log_end_offset();
  if (in_order) return;
  found.Add(fmt::format("{}: log start {}, LSO {}, high watermark {}, log end {}",
                        now.NameOf(led.id()), log.log_start_offset(), log.last_stable_offset(),
                        log.high_watermark(), log.log_end_offset()));
}

void LsoIsFirstUndecided(const Subject& now, const LedPartition& led, Findings& found) {
  const PartitionLog& log = led.log();
  if (!HasItsStart(log)) return;
  const Offset unstable =
      led.reading().FirstUnstable(log.high_watermark()).value_or(log.high_watermark());
  const Offset expected = std::min(unstable, log.high_watermark());
  if (log.last_stable_offset() == expected) return;
  found.Add(fmt::format("{}: LSO {}, but the log says {}", now.NameOf(led.id()),
                        log.last_stable_offset(), expected));
}

void AbortedIndexIsComplete(const Subject& now, const LedPartition& led, Findings& found) {
  const PartitionLog& log = led.log();
  if (!HasAllRecords(log)) return;
  std::vector<std::pair<Offset, Offset>> expected;
  for (const ReadTransaction& transaction : led.reading().transactions()) {
    if (transaction.marker == broker::kNoOffset) continue;
    if (transaction.type != broker::ControlType::kAbort) continue;
    expected.emplace_back(transaction.marker, transaction.first_offset);
  }
  std::vector<std::pair<Offset, Offset>> actual;
  for (const broker::AbortedTxn& aborted : log.aborted_txns()) {
    actual.emplace_back(aborted.last_offset, aborted.first_offset);
  }
  if (actual == expected) return;
  found.Add(fmt::format("{}: {} aborted transactions in the index, {} in the log",
                        now.NameOf(led.id()), actual.size(), expected.size()));
}

// Of each producer at each epoch the sequences run on, with no gap and no repetition. What
// coordinators write on behalf of a producer has no sequence of its own.
void SequencesRunOn(const Subject& now, const LedPartition& led, Findings& found) {
  if (!HasAllRecords(led.log()) || now.NameOf(led.id()).starts_with("__")) return;
  absl::btree_map<std::pair<broker::ProducerId, broker::ProducerEpoch>, broker::Sequence> last;
  led.log().ForEachBatch(Offset(0), [&](const RecordBatchRef& batch) {
    if (batch->base_sequence == broker::kNoSequence) return;
    const std::pair key(batch->producer_id, batch->producer_epoch);
    const auto known = last.find(key);
    const bool follows =
        known == last.end() || batch->base_sequence == broker::AddToSequence(known->second, 1);
    if (!follows) {
      found.Add(fmt::format("{}@{}: producer {} epoch {} has sequence {} after {}",
                            now.NameOf(led.id()), batch->base_offset, batch->producer_id,
                            batch->producer_epoch, batch->base_sequence, known->second));
    }
    last[key] = batch->last_sequence();
  });
}

// While one broker leads in one epoch: the partition as it was before, else null.
const LedPartition* InSameEpoch(const Subject& before, const LedPartition& led) {
  const LedPartition* was = before.FindLed(led.id());
  const bool same = was != nullptr && was->broker().id() == led.broker().id() &&
                    was->replica().leader_epoch() == led.replica().leader_epoch();
  return same ? was : nullptr;
}

// What is appended is at no older epoch of its producer than the leader remembered. The log alone
// does not tell: a batch may arrive long after it was made, when its producer is forgotten.
void NoZombieWrites(const Subject& before, const Subject& now, Findings& found) {
  const sim::Time time = now.world().now();
  const int64_t passed_ms = (time - before.world().now()).millis();
  for (const LedPartition& led : now.led()) {
    const bool may_forget = passed_ms >= led.log().config().producer_id_expiration_ms;
    if (!led.changed() || may_forget) continue;
    const LedPartition* was = InSameEpoch(before, led);
    if (was == nullptr) continue;
    absl::btree_map<broker::ProducerId, broker::ProducerEpoch> newest;
    for (const auto& entry : was->replica().ProducersAt(time, was->broker().config())) {
      newest.emplace(entry.producer_id(), entry.producer_epoch());
    }
    led.log().ForEachBatch(was->log().log_end_offset(), [&](const RecordBatchRef& batch) {
      if (!batch->has_producer_id()) return;
      broker::ProducerEpoch& epoch =
          newest.try_emplace(batch->producer_id, broker::kNoProducerEpoch).first->second;
      if (batch->producer_epoch < epoch) {
        found.Add(fmt::format("{}@{}: producer {} writes at epoch {} after epoch {}",
                              now.NameOf(led.id()), batch->base_offset, batch->producer_id,
                              batch->producer_epoch, epoch));
      }
      epoch = std::max(epoch, batch->producer_epoch);
    });
  }
}

// Every in-sync replica has what its leader has below the leader's high watermark. Each cleans its
// log by itself, so that compacted ones may differ.
void ReplicasAgree(const Subject& now, Findings& found) {
  for (const LedPartition& led : now.led()) {
    if (led.log().config().cleanup_policy.compact) continue;
    for (const broker::Broker* other : now.brokers()) {
      if (other == &led.broker()) continue;
      const broker::Partition* replica = other->FindReplica(led.id());
      const broker::BrokerList& isr = led.replica().isr();
      if (replica == nullptr || std::find(isr.begin(), isr.end(), other->id()) == isr.end()) {
        continue;
      }
      const Offset end = std::min(led.log().high_watermark(), replica->log().log_end_offset());
      const Offset start =
          std::max(led.log().log_start_offset(), replica->log().log_start_offset());
      led.log().ForEachBatch(start, [&](const RecordBatchRef& batch) {
        if (batch->next_offset() > end) return;
        const RecordBatch* copy = replica->log().FindBatch(batch->base_offset);
        const bool same = copy != nullptr && copy->base_offset == batch->base_offset &&
                          copy->producer_id == batch->producer_id &&
                          copy->base_sequence == batch->base_sequence &&
                          copy->records->size() == batch->records->size() &&
                          copy->partition_leader_epoch == batch->partition_leader_epoch;
        if (same) return;
        found.Add(fmt::format("{}@{}: broker {} has something else than its leader {}",
                              now.NameOf(led.id()), batch->base_offset, other->id(),
                              led.broker().id()));
      });
    }
  }
}

// While one broker leads in one epoch, what is stable stays so.
template <typename OffsetOf>
void NeverFalls(const Subject& before, const Subject& now, Findings& found, OffsetOf offset_of) {
  for (const LedPartition& led : now.led()) {
    const LedPartition* was = InSameEpoch(before, led);
    if (was == nullptr || offset_of(led.log()) >= offset_of(was->log())) continue;
    found.Add(fmt::format("{}: from {} to {}", now.NameOf(led.id()), offset_of(was->log()),
                          offset_of(led.log())));
  }
}

void LsoNeverFalls(const Subject& before, const Subject& now, Findings& found) {
  NeverFalls(before, now, found, [](const PartitionLog& log) { return log.last_stable_offset(); });
}

void HighWatermarkNeverFalls(const Subject& before, const Subject& now, Findings& found) {
  NeverFalls(before, now, found, [](const PartitionLog& log) { return log.high_watermark(); });
}

// A new leader has all that the old one had below its high watermark.
void ReplicatedIsKept(const Subject& before, const Subject& now, Findings& found) {
  for (const LedPartition& led : now.led()) {
    const LedPartition* was = before.FindLed(led.id());
    if (was == nullptr || led.log().log_end_offset() >= was->log().high_watermark()) continue;
    found.Add(fmt::format("{}: leader {} ends at {}, below the high watermark {} of leader {}",
                          now.NameOf(led.id()), led.broker().id(), led.log().log_end_offset(),
                          was->log().high_watermark(), was->broker().id()));
  }
}

}  // namespace

std::vector<Invariant> LogInvariants() {
  return {
      {.name = "offsets_in_order",
       .sentence = "log start <= last stable offset <= high watermark <= log end.",
       .source = "KIP-98",
       .partition = OffsetsInOrder},
      {.name = "lso_is_first_undecided",
       .sentence = "The last stable offset is the first offset of a transaction that is open or "
                   "whose marker is not replicated, else the high watermark.",
       .source = "KIP-98",
       .partition = LsoIsFirstUndecided},
      {.name = "lso_never_falls",
       .sentence = "While a leader leads, the last stable offset does not go back.",
       .source = "KIP-98",
       .step = LsoNeverFalls,
       .reads = kLogs},
      {.name = "high_watermark_never_falls",
       .sentence = "While a leader leads, the high watermark does not go back.",
       .source = "KIP-101",
       .step = HighWatermarkNeverFalls,
       .reads = kLogs},
      {.name = "replicated_is_kept",
       .sentence = "What is below the high watermark survives every change of leader.",
       .source = "KIP-101",
       .step = ReplicatedIsKept,
       .reads = kLogs},
      {.name = "replicas_agree",
       .sentence = "In-sync replicas have the same batches below the high watermark.",
       .source = "KIP-101",
       .state = ReplicasAgree,
       .reads = kLogs},
      {.name = "sequences_run_on",
       .sentence = "On one partition the sequences of a producer id and epoch have no gap and no "
                   "repetition.",
       .source = "KIP-98",
       .partition = SequencesRunOn},
      {.name = "no_zombie_writes",
       .sentence = "Nothing is written at an older epoch than a partition remembers of a producer.",
       .source = "KIP-98",
       .step = NoZombieWrites,
       .reads = kLogs},
      {.name = "aborted_index_is_complete",
       .sentence = "The index of aborted transactions has exactly those that the log says.",
       .source = "KIP-98",
       .partition = AbortedIndexIsComplete},
  };
}

}  // namespace kafkasim::scenarios

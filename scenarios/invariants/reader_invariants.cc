// What the applications of consumers may rely on.
#include <utility>

#include <absl/container/btree_map.h>
#include <fmt/format.h>

#include "scenarios/invariants/invariant.h"

namespace kafkasim::scenarios {
namespace {

using client::ConsumedRecord;

bool ReadsCommitted(const client::Consumer& consumer) {
  return consumer.config().isolation_level == broker::IsolationLevel::kReadCommitted;
}

// Calls visit(record) for each that the application was given.
template <typename Visitor>
void ForEachDelivered(const client::Consumer& consumer, Visitor visit) {
  for (const client::CallResult& result : consumer.calls().results()) {
    const auto* consumed = std::get_if<client::ConsumedRecords>(&result.value);
    if (consumed == nullptr) continue;
    for (const ConsumedRecord& record : *consumed->records) visit(record);
  }
}

// Whether the record is still the one at its offset: after an unclean election it may be another.
bool IsThere(const LedPartition& led, const ConsumedRecord& record) {
  const broker::RecordBatch* batch = led.log().FindBatch(record.offset);
  return batch != nullptr && batch->producer_id == record.producer_id &&
         batch->producer_epoch == record.producer_epoch;
}

void OnlyCommittedIsRead(const Subject& now, Findings& found) {
  for (const RunningConsumer& running : now.consumers()) {
    if (!ReadsCommitted(*running.consumer)) continue;
    ForEachDelivered(*running.consumer, [&](const ConsumedRecord& record) {
      const LedPartition* led = now.FindLed(record.partition);
      if (led == nullptr || !IsThere(*led, record)) return;
      const Fate fate = led->reading().FateOf(record.offset);
      if (fate != Fate::kOpen && fate != Fate::kAborted) return;
      found.Add(fmt::format("{}@{}: {} was given a record that is {}", now.NameOf(record.partition),
                            record.offset, running.name,
                            fate == Fate::kOpen ? "undecided" : "aborted"));
    });
  }
}

// From one poll to the next the position may move: by a seek, a rebalance, a restart, a reset.
void PollsLeaveNothingOut(const Subject& now, Findings& found) {
  for (const RunningConsumer& running : now.consumers()) {
    for (const client::CallResult& result : running.consumer->calls().results()) {
      const auto* consumed = std::get_if<client::ConsumedRecords>(&result.value);
      if (consumed == nullptr) continue;
      absl::btree_map<broker::PartitionId, broker::Offset> last;
      for (const ConsumedRecord& record : *consumed->records) {
        const auto [at, first] = last.try_emplace(record.partition, record.offset);
        if (first) continue;
        const broker::Offset before = std::exchange(at->second, record.offset);
        if (record.offset <= before) {
          found.Add(fmt::format("{}@{}: given to {} after offset {}", now.NameOf(record.partition),
                                record.offset, running.name, before));
          continue;
        }
        const LedPartition* led = now.FindLed(record.partition);
        if (led == nullptr || !ReadsCommitted(*running.consumer) || !IsThere(*led, record))
          continue;
        const auto skipped = led->reading().FirstVisible(before + 1, record.offset);
        if (!skipped.has_value()) continue;
        found.Add(fmt::format("{}@{}: {} was given {} without it", now.NameOf(record.partition),
                              *skipped, running.name, record.offset));
      }
    }
  }
}

}  // namespace

std::vector<Invariant> ReaderInvariants() {
  return {
      {.name = "only_committed_is_read",
       .sentence = "A reader of read_committed is given no record that is undecided or aborted.",
       .source = "KIP-98",
       .state = OnlyCommittedIsRead,
       .reads = kLogs | kConsumers},
      {.name = "polls_leave_nothing_out",
       .sentence = "Within one poll a reader is given the records of a partition in the order of "
                   "offsets, and a reader of read_committed all that are committed.",
       .source = "KIP-98",
       .state = PollsLeaveNothingOut,
       .reads = kLogs | kConsumers},
  };
}

}  // namespace kafkasim::scenarios

// What the applications of consumers may rely on.
#include <string_view>

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

void OnlyCommittedIsRead(const Subject& now, Findings& found) {
  for (const RunningConsumer& running : now.consumers()) {
    if (!ReadsCommitted(*running.consumer)) continue;
    ForEachDelivered(*running.consumer, [&](const ConsumedRecord& record) {
      const LedPartition* led = now.FindLed(record.partition);
      if (led == nullptr) return;
      const Fate fate = led->reading.FateOf(record.offset);
      if (fate != Fate::kOpen && fate != Fate::kAborted) return;
      found.Add(fmt::format("{}@{}: {} was given a record that is {}", now.NameOf(record.partition),
                            record.offset, running.name,
                            fate == Fate::kOpen ? "undecided" : "aborted"));
    });
  }
}

// Whether the application told its consumer to go somewhere else.
bool MovesPosition(std::string_view operation) {
  return operation.starts_with("seek") || operation.find("subscribe") != operation.npos;
}

void EachIsReadOnceInOrder(const Subject& now, Findings& found) {
  for (const RunningConsumer& running : now.consumers()) {
    absl::btree_map<broker::PartitionId, broker::Offset> last;
    for (const client::CallResult& result : running.consumer->calls().results()) {
      if (MovesPosition(result.operation)) last.clear();
      const auto* consumed = std::get_if<client::ConsumedRecords>(&result.value);
      if (consumed == nullptr) continue;
      for (const ConsumedRecord& record : *consumed->records) {
        const auto [at, first] = last.try_emplace(record.partition, record.offset);
        if (first) continue;
        if (record.offset <= at->second) {
          found.Add(fmt::format("{}@{}: given to {} after offset {}", now.NameOf(record.partition),
                                record.offset, running.name, at->second));
        }
        const LedPartition* led = now.FindLed(record.partition);
        const bool committed = ReadsCommitted(*running.consumer);
        if (led != nullptr && committed && record.offset > at->second) {
          const auto skipped = led->reading.FirstVisible(at->second + 1, record.offset);
          if (skipped.has_value()) {
            found.Add(fmt::format("{}@{}: {} was given {} without it", now.NameOf(record.partition),
                                  *skipped, running.name, record.offset));
          }
        }
        at->second = record.offset;
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
       .state = OnlyCommittedIsRead},
      {.name = "each_is_read_once_in_order",
       .sentence = "A reader is given each record that it may see once, in the order of offsets, "
                   "and leaves none out, unless it is told to go elsewhere.",
       .source = "KIP-98",
       .state = EachIsReadOnceInOrder},
  };
}

}  // namespace kafkasim::scenarios

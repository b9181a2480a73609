// What whoever reads, processes and writes in transactions may rely on: a consumer and a producer
// in one application (KIP-98, KIP-447).
#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <absl/container/btree_map.h>
#include <fmt/format.h>

#include "coordinator/group_view.h"
#include "scenarios/invariants/invariant.h"

namespace kafkasim::scenarios {
namespace {

using client::CallResult;
using Input = std::pair<broker::PartitionId, broker::Offset>;

// The calls of both clients in their order: an application numbers them together.
std::vector<const CallResult*> CallsOfBoth(const client::Consumer& consumer,
                                           const client::Producer& producer) {
  std::vector<const CallResult*> calls;
  for (const CallResult& result : consumer.calls().results()) calls.push_back(&result);
  for (const CallResult& result : producer.calls().results()) calls.push_back(&result);
  std::sort(calls.begin(), calls.end(),
            [](const CallResult* a, const CallResult* b) { return a->id < b->id; });
  return calls;
}

// Follows an application through its calls: which input it has handed in with which transaction,
// by the offsets of send_offsets. Input that it polled and then sought away from, or whose
// partition it handed in nothing of, it may have thrown away.
class ServiceReading {
 public:
  explicit ServiceReading(const Subject& now) : now_(now) {}

  // Calls visit(inputs) for each transaction that is committed.
  template <typename Visitor>
  void Read(const std::vector<const CallResult*>& calls, Visitor visit) {
    for (const CallResult* call : calls) {
      if (const auto* consumed = std::get_if<client::ConsumedRecords>(&call->value)) {
        for (const client::ConsumedRecord& record : *consumed->records) {
          polled_[record.partition].insert(record.offset);
        }
      } else if (call->operation == "begin_transaction" && call->ok()) {
        handed_in_.clear();
        sent_.clear();
      } else if (const auto* sent = std::get_if<client::SentRecords>(&call->value)) {
        sent_.insert(sent_.end(), sent->records.begin(), sent->records.end());
      } else if (const auto* offsets = std::get_if<client::HandedInOffsets>(&call->value)) {
        if (call->ok()) HandIn(offsets->rows);
      } else if (call->operation == "commit_transaction") {
        if (call->ok() || SomeAreCommitted()) visit(handed_in_);
        handed_in_.clear();
      } else if (call->operation == "abort_transaction" || call->operation == "init_transactions" ||
                 call->operation.starts_with("seek") || call->state == client::CallState::kLost) {
        polled_.clear();
        if (!call->operation.starts_with("seek")) handed_in_.clear();
      }
    }
  }

 private:
  // Whatever was polled below these offsets.
  void HandIn(const std::vector<broker::OffsetToCommit>& offsets) {
    absl::btree_map<broker::PartitionId, std::set<broker::Offset>> left;
    for (const broker::OffsetToCommit& row : offsets) {
      const auto polled = polled_.find(row.partition);
      if (polled == polled_.end()) continue;
      for (const broker::Offset offset : polled->second) {
        if (offset < row.offset) {
          handed_in_.emplace_back(row.partition, offset);
        } else {
          left[row.partition].insert(offset);
        }
      }
    }
    polled_ = std::move(left);
  }

  // Of a commit without a good answer.
  [[nodiscard]] bool SomeAreCommitted() const {
    return std::any_of(sent_.begin(), sent_.end(), [&](const client::RecordMetadata& record) {
      const LedPartition* led = now_.FindLed(record.partition);
      return record.done && record.offset != broker::kNoOffset && led != nullptr &&
             led->reading().FateOf(record.offset) == Fate::kCommitted;
    });
  }

  const Subject& now_;
  absl::btree_map<broker::PartitionId, std::set<broker::Offset>> polled_;
  std::vector<Input> handed_in_;
  std::vector<client::RecordMetadata> sent_;
};

// Partitions of which somebody has committed an offset of the group outside a transaction: an
// operator may reset it, and then its input is to be processed again.
std::set<broker::PartitionId> SetByHand(const Subject& now, const std::string& group_id) {
  std::set<broker::PartitionId> partitions;
  const auto topic = now.cluster().FindTopicId(broker::kConsumerOffsetsTopic);
  for (const LedPartition& led : now.led()) {
    if (!topic.has_value() || led.id().topic != *topic) continue;
    for (const coordinator::GroupLogEntry& entry : coordinator::DecodeGroupLog(led.log())) {
      if (!entry.record.has_value() || entry.producer_id != broker::kNoProducerId) continue;
      const auto* commit = std::get_if<coordinator::OffsetCommitRecord>(&*entry.record);
      if (commit != nullptr && commit->group_id == group_id) partitions.insert(commit->partition);
    }
  }
  return partitions;
}

void InputIsProcessedOnce(const Subject& now, Findings& found) {
  absl::btree_map<std::string, std::set<Input>> processed;  // by group
  for (const RunningConsumer& consumer : now.consumers()) {
    if (!consumer.consumer->config().group_id.has_value()) continue;
    const std::string& group_id = *consumer.consumer->config().group_id;
    for (const RunningProducer& producer : now.producers()) {
      if (producer.name != consumer.name) continue;
      std::set<Input>& known = processed[group_id];
      ServiceReading reading(now);
      reading.Read(CallsOfBoth(*consumer.consumer, *producer.producer),
                   [&](const std::vector<Input>& inputs) {
                     for (const Input& input : inputs) {
                       if (known.insert(input).second) continue;
                       if (SetByHand(now, group_id).contains(input.first)) continue;
                       found.Add(fmt::format("{}@{}: {} has processed it again",
                                             now.NameOf(input.first), input.second, consumer.name));
                     }
                   });
    }
  }
}

}  // namespace

std::vector<Invariant> ServiceInvariants() {
  return {
      {.name = "input_is_processed_once",
       .sentence = "Of the applications of a group no two committed transactions hand in the same "
                   "record, unless its offset was reset outside a transaction.",
       .source = "KIP-447",
       .state = InputIsProcessedOnce,
       .reads = kLogs | kProducers | kConsumers},
  };
}

}  // namespace kafkasim::scenarios

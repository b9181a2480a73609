// What holds of transaction coordinators and of their log.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <absl/container/btree_map.h>
#include <fmt/format.h>

#include "coordinator/transaction_view.h"
#include "scenarios/invariants/invariant.h"

namespace kafkasim::scenarios {
namespace {

using coordinator::TransactionState;
using coordinator::TransactionValue;

bool IsTransactionLog(const Subject& now, const LedPartition& led) {
  const broker::TopicImage* topic = now.cluster().FindTopic(led.id().topic);
  return topic != nullptr && topic->name == broker::kTransactionStateTopic;
}

// Whether it still has every record that was ever written.
bool IsWhole(const broker::PartitionLog& log) {
  broker::Offset next{0};
  bool whole = log.log_start_offset() == broker::Offset(0);
  log.ForEachBatch(log.log_start_offset(), [&](const broker::RecordBatchRef& batch) {
    whole = whole && batch->base_offset == next;
    next = batch->next_offset();
  });
  return whole;
}

// What a coordinator of this epoch may hold of each id: what the log said when it was loaded, and
// each record that was written since. One whose write timed out is given up and stays in the log
// (see LastRecord), so that it need not be the last.
using States = absl::btree_map<std::string, std::vector<TransactionValue>>;

States StatesIn(const std::vector<coordinator::TransactionLogEntry>& log,
                broker::LeaderEpoch epoch) {
  States states;
  for (const coordinator::TransactionLogEntry& entry : log) {
    std::vector<TransactionValue>& known = states[entry.record.transactional_id];
    if (entry.leader_epoch < epoch) known.clear();
    if (entry.record.value.has_value()) known.push_back(*entry.record.value);
  }
  return states;
}

// Partitions that have their marker are struck off in memory only.
bool SaysTheSame(const TransactionValue& memory, const TransactionValue& log) {
  return memory.producer_id == log.producer_id && memory.producer_epoch == log.producer_epoch &&
         memory.state == log.state && memory.timeout_ms == log.timeout_ms &&
         (coordinator::IsPrepared(memory.state) || memory.partitions == log.partitions);
}

bool IsKnown(const TransactionValue& memory, const States& states, const std::string& id) {
  const auto at = states.find(id);
  return at != states.end() &&
         std::any_of(at->second.begin(), at->second.end(),
                     [&](const TransactionValue& written) { return SaysTheSame(memory, written); });
}

void MemoryIsTheLog(const Subject& now, Findings& found) {
  for (const RunningCoordinator& running : now.coordinators()) {
    for (const auto& partition : running.coordinator->cache().partitions()) {
      const broker::PartitionId id = running.coordinator->cache().TopicPartition(partition.index);
      const broker::Partition* replica = running.broker->FindReplica(id);
      const bool current = !partition.loading && replica != nullptr && replica->is_leader() &&
                           replica->leader_epoch().value() == partition.epoch.value();
      // A cleaner may take the record that a coordinator went back to.
      if (!current || !IsWhole(replica->log())) continue;
      const broker::LeaderEpoch epoch = replica->leader_epoch();
      const LedPartition* led = now.FindLed(id);
      const States states =
          led != nullptr && &led->replica() == replica
              ? StatesIn(led->transactions(), epoch)
              : StatesIn(coordinator::DecodeTransactionLog(replica->log()), epoch);
      for (const auto& entry : *partition.entries) {
        // A fence that could not be written raises the epoch in memory (KAFKA-8803), and an id
        // whose first record is on its way is in no log yet.
        const bool ahead = entry->has_failed_epoch_fence || entry->pending.has_value();
        const bool is_new = entry->value.producer_epoch == broker::kNoProducerEpoch;
        if (ahead || is_new || IsKnown(entry->value, states, entry->transactional_id)) continue;
        found.Add(fmt::format("{}: the coordinator on broker {} has {} epoch {}, its log does not",
                              entry->transactional_id, running.broker->id(),
                              UpperName(entry->value.state), entry->value.producer_epoch));
      }
    }
  }
}

void OneCoordinatorAnEpoch(const Subject& now, Findings& found) {
  absl::btree_map<std::pair<int32_t, broker::CoordinatorEpoch>, broker::BrokerId> owners;
  for (const RunningCoordinator& running : now.coordinators()) {
    for (const auto& partition : running.coordinator->cache().partitions()) {
      const auto [at, added] =
          owners.try_emplace({partition.index, partition.epoch}, running.broker->id());
      if (added) continue;
      found.Add(fmt::format("{}-{}: brokers {} and {} both coordinate it in epoch {}",
                            broker::kTransactionStateTopic, partition.index, at->second,
                            running.broker->id(), partition.epoch));
    }
  }
}

// The last record of an id, and the state to which its coordinator went back if the write of that
// record timed out: the record stays in the log, and what follows it follows from that state
// (TransactionStateManager.appendTransactionToLog resets pendingState). Another coordinator takes
// the log as it is.
struct LastRecord {
  TransactionValue value{};
  broker::LeaderEpoch leader_epoch = broker::kNoLeaderEpoch;
  TransactionState before = TransactionState::kEmpty;

  [[nodiscard]] bool IsGivenUpBy(const coordinator::TransactionLogEntry& next) const {
    return leader_epoch == next.leader_epoch &&
           !coordinator::IsLegal(value.state, next.record.value->state) &&
           coordinator::IsLegal(before, next.record.value->state);
  }
};

// State after state of each id, as the table of transitions has them; and within one producer id
// the epoch only grows.
void StatesFollow(const Subject& now, const LedPartition& led, Findings& found) {
  if (!IsTransactionLog(now, led) || !IsWhole(led.log())) return;
  absl::btree_map<std::string, LastRecord> last;
  for (const auto& entry : led.transactions()) {
    const std::string& id = entry.record.transactional_id;
    const auto known = last.find(id);
    if (!entry.record.value.has_value()) {
      last.erase(id);
      continue;
    }
    const TransactionValue& value = *entry.record.value;
    LastRecord record{.value = value, .leader_epoch = entry.leader_epoch, .before = value.state};
    if (known != last.end()) {
      const TransactionValue& before = known->second.value;
      const bool given_up = known->second.IsGivenUpBy(entry);
      record.before = given_up ? known->second.before : before.state;
      if (!given_up && !coordinator::IsLegal(before.state, value.state)) {
        found.Add(
            fmt::format("{}: {} after {}", id, UpperName(value.state), UpperName(before.state)));
      }
      if (!given_up && value.producer_id == before.producer_id &&
          value.producer_epoch < before.producer_epoch) {
        found.Add(
            fmt::format("{}: epoch {} after {}", id, value.producer_epoch, before.producer_epoch));
      }
    }
    last[id] = record;
  }
}

// The decisions about each producer id and partition, in order: true for COMMIT.
using Decisions =
    absl::btree_map<std::pair<broker::ProducerId, broker::PartitionId>, std::vector<bool>>;

// A decision is given up (see LastRecord) if its own coordinator writes anything but its completion
// next.
Decisions DecisionsIn(const Subject& now) {
  Decisions decisions;
  for (const LedPartition& led : now.led()) {
    if (!IsTransactionLog(now, led)) continue;
    absl::btree_map<std::string, LastRecord> last;
    for (const auto& entry : led.transactions()) {
      if (!entry.record.value.has_value()) continue;
      const TransactionValue& value = *entry.record.value;
      LastRecord& before = last[entry.record.transactional_id];
      const bool undecided = coordinator::IsPrepared(before.value.state) &&
                             !coordinator::IsComplete(value.state) &&
                             before.leader_epoch == entry.leader_epoch;
      if (undecided) {
        for (const broker::PartitionId& partition : before.value.partitions) {
          std::vector<bool>& decided = decisions[{before.value.producer_id, partition}];
          if (!decided.empty()) decided.pop_back();
        }
      }
      const bool decides =
          coordinator::IsPrepared(value.state) && (undecided || before.value.state != value.state);
      before = {.value = value, .leader_epoch = entry.leader_epoch};
      if (!decides) continue;
      for (const broker::PartitionId& partition : value.partitions) {
        decisions[{value.producer_id, partition}].push_back(value.state ==
                                                            TransactionState::kPrepareCommit);
      }
    }
  }
  return decisions;
}

// Whether every decision can be read: each partition of the transaction log that has records has
// a leader, which has all of them.
bool AllDecisionsAreKnown(const Subject& now) {
  const auto topic = now.cluster().FindTopicId(broker::kTransactionStateTopic);
  if (!topic.has_value()) return false;
  const auto partitions = now.cluster().FindTopic(*topic)->partitions.size();
  for (int32_t i = 0; i < static_cast<int32_t>(partitions); ++i) {
    const broker::PartitionId partition{*topic, i};
    const LedPartition* led = now.FindLed(partition);
    if (led != nullptr ? !IsWhole(led->log()) : !now.IsEmpty(partition)) return false;
  }
  return true;
}

// The markers of a producer on a partition are the decisions about it, in their order; one that
// was sent again may stand twice.
void MarkersFollowDecisions(const Subject& now, Findings& found) {
  if (!AllDecisionsAreKnown(now)) return;
  const Decisions decisions = DecisionsIn(now);
  for (const LedPartition& led : now.led()) {
    // A cleaner removes old markers.
    if (led.log().log_start_offset() != broker::Offset(0) ||
        led.log().cleaner_checkpoint() != broker::Offset(0)) {
      continue;
    }
    absl::btree_map<broker::ProducerId, size_t> taken;
    for (const ReadMarker& marker : led.reading().markers()) {
      const bool commit = marker.type == broker::ControlType::kCommit;
      const auto at = decisions.find({marker.producer_id, led.id()});
      const std::vector<bool> none;
      const std::vector<bool>& decided = at == decisions.end() ? none : at->second;
      size_t& next = taken[marker.producer_id];
      if (next < decided.size() && decided[next] == commit) {
        ++next;
      } else if (next == 0 || decided[next - 1] != commit) {
        found.Add(fmt::format("{}@{}: {} of producer {}, which nobody decided",
                              now.NameOf(led.id()), marker.offset, broker::Name(marker.type),
                              marker.producer_id));
      }
    }
  }
}

}  // namespace

std::vector<Invariant> CoordinatorInvariants() {
  return {
      {.name = "coordinator_is_its_log",
       .sentence =
           "What a coordinator knows of a transactional id is what its log says, or has said "
           "since it took over.",
       .source = "KIP-98",
       .state = MemoryIsTheLog,
       .reads = kLogs | kCoordinators},
      {.name = "one_coordinator_an_epoch",
       .sentence = "No two brokers coordinate a partition of the transaction log in one epoch.",
       .source = "KIP-98",
       .state = OneCoordinatorAnEpoch,
       .reads = kCoordinators},
      {.name = "transaction_states_follow",
       .sentence = "In the transaction log each state follows from the one before, or from that "
                   "before a write that timed out; so do epochs, which never go back.",
       .source = "KIP-98",
       .partition = StatesFollow},
      {.name = "markers_follow_decisions",
       .sentence =
           "The markers on a partition are the decisions of the coordinator, in order; what "
           "an operator aborts by hand while it is open is none.",
       .source = "KIP-98",
       .state = MarkersFollowDecisions,
       .reads = kLogs},
  };
}

}  // namespace kafkasim::scenarios

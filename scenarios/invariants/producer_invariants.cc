// What the applications of producers may rely on.
#include <utility>

#include <absl/container/btree_map.h>
#include <fmt/format.h>

#include "scenarios/invariants/client_transaction.h"
#include "scenarios/invariants/invariant.h"

namespace kafkasim::scenarios {
namespace {

using client::RecordMetadata;

bool WritesToAllReplicas(const client::Producer& producer) { return producer.config().acks == -1; }

// Calls visit(record) for each that a producer with acks=all was told to be written.
template <typename Visitor>
void ForEachAcknowledged(const client::Producer& producer, Visitor visit) {
  if (!WritesToAllReplicas(producer)) return;
  for (const client::CallResult& result : producer.calls().results()) {
    const auto* sent = std::get_if<client::SentRecords>(&result.value);
    if (sent == nullptr) continue;
    for (const RecordMetadata& record : sent->records) {
      if (record.done && record.offset != broker::kNoOffset) visit(record);
    }
  }
}

void AcknowledgedIsKept(const Subject& now, Findings& found) {
  for (const RunningProducer& running : now.producers()) {
    ForEachAcknowledged(*running.producer, [&](const RecordMetadata& record) {
      const LedPartition* led = now.FindLed(record.partition);
      // A cleaner may have left out what a newer record with the same key stands for.
      if (led == nullptr || record.offset < led->log().log_start_offset() ||
          led->log().config().cleanup_policy.compact) {
        return;
      }
      const broker::RecordBatch* batch = led->log().FindBatch(record.offset);
      const bool there = batch != nullptr && !batch->is_control();
      if (there) return;
      found.Add(fmt::format("{}@{}: acknowledged to {}, and not in the log of leader {}",
                            now.NameOf(record.partition), record.offset, running.name,
                            led->broker().id()));
    });
  }
}

void CommittedIsCommitted(const Subject& now, Findings& found) {
  for (const RunningProducer& running : now.producers()) {
    for (const ClientTransaction& transaction : TransactionsOf(running.producer->calls())) {
      if (transaction.outcome != ClientTransaction::Outcome::kCommitted) continue;
      for (const RecordMetadata& record : transaction.acknowledged) {
        const LedPartition* led = now.FindLed(record.partition);
        if (led == nullptr || led->reading().FateOf(record.offset) != Fate::kAborted) continue;
        found.Add(fmt::format("{}@{}: {} was told that it is committed, and it is aborted",
                              now.NameOf(record.partition), record.offset, running.name));
      }
    }
  }
}

void OnlyCommittedIsCommitted(const Subject& now, Findings& found) {
  for (const RunningProducer& running : now.producers()) {
    for (const ClientTransaction& transaction : TransactionsOf(running.producer->calls())) {
      const bool aborted = transaction.outcome == ClientTransaction::Outcome::kAborted;
      if (transaction.commit_asked && !aborted) continue;
      for (const RecordMetadata& record : transaction.acknowledged) {
        const LedPartition* led = now.FindLed(record.partition);
        if (led == nullptr || led->reading().FateOf(record.offset) != Fate::kCommitted) continue;
        found.Add(fmt::format("{}@{}: committed, although {} {}", now.NameOf(record.partition),
                              record.offset, running.name,
                              aborted ? "was told that it is aborted" : "has not committed it"));
      }
    }
  }
}

void OneOwnerOfAnEpoch(const Subject& now, Findings& found) {
  absl::btree_map<std::pair<broker::ProducerId, broker::ProducerEpoch>, std::string_view> owners;
  for (const RunningProducer& running : now.producers()) {
    const client::ProducerIdentity identity = running.producer->identity();
    if (running.crashed || identity.producer_id == broker::kNoProducerId) continue;
    const auto [at, added] =
        owners.try_emplace({identity.producer_id, identity.epoch}, running.name);
    if (added) continue;
    found.Add(fmt::format("{} and {} both have producer id {} epoch {}", at->second, running.name,
                          identity.producer_id, identity.epoch));
  }
}

}  // namespace

std::vector<Invariant> ProducerInvariants() {
  return {
      {.name = "acknowledged_is_kept",
       .sentence = "A record that was acknowledged with acks=all is in its partition's log.",
       .source = "KIP-101",
       .state = AcknowledgedIsKept,
       .reads = kLogs | kProducers},
      {.name = "committed_is_committed",
       .sentence = "A record of a transaction whose commit has returned is never aborted.",
       .source = "KIP-98",
       .state = CommittedIsCommitted,
       .reads = kLogs | kProducers},
      {.name = "only_committed_is_committed",
       .sentence = "No record is committed unless its application has asked for it, and none whose "
                   "abort has returned.",
       .source = "KIP-890",
       .state = OnlyCommittedIsCommitted,
       .reads = kLogs | kProducers},
      {.name = "one_owner_of_an_epoch",
       .sentence = "No two producers hold the same producer id and epoch.",
       .source = "KIP-98",
       .state = OneOwnerOfAnEpoch,
       .reads = kProducers},
  };
}

}  // namespace kafkasim::scenarios

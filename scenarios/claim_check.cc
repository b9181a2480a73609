// Claims about transactions, coordinators, actors and messages.
#include "scenarios/claim_check.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "scenarios/group_claims.h"
#include "scenarios/message_match.h"
#include "scenarios/outside_claims.h"
#include "scenarios/pattern_match.h"
#include "scenarios/snapshot.h"

namespace kafkasim::scenarios {
namespace {

std::string LifeText(sim::Life life) {
  switch (life) {
    case sim::Life::kRunning:
      return "running";
    case sim::Life::kPaused:
      return "paused";
    case sim::Life::kCrashed:
      return "crashed";
  }
  return "";
}

std::string WhyUnknown(const TransactionView& view) {
  if (view.coordinator < 0) return "there is no coordinator";
  if (!view.loaded) return fmt::format("broker-{} is still loading", view.coordinator);
  return "absent";
}

std::vector<std::string> Sorted(std::vector<std::string> texts) {
  std::sort(texts.begin(), texts.end());
  return texts;
}

std::string RecordText(const TransactionRecordView& record) {
  std::string text = record.state;
  for (const std::string& partition : record.partitions) text += " " + partition;
  if (record.producer_id < 0) return text;
  return text + fmt::format(" e{} pid{}", record.epoch, record.producer_id);
}

void AppendAll(std::vector<Mismatch>& all, std::vector<Mismatch> more) {
  for (Mismatch& mismatch : more) all.push_back(std::move(mismatch));
}

template <typename T>
std::size_t Set(const std::optional<T>& claim) {
  return claim.has_value() ? 1 : 0;
}

std::size_t Count(const ProducerStateExpectation& claim) {
  return claim.absent ? 1
                      : Set(claim.epoch) + Set(claim.last_sequence) + Set(claim.coordinator_epoch) +
                            Set(claim.open_since);
}

std::size_t Count(const LogExpectation& log) { return log.complete ? 1 : log.entries.size(); }

std::size_t Count(const PartitionExpectation& claim) {
  std::size_t count = (claim.log.has_value() ? Count(*claim.log) : 0) +
                      Set(claim.log_start_offset) + Set(claim.log_end_offset) +
                      Set(claim.high_watermark) + Set(claim.last_stable_offset) +
                      Set(claim.leader) + Set(claim.leader_epoch) + Set(claim.isr) +
                      Set(claim.read_committed) + Set(claim.read_uncommitted) + Set(claim.aborted);
  for (const ProducerStateExpectation& producer : claim.producers) count += Count(producer);
  return count;
}

std::size_t Count(const TransactionExpectation& claim) {
  return (claim.absent ? 1u : 0u) + Set(claim.state) + Set(claim.pending_state) +
         Set(claim.producer_id) + Set(claim.epoch) + Set(claim.last_epoch) + Set(claim.timeout_ms) +
         Set(claim.partitions);
}

std::size_t Count(const ActorExpectation& claim) {
  return Set(claim.life) + Set(claim.state) + Set(claim.producer_id) + Set(claim.epoch) +
         claim.position.size() + Set(claim.delivered) + CountOutsideClaims(claim);
}

}  // namespace

std::vector<Mismatch> CheckTransaction(const TransactionExpectation& claim, const Moment& moment,
                                       bool reasons) {
  const TransactionView view = ViewTransaction(moment, claim.transactional_id.value);
  MismatchList found("transaction " + claim.transactional_id.value);
  if (claim.absent) {
    if (view.known || !view.loaded) {
      found.Add(claim.mark, "", "absent", view.known ? view.state : WhyUnknown(view));
    }
    return found.Take();
  }
  if (!view.known) {
    found.Add(claim.mark, "", "known", WhyUnknown(view));
    return found.Take();
  }
  if (!found.CheckText(claim.state, "state", view.state) && reasons) {
    found.last().reason = view.pending_state.empty()
                              ? std::string()
                              : fmt::format("{} is being written", view.pending_state);
  }
  found.CheckText(claim.pending_state, "pending_state",
                  view.pending_state.empty() ? "NONE" : view.pending_state);
  found.CheckNumber(claim.producer_id, "producer_id", view.producer_id);
  found.CheckNumber(claim.epoch, "epoch", view.epoch);
  found.CheckNumber(claim.last_epoch, "last_epoch", view.last_epoch);
  found.CheckNumber(claim.timeout_ms, "timeout_ms", view.timeout_ms);
  if (claim.partitions.has_value()) {
    std::vector<std::string> wanted;
    for (const PartitionName& name : claim.partitions->value) {
      wanted.push_back(fmt::format("{}-{}", name.topic, name.partition));
    }
    if (Sorted(wanted) != Sorted(view.partitions)) {
      found.Add(claim.partitions->mark, "partitions", ListText(wanted), ListText(view.partitions));
    }
  }
  return found.Take();
}

std::vector<Mismatch> CheckTransactionLog(const TransactionLogExpectation& claim,
                                          const Moment& moment) {
  const TransactionView view = ViewTransaction(moment, claim.transactional_id.value);
  const bool fits = std::equal(
      claim.records.begin(), claim.records.end(), view.records.begin(), view.records.end(),
      [](const TransactionRecordPattern& pattern, const TransactionRecordView& record) {
        return Matches(pattern, record);
      });
  MismatchList found(fmt::format("__transaction_state-{} records of {}", view.partition,
                                 claim.transactional_id.value));
  if (fits) return found.Take();
  std::vector<std::string> wanted;
  std::vector<std::string> actual;
  for (const TransactionRecordPattern& pattern : claim.records) {
    wanted.push_back(pattern.text.empty() ? pattern.state : pattern.text);
  }
  for (std::size_t i = 0; i < view.records.size(); ++i) {
    const bool same = i < claim.records.size() && Matches(claim.records[i], view.records[i]);
    actual.push_back(same ? wanted[i] : RecordText(view.records[i]));
  }
  found.Add(claim.mark, "", ListText(wanted), ListText(actual));
  return found.Take();
}

std::vector<Mismatch> CheckCoordinator(const CoordinatorExpectation& claim, const Moment& moment) {
  const TransactionView view = ViewTransaction(moment, claim.transactional_id.value);
  MismatchList found("coordinator of " + claim.transactional_id.value);
  found.CheckNumber(claim.partition, "partition", view.partition);
  found.CheckNumber(claim.broker, "broker", view.coordinator);
  found.CheckNumber(claim.epoch, "epoch", view.coordinator_epoch);
  return found.Take();
}

std::vector<Mismatch> CheckActor(const ActorExpectation& claim, const Moment& moment) {
  MismatchList found(claim.actor.value);
  const auto process = moment.names.FindProcess(claim.actor.value);
  if (!process.has_value()) return found.Take();
  const ActorView view = ViewActor(moment, *process);
  found.CheckText(claim.life, "life", LifeText(view.life));
  found.CheckText(claim.state, "state", view.state);
  found.CheckNumber(claim.producer_id, "producer_id", view.producer_id);
  found.CheckNumber(claim.epoch, "epoch", view.epoch);
  CheckOutside(claim, view, found);
  for (const ActorExpectation::PartitionPosition& position : claim.position) {
    const std::string name =
        fmt::format("{}-{}", position.partition.topic, position.partition.partition);
    const auto actual =
        std::find_if(view.positions.begin(), view.positions.end(),
                     [&](const ActorView::Position& p) { return p.partition == name; });
    if (actual == view.positions.end()) {
      found.Add(position.offset.mark, "position of " + name, PatternText(position.offset),
                "not known yet");
    } else {
      found.CheckNumber(position.offset, "position of " + name, actual->offset);
    }
  }
  if (!claim.delivered.has_value()) return found.Take();
  std::vector<EntryView> delivered;
  for (const DeliveredRecord& record : view.delivered) {
    delivered.push_back(ViewDelivered(record, moment.history));
  }
  if (auto mismatch = CompareEntries(claim.delivered->value, delivered)) {
    found.Add(claim.delivered->mark, "delivered", std::move(mismatch->expected),
              std::move(mismatch->actual), std::move(mismatch->difference));
  }
  return found.Take();
}

std::size_t CountClaims(const Expectations& claims) {
  std::size_t count = claims.transaction_logs.size() + claims.counts.size() + claims.pending.size();
  for (const PartitionExpectation& claim : claims.partitions) count += Count(claim);
  for (const TransactionExpectation& claim : claims.transactions) count += Count(claim);
  for (const GroupExpectation& claim : claims.groups) count += CountClaims(claim);
  for (const ActorExpectation& claim : claims.actors) count += Count(claim);
  for (const CoordinatorExpectation& claim : claims.coordinators) {
    count += Set(claim.partition) + Set(claim.broker) + Set(claim.epoch);
  }
  return count;
}

std::vector<Mismatch> CheckClaims(const Expectations& claims, const Moment& moment,
                                  const ScriptFacts& facts, bool reasons) {
  std::vector<Mismatch> all;
  for (const auto& claim : claims.partitions)
    AppendAll(all, CheckPartition(claim, moment, reasons));
  for (const auto& claim : claims.transactions) {
    AppendAll(all, CheckTransaction(claim, moment, reasons));
  }
  for (const auto& claim : claims.transaction_logs)
    AppendAll(all, CheckTransactionLog(claim, moment));
  for (const auto& claim : claims.coordinators) AppendAll(all, CheckCoordinator(claim, moment));
  for (const auto& claim : claims.groups) AppendAll(all, CheckGroup(claim, moment));
  for (const auto& claim : claims.actors) AppendAll(all, CheckActor(claim, moment));
  for (std::size_t i = 0; i < claims.counts.size(); ++i) {
    MismatchList found("messages sent, " + PatternText(claims.counts[i].messages));
    found.CheckNumber(claims.counts[i].number, "", facts.counts[i]);
    AppendAll(all, found.Take());
  }
  for (std::size_t i = 0; i < claims.pending.size(); ++i) {
    if (facts.pending[i]) continue;
    MismatchList found(claims.pending[i].value);
    found.Add(claims.pending[i].mark, "", "still under way", "has returned");
    AppendAll(all, found.Take());
  }
  return all;
}

}  // namespace kafkasim::scenarios

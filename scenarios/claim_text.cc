#include "scenarios/claim_text.h"

#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/entry_view.h"
#include "scenarios/group_claims.h"
#include "scenarios/message_match.h"
#include "scenarios/outside_claims.h"
#include "scenarios/pattern_match.h"

namespace kafkasim::scenarios {
namespace {

std::string TextOf(const PartitionName& name) {
  return fmt::format("{}-{}", name.topic, name.partition);
}

template <typename Pattern>
std::string TextOf(const std::vector<Pattern>& patterns) {
  std::vector<std::string> texts;
  for (const Pattern& pattern : patterns) texts.push_back(PatternText(pattern));
  return ListText(texts);
}

// Collects what is claimed of one thing.
class Parts {
 public:
  void Add(std::string text) { parts_.push_back(std::move(text)); }
  void Add(std::string_view name, const std::optional<NumberPattern>& claim) {
    if (claim.has_value()) Add(fmt::format("{} {}", name, PatternText(*claim)));
  }
  void Add(std::string_view name, const std::optional<Marked<std::string>>& claim) {
    if (claim.has_value()) Add(fmt::format("{} {}", name, claim->value));
  }
  void Add(std::string_view name, const std::optional<Marked<std::vector<EntryPattern>>>& claim) {
    if (claim.has_value()) Add(fmt::format("{} {}", name, TextOf(claim->value)));
  }

  std::string Of(std::string_view subject) const {
    return fmt::format("{}: {}", subject, fmt::join(parts_, "; "));
  }
  std::string Joined(std::string_view separator) const {
    return fmt::format("{}", fmt::join(parts_, separator));
  }

 private:
  std::vector<std::string> parts_;
};

std::string LogText(const LogExpectation& log) {
  if (log.complete) return "log " + TextOf(log.entries);
  std::vector<std::string> texts;
  for (const EntryPattern& entry : log.entries) {
    texts.push_back(fmt::format("{} at {}", PatternText(entry), entry.offset.value_or(0)));
  }
  return "log " + ListText(texts);
}

std::string ClaimWords(const ProducerStateExpectation& claim) {
  const std::string who = PatternText(claim.producer);
  if (claim.absent) return fmt::format("knows nothing of {}", who);
  Parts parts;
  parts.Add("epoch", claim.epoch);
  parts.Add("last_sequence", claim.last_sequence);
  parts.Add("coordinator_epoch", claim.coordinator_epoch);
  parts.Add("open_since", claim.open_since);
  return fmt::format("knows {} with {}", who, parts.Joined(", "));
}

std::string ClaimWords(const AbortedExpectation& row) {
  const auto number = [](const std::optional<NumberPattern>& claim) {
    return claim.has_value() ? PatternText(*claim) : "*";
  };
  const std::string who = row.producer.has_value() ? PatternText(*row.producer) + " " : "";
  return fmt::format("{}{} to {}", who, number(row.first_offset), number(row.last_offset));
}

std::string ClaimWords(const PartitionExpectation& claim) {
  std::string name = TextOf(claim.partition);
  if (claim.broker.has_value()) name += fmt::format(" on broker-{}", *claim.broker);
  Parts parts;
  if (claim.log.has_value()) parts.Add(LogText(*claim.log));
  parts.Add("log start", claim.log_start_offset);
  parts.Add("LSO", claim.last_stable_offset);
  parts.Add("HW", claim.high_watermark);
  parts.Add("LEO", claim.log_end_offset);
  parts.Add("read_committed", claim.read_committed);
  parts.Add("read_uncommitted", claim.read_uncommitted);
  parts.Add("leader", claim.leader);
  parts.Add("leader_epoch", claim.leader_epoch);
  if (claim.isr.has_value()) parts.Add(fmt::format("isr {}", claim.isr->value));
  for (const ProducerStateExpectation& producer : claim.producers) parts.Add(ClaimWords(producer));
  if (claim.aborted.has_value()) {
    std::vector<std::string> rows;
    for (const AbortedExpectation& row : claim.aborted->value) rows.push_back(ClaimWords(row));
    parts.Add("aborted " + ListText(rows));
  }
  return parts.Of(name);
}

std::string ClaimWords(const TransactionExpectation& claim) {
  Parts parts;
  if (claim.absent) parts.Add("absent");
  parts.Add("state", claim.state);
  parts.Add("pending_state", claim.pending_state);
  parts.Add("producer_id", claim.producer_id);
  parts.Add("epoch", claim.epoch);
  parts.Add("last_epoch", claim.last_epoch);
  parts.Add("timeout_ms", claim.timeout_ms);
  if (claim.partitions.has_value()) {
    std::vector<std::string> names;
    for (const PartitionName& name : claim.partitions->value) names.push_back(TextOf(name));
    parts.Add("partitions " + ListText(names));
  }
  return parts.Of(claim.transactional_id.value);
}

std::string ClaimWords(const TransactionLogExpectation& claim) {
  std::vector<std::string> records;
  for (const TransactionRecordPattern& record : claim.records) {
    records.push_back(record.text.empty() ? record.state : record.text);
  }
  return fmt::format("records of {}: {}", claim.transactional_id.value, ListText(records));
}

std::string ClaimWords(const CoordinatorExpectation& claim) {
  Parts parts;
  parts.Add("partition", claim.partition);
  parts.Add("broker", claim.broker);
  parts.Add("epoch", claim.epoch);
  return parts.Of("coordinator of " + claim.transactional_id.value);
}

std::string ClaimWords(const ActorExpectation& claim) {
  Parts parts;
  parts.Add("life", claim.life);
  parts.Add("state", claim.state);
  parts.Add("producer_id", claim.producer_id);
  parts.Add("epoch", claim.epoch);
  for (const ActorExpectation::PartitionPosition& position : claim.position) {
    parts.Add(
        fmt::format("position on {} {}", TextOf(position.partition), PatternText(position.offset)));
  }
  parts.Add("was given", claim.delivered);
  for (std::string& text : OutsideTexts(claim)) parts.Add(std::move(text));
  return parts.Of(claim.actor.value);
}

std::string ClaimWords(const CountExpectation& claim) {
  return fmt::format("messages sent, {}: {}", PatternText(claim.messages),
                     PatternText(claim.number));
}

}  // namespace

std::vector<std::string> ClaimTexts(const Expectations& claims) {
  std::vector<std::string> texts;
  const auto add = [&](const auto& group) {
    for (const auto& claim : group) texts.push_back(ClaimWords(claim));
  };
  add(claims.partitions);
  add(claims.transactions);
  add(claims.transaction_logs);
  add(claims.coordinators);
  for (const GroupExpectation& claim : claims.groups) texts.push_back(ClaimText(claim));
  add(claims.actors);
  add(claims.counts);
  for (const Name& handle : claims.pending) texts.push_back(handle.value + ": still under way");
  return texts;
}

}  // namespace kafkasim::scenarios

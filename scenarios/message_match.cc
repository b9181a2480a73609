#include "scenarios/message_match.h"

#include <variant>

#include "broker/message.h"
#include "scenarios/process_lookup.h"

namespace kafkasim::scenarios {
namespace {

bool IsProcess(const std::optional<ProcessName>& wanted, sim::ProcessId process,
               const Moment& moment) {
  return !wanted.has_value() || FindProcess(*wanted, moment) == process;
}

bool WantsAnswer(const MessagePattern& pattern) {
  return pattern.direction == MessagePattern::Direction::kAnswer;
}

// Where the message of an event comes from and goes to.
struct Ends {
  sim::ProcessId from = sim::kNoProcess;
  sim::ProcessId to = sim::kNoProcess;
};

Ends EndsOf(const sim::TraceEvent& event, const NameTable& names) {
  const bool arrival = event.Is(sim::events::kDelivered);
  const sim::ProcessId peer =
      names.FindProcess(event.Text(arrival ? "from" : "to")).value_or(sim::kNoProcess);
  return arrival ? Ends{.from = peer, .to = event.actor} : Ends{.from = event.actor, .to = peer};
}

}  // namespace

bool MatchesMessage(const MessagePattern& pattern, const sim::TraceEvent& event,
                    const Moment& moment) {
  if (event.payload == nullptr || event.payload->api() != pattern.api) return false;
  const sim::Payload& message = *event.payload;
  const sim::FieldValue* answer = event.Find("answer");
  if (answer == nullptr || std::get<bool>(*answer) != WantsAnswer(pattern)) return false;
  if (pattern.transactional_id.has_value() &&
      !message.Concerns("transactional_id", *pattern.transactional_id)) {
    return false;
  }
  if (pattern.partition.has_value()) {
    const auto partition = moment.names.FindPartition(*pattern.partition);
    if (!partition.has_value() || !message.Concerns("partition", broker::ConcernOf(*partition))) {
      return false;
    }
  }
  const Ends ends = EndsOf(event, moment.names);
  return IsProcess(pattern.from, ends.from, moment) && IsProcess(pattern.to, ends.to, moment);
}

std::optional<sim::MessageRule> RuleFor(const MessagePattern& pattern, const Moment& moment) {
  sim::MessageRule rule{.api = pattern.api, .answer = WantsAnswer(pattern)};
  if (pattern.from.has_value()) {
    const auto from = FindProcess(*pattern.from, moment);
    if (!from.has_value()) return std::nullopt;
    rule.from = *from;
  }
  if (pattern.to.has_value()) {
    const auto to = FindProcess(*pattern.to, moment);
    if (!to.has_value()) return std::nullopt;
    rule.to = *to;
  }
  if (pattern.transactional_id.has_value()) {
    rule.attributes.emplace_back("transactional_id", *pattern.transactional_id);
  }
  if (pattern.partition.has_value()) {
    const auto partition = moment.names.FindPartition(*pattern.partition);
    if (!partition.has_value()) return std::nullopt;
    rule.attributes.emplace_back("partition", broker::ConcernOf(*partition));
  }
  return rule;
}

std::string PatternText(const MessagePattern& pattern) {
  std::string text = WantsAnswer(pattern) ? "answer " : "request ";
  text += pattern.api;
  if (pattern.from.has_value()) text += " from " + NameText(*pattern.from);
  if (pattern.to.has_value()) text += " to " + NameText(*pattern.to);
  if (pattern.partition.has_value()) {
    text +=
        " about " + pattern.partition->topic + "-" + std::to_string(pattern.partition->partition);
  }
  if (pattern.transactional_id.has_value()) text += " of " + *pattern.transactional_id;
  return text;
}

}  // namespace kafkasim::scenarios

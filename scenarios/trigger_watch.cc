#include "scenarios/trigger_watch.h"

#include <fmt/format.h>

#include "broker/events.h"
#include "client/events.h"
#include "coordinator/events.h"
#include "scenarios/message_match.h"

namespace kafkasim::scenarios {
namespace {

std::string_view PointText(LogPoint point) {
  return point == LogPoint::kAppended ? "appended" : "replicated";
}

bool IsId(const std::optional<std::string>& wanted, std::string_view id) {
  return !wanted.has_value() || *wanted == id;
}

bool Matches(const TransactionRecordTrigger& trigger, const sim::TraceEvent& event, const Moment&) {
  const sim::EventKind& kind = trigger.point == LogPoint::kAppended
                                   ? coordinator::events::kTransactionRecordAppended
                                   : coordinator::events::kTransactionRecordReplicated;
  return event.Is(kind) && event.Text("state") == trigger.state &&
         IsId(trigger.transactional_id, event.Text("transactional_id"));
}

bool Matches(const MarkerTrigger& trigger, const sim::TraceEvent& event, const Moment& moment) {
  const sim::EventKind& kind = trigger.point == LogPoint::kAppended
                                   ? broker::events::kMarkerAppended
                                   : broker::events::kMarkerReplicated;
  if (!event.Is(kind)) return false;
  if (trigger.kind != MarkerTrigger::Kind::kAny) {
    const bool commit = trigger.kind == MarkerTrigger::Kind::kCommit;
    if (event.Text("type") != (commit ? "COMMIT" : "ABORT")) return false;
  }
  if (trigger.partition.has_value() && moment.names.FindPartition(*trigger.partition) !=
                                           moment.names.FindPartition(event.Text("partition"))) {
    return false;
  }
  const broker::ProducerId producer(event.Int("producer_id"));
  return IsId(trigger.transactional_id, moment.history.TransactionalIdOf(producer));
}

bool Matches(const MessageTrigger& trigger, const sim::TraceEvent& event, const Moment& moment) {
  const sim::EventKind& kind =
      trigger.point == MessagePoint::kSent ? sim::events::kSent : sim::events::kDelivered;
  return event.Is(kind) && MatchesMessage(trigger.pattern, event, moment);
}

bool Matches(const ProgramTrigger& trigger, const sim::TraceEvent& event, const Moment& moment) {
  namespace kinds = client::events;
  using When = ProgramTrigger::When;
  const auto is = [&](const sim::EventKind& kind) {
    return event.Is(kind) && moment.names.NameOf(event.actor) == trigger.actor.value;
  };
  switch (trigger.when) {
    case When::kBefore:
      return is(kinds::kLineBegun) && event.Text("verb") == trigger.verb;
    case When::kAfter:
      return is(kinds::kLineDone) && event.Text("verb") == trigger.verb;
    case When::kIdle:
      return is(kinds::kProgramIdle);
    case When::kThrough:
      return is(kinds::kProgramEnded);
    case When::kCrashed:
      return is(kinds::kProgramCrashed);
    case When::kError:
      return is(kinds::kErrorCaught);
  }
  return false;
}

std::string TriggerText(const ProgramTrigger& trigger) {
  using When = ProgramTrigger::When;
  switch (trigger.when) {
    case When::kBefore:
      return fmt::format("{} before {}", trigger.actor.value, trigger.verb);
    case When::kAfter:
      return fmt::format("{} after {}", trigger.actor.value, trigger.verb);
    case When::kIdle:
      return trigger.actor.value + " idle";
    case When::kThrough:
      return trigger.actor.value + " through";
    case When::kCrashed:
      return trigger.actor.value + " crashed";
    case When::kError:
      return trigger.actor.value + " in on_error";
  }
  return "";
}

std::string TriggerText(const TransactionRecordTrigger& trigger) {
  std::string text = "transaction_record " + trigger.state;
  if (trigger.transactional_id.has_value()) text += " of " + *trigger.transactional_id;
  return fmt::format("{} {}", text, PointText(trigger.point));
}

std::string TriggerText(const MarkerTrigger& trigger) {
  std::string text = "marker";
  if (trigger.kind == MarkerTrigger::Kind::kCommit) text += " COMMIT";
  if (trigger.kind == MarkerTrigger::Kind::kAbort) text += " ABORT";
  if (trigger.transactional_id.has_value()) text += " of " + *trigger.transactional_id;
  if (trigger.partition.has_value()) {
    text += fmt::format(" on {}-{}", trigger.partition->topic, trigger.partition->partition);
  }
  return fmt::format("{} {}", text, PointText(trigger.point));
}

std::string TriggerText(const MessageTrigger& trigger) {
  return PatternText(trigger.pattern) +
         (trigger.point == MessagePoint::kSent ? " sent" : " delivered");
}

}  // namespace

bool MatchesTrigger(const Trigger& trigger, const sim::TraceEvent& event, const Moment& moment) {
  return std::visit([&](const auto& what) { return Matches(what, event, moment); }, trigger.event);
}

std::string TriggerText(const Trigger& trigger) {
  std::string text = std::visit([](const auto& what) { return TriggerText(what); }, trigger.event);
  if (trigger.nth != 1) text += fmt::format(", number {}", trigger.nth);
  return text;
}

std::size_t TriggerWatch::Arm(const Trigger& trigger) {
  watches_.push_back({.trigger = trigger});
  return watches_.size() - 1;
}

std::vector<std::size_t> TriggerWatch::OnEvent(const sim::TraceEvent& event, const Moment& moment) {
  std::vector<std::size_t> fired;
  for (std::size_t i = 0; i < watches_.size(); ++i) {
    Watch& watch = watches_[i];
    if (!watch.armed || !MatchesTrigger(watch.trigger, event, moment)) continue;
    if (++watch.seen < watch.trigger.nth) continue;
    watch.armed = false;
    watch.fired = Happening{.event = event.id, .at = event.at};
    fired.push_back(i);
  }
  return fired;
}

}  // namespace kafkasim::scenarios

#include "scenarios/why_group.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "coordinator/group_events.h"
#include "scenarios/group_snapshot.h"

namespace kafkasim::scenarios {
namespace {

namespace coordinator_events = coordinator::events;
using coordinator::ClassicGroup;
using coordinator::GroupMember;
using coordinator::GroupState;

const sim::EventKind& KindOf(GroupState state) {
  switch (state) {
    case GroupState::kPreparingRebalance:
      return coordinator_events::kGroupRebalancing;
    case GroupState::kCompletingRebalance:
      return coordinator_events::kGroupGeneration;
    case GroupState::kStable:
      return coordinator_events::kGroupStable;
    case GroupState::kEmpty:
    case GroupState::kDead:
      return coordinator_events::kGroupEmpty;
  }
  return coordinator_events::kGroupEmpty;
}

// "; its rebalance began at 3.4s [event 120]: first-0-1 is new"
std::string RebalanceText(const Moment& moment, const ClassicGroup& group) {
  const sim::TraceEvent* began =
      LastOfGroup(moment, coordinator_events::kGroupRebalancing, group.group_id);
  if (began == nullptr) return "";
  return fmt::format("; the rebalance before it began at {} [event {}]: {}",
                     sim::FormatTime(began->at), began->id, began->Text("reason"));
}

std::string PreparingText(const Moment& moment, const ClassicGroup& group) {
  const sim::TraceEvent* began = StateEvent(moment, group);
  std::string text;
  if (began != nullptr) text += fmt::format(": {}", began->Text("reason"));
  if (!group.join_timer.has_value()) return text;
  const std::string until = sim::FormatTime(group.join_timer->deadline);
  if (group.join_timer->initial) {
    return text + fmt::format(
                      "; a first rebalance waits for more members, until {} "
                      "(group.initial.rebalance.delay.ms)",
                      until);
  }
  std::vector<std::string> missing;
  for (const GroupMember& member : group.members) {
    if (!member.awaiting_join.has_value()) missing.push_back(member.member_id);
  }
  for (const auto& member : group.pending_members) missing.push_back(member.member_id);
  return text + fmt::format("; it waits for JoinGroup of {}, until {} (max.poll.interval.ms)",
                            fmt::join(missing, ", "), until);
}

std::string CompletingText(const Moment& moment, const ClassicGroup& group) {
  const sim::TraceEvent* began = StateEvent(moment, group);
  const sim::TraceEvent* written =
      LastOfGroup(moment, coordinator_events::kGroupWritten, group.group_id);
  const bool in_log = written != nullptr && began != nullptr && written->id > began->id;
  std::string text = fmt::format(": generation {} ", group.generation_id);
  if (in_log) {
    text += fmt::format("has the assignment of its leader {}, which is not replicated yet",
                        group.leader.value_or("?"));
  } else {
    text += fmt::format("waits for the assignment of its leader {}", group.leader.value_or("?"));
  }
  if (!group.pending_sync.empty() && group.sync_deadline.has_value()) {
    text += fmt::format("; SyncGroup has not come from {}; the time for it ends at {}",
                        fmt::join(group.pending_sync, ", "), sim::FormatTime(*group.sync_deadline));
  }
  return text + RebalanceText(moment, group);
}

std::string EmptyText(const Moment& moment, const ClassicGroup& group) {
  if (!group.protocol_type.has_value()) {
    return ": nobody has ever joined it, offsets were committed without a membership";
  }
  const sim::TraceEvent* left =
      LastOfGroup(moment, coordinator_events::kMemberLeft, group.group_id);
  const sim::TraceEvent* expired =
      LastOfGroup(moment, coordinator_events::kMemberExpired, group.group_id);
  if (left == nullptr && expired == nullptr) return ": it has no members";
  const bool by_itself = expired == nullptr || (left != nullptr && left->id > expired->id);
  const sim::TraceEvent& last = by_itself ? *left : *expired;
  return fmt::format(": its last member, {}, {} at {} [event {}]: {}", last.Text("member_id"),
                     by_itself ? "left" : "was removed", sim::FormatTime(last.at), last.id,
                     last.Text("reason"));
}

std::string StateText(const Moment& moment, const ClassicGroup& group) {
  switch (group.state) {
    case GroupState::kPreparingRebalance:
      return PreparingText(moment, group);
    case GroupState::kCompletingRebalance:
      return CompletingText(moment, group);
    case GroupState::kStable:
      return fmt::format(": generation {} has its assignment", group.generation_id) +
             RebalanceText(moment, group);
    case GroupState::kEmpty:
      return EmptyText(moment, group);
    case GroupState::kDead:
      return ": it is gone";
  }
  return "";
}

// Of members whose process does not run: until when the coordinator keeps them.
std::string AbsentText(const Moment& moment, const ClassicGroup& group) {
  std::string text;
  for (const GroupMember& member : group.members) {
    const std::string actor = ActorOf(moment, member.member_id, member.client_id);
    const auto process = moment.names.FindProcess(actor);
    if (!process.has_value() || !member.session_deadline.has_value()) continue;
    const sim::Life life = moment.world.life(*process);
    if (life == sim::Life::kRunning) continue;
    text += fmt::format(" {} {}; its member {} stays until {} (session.timeout.ms).", actor,
                        life == sim::Life::kCrashed ? "has crashed" : "is paused", member.member_id,
                        sim::FormatTime(*member.session_deadline));
  }
  return text;
}

// That a new coordinator has the group from its log.
std::string LoadedText(const Moment& moment, const ClassicGroup& group) {
  const sim::TraceEvent* state = StateEvent(moment, group);
  const std::vector<sim::TraceEvent>& trace = moment.history.trace();
  const auto loaded = std::find_if(trace.rbegin(), trace.rend(), [&](const sim::TraceEvent& event) {
    if (!event.Is(coordinator_events::kGroupLoaded)) return false;
    const auto* groups = std::get_if<std::vector<std::string>>(event.Find("groups"));
    return std::find(groups->begin(), groups->end(), group.group_id) != groups->end();
  });
  if (loaded == trace.rend() || (state != nullptr && loaded->id < state->id)) return "";
  return fmt::format(" {} read it from {} at {} [event {}].", moment.names.NameOf(loaded->actor),
                     loaded->Text("partition"), sim::FormatTime(loaded->at), loaded->id);
}

}  // namespace

const sim::TraceEvent* LastOfGroup(const Moment& moment, const sim::EventKind& kind,
                                   std::string_view group_id) {
  const std::vector<sim::TraceEvent>& trace = moment.history.trace();
  const auto found = std::find_if(trace.rbegin(), trace.rend(), [&](const sim::TraceEvent& event) {
    return event.Is(kind) && event.Text("group_id") == group_id;
  });
  return found == trace.rend() ? nullptr : &*found;
}

const sim::TraceEvent* StateEvent(const Moment& moment, const ClassicGroup& group) {
  return LastOfGroup(moment, KindOf(group.state), group.group_id);
}

std::string SinceText(const sim::TraceEvent* event) {
  if (event == nullptr) return "";
  return fmt::format(" since {} [event {}]", sim::FormatTime(event->at), event->id);
}

std::string WhyGroupState(const Moment& moment, const ClassicGroup& group) {
  return fmt::format("is {}{}{}.{}{}", UpperName(group.state), SinceText(StateEvent(moment, group)),
                     StateText(moment, group), LoadedText(moment, group),
                     AbsentText(moment, group));
}

}  // namespace kafkasim::scenarios

// Faults: what happens to processes and links, and what the rest of the world notices of it.
#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "sim/world.h"
#include "sim/world_run.h"

namespace kafkasim::sim {
namespace {

// What a hand that holds a message back leaves on it in the place of a rule's id.
constexpr uint32_t kByHand = std::numeric_limits<uint32_t>::max();

std::string_view Name(CrashKind kind) {
  switch (kind) {
    case CrashKind::kProcess:
      return "process";
    case CrashKind::kMachine:
      return "machine";
    case CrashKind::kDisk:
      return "disk";
  }
  return "?";
}

}  // namespace

bool World::Crash(ProcessId id, CrashKind kind, Observer* observer, EventId cause) {
  ProcessSlot& slot = Slot(id);
  if (slot.life == Life::kCrashed) return false;
  EmitEvent(events::kCrashed, id, cause, {{"loses", std::string(Name(kind))}}, observer);
  slot.life = Life::kCrashed;
  slot.commands.clear();
  slot.outbox.clear();
  Process& process = *slot.box.Mutable();
  process.BeforeCrash(now_);
  process.OnCrash(kind);
  for (uint32_t i = 0; i < timers_.size(); ++i) {
    if (timers_[i].owner != id || timers_[i].sequence == 0) continue;
    timers_[i] = Timer{};
    free_timers_.push_back(i);
  }
  DropLinksTo(id, observer);
  BreakConnectionsOf(id);
  TellWatchers(id, observer);
  return true;
}

// What was on its way to a process that died never arrives, except what a fault holds: that is
// somewhere in the network and will knock later.
void World::DropLinksTo(ProcessId id, Observer* observer) {
  for (size_t i = 0; i < network_->links.size(); ++i) {
    if (network_->links[i].queue.empty() || network_->links[i].to() != id) continue;
    Link& link = network_.Mutable().links[i];
    MessageQueue lost;
    MessageQueue kept;
    for (Message& message : link.queue) {
      (message.rule == 0 ? lost : kept).push_back(std::move(message));
    }
    link.queue = std::move(kept);
    const Route route = link.route;
    for (const Message& message : lost) Lose(route, message, "the receiver crashed", observer);
  }
}

void World::BreakConnectionsOf(ProcessId id) {
  Network& network = network_.Mutable();
  for (size_t i = 0; i < network.connections.size(); ++i) {
    Connection& connection = network.connections[i];
    if (!connection.Joins(id)) continue;
    const Connection broken = connection;
    ++connection.generation;
    // Only a client waits for something on its connection.
    if (broken.server == id && life(broken.client) != Life::kCrashed) {
      SendDisconnect(broken);
    }
  }
}

bool World::Restart(ProcessId id, Observer* observer, EventId cause) {
  ProcessSlot& slot = Slot(id);
  if (slot.life != Life::kCrashed) return false;
  slot.life = Life::kRunning;
  ++slot.restarts;
  const EventId event = EmitEvent(events::kRestarted, id, cause, {}, observer).event;
  Run(id, event, observer, [](Process& process, Context& context) { process.OnRestart(context); });
  TellWatchers(id, observer);
  return true;
}

bool World::Pause(ProcessId id, Observer* observer, EventId cause) {
  ProcessSlot& slot = Slot(id);
  if (slot.life != Life::kRunning) return false;
  EmitEvent(events::kPaused, id, cause, {}, observer);
  slot.life = Life::kPaused;
  TellWatchers(id, observer);
  return true;
}

bool World::Resume(ProcessId id, Observer* observer, EventId cause) {
  ProcessSlot& slot = Slot(id);
  if (slot.life != Life::kPaused) return false;
  slot.life = Life::kRunning;
  const EventId event = EmitEvent(events::kResumed, id, cause, {}, observer).event;
  const std::vector<ProcessSlot::Outgoing> outbox = std::exchange(slot.outbox, {});
  for (size_t i = 0; i < outbox.size(); ++i) {
    const ProcessSlot::Outgoing& outgoing = outbox[i];
    const Reaction reaction =
        outgoing.is_request
            ? SendRequest(id, outgoing.to.process, outgoing.to.channel, outgoing.to.correlation,
                          outgoing.payload, event, observer)
            : SendResponse(id, outgoing.to, outgoing.payload, event, observer);
    if (reaction == Reaction::kCrash) {
      Crash(id, CrashKind::kProcess, observer, event);
      return true;
    }
    if (reaction == Reaction::kPause) {
      Slot(id).outbox.assign(outbox.begin() + static_cast<std::ptrdiff_t>(i) + 1, outbox.end());
      Pause(id, observer, event);
      return true;
    }
  }
  for (const PayloadRef& command : std::exchange(slot.commands, {})) {
    if (life(id) != Life::kRunning) return true;
    Run(id, event, observer,
        [&](Process& process, Context& context) { process.OnCommand(context, command); });
  }
  std::vector<std::pair<uint64_t, uint32_t>> due;
  for (uint32_t i = 0; i < timers_.size(); ++i) {
    if (timers_[i].owner == id && timers_[i].due != 0) due.emplace_back(timers_[i].due, i);
  }
  std::sort(due.begin(), due.end());
  WakeLinksTo(id);
  for (const auto& [order, timer_slot] : due) {
    Timer& timer = timers_[timer_slot];
    timer.due = 0;
    timer.at = now_;
    queue_.Push(
        QueueEntry{.at = now_, .sequence = timer.sequence, .slot = timer_slot, .is_timer = true});
  }
  TellWatchers(id, observer);
  return true;
}

bool World::Cut(ProcessId from, ProcessId to, Observer* observer, EventId cause) {
  if (network_->IsCut(from, to)) return false;
  std::vector<std::pair<ProcessId, ProcessId>>& cuts = network_.Mutable().cuts;
  const std::pair direction(from, to);
  cuts.insert(std::upper_bound(cuts.begin(), cuts.end(), direction), direction);
  EmitEvent(events::kLinkCut, from, cause, {{"peer", std::string(name(to))}}, observer);
  TellWatchers(from, observer);
  TellWatchers(to, observer);
  return true;
}

bool World::Heal(ProcessId from, ProcessId to, Observer* observer, EventId cause) {
  if (!network_->IsCut(from, to)) return false;
  std::erase(network_.Mutable().cuts, std::pair(from, to));
  EmitEvent(events::kLinkHealed, from, cause, {{"peer", std::string(name(to))}}, observer);
  WakeLinksTo(to);
  TellWatchers(from, observer);
  TellWatchers(to, observer);
  return true;
}

uint32_t World::AddRule(MessageRule rule) {
  rule.id = next_rule_++;
  network_.Mutable().rules.push_back(std::move(rule));
  return next_rule_ - 1;
}

void World::EndRule(uint32_t id, Observer* observer) {
  Network& network = network_.Mutable();
  for (MessageRule& rule : network.rules) {
    if (rule.id == id) rule.count = rule.matched > rule.skip ? rule.matched - rule.skip : 0;
  }
  for (uint32_t slot = 0; slot < network.links.size(); ++slot) {
    bool released = false;
    for (Message& message : network.links[slot].queue) {
      if (message.rule != id) continue;
      message.rule = 0;
      message.due = true;
      released = true;
      const Route route = network.links[slot].route;
      ReportMessage(events::kReleased, route, message, observer);
    }
    if (released) Wake(slot);
  }
}

void World::DropHeld(uint32_t id, Observer* observer) {
  for (uint32_t slot = 0; slot < network_->links.size(); ++slot) {
    Link& link = network_.Mutable().links[slot];
    const Route route = link.route;
    for (const Message& message : link.queue) {
      if (message.rule == id) Lose(route, message, "dropped by a fault", observer);
    }
    if (RemoveIf(link.queue, [&](const Message& m) { return m.rule == id; })) Wake(slot);
  }
}

bool World::HoldFront(const Route& route, Observer* observer) {
  const std::optional<uint32_t> slot = FindFront(route);
  if (!slot.has_value()) return false;
  Message& message = network_.Mutable().links[*slot].queue.front();
  if (message.rule != 0) return false;
  message.rule = kByHand;
  const Message held = message;
  ScheduleTimeout(MessageRule{.id = kByHand, .action = MessageAction::kHold}, route, held);
  ReportMessage(events::kHeld, route, held, observer);
  return true;
}

bool World::ReleaseFront(const Route& route, Observer* observer) {
  const std::optional<uint32_t> slot = FindFront(route);
  if (!slot.has_value()) return false;
  Message& message = network_.Mutable().links[*slot].queue.front();
  if (message.rule != kByHand) return false;
  message.rule = 0;
  message.due = true;
  ReportMessage(events::kReleased, route, message, observer);
  Wake(*slot);
  return true;
}

bool World::DropFront(const Route& route, bool reset, Observer* observer) {
  const std::optional<uint32_t> slot = FindFront(route);
  if (!slot.has_value()) return false;
  MessageQueue& queue = network_.Mutable().links[*slot].queue;
  const Message message = queue.front();
  if (message.rule != 0) return false;
  queue.erase(queue.begin());
  Lose(route, message, "dropped by a fault", observer);
  if (reset) {
    Break(route);
  } else {
    ScheduleTimeout(MessageRule{.id = kByHand, .action = MessageAction::kDrop}, route, message);
  }
  if (!network_->links[*slot].queue.empty()) Wake(*slot);
  return true;
}

bool World::Reachable(ProcessId watcher, ProcessId peer) const {
  return life(peer) == Life::kRunning && !network_->IsCut(watcher, peer) &&
         !network_->IsCut(peer, watcher);
}

void World::TellWatchers(ProcessId id, Observer* observer) {
  for (size_t i = 0; i < watches_.size(); ++i) {
    Watch& watch = watches_[i];
    if (watch.peer != id && watch.watcher != id) continue;
    const bool reachable = Reachable(watch.watcher, watch.peer);
    if (reachable == watch.reachable) continue;
    watch.reachable = reachable;
    const ProcessId peer = watch.peer;
    Reachability seen = Reachability::kLost;
    if (reachable) {
      const uint32_t restarts = std::exchange(watch.restarts, Slot(peer).restarts);
      seen = restarts == watch.restarts ? Reachability::kBack : Reachability::kReborn;
    }
    Run(watch.watcher, kNoEvent, observer,
        [&](Process& process, Context& context) { process.OnReachability(context, peer, seen); });
  }
}

}  // namespace kafkasim::sim

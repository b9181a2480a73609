#include "sim/world.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include <absl/container/inlined_vector.h>

#include "sim/check.h"
#include "sim/world_run.h"

namespace kafkasim::sim {

World::World(const Options& options)
    : rng_(options.seed), names_(std::make_shared<const std::vector<std::string>>()) {
  network_.Mutable().latencies.push_back(
      LinkLatency{.least = options.least_latency, .most = options.most_latency});
}

ProcessId World::AddProcess(std::string name, std::unique_ptr<Process> process) {
  KAFKASIM_CHECK(!FindProcess(name).has_value(), "process names are unique");
  const ProcessId id(static_cast<int32_t>(processes_.size()));
  std::vector<std::string> names = *names_;
  names.push_back(std::move(name));
  names_ = std::make_shared<const std::vector<std::string>>(std::move(names));
  ProcessSlot& slot = processes_.emplace_back();
  slot.box = Cow<ProcessBox>(ProcessBox(std::move(process)));
  return id;
}

void World::WatchReachability(ProcessId watcher, ProcessId peer) {
  watches_.push_back(Watch{.watcher = watcher, .peer = peer, .reachable = true});
}

void World::Start(Observer* observer) {
  for (size_t i = 0; i < processes_.size(); ++i) {
    const ProcessId id(static_cast<int32_t>(i));
    Run(id, kNoEvent, observer,
        [](Process& process, Context& context) { process.OnStart(context); });
  }
}

std::optional<ProcessId> World::FindProcess(std::string_view name) const {
  for (size_t i = 0; i < processes_.size(); ++i) {
    if ((*names_)[i] == name) return ProcessId(static_cast<int32_t>(i));
  }
  return std::nullopt;
}

std::optional<Time> World::NextEventAt() {
  while (!queue_.empty() && IsStale(queue_.top())) queue_.Pop();
  if (queue_.empty()) return std::nullopt;
  return std::max(now_, queue_.top().at);
}

const MessageRule* World::FindRule(uint32_t id) const {
  for (const MessageRule& rule : network_->rules) {
    if (rule.id == id) return &rule;
  }
  return nullptr;
}

uint64_t World::NextDraw() const {
  uint64_t draw = 0;
  for (Rng stream : rng_.streams()) draw = draw * 31 + stream.Next();
  return draw;
}

void World::Append(CanonicalBytes& out, TimerOrder order) const {
  out.Add(now_);
  for (const Rng& stream : rng_.streams()) out.Add(stream.state());
  out.Add(static_cast<uint32_t>(processes_.size()));
  for (const ProcessSlot& slot : processes_) {
    out.Add(slot.box);
    out.Add(slot.life);
    out.Add(slot.next_correlation);
    out.Add(static_cast<uint32_t>(slot.commands.size()));
    for (const PayloadRef& command : slot.commands) out.Add(command->fingerprint());
    out.Add(static_cast<uint32_t>(slot.outbox.size()));
    for (const ProcessSlot::Outgoing& outgoing : slot.outbox) {
      out.Add(outgoing.is_request);
      out.Add(outgoing.to);
      out.Add(outgoing.payload->fingerprint());
    }
  }
  out.Add(network_);
  // Timers count by what they are and their order, not by the slot that they happen to use.
  absl::InlinedVector<const Timer*, 32> armed;
  for (const Timer& timer : timers_) {
    if (timer.sequence != 0) armed.push_back(&timer);
  }
  std::sort(armed.begin(), armed.end(), [order](const Timer* a, const Timer* b) {
    if (order == TimerOrder::kAsSet) {
      return std::tuple(a->at, a->sequence) < std::tuple(b->at, b->sequence);
    }
    return std::tuple(a->at, a->owner, a->kind, a->argument) <
           std::tuple(b->at, b->owner, b->kind, b->argument);
  });
  out.Add(static_cast<uint32_t>(armed.size()));
  for (const Timer* timer : armed) {
    out.Add(timer->at);
    out.Add(timer->owner);
    out.Add(timer->kind);
    out.Add(timer->argument);
    out.Add(timer->due != 0);
  }
}

bool World::IsStale(const QueueEntry& entry) const {
  if (entry.is_timer) return timers_[entry.slot].sequence != entry.sequence;
  const MessageQueue& queue = network_->links[entry.slot].queue;
  return std::none_of(queue.begin(), queue.end(), [&](const Message& message) {
    return message.sequence == entry.sequence && !message.due;
  });
}

void World::NoteCancelled() {
  constexpr size_t kFew = 16;
  if (++cancelled_ < kFew || cancelled_ * 2 < queue_.size()) return;
  queue_.RemoveIf([this](const QueueEntry& entry) { return IsStale(entry); });
  cancelled_ = 0;
}

bool World::Step(Observer* observer) {
  while (!queue_.empty()) {
    const QueueEntry entry = queue_.top();
    queue_.Pop();
    if (IsStale(entry)) continue;
    now_ = std::max(now_, entry.at);
    TakeEntry(entry, observer);
    return true;
  }
  return false;
}

void World::RunUntil(Time until, Observer* observer) {
  for (;;) {
    const std::optional<Time> next = NextEventAt();
    if (!next.has_value() || *next > until) break;
    Step(observer);
  }
  now_ = std::max(now_, until);
}

std::vector<Choice> World::Choices(ChoiceKind kind) const {
  std::vector<Choice> choices;
  for (const QueueEntry& entry : queue_.entries()) {
    const bool wanted = !entry.is_timer || kind != ChoiceKind::kMessage;
    if (!wanted || IsStale(entry)) continue;
    Choice choice{.at = entry.at, .sequence = entry.sequence, .is_timed = entry.is_timer};
    if (entry.is_timer) {
      choice.process = timers_[entry.slot].owner;
      if (life(choice.process) != Life::kRunning) continue;
    } else {
      const Link& link = network_->links[entry.slot];
      const Message& front = link.queue.front();
      if (front.sequence != entry.sequence || IsBlocked(link, front)) continue;
      choice.is_timed = front.kind == MessageKind::kTimeout;
      if (kind == (choice.is_timed ? ChoiceKind::kMessage : ChoiceKind::kTimed)) continue;
      choice.process = link.to();
      choice.route = link.route;
      choice.payload = front.payload;
    }
    choices.push_back(std::move(choice));
  }
  std::sort(choices.begin(), choices.end(), [](const Choice& a, const Choice& b) {
    return std::tuple(a.at, a.sequence) < std::tuple(b.at, b.sequence);
  });
  return choices;
}

void World::Take(const Choice& choice, Observer* observer) {
  const std::vector<QueueEntry>& entries = queue_.entries();
  const auto at = std::find_if(entries.begin(), entries.end(), [&](const QueueEntry& entry) {
    return entry.sequence == choice.sequence && !IsStale(entry);
  });
  KAFKASIM_CHECK(at != entries.end(), "a choice is taken in the world that offered it");
  const QueueEntry taken = *at;
  queue_.RemoveAt(static_cast<size_t>(at - entries.begin()));
  // A message may arrive early, since latency is free here.
  if (choice.is_timed) now_ = std::max(now_, taken.at);
  TakeEntry(taken, observer);
}

void World::TakeEntry(const QueueEntry& entry, Observer* observer) {
  if (entry.is_timer) {
    Timer& timer = timers_[entry.slot];
    if (life(timer.owner) == Life::kPaused) {
      timer.due = next_sequence_++;
      return;
    }
    Fire(entry.slot, observer);
    return;
  }
  const Link& link = network_->links[entry.slot];
  if (link.queue.front().sequence == entry.sequence && !IsBlocked(link, link.queue.front())) {
    Deliver(entry.slot, observer);
    return;
  }
  for (Message& message : network_.Mutable().links[entry.slot].queue) {
    if (message.sequence == entry.sequence) message.due = true;
  }
}

void World::Fire(uint32_t timer_slot, Observer* observer) {
  const Timer timer = timers_[timer_slot];
  timers_[timer_slot] = Timer{};
  free_timers_.push_back(timer_slot);
  Run(timer.owner, timer.cause, observer, [&](Process& process, Context& context) {
    process.OnTimer(context, timer.kind, timer.argument);
  });
}

bool World::Command(ProcessId id, PayloadRef command, Observer* observer, EventId cause) {
  ProcessSlot& slot = Slot(id);
  if (slot.life == Life::kCrashed) return false;
  if (slot.life == Life::kPaused) {
    slot.commands.push_back(std::move(command));
    return true;
  }
  Run(id, cause, observer,
      [&](Process& process, Context& context) { process.OnCommand(context, command); });
  return true;
}

EventId World::Note(const EventKind& kind, std::vector<Field> fields, Observer* observer,
                    EventId cause) {
  return EmitEvent(kind, kNoProcess, cause, std::move(fields), observer).event;
}

World::Emission World::EmitEvent(const EventKind& kind, ProcessId actor, EventId cause,
                                 std::vector<Field> fields, Observer* observer,
                                 PayloadRef payload) {
  if (observer == nullptr) return {};
  const EventId id(next_event_++);
  const Reaction reaction = observer->OnEvent(TraceEvent{.id = id,
                                                         .at = now_,
                                                         .actor = actor,
                                                         .kind = &kind,
                                                         .cause = cause,
                                                         .fields = std::move(fields),
                                                         .payload = std::move(payload)});
  return {.event = id, .reaction = reaction};
}

}  // namespace kafkasim::sim

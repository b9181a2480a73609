#include "sim/context.h"

#include <utility>

#include "sim/check.h"
#include "sim/world.h"

namespace kafkasim::sim {

Time Context::now() const { return world_.now_; }

Rng& Context::rng(RngStream stream) { return world_.rng_[stream]; }

std::string_view Context::ProcessName(ProcessId process) const { return world_.name(process); }

CorrelationId Context::SendRequest(ProcessId to, Channel channel, PayloadRef payload) {
  channel = ChannelOf(part_, channel);
  World::ProcessSlot& slot = world_.Slot(self_);
  const CorrelationId correlation(slot.next_correlation++);
  if (reaction_ == Reaction::kPause) {
    slot.outbox.push_back({.is_request = true,
                           .to = {.process = to, .channel = channel, .correlation = correlation},
                           .payload = std::move(payload)});
  } else if (reaction_ == Reaction::kGoOn) {
    reaction_ =
        world_.SendRequest(self_, to, channel, correlation, std::move(payload), cause_, observer_);
  }
  return correlation;
}

void Context::Reply(const ReplyTo& to, PayloadRef payload) {
  if (reaction_ == Reaction::kPause) {
    world_.Slot(self_).outbox.push_back(
        {.is_request = false, .to = to, .payload = std::move(payload)});
  } else if (reaction_ == Reaction::kGoOn) {
    reaction_ = world_.SendResponse(self_, to, std::move(payload), cause_, observer_);
  }
}

void Context::BreakConnection(const ReplyTo& to) {
  if (alive()) world_.BreakConnection(self_, to);
}

void Context::CloseConnection(ProcessId to, Channel channel) {
  if (alive()) world_.CloseConnection(self_, to, ChannelOf(part_, channel));
}

TimerId Context::SetTimer(Duration delay, uint32_t kind, uint64_t argument) {
  if (!alive()) return {};
  std::vector<World::Timer>& timers = world_.timers_;
  uint32_t slot = static_cast<uint32_t>(timers.size());
  if (world_.free_timers_.empty()) {
    timers.emplace_back();
  } else {
    slot = world_.free_timers_.back();
    world_.free_timers_.pop_back();
  }
  World::Timer& timer = timers[slot];
  timer.owner = self_;
  timer.kind = TimerKindOf(part_, kind);
  timer.argument = argument;
  timer.sequence = world_.next_sequence_++;
  timer.at = now() + delay;
  timer.due = 0;
  timer.cause = cause_;
  world_.queue_.Push(
      QueueEntry{.at = timer.at, .sequence = timer.sequence, .slot = slot, .is_timer = true});
  return {.slot = slot, .sequence = timer.sequence};
}

void Context::CancelTimer(const TimerId& timer) {
  if (timer.sequence == 0 || timer.slot >= world_.timers_.size()) return;
  World::Timer& armed = world_.timers_[timer.slot];
  if (armed.sequence != timer.sequence) return;
  armed = World::Timer{};
  world_.free_timers_.push_back(timer.slot);
  world_.NoteCancelled();
}

EventId Context::Emit(const EventKind& kind, std::vector<Field> fields) {
  KAFKASIM_CHECK(observer_ != nullptr, "events are built only when somebody watches");
  if (!alive()) return kNoEvent;
  const EventId id(world_.next_event_++);
  const Reaction reaction = observer_->OnEvent(TraceEvent{.id = id,
                                                          .at = now(),
                                                          .actor = self_,
                                                          .kind = &kind,
                                                          .cause = cause_,
                                                          .fields = std::move(fields)});
  if (reaction != Reaction::kGoOn) reaction_ = reaction;
  cause_ = id;
  return id;
}

}  // namespace kafkasim::sim

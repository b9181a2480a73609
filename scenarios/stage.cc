#include "scenarios/stage.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "broker/events.h"
#include "client/call_result.h"
#include "client/client_process.h"
#include "client/events.h"
#include "scenarios/cluster_access.h"
#include "scenarios/message_match.h"
#include "scenarios/run_events.h"

namespace kafkasim::scenarios {
namespace {

// Events that change nothing that a claim could be about.
bool IsTraffic(const sim::TraceEvent& event) {
  return event.Is(sim::events::kSent) || event.Is(sim::events::kDelivered);
}

}  // namespace

Stage::Stage(Assembly assembly, const RunOptions& options)
    : moment_{.world = std::move(assembly.world),
              .names = std::move(assembly.names),
              .history = {}},
      faults_(moment_, *this),
      calls_(moment_, *this),
      until_(options.until.value_or(sim::kEndOfTime)),
      events_left_(options.max_events),
      keep_trace_(options.keep_trace) {
  for (const ProcessEntry& process : moment_.names.processes) {
    std::optional<FaultStep>& restart = restarts_.emplace_back();
    if (!process.restart_after.has_value()) continue;
    ProcessName name;
    name.name = process.name;
    restart.emplace();
    restart->fault = Restart{{name}};
    restart->after_us = process.restart_after->us;
    restart->optional = true;
  }
}

void Stage::Start() {
  moment_.world.Start(this);
  Settle();
}

bool Stage::Step(sim::Time limit) {
  if (over()) return false;
  if (events_left_ == 0) {
    end_ = End::kTooManyEvents;
    return false;
  }
  if (Advance(std::min(limit, until_))) {
    --events_left_;
    return true;
  }
  if (limit >= until_) {
    moment_.world.RunUntil(std::max(until_, now()), this);
    end_ = End::kUntil;
  }
  return false;
}

bool Stage::Advance(sim::Time limit) {
  const sim::Time next = moment_.world.NextEventAt().value_or(sim::kEndOfTime);
  const sim::Time fault = faults_.NextDue().value_or(sim::kEndOfTime);
  const sim::Time call = calls_.NextDue().value_or(sim::kEndOfTime);
  const sim::Time due = std::min(fault, call);
  if (std::min(next, due) > limit || std::min(next, due) == sim::kEndOfTime) return false;
  if (next <= due) {
    moment_.world.Step(this);
  } else {
    moment_.world.RunUntil(due, this);
    if (fault == due) faults_.CarryOutDue();
    if (call == due) calls_.GiveDue();
  }
  Settle();
  return true;
}

void Stage::RunTo(sim::Time time) {
  while (Step(time)) {
  }
  if (!over() && now() < time) moment_.world.RunUntil(time, this);
}

bool Stage::TakeNews() { return std::exchange(news_, false); }

sim::EventId Stage::Note(const sim::EventKind& kind, std::vector<sim::Field> fields,
                         sim::EventId cause) {
  return moment_.world.Note(kind, std::move(fields), this,
                            cause == sim::kNoEvent ? step_event_ : cause);
}

sim::EventId Stage::NoteStep(std::vector<sim::Field> fields) {
  step_event_ = moment_.world.Note(events::kStep, std::move(fields), this);
  return step_event_;
}

std::size_t Stage::Begin(sim::ProcessId actor, std::vector<PlannedCall> plan) {
  const std::size_t action = calls_.Begin(actor, std::move(plan), step_event_);
  Settle();
  return action;
}

void Stage::Order(const FaultStep& fault, std::size_t step) {
  faults_.Order(fault, step, step_event_);
  Settle();
}

sim::EventId Stage::ReturnOf(client::CallId call) const {
  const auto found = returns_.find(call);
  return found == returns_.end() ? sim::kNoEvent : found->second;
}

void Stage::Arm(const When& when, std::size_t step) {
  Note(events::kFaultArmed, {{"text", TriggerText(when.trigger)}});
  whens_.push_back({.when = &when, .step = step, .watch = triggers_.Arm(when.trigger)});
}

std::size_t Stage::CountMessages(const MessagePattern& pattern) {
  counters_.push_back({.pattern = pattern});
  return counters_.size() - 1;
}

std::vector<Inconclusive> Stage::Unfired() const {
  std::vector<Inconclusive> unfired = faults_.Unfired();
  for (const ArmedWhen& armed : whens_) {
    if (armed.when->optional || HasFired(armed.watch)) continue;
    unfired.push_back({.mark = armed.when->trigger.mark,
                       .step = armed.step,
                       .what = "never came: " + TriggerText(armed.when->trigger)});
  }
  return unfired;
}

sim::Reaction Stage::OnEvent(const sim::TraceEvent& event) {
  digest_.Add(event);
  moment_.history.Add(event, moment_.names, keep_trace_);
  CountEvent(event);
  if (!IsTraffic(event)) news_ = true;
  NoteHits();
  if (event.Is(sim::events::kSent) && !moment_.world.network().rules.empty()) {
    rules_.OnSent(event);
  }
  if (event.Is(broker::events::kTopicCreated) || event.Is(broker::events::kTopicDeleted)) {
    topics_changed_ = true;
  }
  if (event.Is(client::events::kCallFinished)) {
    const client::CallId call(event.Int("call"));
    returns_[call] = event.id;
    if (event.Text("operation") == "poll")
      finished_.push_back({.actor = event.actor, .call = call});
  }
  if (event.Is(sim::events::kCrashed)) {
    const std::optional<FaultStep>& restart =
        restarts_[static_cast<std::size_t>(event.actor.value())];
    if (restart.has_value()) pending_.push_back({.fault = &*restart, .cause = event.id});
  }
  sim::Reaction reaction = sim::Reaction::kGoOn;
  for (const std::size_t watch : triggers_.OnEvent(event, moment_)) {
    for (const ArmedWhen& armed : whens_) {
      if (armed.watch != watch) continue;
      const sim::Reaction demanded = Fire(armed, event);
      if (reaction != sim::Reaction::kCrash && demanded != sim::Reaction::kGoOn) {
        reaction = demanded;
      }
    }
  }
  return reaction;
}

// The faults of a `when:` that hit the acting process strike at once; the others wait until its
// handler is through.
sim::Reaction Stage::Fire(const ArmedWhen& armed, const sim::TraceEvent& event) {
  const sim::EventId fired = moment_.world.Note(
      events::kTriggerFired, {{"text", TriggerText(armed.when->trigger)}}, this, event.id);
  sim::Reaction reaction = sim::Reaction::kGoOn;
  for (const FaultStep& fault : armed.when->faults) {
    const std::optional<sim::Reaction> strike = faults_.Strike(fault, armed.step, event.actor);
    if (strike.has_value()) {
      if (reaction != sim::Reaction::kCrash) reaction = *strike;
    } else {
      pending_.push_back({.fault = &fault, .step = armed.step, .cause = fired});
    }
  }
  return reaction;
}

void Stage::CountEvent(const sim::TraceEvent& event) {
  if (!event.Is(sim::events::kSent)) return;
  for (Counter& counter : counters_) {
    if (MatchesMessage(counter.pattern, event, moment_)) ++counter.count;
  }
}

void Stage::NoteHits() {
  for (RuleWatch::Hit& hit : rules_.TakeHits(moment_.world)) {
    moment_.world.Note(events::kFaultHit, {{"text", std::move(hit.text)}}, this, hit.sent);
  }
}

void Stage::Settle() {
  NoteHits();
  if (std::exchange(topics_changed_, false)) moment_.names.topics = CurrentClusterRef(moment_);
  while (!pending_.empty() || !finished_.empty()) {
    for (const FinishedCall& call : std::exchange(finished_, {})) TakeDelivered(call);
    for (const Pending& due : std::exchange(pending_, {})) {
      faults_.Order(*due.fault, due.step, due.cause);
    }
  }
}

void Stage::TakeDelivered(const FinishedCall& call) {
  const client::CallResult* result =
      client::AsClient(moment_.world.process(call.actor)).FindCall(call.call);
  if (result == nullptr) return;
  const auto* polled = std::get_if<client::ConsumedRecords>(&result->value);
  if (polled == nullptr || polled->records == nullptr) return;
  for (const client::ConsumedRecord& record : *polled->records) {
    moment_.history.AddDelivered(call.actor, {.partition = record.partition,
                                              .offset = record.offset,
                                              .key = record.key,
                                              .value = record.value,
                                              .producer_id = record.producer_id,
                                              .epoch = record.producer_epoch,
                                              .transactional = record.transactional,
                                              .at = result->finished});
  }
}

}  // namespace kafkasim::scenarios

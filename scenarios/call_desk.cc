#include "scenarios/call_desk.h"

#include <algorithm>
#include <utility>

#include "client/client_process.h"

namespace kafkasim::scenarios {

std::size_t CallDesk::Begin(sim::ProcessId actor, std::vector<PlannedCall> plan,
                            sim::EventId cause) {
  actions_.push_back(
      {.actor = actor, .began = moment_.world.now(), .cause = cause, .plan = std::move(plan)});
  unfinished_.push_back(actions_.size() - 1);
  GiveDue();
  return actions_.size() - 1;
}

std::optional<sim::Time> CallDesk::NextDue() const {
  std::optional<sim::Time> next;
  for (const std::size_t index : unfinished_) {
    const Begun& action = actions_[index];
    const sim::Time due = action.began + action.plan[action.given].after;
    if (!next.has_value() || due < *next) next = due;
  }
  return next;
}

void CallDesk::GiveDue() {
  for (const std::size_t index : unfinished_) GiveDue(actions_[index]);
  std::erase_if(unfinished_, [&](std::size_t index) {
    return actions_[index].given == actions_[index].plan.size();
  });
}

void CallDesk::GiveDue(Begun& action) {
  while (action.given < action.plan.size() &&
         action.began + action.plan[action.given].after <= moment_.world.now()) {
    const client::CallId id(next_call_++);
    action.calls.push_back(id);
    client::Operation operation = std::move(action.plan[action.given++].operation);
    if (!moment_.world.Command(action.actor, client::MakeCall(id, std::move(operation)), &observer_,
                               action.cause)) {
      action.refused = true;
    }
  }
}

bool CallDesk::IsDone(std::size_t index) {
  Begun& action = actions_[index];
  const client::ClientProcess& client = client::AsClient(moment_.world.process(action.actor));
  while (action.returned < action.calls.size()) {
    const client::CallResult* result = client.FindCall(action.calls[action.returned]);
    if (result == nullptr || !result->done()) return false;
    ++action.returned;
  }
  return action.given == action.plan.size();
}

bool CallDesk::HasReturned(std::size_t index) const {
  const Begun& action = actions_[index];
  return action.given == action.plan.size() && SummaryOf(index).done;
}

bool CallDesk::IsLost(std::size_t index) const {
  const Begun& action = actions_[index];
  if (action.refused) return true;
  const client::ClientProcess& client = client::AsClient(moment_.world.process(action.actor));
  if (action.returned == action.calls.size()) return false;
  // A crash loses every call that is open, so that the first one speaks for all.
  const client::CallResult* result = client.FindCall(action.calls[action.returned]);
  return result != nullptr && result->state == client::CallState::kLost;
}

sim::Time CallDesk::LastDue(std::size_t index) const {
  const Begun& action = actions_[index];
  return action.plan.empty() ? action.began : action.began + action.plan.back().after;
}

CallSummary CallDesk::SummaryOf(std::size_t index) const {
  return Summarize(actions_[index].calls, actions_[index].actor, moment_);
}

}  // namespace kafkasim::scenarios

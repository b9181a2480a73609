#include "scenarios/cause_chain.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <variant>

#include "broker/events.h"
#include "coordinator/events.h"
#include "coordinator/group_events.h"
#include "scenarios/event_text.h"
#include "scenarios/explain.h"
#include "scenarios/run_events.h"

namespace kafkasim::scenarios {
namespace {

bool IsFetch(const sim::TraceEvent& event) { return event.Text("api") == "Fetch"; }

// A fetch that was sent for no other reason than that the last one was over, or an answer that was
// given because it was asked for.
bool IsRoutine(const sim::TraceEvent& event, const sim::TraceEvent& cause) {
  if (!event.Is(sim::events::kSent) || !IsFetch(event)) return false;
  const bool* answer = std::get_if<bool>(event.Find("answer"));
  return answer != nullptr && *answer ? cause.Is(sim::events::kDelivered)
                                      : !cause.Is(broker::events::kReplicated);
}

// What a coordinator does with its own topic and people should see.
bool IsStep(const sim::TraceEvent& event) {
  namespace kinds = coordinator::events;
  const sim::EventKind* steps[] = {&kinds::kTransactionRecordReplicated,
                                   &kinds::kCoordinatorLoaded,
                                   &kinds::kOffsetsPending,
                                   &kinds::kOffsetsCommitted,
                                   &kinds::kOffsetsMaterialised,
                                   &kinds::kOffsetsDropped,
                                   &kinds::kGroupLoaded};
  return std::find(std::begin(steps), std::end(steps), event.kind) != std::end(steps);
}

// What only shows how something else came about.
bool IsDetail(const sim::TraceEvent& event) {
  if (event.Text("partition").substr(0, 2) == "__") {
    return !IsStep(event);
  }
  if (event.Is(sim::events::kDelivered)) return IsFetch(event);
  return event.Is(sim::events::kSent) || event.Is(coordinator::events::kTransactionState) ||
         event.Is(broker::events::kVerificationAsked) ||
         event.Is(broker::events::kVerificationAnswered);
}

// Whether `next` says what the script's order to crash, pause or hold says as well.
bool IsSaidBy(const sim::TraceEvent& event, const sim::TraceEvent& next) {
  return event.Is(events::kFault) && next.cause == event.id;
}

}  // namespace

void CauseChain::AddCausesOf(sim::EventId event) {
  const History& history = moment_.history;
  for (const sim::TraceEvent* e = history.Find(event); e != nullptr;) {
    if (!events_.insert(e->id).second) return;
    const sim::TraceEvent* cause = history.Find(e->cause);
    if (cause != nullptr && IsRoutine(*e, *cause)) return;
    e = cause;
  }
}

void CauseChain::AddRise(std::string_view partition, std::int64_t offset, bool last_stable_offset) {
  const sim::EventKind& kind =
      last_stable_offset ? broker::events::kLastStableOffset : broker::events::kHighWatermark;
  for (const sim::TraceEvent& event : moment_.history.trace()) {
    if (!event.Is(kind) || event.Int("to") <= offset || event.Text("partition") != partition) {
      continue;
    }
    AddCausesOf(event.id);
    return;
  }
}

void CauseChain::AddCrash(sim::ProcessId process) {
  const std::vector<sim::TraceEvent>& trace = moment_.history.trace();
  const auto crash = std::find_if(trace.rbegin(), trace.rend(), [&](const sim::TraceEvent& event) {
    return event.Is(sim::events::kCrashed) && event.actor == process;
  });
  if (crash != trace.rend()) AddCausesOf(crash->id);
}

std::vector<CauseLine> CauseChain::Lines() const {
  std::vector<CauseLine> lines;
  for (auto it = events_.begin(); it != events_.end(); ++it) {
    const sim::TraceEvent& event = *moment_.history.Find(*it);
    const bool is_last = std::next(it) == events_.end();
    if (!is_last && (IsDetail(event) || IsSaidBy(event, *moment_.history.Find(*std::next(it)))))
      continue;
    lines.push_back({.event = event.id,
                     .at = event.at,
                     .actor = std::string(moment_.names.NameOf(event.actor)),
                     .sentence = TextOf(event, moment_.names, moment_.history).Sentence()});
  }
  return lines;
}

std::vector<CauseLine> ChainTo(const Moment& moment, sim::EventId event) {
  CauseChain chain(moment);
  chain.AddCausesOf(event);
  return chain.Lines();
}

}  // namespace kafkasim::scenarios

#include "scenarios/cause_chain.h"

#include <iterator>
#include <string>

#include "broker/events.h"
#include "scenarios/event_text.h"
#include "scenarios/explain.h"

namespace kafkasim::scenarios {

void CauseChain::AddCausesOf(sim::EventId event) {
  for (const sim::TraceEvent* cause : moment_.history.Causes(event)) events_.insert(cause->id);
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

std::vector<CauseLine> CauseChain::Lines() const {
  std::vector<CauseLine> lines;
  for (auto it = events_.begin(); it != events_.end(); ++it) {
    const sim::TraceEvent& event = *moment_.history.Find(*it);
    const bool last = std::next(it) == events_.end();
    if (event.Is(sim::events::kSent) && !last) continue;
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

#include "scenarios/second_tries.h"

#include "client/events.h"
#include "scenarios/run_events.h"

namespace kafkasim::scenarios {
namespace {

constexpr sim::Duration kLong = sim::Seconds(1);

// The last event before `event` that its own process was the actor of and that `is_meant` takes;
// null if the process started after it.
template <typename Predicate>
const sim::TraceEvent* LastBefore(const sim::TraceEvent& event, const History& history,
                                  Predicate is_meant) {
  const auto& trace = history.trace();
  for (std::size_t i = event.id.value() - 1; i > 0; --i) {
    const sim::TraceEvent& earlier = trace[i - 1];
    if (earlier.actor != event.actor) continue;
    if (earlier.Is(sim::events::kCrashed)) return nullptr;
    if (is_meant(earlier)) return &earlier;
  }
  return nullptr;
}

}  // namespace

bool RunsOn(const sim::TraceEvent& call_started, const History& history) {
  const bool waits_for_records = call_started.Text("operation") == "poll";
  const auto& trace = history.trace();
  for (std::size_t i = call_started.id.value(); i < trace.size(); ++i) {
    const sim::TraceEvent& later = trace[i];
    if (later.Is(events::kStep)) return true;
    if (!waits_for_records && later.at >= call_started.at + kLong) return true;
    const bool is_end = later.Is(client::events::kCallFinished) &&
                        later.actor == call_started.actor &&
                        later.Int("call") == call_started.Int("call");
    if (is_end) return false;
  }
  return true;
}

bool IsSentAgain(const sim::TraceEvent& sent, const History& history) {
  const sim::TraceEvent* before = LastBefore(sent, history, [&](const sim::TraceEvent& earlier) {
    const bool failed = earlier.Is(client::events::kRequestFailed);
    return (failed || earlier.Is(sim::events::kSent)) && earlier.Text("api") == sent.Text("api");
  });
  return before != nullptr && before->Is(client::events::kRequestFailed);
}

bool HadCoordinator(const sim::TraceEvent& coordinator_found, const History& history) {
  const auto is_found = [](const sim::TraceEvent& earlier) {
    return earlier.Is(client::events::kCoordinatorFound) && earlier.Int("coordinator") >= 0;
  };
  return LastBefore(coordinator_found, history, is_found) != nullptr;
}

}  // namespace kafkasim::scenarios

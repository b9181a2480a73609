// How a call or a request went on, as far as the words for it depend on that: whether the script
// waited for the call, whether the request is sent once more because the first one was lost.

#pragma once

#include "scenarios/history.h"
#include "sim/trace.h"

namespace kafkasim::scenarios {

// Whether the call that this event starts returns while the script is at another step, or a second
// or more later: then its start has to be told as well as its end. A poll that only waits for
// records is no such call.
[[nodiscard]] bool RunsOn(const sim::TraceEvent& call_started, const History& history);

// Whether the client sends this request again because it got no answer the last time.
[[nodiscard]] bool IsSentAgain(const sim::TraceEvent& sent, const History& history);

// Whether the same client had a coordinator before this one was found.
[[nodiscard]] bool HadCoordinator(const sim::TraceEvent& coordinator_found, const History& history);

}  // namespace kafkasim::scenarios

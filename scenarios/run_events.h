// Kinds of trace events of the script itself. Each comment names the fields.

#pragma once

#include "sim/trace.h"

namespace kafkasim::scenarios::events {

using sim::EventKind;

// step (number from 1), line, text (as written)
inline constexpr EventKind kStep{"step", "The script came to its next step."};
// text
inline constexpr EventKind kSaid{"said", "The script said something to the class."};
// text (as written), claims (each in words), because (the author's reason, or "")
inline constexpr EventKind kExpectationHeld{"expectation_held", "An expectation was met."};
// because; caused by the return of the call
inline constexpr EventKind kOutcomeHeld{"outcome_held",
                                        "A call returned, or failed, as was claimed of it."};
// what, expected, actual, reason
inline constexpr EventKind kExpectationFailed{"expectation_failed", "An expectation was not met."};
// invariant (its name), what
inline constexpr EventKind kInvariantBroken{"invariant_broken",
                                            "Something does not hold that holds in every run."};
// text
inline constexpr EventKind kFaultArmed{"fault_armed",
                                       "A fault or a trigger waits for its moment from now on."};
// text
inline constexpr EventKind kTriggerFired{"trigger_fired", "A protocol point was reached."};
// text
inline constexpr EventKind kFault{"fault", "The script made something go wrong, or healed it."};
// text
inline constexpr EventKind kFaultHit{"fault_hit", "A fault changed the way of a message."};
// text
inline constexpr EventKind kNeverFired{
    "never_fired", "A fault or a trigger had no occasion until the end of the run."};
// verdict (HOLDS, FAILS, NO_VERDICT), claims, failures
inline constexpr EventKind kVerdict{"verdict", "The run is over."};

}  // namespace kafkasim::scenarios::events

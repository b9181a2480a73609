// Why a group is in its state: what its coordinator waits for, until when, and what happened
// before. A sentence or a few, for explanations.

#pragma once

#include <string>
#include <string_view>

#include "coordinator/classic_group.h"
#include "scenarios/history.h"
#include "scenarios/moment.h"
#include "sim/trace.h"

namespace kafkasim::scenarios {

// The last event of a kind about a group; null if there was none or the trace was not kept.
[[nodiscard]] const sim::TraceEvent* LastOfGroup(const Moment& moment, const sim::EventKind& kind,
                                                 std::string_view group_id);
// The event that brought the state that the group has now; null if not known.
[[nodiscard]] const sim::TraceEvent* StateEvent(const Moment& moment,
                                                const coordinator::ClassicGroup& group);
// " since 3.4s [event 120]"; "" for no event.
[[nodiscard]] std::string SinceText(const sim::TraceEvent* event);

// "is STABLE since 6.611s [event 512]: generation 3 has its assignment. ..."
[[nodiscard]] std::string WhyGroupState(const Moment& moment,
                                        const coordinator::ClassicGroup& group);

}  // namespace kafkasim::scenarios

// A schedule closer to the order in which a run without a search takes things: by time, then as
// they were sent. What is left of other orders is what the violation needs, and more of it can be
// said in a script.

#pragma once

#include <string>

#include "scenarios/explore.h"
#include "sim/search/schedule.h"

namespace kafkasim::scenarios {

// Not longer than `schedule`, which has to be possible and to break the invariant; so does the
// result.
[[nodiscard]] sim::Schedule Calmer(const Exploration& exploration, const sim::Schedule& schedule,
                                   const std::string& invariant);

}  // namespace kafkasim::scenarios

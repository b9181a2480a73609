// `explore: {holds: 1, strike: {request: EndTxn}, until: 2min}`.

#pragma once

#include <cstdint>

#include "scenarios/exploration.h"
#include "scenarios/form.h"

namespace kafkasim::scenarios {

// Of one kind, in one run.
inline constexpr std::int64_t kMostDisturbances = 9;

Form<ExploreSpec> ExploreForm();

}  // namespace kafkasim::scenarios

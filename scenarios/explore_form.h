// `explore: {holds: 1, strike: {request: EndTxn}, until: 2min}`.

#pragma once

#include "scenarios/exploration.h"
#include "scenarios/form.h"

namespace kafkasim::scenarios {

Form<ExploreSpec> ExploreForm();

}  // namespace kafkasim::scenarios

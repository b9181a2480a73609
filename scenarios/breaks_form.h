// `breaks:` names the invariants that a scenario shows broken, in all variants or by variant:
// `breaks: [lso_never_falls]`, `breaks: {TV1: only_committed_is_committed}`.

#pragma once

#include <vector>

#include "scenarios/break.h"
#include "scenarios/form.h"

namespace kafkasim::scenarios {

Form<std::vector<Break>> BreaksForm();

}  // namespace kafkasim::scenarios

// The whole of a scenario file as one form.

#pragma once

#include <string>
#include <vector>

#include "scenarios/form.h"
#include "scenarios/scenario.h"

namespace kafkasim::scenarios {

// Needs DeclareNames() of the tree first.
Form<Scenario> ScenarioForm();

// The top-level keys.
std::vector<std::string> ScenarioKeys();

}  // namespace kafkasim::scenarios

// What an `expect:` claims, in words: a line for each thing that it claims something of, with
// everything that is claimed of it.

#pragma once

#include <string>
#include <vector>

#include "scenarios/expectations.h"

namespace kafkasim::scenarios {

// "orders-0: log [a, COMMIT]; HW 2; LSO 2", "pay-1: state PREPARE_COMMIT", "call still under way".
// A long list says how much of it is left out.
std::vector<std::string> ClaimTexts(const Expectations& claims);

}  // namespace kafkasim::scenarios

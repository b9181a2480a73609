// An invariant that a scenario shows broken: `breaks:` of the file for its run, of `explore:` for a
// search.
#pragma once

#include <vector>

#include "scenarios/mark.h"

namespace kafkasim::scenarios {

// It must be broken, and no other may.
struct Break {
  Name invariant;
  std::vector<Name> only;  // labels of variants, used up by ForVariant(); empty = in all
};

}  // namespace kafkasim::scenarios

// A random walk through a generated workload: one seed makes the scenario and chooses the way.

#pragma once

#include <cstdint>
#include <functional>

#include "scenarios/explore.h"
#include "scenarios/fuzz.h"
#include "scenarios/scenario.h"
#include "scenarios/workload.h"

namespace kafkasim::scenarios {

struct GeneratedWalk {
  Scenario scenario;
  Exploration exploration;
  FuzzRun run{};
};

// `change` gives the scenario that is walked through instead of the one that was generated: with
// other faults, without a rule.
[[nodiscard]] GeneratedWalk WalkGenerated(std::uint64_t seed, const WorkloadShape& shape,
                                          const std::function<Scenario(Scenario)>& change);

}  // namespace kafkasim::scenarios

// From a scenario to a simulated cluster: brokers with their services, the controller, one process
// per actor, latencies, leaders, the first producer id and the seed.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "scenarios/name_table.h"
#include "scenarios/scenario.h"
#include "scenarios/source.h"
#include "sim/trace.h"
#include "sim/world.h"

namespace kafkasim::scenarios {

// A cluster that has not taken a step yet.
struct Assembly {
  sim::World world;
  NameTable names{};
  std::uint64_t seed = 0;
};

struct AssemblyResult {
  std::optional<Assembly> assembly{};
  std::vector<Diagnostic> errors{};  // what only the whole can show; empty exactly if there is one
};

// The seed of a run: `seed` if given, else the scenario's, else 1.
std::uint64_t SeedOf(const Scenario& scenario, std::optional<std::uint64_t> seed);

// Builds the cluster that `scenario` (of one variant, see ForVariant) describes. Errors: a leader
// or a replica on a broker that does not exist, more replicas than brokers, a setting that its
// process refuses.
[[nodiscard]] AssemblyResult Assemble(const Scenario& scenario,
                                      std::optional<std::uint64_t> seed = std::nullopt);

}  // namespace kafkasim::scenarios

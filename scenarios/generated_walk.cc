#include "scenarios/generated_walk.h"

#include <utility>

#include <fmt/format.h>

#include "scenarios/loader.h"
#include "sim/check.h"

namespace kafkasim::scenarios {

GeneratedWalk WalkGenerated(std::uint64_t seed, const WorkloadShape& shape,
                            const std::function<Scenario(Scenario)>& change) {
  LoadResult loaded =
      LoadScenarioText(fmt::format("workload-{}.yaml", seed), MakeWorkload(seed, shape));
  KAFKASIM_CHECK(loaded.scenario.has_value(), "a generated scenario can be loaded");
  Scenario scenario = change(ForVariant(*loaded.scenario, 0));
  ExplorationResult prepared = PrepareExploration(scenario, {});
  KAFKASIM_CHECK(prepared.exploration.has_value(), "a generated scenario can be walked through");
  GeneratedWalk walk{.scenario = std::move(scenario),
                     .exploration = std::move(*prepared.exploration)};
  walk.run = FuzzSeed(walk.exploration, seed);
  return walk;
}

}  // namespace kafkasim::scenarios

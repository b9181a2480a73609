// A scenario file as data: what loader.h makes of it when everything in it is right. Nothing here
// runs; the runner gets one Scenario per variant from ForVariant().

#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "broker/bugs.h"
#include "scenarios/break.h"
#include "scenarios/cluster.h"
#include "scenarios/config.h"
#include "scenarios/exploration.h"
#include "scenarios/mark.h"
#include "scenarios/source.h"
#include "scenarios/steps.h"

namespace kafkasim::scenarios {

// One combination of a `matrix`, for example TV2, or `transaction.version=2, reader:
// read_committed`.
struct Variant {
  struct ActorOverride {
    Name actor;
    Config config;
  };

  std::string name;                 // printed; unique in the file
  std::vector<std::string> labels;  // what `only:` and `in:` may say to mean it
  Config cluster;
  std::vector<ActorOverride> actors;
  broker::Bugs bugs;  // rules of Kafka that are switched off in this variant, too
  Mark mark{};
};

struct Scenario {
  std::shared_ptr<const Source> source;  // for messages that point into the file
  std::string title;
  std::string about;
  std::vector<std::string> shows;    // ids of the statements it shows: S-20, D4
  std::vector<std::string> teaches;  // subjects
  ClusterSpec cluster;
  std::vector<TopicSpec> topics;
  std::vector<ActorSpec> actors;
  std::vector<Variant> variants;  // empty without a matrix
  broker::Bugs bugs;              // rules of Kafka that are switched off
  std::vector<Break> breaks;
  std::optional<ExploreSpec> explore;
  std::vector<Step> steps;

  // How many runs the file asks for: one, or one per variant.
  std::size_t RunCount() const { return variants.empty() ? 1 : variants.size(); }
};

// The scenario as run number `index` (below RunCount()) plays it: overrides applied, steps that are
// only for other variants left out, outcomes chosen. Its `variants` holds the one variant, or none.
Scenario ForVariant(const Scenario& scenario, std::size_t index);

// The actors alone of ForVariant(scenario, index).
std::vector<ActorSpec> ActorsOf(const Scenario& scenario, std::size_t index);

}  // namespace kafkasim::scenarios

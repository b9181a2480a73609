// ForVariant(): a scenario as one run plays it.

#include <algorithm>
#include <utility>

#include "scenarios/scenario.h"
#include "sim/check.h"

namespace kafkasim::scenarios {
namespace {

bool Has(const Variant& variant, const Name& label) {
  return std::find(variant.labels.begin(), variant.labels.end(), label.value) !=
         variant.labels.end();
}

bool IsFor(const std::vector<Name>& only, const Variant& variant) {
  return only.empty() || std::any_of(only.begin(), only.end(),
                                     [&](const Name& name) { return Has(variant, name); });
}

void ChooseOutcome(Step& step, const Variant& variant) {
  for (VariantOutcome& other : step.in) {
    if (!Has(variant, other.label)) continue;
    if (auto* action = std::get_if<Action>(&step.what)) action->outcome = other.outcome;
    if (auto* await = std::get_if<Await>(&step.what)) await->outcome = other.outcome;
  }
  step.in.clear();
  step.only.clear();
}

}  // namespace

std::vector<ActorSpec> ActorsOf(const Scenario& scenario, std::size_t index) {
  KAFKASIM_CHECK(index < scenario.RunCount(), "the file has a variant of that number");
  std::vector<ActorSpec> actors = scenario.actors;
  if (scenario.variants.empty()) return actors;
  for (const Variant::ActorOverride& change : scenario.variants[index].actors) {
    for (ActorSpec& actor : actors) {
      if (actor.name.value == change.actor.value) actor.config.Apply(change.config);
    }
  }
  return actors;
}

Scenario ForVariant(const Scenario& scenario, std::size_t index) {
  KAFKASIM_CHECK(index < scenario.RunCount(), "the file has a variant of that number");
  Scenario chosen = scenario;
  if (scenario.variants.empty()) return chosen;
  const Variant& variant = scenario.variants[index];
  chosen.variants = {variant};
  chosen.cluster.config.Apply(variant.cluster);
  chosen.actors = ActorsOf(scenario, index);
  std::erase_if(chosen.steps, [&](const Step& step) { return !IsFor(step.only, variant); });
  std::erase_if(chosen.breaks, [&](const Break& one) { return !IsFor(one.only, variant); });
  for (Break& one : chosen.breaks) one.only.clear();
  for (Step& step : chosen.steps) ChooseOutcome(step, variant);
  return chosen;
}

}  // namespace kafkasim::scenarios

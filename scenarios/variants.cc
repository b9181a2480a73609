// ForVariant(): a scenario as one run plays it.

#include <algorithm>
#include <utility>

#include "scenarios/config_keys.h"
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

void ChooseBreaks(std::vector<Break>& breaks, const Variant& variant) {
  std::erase_if(breaks, [&](const Break& one) { return !IsFor(one.only, variant); });
  for (Break& one : breaks) one.only.clear();
}

bool IsKeyOf(const std::vector<ConfigKey>& keys, const std::string& name) {
  return std::any_of(keys.begin(), keys.end(),
                     [&](const ConfigKey& key) { return key.name == name; });
}

// An application's settings go to the client, or to both clients, that they are settings of.
void Apply(const Config& change, ApplicationSpec& application) {
  for (const ConfigEntry& entry : change.entries) {
    const Config one{{entry}};
    if (application.consumer.has_value() && IsKeyOf(ConsumerKeys(), entry.key)) {
      application.consumer->config.Apply(one);
    }
    if (application.producer.has_value() && IsKeyOf(ProducerKeys(), entry.key)) {
      application.producer->config.Apply(one);
    }
  }
}

}  // namespace

std::vector<ActorSpec> ActorsOf(const Scenario& scenario, std::size_t index) {
  KAFKASIM_CHECK(index < scenario.RunCount(), "the file has a variant of that number");
  std::vector<ActorSpec> actors = scenario.actors;
  if (scenario.variants.empty()) return actors;
  for (const Variant::ActorOverride& change : scenario.variants[index].actors) {
    for (ActorSpec& actor : actors) {
      if (actor.name.value != change.actor.value) continue;
      if (actor.role == ActorSpec::Role::kApplication) {
        Apply(change.config, actor.application);
      } else {
        actor.config.Apply(change.config);
      }
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
  for (const broker::BugInfo& info : broker::AllBugs()) {
    if (variant.bugs.Has(info.bug)) chosen.bugs.Add(info.bug);
  }
  std::erase_if(chosen.steps, [&](const Step& step) { return !IsFor(step.only, variant); });
  ChooseBreaks(chosen.breaks, variant);
  if (chosen.explore.has_value()) ChooseBreaks(chosen.explore->breaks, variant);
  for (Step& step : chosen.steps) ChooseOutcome(step, variant);
  return chosen;
}

}  // namespace kafkasim::scenarios

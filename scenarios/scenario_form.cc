#include "scenarios/scenario_form.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <absl/status/status.h>

#include "client/producer_config.h"
#include "scenarios/breaks_form.h"
#include "scenarios/client_config.h"
#include "scenarios/explore_form.h"
#include "scenarios/mapping_form.h"
#include "scenarios/reference_form.h"
#include "scenarios/setup_form.h"
#include "scenarios/step_form.h"

namespace kafkasim::scenarios {
namespace {

// The only version of the language there is.
Field<Scenario> SchemaField() {
  return Taking<Scenario>(
      "schema", IntegerForm(1, 1, "the version of the language"),
      [](std::int64_t, const Node&, Reader&, Scenario&) { return true; },
      "The version of the language: 1.");
}

// Kafka's rules about settings that belong together, in every variant.
bool CheckProducers(const Scenario& scenario, Reader& reader) {
  bool good = true;
  for (std::size_t run = 0; run < scenario.RunCount(); ++run) {
    for (const ActorSpec& actor : ActorsOf(scenario, run)) {
      ActorSpec producer = actor;
      if (actor.role == ActorSpec::Role::kApplication && actor.application.producer.has_value()) {
        producer.config = actor.application.producer->config;
      } else if (actor.role != ActorSpec::Role::kProducer) {
        continue;
      }
      const absl::Status status = client::FinishConfig(ProducerConfigOf(producer)).status();
      if (status.ok()) continue;
      reader.Error(actor.name.mark, std::string(status.message()));
      good = false;
    }
  }
  return good;
}

// In no variant may an action be awaited twice: the second await would claim something of a call
// that has been judged.
bool CheckAwaits(const Scenario& scenario, Reader& reader) {
  for (std::size_t run = 0; run < scenario.RunCount(); ++run) {
    std::map<std::string, Mark> awaited;
    for (const Step& step : ForVariant(scenario, run).steps) {
      const auto* await = std::get_if<Await>(&step.what);
      if (await == nullptr) continue;
      const auto [first, is_new] = awaited.emplace(await->handle.value, await->handle.mark);
      if (is_new) continue;
      reader.Error(await->handle.mark, Quote(await->handle.value) + " is awaited in line " +
                                           std::to_string(first->second.line) + " already");
      return false;
    }
  }
  return true;
}

// The last section; when it is read the actors and the matrix are complete.
Field<Scenario> StepsField() {
  Field<Scenario> field =
      Required("steps", &Scenario::steps, ListForm(StepForm()), "What happens, in order.");
  field.read = [read = field.read](const Node& node, Reader& reader, Scenario& scenario) {
    const bool good = CheckProducers(scenario, reader);
    return read(node, reader, scenario) && CheckAwaits(scenario, reader) && good;
  };
  return field;
}

}  // namespace

std::vector<std::string> ScenarioKeys() {
  return {"schema", "title",  "about",  "shows",  "teaches", "bugs", "cluster",
          "topics", "actors", "matrix", "breaks", "explore", "steps"};
}

Form<Scenario> ScenarioForm() {
  return Mapping<Scenario>(
      "a scenario",
      {SchemaField(),
       Required("title", &Scenario::title, TextForm(), "What it shows, in one line."),
       Optional("about", &Scenario::about, TextForm(), "What it is about, in a few sentences."),
       Optional("shows", &Scenario::shows, OneOrManyForm(TextForm()),
                "Ids of the statements that it shows: [S-20, D4]."),
       Optional("teaches", &Scenario::teaches, OneOrManyForm(TextForm()),
                "Subjects, for searching: [fencing, producer-epoch]."),
       Optional("bugs", &Scenario::bugs, BugsForm(),
                "Rules of Kafka that are switched off in this run; `kafkasim bugs` lists them."),
       Optional("cluster", &Scenario::cluster, ClusterForm(), "The brokers and the network."),
       Optional("topics", &Scenario::topics, TopicsForm(), "The topics, by name."),
       Optional("actors", &Scenario::actors, ActorsForm(),
                "Producers, consumers, admins, by name."),
       Optional("matrix", &Scenario::variants, MatrixForm(),
                "Run it more than once: [TV1, TV2], or settings with their values."),
       Optional("breaks", &Scenario::breaks, BreaksForm(),
                "Invariants that do not hold here, in all variants or in some: {TV1: ...}; "
                "`kafkasim invariants` lists them."),
       Optional("explore", &Scenario::explore, ExploreForm(),
                "What `kafkasim explore` may do: how many disturbances, and of what."),
       StepsField()});
}

}  // namespace kafkasim::scenarios

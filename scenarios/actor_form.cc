#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/application_form.h"
#include "scenarios/config_form.h"
#include "scenarios/group_verbs.h"
#include "scenarios/mapping_form.h"
#include "scenarios/notation.h"
#include "scenarios/reference_form.h"
#include "scenarios/setup_form.h"
#include "scenarios/step_form.h"

namespace kafkasim::scenarios {
namespace {

using Role = ActorSpec::Role;

Form<ActorSpec> ProducerForm() {
  return Mapping(MappingForm<ActorSpec>{
      "producer", Within<ActorSpec>(&ActorSpec::config, ConfigFields(ProducerKeys())),
      UnmodelledKeys<ActorSpec>()});
}

Form<ActorSpec> ConsumerForm() {
  std::vector<Field<ActorSpec>> fields =
      Within<ActorSpec>(&ActorSpec::config, ConfigFields(ConsumerKeys()));
  fields.push_back(Optional("assign", &ActorSpec::assign, AssignForm(),
                            "The partitions it reads: [orders-0, payments], in this order."));
  fields.push_back(Optional("subscribe", &ActorSpec::subscribe, SubscriptionForm(),
                            "The topics whose partitions it shares with its group."));
  MappingForm<ActorSpec> mapping{"consumer", std::move(fields), UnmodelledKeys<ActorSpec>()};
  mapping.check = [](const Node& node, Reader& reader, ActorSpec& actor) {
    const char* problem = nullptr;
    if (!actor.subscribe.empty() && !actor.assign.empty()) {
      problem = "give assign or subscribe, not both";
    } else if (!actor.subscribe.empty() && node.Find("group.id") == nullptr) {
      problem = "a consumer that subscribes needs a group.id";
    }
    if (problem != nullptr) reader.Error(node.mark, problem);
    return problem == nullptr;
  };
  return Mapping(std::move(mapping));
}

Form<ActorSpec> AdminForm() {
  return Mapping(MappingForm<ActorSpec>{
      "admin", Within<ActorSpec>(&ActorSpec::config, ConfigFields(AdminKeys())),
      UnmodelledKeys<ActorSpec>()});
}

// `producer: {...}` as the only key of an actor.
Alternative<ActorSpec> Kind(const std::string& key, Role role, const Form<ActorSpec>& body,
                            std::string description) {
  MappingForm<ActorSpec> mapping{"an actor", {}};
  mapping.fields.push_back(
      Field<ActorSpec>{key, std::move(description), true, body.schema,
                       [body, role](const Node& node, Reader& reader, ActorSpec& out) {
                         std::optional<ActorSpec> spec = body.read(node, reader);
                         if (!spec) return false;
                         out = std::move(*spec);
                         out.role = role;
                         return true;
                       }});
  return Alternative<ActorSpec>{key, Mapping(std::move(mapping))};
}

// What an actor is, as one of its members.
template <typename Body>
Form<ActorSpec> AsActor(Body ActorSpec::*member, Form<Body> form) {
  return Map(std::move(form), [member](Body body) {
    ActorSpec spec;
    spec.*member = std::move(body);
    return spec;
  });
}

Form<ActorSpec> ActorForm() {
  Notations<ActorSpec> notations{
      "an actor: {producer: {...}}, {consumer: {...}}, {application: {...}}, {store: {...}}, {api: "
      "{...}} or admin"};
  notations.scalar = Map(ChoiceForm<Role>("kind of actor", {{"producer", Role::kProducer},
                                                            {"consumer", Role::kConsumer},
                                                            {"admin", Role::kAdmin},
                                                            {"store", Role::kStore},
                                                            {"api", Role::kApi}}),
                         [](Role role) {
                           ActorSpec spec;
                           spec.role = role;
                           return spec;
                         });
  notations.mapping = ByKey<ActorSpec>(
      "an actor",
      {Kind("producer", Role::kProducer, Defined("producer", ProducerForm()),
            "A Java producer, with these settings."),
       Kind("consumer", Role::kConsumer, Defined("consumer", ConsumerForm()),
            "A Java consumer, with these settings."),
       Kind("admin", Role::kAdmin, Defined("admin", AdminForm()),
            "An administrator, with these settings of Java's Admin."),
       Kind("application", Role::kApplication,
            Defined("application", AsActor(&ActorSpec::application, ApplicationForm())),
            "A consumer, a producer or both in one process, with a program."),
       Kind("store", Role::kStore, AsActor(&ActorSpec::store, StoreForm()),
            "A database outside Kafka, with one table."),
       Kind("api", Role::kApi, AsActor(&ActorSpec::api, ApiForm()), "A service outside Kafka.")});
  return Defined("actor", ByKind(std::move(notations)));
}

bool CheckActorName(const Node& key, Reader& reader) {
  static const Form<std::string> word = WordForm("");
  if (!word.read(key, reader)) return false;
  const bool reserved =
      key.text == "all" || key.text == "controller" || key.text.starts_with("broker-");
  if (reserved || IsStepKey(key.text)) {
    reader.Error(key.mark, "an actor cannot be called " + Quote(key.text) +
                               ": the word has a meaning in the language");
    return false;
  }
  return true;
}

}  // namespace

Form<std::vector<ActorSpec>> ActorsForm() {
  const Form<ActorSpec> actor = ActorForm();
  return TableForm<ActorSpec>(
      "actors", kNamePattern, actor.schema,
      [actor](const Node& key, const Node& value, Reader& reader) -> std::optional<ActorSpec> {
        const bool named = CheckActorName(key, reader);
        std::optional<ActorSpec> spec = actor.read(value, reader);
        if (!named || !spec) return std::nullopt;
        spec->name = Name{key.text, key.mark};
        for (Names::Actor& known : reader.names.actors) {
          if (known.name != key.text) continue;
          const auto& consumer = spec->application.consumer;
          known.assign = consumer.has_value() ? consumer->assign : spec->assign;
        }
        return spec;
      });
}

}  // namespace kafkasim::scenarios

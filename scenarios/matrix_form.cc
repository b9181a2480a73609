// `matrix:` in its two notations, a list of variants and a table of axes; both become Variants.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/config_form.h"
#include "scenarios/mapping_form.h"
#include "scenarios/reference_form.h"
#include "scenarios/setup_form.h"

namespace kafkasim::scenarios {
namespace {

constexpr std::size_t kMaxVariants = 64;

// A protocol variant that has a name of its own.
Variant ProtocolVariant(const std::string& name, std::int64_t version) {
  Variant variant;
  variant.name = name;
  variant.labels = {name};
  variant.cluster.entries = {ConfigEntry{"transaction.version", version}};
  return variant;
}

Variant WithoutVerification(Variant variant) {
  variant.cluster.entries.push_back(
      ConfigEntry{"transaction.partition.verification.enable", false});
  return variant;
}

Form<Variant> ProtocolForm() {
  const Form<Variant> choice = ChoiceForm<Variant>(
      "variant", {{"TV1-noverify", WithoutVerification(ProtocolVariant("TV1-noverify", 1))},
                  {"TV1", ProtocolVariant("TV1", 1)},
                  {"TV2", ProtocolVariant("TV2", 2)}});
  return Form<Variant>{choice.schema, [choice](const Node& node, Reader& reader) {
                         std::optional<Variant> variant = choice.read(node, reader);
                         if (variant) variant->mark = node.mark;
                         return variant;
                       }};
}

// Settings of both clients; what both have is for both.
const std::vector<ConfigKey>& ApplicationKeys() {
  static const std::vector<ConfigKey> keys = [] {
    std::vector<ConfigKey> all = ConsumerKeys();
    for (const ConfigKey& key : ProducerKeys()) {
      const bool known = std::any_of(
          all.begin(), all.end(), [&](const ConfigKey& other) { return other.name == key.name; });
      if (!known) all.push_back(key);
    }
    return all;
  }();
  return keys;
}

const std::vector<ConfigKey>& KeysOf(ActorSpec::Role role) {
  static const std::vector<ConfigKey> none;
  if (role == ActorSpec::Role::kProducer) return ProducerKeys();
  if (role == ActorSpec::Role::kApplication) return ApplicationKeys();
  return role == ActorSpec::Role::kConsumer ? ConsumerKeys() : none;
}

Form<std::vector<Variant::ActorOverride>> ActorOverridesForm() {
  const Form<Config> producer = ConfigForm("producer settings", ProducerKeys());
  const Form<Config> consumer = ConfigForm("consumer settings", ConsumerKeys());
  const Form<Config> both = ConfigForm("application settings", ApplicationKeys());
  return TableForm<Variant::ActorOverride>(
      "actors", kNamePattern, AnyOf({producer.schema, consumer.schema, both.schema}),
      [producer, consumer, both](const Node& key, const Node& value,
                                 Reader& reader) -> std::optional<Variant::ActorOverride> {
        const Names::Actor* actor = reader.names.FindActor(key.text);
        if (actor == nullptr) {
          reader.Unknown(key.mark, "actor", key.text, "", reader.names.ActorNames());
          return std::nullopt;
        }
        const Form<Config>& form = actor->role == ActorSpec::Role::kConsumer      ? consumer
                                   : actor->role == ActorSpec::Role::kApplication ? both
                                                                                  : producer;
        std::optional<Config> config = form.read(value, reader);
        if (!config) return std::nullopt;
        return Variant::ActorOverride{Name{key.text, key.mark}, std::move(*config)};
      });
}

// `TV2`, or `{name: patient, config: {...}, actors: {old: {...}}, bugs: [...]}`.
Form<Variant> VariantForm() {
  MappingForm<Variant> full{
      "a variant",
      {Required("name", &Variant::name, TextForm(), "How it is called, also by only and in."),
       Optional("config", &Variant::cluster, ConfigForm("cluster config", BrokerKeys()),
                "Settings of all brokers that differ."),
       Optional("actors", &Variant::actors, ActorOverridesForm(),
                "Settings of actors that differ: {old: {acks: 1}}."),
       Optional("bugs", &Variant::bugs, BugsForm(),
                "Rules of Kafka that are switched off in this variant.")}};
  full.check = [](const Node&, Reader&, Variant& variant) {
    variant.labels = {variant.name};
    return true;
  };
  Notations<Variant> notations{"a variant"};
  notations.scalar = ProtocolForm();
  notations.mapping = Mapping(std::move(full));
  return ByKind(std::move(notations));
}

// The values of one setting, each as a variant of its own. `billing.isolation.level` is a setting
// of the actor billing.
std::optional<std::vector<Variant>> ReadSettingAxis(const Node& key, const Node& values,
                                                    Reader& reader) {
  const std::size_t dot = key.text.find('.');
  const std::string prefix = key.text.substr(0, dot);
  const Names::Actor* actor = reader.names.FindActor(prefix);
  const std::string name = actor == nullptr ? key.text : key.text.substr(dot + 1);
  std::vector<std::string> known{"protocol"};
  for (const ConfigKey& candidate : actor == nullptr ? BrokerKeys() : KeysOf(actor->role)) {
    known.push_back(actor == nullptr ? candidate.name : prefix + '.' + candidate.name);
    if (candidate.name != name) continue;
    const auto read = ListForm(WithMark(ConfigValueForm(candidate))).read(values, reader);
    if (!read) return std::nullopt;
    std::vector<Variant> variants;
    for (std::size_t i = 0; i < read->size(); ++i) {
      const auto& [value, mark] = (*read)[i];
      const std::string& text = values.items[i].text;
      Variant variant;
      variant.labels = {key.text + '=' + text};
      if (std::holds_alternative<std::string>(value)) variant.labels.push_back(text);
      variant.mark = mark;
      const Config config{{ConfigEntry{name, value, mark}}};
      if (actor == nullptr) {
        variant.cluster = config;
      } else {
        variant.actors.push_back({Name{prefix, key.mark}, config});
      }
      variants.push_back(std::move(variant));
    }
    return variants;
  }
  reader.Unknown(key.mark, "key", key.text, "matrix", known);
  return std::nullopt;
}

Variant Combined(const Variant& a, const Variant& b) {
  Variant both = a;
  for (const std::string& label : b.labels) both.labels.push_back(label);
  both.name = (a.name.empty() ? "" : a.name + ", ") + b.labels[0];
  both.cluster.Apply(b.cluster);
  for (const Variant::ActorOverride& actor : b.actors) both.actors.push_back(actor);
  if (a.mark.line == 0) both.mark = b.mark;
  return both;
}

// Every combination of one value from each axis, the last axis changing fastest.
Form<std::vector<Variant>> AxesForm() {
  const Form<std::vector<Variant>> protocols = ListForm(ProtocolForm());
  Schema any;
  any.types = {"array"};
  any.description = "Values of a setting of the brokers, or of ACTOR.SETTING.";
  Schema schema;
  schema.types = {"object"};
  schema.properties = {{"protocol", protocols.schema, "TV1-noverify, TV1, TV2.", false}};
  schema.key_patterns = {{"\\.", std::make_shared<const Schema>(std::move(any)), ""}};
  return Form<std::vector<Variant>>{
      std::make_shared<const Schema>(std::move(schema)),
      [protocols](const Node& node, Reader& reader) -> std::optional<std::vector<Variant>> {
        std::vector<Variant> all(1);
        bool good = true;
        for (const NodeEntry& axis : node.entries) {
          const auto values = axis.key.text == "protocol"
                                  ? protocols.read(axis.value, reader)
                                  : ReadSettingAxis(axis.key, axis.value, reader);
          good &= values.has_value();
          if (!values) continue;
          if (all.size() * values->size() > kMaxVariants) {
            reader.Error(axis.key.mark, "a matrix has 1 to " + std::to_string(kMaxVariants) +
                                            " variants; with this axis there are more");
            return std::nullopt;
          }
          std::vector<Variant> combined;
          for (const Variant& a : all) {
            for (const Variant& b : *values) combined.push_back(Combined(a, b));
          }
          all = std::move(combined);
        }
        return good ? std::optional(std::move(all)) : std::nullopt;
      }};
}

bool CheckVariants(const Node& node, const std::vector<Variant>& variants, Reader& reader) {
  if (variants.empty() || variants.size() > kMaxVariants) {
    reader.Error(node.mark, "a matrix has 1 to " + std::to_string(kMaxVariants) + " variants");
    return false;
  }
  for (std::size_t i = 0; i < variants.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (variants[i].name != variants[j].name) continue;
      reader.Error(variants[i].mark, "the variant " + Quote(variants[i].name) + " is there twice");
      return false;
    }
  }
  return true;
}

}  // namespace

Form<std::vector<Variant>> MatrixForm() {
  Notations<std::vector<Variant>> notations{"a list of variants, or a mapping of settings"};
  notations.list = ListForm(VariantForm());
  notations.mapping = AxesForm();
  const Form<std::vector<Variant>> form = ByKind(std::move(notations));
  return Form<std::vector<Variant>>{
      form.schema, [form](const Node& node, Reader& reader) -> std::optional<std::vector<Variant>> {
        std::optional<std::vector<Variant>> variants = form.read(node, reader);
        if (!variants || !CheckVariants(node, *variants, reader)) {
          reader.names.variants_known = false;
          return std::nullopt;
        }
        for (const Variant& variant : *variants) {
          for (const std::string& label : variant.labels) {
            reader.names.variant_labels.push_back(label);
          }
        }
        return variants;
      }};
}

}  // namespace kafkasim::scenarios

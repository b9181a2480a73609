#include "scenarios/config_form.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "scenarios/notation.h"

namespace kafkasim::scenarios {
namespace {

// Milliseconds as a number, or as a duration of whole milliseconds.
Form<std::int64_t> MillisecondsForm(const ConfigKey& key) {
  const Form<std::int64_t> number = IntegerForm(key.minimum, key.maximum, "milliseconds");
  const Form<std::int64_t> duration = DurationForm();
  return Form<std::int64_t>{
      AnyOf({number.schema, duration.schema}),
      [number, duration](const Node& node, Reader& reader) -> std::optional<std::int64_t> {
        if (!node.is_scalar() || node.is_null() || node.AsInteger()) {
          return number.read(node, reader);
        }
        const std::optional<std::int64_t> us = duration.read(node, reader);
        if (us && *us % 1'000 == 0) return *us / 1'000;
        if (us) reader.Expected(node, "a duration of whole milliseconds");
        return std::nullopt;
      }};
}

// What names somebody (ConfigDef.NonEmptyString).
Form<std::string> FilledTextForm(const std::string& name) {
  const Form<std::string> text = TextForm();
  return {text.schema,
          [text, name](const Node& node, Reader& reader) -> std::optional<std::string> {
            std::optional<std::string> read = text.read(node, reader);
            if (!read || !read->empty()) return read;
            reader.Error(node.mark, name + " must not be empty");
            return std::nullopt;
          }};
}

Form<std::string> ConfigTextForm(const ConfigKey& key) {
  const bool names_somebody = key.name.ends_with(".id") && key.name != "client.id";
  if (key.choices.empty()) return names_somebody ? FilledTextForm(key.name) : TextForm();
  std::vector<std::pair<std::string, std::string>> choices;
  for (const std::string& choice : key.choices) {
    // Kafka's other spelling of acks=all.
    choices.emplace_back(choice, choice == "-1" ? "all" : choice);
  }
  return ChoiceForm<std::string>("value of " + key.name, std::move(choices));
}

template <typename T>
Form<ConfigValue> AsConfigValue(Form<T> form) {
  return Map(std::move(form), [](T value) { return ConfigValue(std::move(value)); });
}

struct DefaultText {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(const std::string& value) const { return value.empty() ? "unset" : value; }
};

}  // namespace

Form<ConfigValue> ConfigValueForm(const ConfigKey& key) {
  if (std::holds_alternative<bool>(key.default_value)) return AsConfigValue(BooleanForm());
  if (std::holds_alternative<std::string>(key.default_value)) {
    return AsConfigValue(ConfigTextForm(key));
  }
  if (key.is_time()) return AsConfigValue(MillisecondsForm(key));
  return AsConfigValue(IntegerForm(key.minimum, key.maximum, "a number"));
}

std::vector<Field<Config>> ConfigFields(const std::vector<ConfigKey>& keys) {
  std::vector<Field<Config>> fields;
  for (const ConfigKey& key : keys) {
    const auto take = [name = key.name](ConfigValue value, const Node& node, Reader&,
                                        Config& config) {
      config.entries.push_back(ConfigEntry{name, std::move(value), node.mark});
      return true;
    };
    fields.push_back(Taking<Config>(
        key.name, ConfigValueForm(key), take,
        key.description + " Default: " + std::visit(DefaultText{}, key.default_value) + "."));
  }
  return fields;
}

Form<Config> ConfigForm(std::string what, const std::vector<ConfigKey>& keys) {
  std::string definition = what;
  std::replace(definition.begin(), definition.end(), ' ', '_');
  return Defined(definition, Mapping(MappingForm<Config>{std::move(what), ConfigFields(keys),
                                                         UnmodelledKeys<Config>()}));
}

}  // namespace kafkasim::scenarios

#include "scenarios/schema.h"

#include <charconv>
#include <map>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

namespace kafkasim::scenarios {
namespace {

using Json = nlohmann::ordered_json;

class SchemaWriter {
 public:
  Json Reference(const SchemaRef& schema) {
    if (schema->name.empty()) return Body(*schema);
    if (!definitions_.contains(schema->name)) {
      definitions_[schema->name] = Json();  // taken, so that a recursion ends
      definitions_[schema->name] = Body(*schema);
    }
    return Json{{"$ref", "#/$defs/" + schema->name}};
  }

  Json Body(const Schema& schema) {
    Json json = Json::object();
    if (!schema.description.empty()) json["description"] = schema.description;
    if (schema.types.size() == 1) json["type"] = schema.types[0];
    if (schema.types.size() > 1) json["type"] = schema.types;
    if (!schema.choices.empty()) json["enum"] = Choices(schema.choices);
    if (!schema.pattern.empty()) json["pattern"] = schema.pattern;
    if (schema.minimum) json["minimum"] = *schema.minimum;
    if (schema.maximum) json["maximum"] = *schema.maximum;
    if (schema.items) json["items"] = Reference(schema.items);
    if (schema.min_items) json["minItems"] = *schema.min_items;
    if (schema.types == std::vector<std::string>{"object"}) AddProperties(schema, json);
    if (schema.min_properties) json["minProperties"] = *schema.min_properties;
    if (schema.max_properties) json["maxProperties"] = *schema.max_properties;
    for (const SchemaRef& alternative : schema.any_of) {
      json["anyOf"].push_back(Reference(alternative));
    }
    return json;
  }

  Json Definitions() const {
    Json json = Json::object();
    for (const auto& [name, body] : definitions_) json[name] = body;
    return json;
  }

 private:
  // `1` and `true` in a file are no strings, so a choice that looks like one is offered both ways.
  static Json Choices(const std::vector<std::string>& choices) {
    Json json = Json::array();
    for (const std::string& choice : choices) {
      json.push_back(choice);
      std::int64_t number = 0;
      const char* end = choice.data() + choice.size();
      const auto parsed = std::from_chars(choice.data(), end, number);
      if (parsed.ec == std::errc() && parsed.ptr == end) json.push_back(number);
    }
    return json;
  }

  void AddProperties(const Schema& schema, Json& json) {
    Json required = Json::array();
    Json keys = Json::array();
    for (const Schema::Property& property : schema.properties) {
      json["properties"][property.key] = Described(property.value, property.description);
      keys.push_back(property.key);
      if (property.required) required.push_back(property.key);
    }
    if (!required.empty()) json["required"] = required;
    json["additionalProperties"] = false;
    // Not patternProperties: a validator that knows no names of keys still checks the values then.
    for (const Schema::KeyPattern& invented : schema.key_patterns) {
      const Json pattern = Json{{"pattern", invented.pattern}};
      json["additionalProperties"] = Described(invented.value, invented.description);
      if (keys.empty()) {
        json["propertyNames"] = pattern;
      } else {
        json["propertyNames"]["anyOf"] = Json::array({Json{{"enum", keys}}, pattern});
      }
    }
  }

  Json Described(const SchemaRef& schema, const std::string& description) {
    Json json = Reference(schema);
    if (!description.empty()) json["description"] = description;
    return json;
  }

  std::map<std::string, Json> definitions_;
};

}  // namespace

SchemaRef TypeSchema(std::string type, std::string description) {
  Schema schema;
  schema.types = {std::move(type)};
  schema.description = std::move(description);
  return std::make_shared<const Schema>(std::move(schema));
}

SchemaRef AnyOf(std::vector<SchemaRef> alternatives) {
  Schema schema;
  schema.any_of = std::move(alternatives);
  return std::make_shared<const Schema>(std::move(schema));
}

SchemaRef Named(std::string name, const SchemaRef& schema) {
  Schema named = *schema;
  named.name = std::move(name);
  return std::make_shared<const Schema>(std::move(named));
}

std::string ToJson(const Schema& root, const std::string& id, const std::string& title) {
  SchemaWriter writer;
  const Json body = writer.Body(root);
  Json json = Json{
      {"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"$id", id}, {"title", title}};
  json.update(body);
  json["$defs"] = writer.Definitions();
  return json.dump(2) + "\n";
}

}  // namespace kafkasim::scenarios

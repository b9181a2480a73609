#include "cli/json_schema.h"

namespace kafkasim::cli {
namespace {

SchemaJson Described(SchemaJson schema, const std::string& description) {
  if (!description.empty()) schema["description"] = description;
  return schema;
}

}  // namespace

SchemaJson IntegerSchema(const std::string& description) {
  return Described({{"type", "integer"}}, description);
}

SchemaJson TextSchema(const std::string& description) {
  return Described({{"type", "string"}}, description);
}

SchemaJson NullableTextSchema(const std::string& description) {
  return Described({{"type", SchemaJson::array({"string", "null"})}}, description);
}

SchemaJson BooleanSchema(const std::string& description) {
  return Described({{"type", "boolean"}}, description);
}

SchemaJson ChoiceSchema(const std::string& description,
                        std::initializer_list<const char*> choices) {
  SchemaJson values = SchemaJson::array();
  for (const char* choice : choices) values.push_back(choice);
  return Described({{"type", "string"}, {"enum", std::move(values)}}, description);
}

SchemaJson ArraySchema(const std::string& description, SchemaJson items) {
  return Described({{"type", "array"}, {"items", std::move(items)}}, description);
}

SchemaJson ObjectSchema(const std::string& description,
                        std::initializer_list<std::pair<std::string, SchemaJson>> properties,
                        std::initializer_list<std::pair<std::string, SchemaJson>> optional) {
  SchemaJson all = SchemaJson::object();
  SchemaJson required = SchemaJson::array();
  for (const auto& [name, schema] : properties) {
    all[name] = schema;
    required.push_back(name);
  }
  for (const auto& [name, schema] : optional) all[name] = schema;
  return Described({{"type", "object"},
                    {"properties", std::move(all)},
                    {"required", std::move(required)},
                    {"additionalProperties", false}},
                   description);
}

}  // namespace kafkasim::cli

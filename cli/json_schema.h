// Pieces of a JSON Schema (draft 2020-12, with features of draft-07 only): what the schemas of the
// program's own output are put together from.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

namespace kafkasim::cli {

using SchemaJson = nlohmann::ordered_json;

[[nodiscard]] SchemaJson IntegerSchema(const std::string& description);
[[nodiscard]] SchemaJson TextSchema(const std::string& description);
[[nodiscard]] SchemaJson NullableTextSchema(const std::string& description);
[[nodiscard]] SchemaJson BooleanSchema(const std::string& description);
[[nodiscard]] SchemaJson ChoiceSchema(const std::string& description,
                                      std::initializer_list<const char*> choices);
[[nodiscard]] SchemaJson ArraySchema(const std::string& description, SchemaJson items);

// An object with exactly these properties; those that are `optional` may be missing.
[[nodiscard]] SchemaJson ObjectSchema(
    const std::string& description,
    std::initializer_list<std::pair<std::string, SchemaJson>> properties,
    std::initializer_list<std::pair<std::string, SchemaJson>> optional = {});

}  // namespace kafkasim::cli

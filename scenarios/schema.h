// The description of what may be written at a place of a scenario file: as data, made by the same
// forms (form.h) that read the file, and printed as JSON Schema for editors.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kafkasim::scenarios {

struct Schema;
using SchemaRef = std::shared_ptr<const Schema>;

// The subset of JSON Schema that the language needs. What is empty says nothing.
struct Schema {
  struct Property {
    std::string key;
    SchemaRef value;
    std::string description;
    bool required = false;
  };
  // Keys that the author invents: a regular expression for them and what stands behind one.
  struct KeyPattern {
    std::string pattern;
    SchemaRef value;
    std::string description;
  };

  std::string
      name;  // written once under $defs and referred to by this name; empty: written in place
  std::string description;
  std::vector<std::string> types;    // string, integer, boolean, array, object
  std::vector<std::string> choices;  // the only values; numbers and truth values may be bare
  std::string pattern;               // regular expression for a string
  std::optional<std::int64_t> minimum;
  std::optional<std::int64_t> maximum;
  SchemaRef items;  // of an array
  std::optional<int> min_items;
  std::vector<Property> properties;      // of an object; others are refused
  std::vector<KeyPattern> key_patterns;  // at most one
  std::optional<int> min_properties;
  std::optional<int> max_properties;
  std::vector<SchemaRef> any_of;  // one of these has to fit
};

// A schema with only that type and description, and one that leaves a choice between others.
SchemaRef TypeSchema(std::string type, std::string description = "");
SchemaRef AnyOf(std::vector<SchemaRef> alternatives);

// `schema` under a name of its own, to be written once however often it is used.
SchemaRef Named(std::string name, const SchemaRef& schema);

// The JSON text of `root` as a draft 2020-12 schema, two blanks a level, with a line end. `id` is
// the schema's own address. It uses only features that draft-07 has as well.
std::string ToJson(const Schema& root, const std::string& id, const std::string& title);

}  // namespace kafkasim::scenarios

// The form of the JSON Schema. scenario_schema_test.py holds it against files.

#include "scenarios/scenario_schema.h"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace kafkasim::scenarios {
namespace {

using nlohmann::json;

// Calls `visit(path, value)` for `value` and all inside it.
template <typename Visit>
void ForEach(const json& value, const std::string& path, const Visit& visit) {
  visit(path, value);
  if (!value.is_structured()) return;
  for (const auto& [name, inner] : value.items()) ForEach(inner, path + "/" + name, visit);
}

TEST(ScenarioSchema, DescribesEveryKeyThatIsFixed) {
  int described = 0;
  ForEach(json::parse(ScenarioSchema()), "", [&](const std::string& path, const json& value) {
    if (!value.is_object() || !value.contains("properties")) return;
    for (const auto& [name, property] : value["properties"].items()) {
      EXPECT_TRUE(property.contains("description")) << path << ": " << name;
      ++described;
    }
  });
  EXPECT_GT(described, 50);
}

TEST(ScenarioSchema, ClosesEveryMapping) {
  int closed = 0;
  ForEach(json::parse(ScenarioSchema()), "", [&](const std::string& path, const json& value) {
    if (!value.is_object() || value.value("type", json()) != "object") return;
    EXPECT_TRUE(value.contains("additionalProperties")) << path;
    ++closed;
  });
  EXPECT_GT(closed, 10);
}

}  // namespace
}  // namespace kafkasim::scenarios

// The form of the JSON Schema. scenario_schema_test.py holds it against files.

#include "scenarios/scenario_schema.h"

#include <string>

#include <gtest/gtest.h>
#include <rapidjson/document.h>

namespace kafkasim::scenarios {
namespace {

class ScenarioSchemaTest : public ::testing::Test {
 protected:
  ScenarioSchemaTest() {
    schema_json_.Parse(ScenarioSchema().c_str());
    EXPECT_FALSE(schema_json_.HasParseError());
  }

  rapidjson::Document schema_json_;
};

TEST_F(ScenarioSchemaTest, DescribesEveryKeyThatIsFixed) {
  const auto check = [](const auto& self, const rapidjson::Value& value,
                        const std::string& path) -> void {
    if (value.IsArray()) {
      for (const auto& item : value.GetArray()) self(self, item, path);
    }
    if (!value.IsObject()) return;
    for (const auto& member : value.GetObject()) {
      const std::string name = member.name.GetString();
      if (name == "properties") {
        for (const auto& property : member.value.GetObject()) {
          EXPECT_TRUE(property.value.HasMember("description"))
              << path << ": " << property.name.GetString();
        }
      }
      self(self, member.value, path + "/" + name);
    }
  };
  check(check, schema_json_, "");
}

TEST_F(ScenarioSchemaTest, ClosesEveryMapping) {
  const auto check = [](const auto& self, const rapidjson::Value& value,
                        const std::string& path) -> void {
    if (value.IsArray()) {
      for (const auto& item : value.GetArray()) self(self, item, path);
    }
    if (!value.IsObject()) return;
    const bool object = value.HasMember("type") && value["type"].IsString() &&
                        std::string(value["type"].GetString()) == "object";
    EXPECT_TRUE(!object || value.HasMember("additionalProperties")) << path;
    for (const auto& member : value.GetObject()) {
      self(self, member.value, path + "/" + member.name.GetString());
    }
  };
  check(check, schema_json_, "");
}

}  // namespace
}  // namespace kafkasim::scenarios

// The JSON Schema, held by RapidJSON's validator against the files that the loader accepts.

#include "scenarios/scenario_schema.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#define RAPIDJSON_SCHEMA_USE_INTERNALREGEX 0
#define RAPIDJSON_SCHEMA_USE_STDREGEX 1
#include <rapidjson/document.h>
#include <rapidjson/schema.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "scenarios/yaml_tree.h"
#include "tests/scenarios/loading.h"

namespace kafkasim::scenarios {
namespace {

using Writer = rapidjson::Writer<rapidjson::StringBuffer>;

void WriteScalar(const Node& node, Writer& writer) {
  char* end = nullptr;
  const double number = std::strtod(node.text.c_str(), &end);
  if (node.is_null()) {
    writer.Null();
  } else if (const auto integer = node.AsInteger()) {
    writer.Int64(*integer);
  } else if (const auto boolean = node.AsBoolean()) {
    writer.Bool(*boolean);
  } else if (!node.quoted && *end == '\0') {
    writer.Double(number);
  } else {
    writer.String(node.text.c_str());
  }
}

void Write(const Node& node, Writer& writer) {
  if (node.is_scalar()) return WriteScalar(node, writer);
  if (node.is_sequence()) {
    writer.StartArray();
    for (const Node& item : node.items) Write(item, writer);
    writer.EndArray();
    return;
  }
  writer.StartObject();
  for (const NodeEntry& entry : node.entries) {
    writer.Key(entry.key.text.c_str());
    Write(entry.value, writer);
  }
  writer.EndObject();
}

class ScenarioSchemaTest : public ::testing::Test {
 protected:
  ScenarioSchemaTest() {
    schema_json_.Parse(ScenarioSchema().c_str());
    EXPECT_FALSE(schema_json_.HasParseError());
    schema_ = std::make_unique<rapidjson::SchemaDocument>(schema_json_);
  }

  // Where in the document the schema is violated; "" if nowhere.
  std::string ViolationIn(const std::string& yaml) const {
    const YamlResult tree = ReadYaml(Source("f", yaml));
    if (!tree.root) return "not YAML";
    rapidjson::StringBuffer json;
    Writer writer(json);
    Write(*tree.root, writer);
    rapidjson::Document document;
    document.Parse(json.GetString());
    rapidjson::SchemaValidator validator(*schema_);
    if (document.Accept(validator)) return "";
    rapidjson::StringBuffer where;
    validator.GetInvalidDocumentPointer().StringifyUriFragment(where);
    return where.GetString();
  }

  rapidjson::Document schema_json_;
  std::unique_ptr<rapidjson::SchemaDocument> schema_;
};

std::vector<std::string> ShippedFiles() {
  std::vector<std::string> files{KAFKASIM_SOURCE_DIR "/tests/scenarios/everything.yaml"};
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(KAFKASIM_SOURCE_DIR "/scenarios")) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST_F(ScenarioSchemaTest, AcceptsEveryShippedFile) {
  for (const std::string& file : ShippedFiles()) {
    const LoadResult result = LoadScenarioFile(file);
    EXPECT_EQ(result.Report(), "");
    EXPECT_EQ(ViolationIn(result.source->text()), "") << file;
  }
}

TEST_F(ScenarioSchemaTest, RefusesWhatTheLoaderRefusesWithoutKnowingNames) {
  const char* const wrong_steps[] = {
      "  - {old: flush, return: {}}\n",
      "  - old: flsh\n",
      "  - old: {send: {to: orders, value: x, kye: 1}}\n",
      "  - old: {send: {value: x}}\n",
      "  - wait: 60 sec\n",
      "  - wait: 60\n",
      "  - expect: {orders-0: {lso: 3}}\n",
      "  - expect: {orders-0: {high_watermark: -2}}\n",
      "  - hold: {request: EndTx}\n",
      "  - {when: {marker: COMIT}, do: {crash: old}}\n",
      "  - {when: {marker: any}, do: {say: x}}\n",
      "  - billing: {seek: {offset: -3}}\n",
      "  - {old: flush, fails: PRODUCER_FENCD}\n",
      "  - tool: {raw: {api: EndTxn, to: broker-0, transactional_id: a}}\n",
      "  - expect: {transactions: {pay-1: {state: ONGOIN}}}\n",
      "  - flush\n",
  };
  EXPECT_EQ(ViolationIn(FileWith("  - old: flush\n")), "");
  for (const char* steps : wrong_steps) {
    EXPECT_NE(ErrorsOf(steps), "") << steps;
    EXPECT_NE(ViolationIn(FileWith(steps)), "") << steps;
  }
  EXPECT_NE(ViolationIn("title: x\nstep: []\nsteps: []\n"), "");
  EXPECT_NE(ViolationIn("title: x\n"), "");
  EXPECT_NE(ViolationIn("title: x\ncluster: {brokers: 0}\nsteps: []\n"), "");
}

// Editors show them as one types.
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

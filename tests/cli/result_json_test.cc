// The documents that the program prints, held by RapidJSON's validator against its own schemas.

#include "cli/result_json.h"

#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#define RAPIDJSON_SCHEMA_USE_INTERNALREGEX 0
#define RAPIDJSON_SCHEMA_USE_STDREGEX 1
#include <rapidjson/document.h>
#include <rapidjson/schema.h>
#include <rapidjson/stringbuffer.h>

#include "tests/cli/program.h"

namespace kafkasim::cli {
namespace {

rapidjson::Document Parse(const std::string& text) {
  rapidjson::Document document;
  document.Parse(text.c_str());
  EXPECT_FALSE(document.HasParseError()) << text.substr(0, 200);
  return document;
}

// Where `document` violates `schema`; "" if nowhere.
std::string Violation(const rapidjson::Document& document, const std::string& schema) {
  const rapidjson::SchemaDocument parsed(Parse(schema));
  rapidjson::SchemaValidator validator(parsed);
  if (document.Accept(validator)) return "";
  rapidjson::StringBuffer where;
  validator.GetInvalidDocumentPointer().StringifyUriFragment(where);
  return std::string(where.GetString()) + " " + validator.GetInvalidSchemaKeyword();
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(ResultJson, IsWhatItsSchemaSays) {
  for (const char* example : {"13", "14", "36"}) {
    const ProgramResult result = RunProgram({"run", example, "--json"});
    ASSERT_FALSE(result.out.empty()) << result.err;
    EXPECT_EQ(Violation(Parse(result.out), ResultSchema()), "") << example;
  }
}

TEST(ResultJson, HasTheOffsetsUnderKafkasNames) {
  const rapidjson::Document document = Parse(RunProgram({"run", "13", "--json"}).out);
  ASSERT_TRUE(document.IsObject());
  const auto& partition = document["runs"][0]["end"]["partitions"][0];
  EXPECT_STREQ(partition["partition"].GetString(), "enriched_orders-0");
  EXPECT_EQ(partition["last_stable_offset"].GetInt(), 6);
  EXPECT_EQ(partition["high_watermark"].GetInt(), 8);
  EXPECT_EQ(partition["log_end_offset"].GetInt(), 8);
  EXPECT_EQ(partition["entries"][5]["kind"].GetString(), std::string("COMMIT"));
  EXPECT_EQ(partition["read_committed"].Size(), 5U);
}

TEST(ResultJson, AnUnknownFieldWouldBeNoticed) {
  rapidjson::Document document = Parse(RunProgram({"run", "13", "--json"}).out);
  ASSERT_TRUE(document.IsObject());
  document.AddMember("surprise", 1, document.GetAllocator());
  EXPECT_NE(Violation(document, ResultSchema()), "");
}

TEST(Trace, EachLineIsWhatItsSchemaSays) {
  const std::string schema = RunProgram({"schema", "trace"}).out;
  const std::vector<std::string> lines = Lines(RunProgram({"run", "36", "--ndjson"}).out);
  ASSERT_GT(lines.size(), 100U);
  const rapidjson::SchemaDocument parsed(Parse(schema));
  for (const std::string& line : lines) {
    rapidjson::SchemaValidator validator(parsed);
    EXPECT_TRUE(Parse(line).Accept(validator)) << line;
  }
}

}  // namespace
}  // namespace kafkasim::cli

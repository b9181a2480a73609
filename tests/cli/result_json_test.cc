// What --json says of a run. documents_test.py holds its form against the schema.

#include "cli/result_json.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace kafkasim::cli {
namespace {

TEST(ResultJson, HasTheOffsetsUnderKafkasNames) {
  const auto document = nlohmann::json::parse(RunProgram({"run", "13", "--json"}).out);
  const auto& partition = document["runs"][0]["end"]["partitions"][0];
  EXPECT_EQ(partition["partition"], "enriched_orders-0");
  EXPECT_EQ(partition["last_stable_offset"], 6);
  EXPECT_EQ(partition["high_watermark"], 8);
  EXPECT_EQ(partition["log_end_offset"], 8);
  EXPECT_EQ(partition["entries"][5]["kind"], "COMMIT");
  EXPECT_EQ(partition["read_committed"].size(), 5U);
}

}  // namespace
}  // namespace kafkasim::cli

// The table of a ladder and its JSON: cli/ladder_table.h.
#include "cli/ladder_table.h"

#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace kafkasim::cli {
namespace {

using testing::HasSubstr;

Rung Broken() {
  return {.scenario = "ladder/late-end",
          .variant = "TV1",
          .declared = {"only_committed_is_committed"},
          .states = 1568,
          .transitions = 2000,
          .depth = 45,
          .as_declared = true,
          .violation = "only_committed_is_committed",
          .what = "orders-0@3: committed",
          .moves = {"hold EndTxn", "release EndTxn"},
          .seconds = 0.25};
}

Rung Good() {
  return {.scenario = "ladder/late-end",
          .variant = "TV2",
          .states = 744,
          .transitions = 1307,
          .depth = 54,
          .exhausted = true,
          .as_declared = true};
}

std::string Drawn(const std::vector<Rung>& rungs, const Look& look) {
  std::ostringstream out;
  out << DrawLadder(rungs, look);
  return out.str();
}

TEST(LadderTable, HasARowForEachRungBelowItsScenario) {
  EXPECT_EQ(Drawn({Broken(), Good()}, {.unicode = true, .width = 100}),
            "rung             states  depth  violation                      seconds\n"
            "ladder/late-end\n"
            "  ✓ TV1           1,568     45  only_committed_is_committed       0.25\n"
            "  ✓ TV2             744     54  none, every state was visited     0.00\n");
}

TEST(LadderTable, SaysWhatARungWasToShow) {
  Rung silent = Broken();
  silent.as_declared = false;
  silent.violation.clear();
  silent.exhausted = true;
  EXPECT_THAT(
      Drawn({silent}, {.unicode = false, .width = 140}),
      HasSubstr("x TV1           1,568     45  none, every state was visited; it is to find "
                "only_committed_is_committed"));
  Rung loud = Good();
  loud.as_declared = false;
  loud.violation = "lso_never_falls";
  EXPECT_THAT(Drawn({loud}, {.unicode = false, .width = 140}),
              HasSubstr("lso_never_falls; it is to visit every state and find none"));
  Rung cut = Good();
  cut.as_declared = false;
  cut.exhausted = false;
  EXPECT_THAT(Drawn({cut}, {.unicode = false, .width = 140}),
              HasSubstr("none, the search was cut; it is to visit every state and find none"));
}

TEST(LadderJson, HasTheWayToEachViolation) {
  const auto json = nlohmann::json::parse(LadderJson({Broken(), Good()}));
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[0]["scenario"], "ladder/late-end");
  EXPECT_EQ(json[0]["violation"], "only_committed_is_committed");
  EXPECT_EQ(json[0]["moves"], (std::vector<std::string>{"hold EndTxn", "release EndTxn"}));
  EXPECT_EQ(json[1]["violation"], "");
  EXPECT_EQ(json[1]["states"], 744);
  EXPECT_TRUE(json[1]["exhausted"]);
}

}  // namespace
}  // namespace kafkasim::cli

// The ladder: each rung of scenarios/ladder finds what it declares, in the same number of states.
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "scenarios/explore.h"
#include "scenarios/loader.h"
#include "tests/source_directory.h"

namespace kafkasim::scenarios {
namespace {

struct ExpectedRung {
  std::string_view file;
  std::string_view variant;
  std::uint64_t states;
  std::string_view violation;  // "": none, and every state was visited
};

constexpr ExpectedRung kRungs[] = {
    {"answer-before-prepare", "answer before PREPARE", 4'111, "committed_is_committed"},
    {"answer-before-prepare", "TV1", 5'816, ""},
    {"answer-before-prepare", "TV2", 5'100, ""},
    {"late-end", "TV1-noverify", 342, "only_committed_is_committed"},
    {"late-end", "TV1", 420, "only_committed_is_committed"},
    {"late-end", "TV2", 515, ""},
    {"late-produce", "TV1-noverify", 253, "lso_reaches_high_watermark"},
    {"late-produce", "TV1", 945, ""},
    {"late-produce", "TV2", 380, ""},
    {"lso-in-memory", "LSO in memory", 1'273, "lso_is_first_undecided"},
    {"lso-in-memory", "TV1", 2'416, ""},
    {"lso-in-memory", "TV2", 2'328, ""},
    {"marker-without-epoch", "marker without epoch", 26'345, "only_committed_is_committed"},
    {"marker-without-epoch", "TV1", 29'517, ""},
    {"reader-without-range", "filter by producer", 189, "polls_leave_nothing_out"},
    {"reader-without-range", "TV1", 199, ""},
    {"reader-without-range", "TV2", 191, ""},
    {"two-writers", "no fencing", 447, "one_owner_of_an_epoch"},
    {"two-writers", "TV1-noverify", 1'091, ""},
    {"two-writers", "TV1", 1'341, ""},
    {"two-writers", "TV2", 1'122, ""},
};

class Ladder : public testing::TestWithParam<ExpectedRung> {};

TEST_P(Ladder, ShowsWhatItDeclares) {
  const ExpectedRung& rung = GetParam();
  const LoadResult loaded = LoadScenarioFile(
      (SourceDirectory() / "scenarios/ladder" / (std::string(rung.file) + ".yaml")).string());
  ASSERT_TRUE(loaded.scenario.has_value()) << loaded.Report();
  for (std::size_t i = 0; i < loaded.scenario->RunCount(); ++i) {
    const Scenario scenario = ForVariant(*loaded.scenario, i);
    if (scenario.variants.front().name != rung.variant) continue;
    const ExploreOptions options{.stop_at_first = true};
    const ExplorationResult prepared = PrepareExploration(scenario, options);
    ASSERT_TRUE(prepared.exploration.has_value());
    const sim::SearchResult result = Explore(*prepared.exploration, options);
    EXPECT_TRUE(IsAsDeclared(*prepared.exploration, result));
    EXPECT_EQ(result.states, rung.states);
    EXPECT_EQ(result.found.empty() ? "" : result.found.front().violation.name, rung.violation);
    return;
  }
  FAIL() << rung.file << " has no such variant";
}

INSTANTIATE_TEST_SUITE_P(Rungs, Ladder, testing::ValuesIn(kRungs),
                         [](const testing::TestParamInfo<ExpectedRung>& chosen) {
                           std::string name = std::string(chosen.param.file) + "_" +
                                              std::string(chosen.param.variant);
                           for (char& c : name) c = c == '-' || c == ' ' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace kafkasim::scenarios

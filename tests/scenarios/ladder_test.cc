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
    {"answer-before-prepare", "answer before PREPARE", 5'316, "committed_is_committed"},
    {"answer-before-prepare", "TV1", 7'309, ""},
    {"answer-before-prepare", "TV2", 6'418, ""},
    {"late-end", "TV1-noverify", 452, "only_committed_is_committed"},
    {"late-end", "TV1", 568, "only_committed_is_committed"},
    {"late-end", "TV2", 744, ""},
    {"late-produce", "TV1-noverify", 458, "lso_reaches_high_watermark"},
    {"late-produce", "TV1", 2'025, ""},
    {"late-produce", "TV2", 730, ""},
    {"lso-in-memory", "LSO in memory", 1'468, "lso_is_first_undecided"},
    {"lso-in-memory", "TV1", 2'783, ""},
    {"lso-in-memory", "TV2", 2'695, ""},
    {"marker-without-epoch", "marker without epoch", 33'433, "only_committed_is_committed"},
    {"marker-without-epoch", "TV1", 37'218, ""},
    {"reader-without-range", "filter by producer", 261, "polls_leave_nothing_out"},
    {"reader-without-range", "TV1", 271, ""},
    {"reader-without-range", "TV2", 261, ""},
    {"two-writers", "no fencing", 574, "one_owner_of_an_epoch"},
    {"two-writers", "TV1-noverify", 1'475, ""},
    {"two-writers", "TV1", 1'791, ""},
    {"two-writers", "TV2", 1'499, ""},
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

// Every scenario file in scenarios/ holds, in each of its variants, and runs the same twice.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "broker/bugs.h"
#include "scenarios/loader.h"
#include "scenarios/run.h"
#include "scenarios/scenario.h"
#include "tests/scenarios/shipped_files.h"

namespace kafkasim::scenarios {
namespace {

// "lecture/12-commit-at-offset-5.yaml" as a test name: lecture_12_commit_at_offset_5.
std::string TestName(const testing::TestParamInfo<std::string>& info) {
  const std::filesystem::path path(info.param);
  std::string name = path.parent_path().filename().string() + "_" + path.stem().string();
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

class ShippedScenario : public testing::TestWithParam<std::string> {};

TEST_P(ShippedScenario, Holds) {
  const LoadResult loaded = LoadScenarioFile(GetParam());
  ASSERT_TRUE(loaded.scenario.has_value()) << loaded.Report();
  for (size_t i = 0; i < loaded.scenario->RunCount(); ++i) {
    const Scenario scenario = ForVariant(*loaded.scenario, i);
    if (!scenario.bugs.empty()) {
      EXPECT_EQ(VerdictName(JudgeFile(scenario, scenarios::Run(scenario))),
                VerdictName(Verdict::kHolds))
          << "the bug is not caught as the file says";
      Scenario right = scenario;
      right.bugs = {};
      right.breaks = {};
      EXPECT_EQ(VerdictName(scenarios::Run(right).verdict), VerdictName(Verdict::kHolds))
          << "it does not hold without the bug";
      continue;
    }
    const RunResult result = scenarios::Run(scenario);
    SCOPED_TRACE(result.variant);
    EXPECT_EQ(VerdictName(result.verdict), VerdictName(Verdict::kHolds));
    for (const FailedClaim& failure : result.failures) {
      ADD_FAILURE() << GetParam() << ":" << failure.mark.line << ": " << failure.what
                    << ": expected " << failure.expected << ", is " << failure.actual;
    }
    EXPECT_GT(result.claims, 0u);
    EXPECT_EQ(scenarios::Run(scenario).trace_digest, result.trace_digest);
  }
}

INSTANTIATE_TEST_SUITE_P(Files, ShippedScenario, testing::ValuesIn(ShippedFiles()), TestName);

TEST(ShippedScenarios, CatchEveryBug) {
  std::set<broker::Bug> caught;
  for (const std::string& file : ShippedFiles()) {
    const LoadResult loaded = LoadScenarioFile(file);
    ASSERT_TRUE(loaded.scenario.has_value()) << loaded.Report();
    for (const broker::BugInfo& info : broker::AllBugs()) {
      if (loaded.scenario->bugs == broker::Bugs{info.bug}) caught.insert(info.bug);
    }
  }
  EXPECT_EQ(caught.size(), broker::AllBugs().size());
}

TEST(ShippedScenarios, AreThere) { EXPECT_GE(ShippedFiles().size(), 29u); }

}  // namespace
}  // namespace kafkasim::scenarios

// Invariants in runs, and scenarios that say which of them they break.
#include <filesystem>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run_scenario.h"
#include "scenarios/invariants/invariant.h"
#include "scenarios/loader.h"
#include "tests/source_directory.h"

namespace kafkasim::scenarios {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// A record of an open transaction that a raw EndTxn commits, which its application has not asked
// for.
constexpr std::string_view kCommittedByAStranger = R"(  - t1: init_transactions
  - t1: begin_transaction
  - t1: {send: {to: orders-0, value: a}}
  - admin: {raw: {api: EndTxn, to: coordinator of pay-1, version: 4, transactional_id: pay-1, producer_id: 7, producer_epoch: 0, committed: true}}
  - wait: 50ms
  - expect: {orders-0: {log: [a, COMMIT]}}
)";

RunResult RunWith(const std::string& breaks, std::string_view steps = kCommittedByAStranger) {
  std::string text(kStage);
  const std::string_view key = "steps:\n";
  text.insert(text.find(key), breaks);
  const std::optional<Scenario> scenario = Load(text + std::string(steps));
  return scenario.has_value() ? Run(*scenario) : RunResult{};
}

TEST(Invariants, OneThatIsBrokenFailsTheRun) {
  const RunResult result = RunWith("");
  EXPECT_EQ(result.verdict, Verdict::kFails);
  ASSERT_THAT(result.broken, SizeIs(1));
  EXPECT_EQ(result.broken[0].name, "only_committed_is_committed");
  EXPECT_EQ(result.broken[0].what, "orders-0@0: committed, although t1 has not committed it");
  EXPECT_FALSE(result.broken[0].declared);
  ASSERT_THAT(result.failures, SizeIs(1));
  EXPECT_EQ(result.failures[0].what, "invariant only_committed_is_committed");
}

TEST(Invariants, OneThatTheScenarioSaysIsBrokenMayBe) {
  const RunResult result = RunWith("breaks: only_committed_is_committed\n");
  EXPECT_EQ(result.verdict, Verdict::kHolds);
  ASSERT_THAT(result.broken, SizeIs(1));
  EXPECT_TRUE(result.broken[0].declared);
}

TEST(Invariants, OneThatTheScenarioSaysIsBrokenMustBe) {
  const RunResult result =
      RunWith("breaks: lso_never_falls\n", "  - p: {send: {to: orders-0, value: a}}\n");
  EXPECT_EQ(result.verdict, Verdict::kFails);
  ASSERT_THAT(result.failures, SizeIs(1));
  EXPECT_EQ(result.failures[0].what, "breaks lso_never_falls");
  EXPECT_THAT(result.broken, IsEmpty());
}

TEST(Invariants, AreBrokenInTheVariantsThatAreNamed) {
  std::string text(kStage);
  text.insert(text.find("steps:\n"),
              "matrix: [TV1, TV2]\nbreaks: {TV1: [lso_never_falls, no_zombie_writes]}\n");
  const LoadResult loaded = LoadScenarioText("test.yaml", text + "  - wait: 1s\n");
  ASSERT_TRUE(loaded.scenario.has_value()) << loaded.Report();
  EXPECT_THAT(ForVariant(*loaded.scenario, 0).breaks, SizeIs(2));
  EXPECT_THAT(ForVariant(*loaded.scenario, 1).breaks, IsEmpty());
}

TEST(Invariants, AnUnknownNameIsRefusedWithASuggestion) {
  std::string text(kStage);
  text.insert(text.find("steps:\n"), "breaks: lso_never_fall\n");
  const LoadResult loaded = LoadScenarioText("test.yaml", text + "  - wait: 1s\n");
  EXPECT_FALSE(loaded.scenario.has_value());
  EXPECT_THAT(loaded.Report(), HasSubstr("lso_never_falls"));
}

TEST(Invariants, HaveDifferentNamesAndOneCheckEach) {
  std::set<std::string_view> names;
  for (const Invariant& invariant : Invariants()) {
    EXPECT_TRUE(names.insert(invariant.name).second) << invariant.name;
    const int checks = (invariant.partition != nullptr) + (invariant.state != nullptr) +
                       (invariant.step != nullptr) + (invariant.rest != nullptr);
    EXPECT_EQ(checks, 1) << invariant.name;
    EXPECT_EQ(FindInvariant(invariant.name), &invariant);
  }
}

// Each has a shipped scenario in which a rule is switched off and a run breaks it. A run that
// breaks one although its file does not say so fails, and so does one that keeps what is said to be
// broken.
TEST(Invariants, CanFail) {
  std::set<std::string_view> broken;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(SourceDirectory() / "scenarios/broken")) {
    const LoadResult loaded = LoadScenarioFile(entry.path().string());
    ASSERT_TRUE(loaded.scenario.has_value()) << loaded.Report();
    EXPECT_FALSE(loaded.scenario->bugs.empty()) << entry.path();
    for (const Break& one : loaded.scenario->breaks) {
      broken.insert(FindInvariant(one.invariant.value)->name);
    }
  }
  std::set<std::string_view> all;
  for (const Invariant& invariant : Invariants()) all.insert(invariant.name);
  EXPECT_EQ(broken, all);
}

}  // namespace
}  // namespace kafkasim::scenarios

// Counterexamples made smaller, and written as scenarios: scenarios/reduction.h,
// export_schedule.h.
#include "scenarios/reduction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/export_schedule.h"
#include "scenarios/run.h"
#include "scenarios/smaller_scenarios.h"
#include "scenarios/yaml_text.h"
#include "tests/scenarios/counterexamples.h"

namespace kafkasim::scenarios {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

// What a run of the exported scenario shows broken.
std::vector<std::string> BrokenInRunOf(const ExportedSchedule& exported) {
  const LoadResult loaded = LoadScenarioText("exported.yaml", exported.text);
  EXPECT_TRUE(loaded.scenario.has_value()) << exported.why << loaded.Report();
  if (!loaded.scenario.has_value()) return {};
  EXPECT_EQ(loaded.scenario->RunCount(), 1u);
  std::vector<std::string> names;
  for (const BrokenInvariant& broken : Run(ForVariant(*loaded.scenario, 0)).broken) {
    EXPECT_TRUE(broken.declared) << broken.what;
    names.push_back(broken.name);
  }
  return names;
}

TEST(SmallerScenarios, HaveOneThingLess) {
  const YamlResult yaml = ReadYaml(Source("t", R"(
title: t
topics: {a: {partitions: 4}}
actors:
  x: {application: {producer: {}, program: [{times: 4, do: [flush, flush]}]}}
  y: {application: {producer: {}, program: [flush]}}
steps: [{wait: 1s}]
)"));
  std::vector<std::string> texts;
  for (const Node& smaller : SmallerScenarios(*yaml.root)) texts.push_back(YamlText(smaller));
  // An actor less (x, y), partitions (1, 2, 3), rounds (1, 2, 3), a line less (twice).
  ASSERT_THAT(texts, SizeIs(10));
  EXPECT_THAT(texts[0], testing::Not(HasSubstr("x:")));
  EXPECT_THAT(texts[0], HasSubstr("steps:\n- start: y\n"));
  EXPECT_THAT(texts[2], HasSubstr("partitions: 1"));
  EXPECT_THAT(texts[5], HasSubstr("times: 1"));
}

// Two instances that were given the same epoch: two writers are enough for that.
TEST(Reduction, LeavesWhatTheViolationNeeds) {
  const ScheduleFile found =
      GeneratedSchedule(3, broker::Bug::kInitKeepsEpoch, "one_owner_of_an_epoch");
  const ScheduleFile reduced = Reduce(found);
  EXPECT_TRUE(Breaks(reduced));
  EXPECT_EQ(reduced.breaks, "one_owner_of_an_epoch");
  EXPECT_LT(reduced.moves.size(), found.moves.size());
  EXPECT_EQ(reduced.faults, FaultCounts{});
  const PreparedSchedule prepared = Prepare(reduced);
  EXPECT_THAT(prepared.scenario->actors, SizeIs(2));
  EXPECT_EQ(prepared.scenario->cluster.brokers, 1);
  for (const ActorSpec& actor : prepared.scenario->actors) {
    const std::vector<ProgramLine>& lines = actor.application.program->lines;
    ASSERT_THAT(lines, SizeIs(1));
    EXPECT_EQ(lines[0].verb, "init_transactions");
  }
}

TEST(Reduction, KeepsTheFaultsThatItTakes) {
  const ScheduleFile reduced = Reduce(LateEndSchedule(1));
  EXPECT_TRUE(Breaks(reduced));
  EXPECT_EQ(reduced.faults, FaultCounts{.holds = 1});
}

TEST(Export, ARunOfTheScenarioBreaksTheSameInvariant) {
  for (const std::size_t variant : {std::size_t{0}, std::size_t{1}}) {
    EXPECT_THAT(BrokenInRunOf(ExportScenario(LateEndSchedule(variant))),
                ElementsAre("only_committed_is_committed"));
  }
  // Its last answer reaches nobody, so that its end is a time.
  EXPECT_THAT(BrokenInRunOf(ExportScenario(LadderSchedule("late-produce", 0))),
              ElementsAre("lso_reaches_high_watermark"));
  struct Case {
    std::uint64_t seed;
    broker::Bug bug;
    const char* invariant;
  };
  for (const Case& c : {Case{1, broker::Bug::kLsoIsHighWatermark, "lso_is_first_undecided"},
                        Case{4, broker::Bug::kReaderIgnoresAborts, "only_committed_is_read"}}) {
    const ScheduleFile reduced = Reduce(GeneratedSchedule(c.seed, c.bug, c.invariant));
    const ExportedSchedule exported = ExportScenario(reduced);
    EXPECT_THAT(BrokenInRunOf(exported), ElementsAre(c.invariant)) << exported.why;
  }
}

}  // namespace
}  // namespace kafkasim::scenarios

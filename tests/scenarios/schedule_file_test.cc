// Counterexamples as files: scenarios/schedule_file.h, counterexample.h.
#include "scenarios/schedule_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/source_file.h"
#include "tests/scenarios/counterexamples.h"

namespace kafkasim::scenarios {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

ScheduleFile SmallFile() {
  return {.version = "0.1.0",
          .scenario = "torn: or not.yaml",
          .text = "title: A \"quoted\" one\n  # set in\n\nsteps: []\n",
          .variant = "TV1",
          .seed = 18'446'744'073'709'551'615u,
          .bugs = {broker::Bug::kInitKeepsEpoch},
          .faults = {.holds = 1, .early_timers = 2},
          .breaks = "no_zombie_writes",
          .what = "orders-0@1: \"x\" # y",
          .moves = {"deliver Say from a to b #2", "fire a 30.1s"}};
}

std::string ScheduleErrors(const std::string& text) {
  const ScheduleResult result = LoadScheduleText("way.yaml", text);
  EXPECT_FALSE(result.file.has_value());
  return ReportOf(*result.source, result.errors);
}

// A good file with `line` in the place of the one that begins alike.
std::string FileWithLine(const std::string& line) {
  std::string text = WriteSchedule(SmallFile());
  const std::string key = line.substr(0, line.find(':') + 1);
  const std::size_t begin = text.find(key);
  return text.replace(begin, text.find('\n', begin) - begin, line);
}

TEST(ScheduleFile, IsReadAsItWasWritten) {
  const ScheduleFile file = SmallFile();
  const ScheduleResult read = LoadScheduleText("way.yaml", WriteSchedule(file));
  ASSERT_TRUE(read.file.has_value()) << ReportOf(*read.source, read.errors);
  EXPECT_EQ(read.file->version, file.version);
  EXPECT_EQ(read.file->scenario, file.scenario);
  EXPECT_EQ(read.file->text, file.text);
  EXPECT_EQ(read.file->variant, file.variant);
  EXPECT_EQ(read.file->seed, file.seed);
  EXPECT_EQ(read.file->bugs, file.bugs);
  EXPECT_EQ(read.file->faults, file.faults);
  EXPECT_EQ(read.file->breaks, file.breaks);
  EXPECT_EQ(read.file->what, file.what);
  EXPECT_EQ(read.file->moves, file.moves);
  EXPECT_EQ(read.file->marks.at(1), (Mark{11, 3}));
}

TEST(ScheduleFile, KeepsAScenarioWithoutWhatEditorsAdd) {
  EXPECT_EQ(ScenarioTextOf("\xEF\xBB\xBFtitle: x\r\nsteps: []"), "title: x\nsteps: []\n");
  EXPECT_EQ(ScenarioTextOf("title: x\n\n\n"), "title: x\n");
}

TEST(ScheduleFile, AWrongWordIsOneErrorWithItsPlaceAndASuggestion) {
  EXPECT_EQ(ScheduleErrors(FileWithLine("breaks: no_zombie_write")),
            "way.yaml:7:9: error: unknown invariant 'no_zombie_write'\n"
            "  breaks: no_zombie_write\n"
            "          ^\n"
            "  did you mean 'no_zombie_writes'?\n");
  EXPECT_THAT(ScheduleErrors(FileWithLine("faults: {hold: 1}")),
              HasSubstr("did you mean 'holds'?"));
  EXPECT_THAT(ScheduleErrors(FileWithLine("faults: {holds: 10}")),
              HasSubstr("way.yaml:6:17: error:"));
  EXPECT_THAT(ScheduleErrors(FileWithLine("seed: -1")), HasSubstr("expected a seed"));
  EXPECT_THAT(ScheduleErrors(FileWithLine("bugs: [init_keep_epoch]")),
              HasSubstr("did you mean 'init_keeps_epoch'?"));
  std::string moved = WriteSchedule(SmallFile());
  moved.replace(moved.find("fire"), 4, "frie");
  EXPECT_EQ(ScheduleErrors(moved),
            "way.yaml:11:3: error: unknown move 'frie'\n"
            "  - frie a 30.1s\n"
            "    ^\n"
            "  did you mean 'fire'?\n");
}

TEST(ScheduleFile, MustBeWhole) {
  EXPECT_THAT(ScheduleErrors("kafkasim: 0.1.0\n"), HasSubstr("a schedule needs the key 'moves'"));
  EXPECT_THAT(ScheduleErrors(""), HasSubstr("the file is empty"));
  EXPECT_THAT(ScheduleErrors("\xff"), HasSubstr("this is no text: a schedule is a file in UTF-8"));
  const ScheduleResult missing = LoadScheduleFile("no/such/way.yaml");
  EXPECT_EQ(ReportOf(*missing.source, missing.errors),
            "no/such/way.yaml: error: there is no such file\n");
}

TEST(Counterexample, ReplaysFromItsFileAlone) {
  for (const std::size_t variant : {std::size_t{0}, std::size_t{1}}) {
    ScheduleFile file = LateEndSchedule(variant);
    file.version = "0.1.0";
    const ScheduleResult read = LoadScheduleText("way.yaml", WriteSchedule(file));
    ASSERT_TRUE(read.file.has_value()) << ReportOf(*read.source, read.errors);
    EXPECT_TRUE(Breaks(*read.file));
  }
}

TEST(Counterexample, SaysWhichMoveIsNotPossibleAndWhatIs) {
  ScheduleFile file = LateEndSchedule(1);
  file.version = "0.1.0";
  file.moves[1] = "deliver ApiVersion answer from broker-0 to shop";
  const ScheduleResult read = LoadScheduleText("way.yaml", WriteSchedule(file));
  const PreparedSchedule prepared = Prepare(*read.file);
  const Replayed replayed = Replay(*prepared.exploration, read.file->moves);
  ASSERT_EQ(replayed.followed.stuck_at, 1u);
  EXPECT_EQ(Render(*read.source, StuckAt(*read.file, *prepared.exploration, replayed.followed)),
            "way.yaml:9:3: error: move 2 is not possible here; possible are: deliver ApiVersions "
            "answer from broker-0 to shop\n"
            "  - deliver ApiVersion answer from broker-0 to shop\n"
            "    ^\n"
            "  did you mean 'deliver ApiVersions answer from broker-0 to shop'?\n");
}

TEST(Counterexample, NeedsAVariantThatTheScenarioHas) {
  ScheduleFile file = LateEndSchedule(1);
  file.variant = "TV3";
  ASSERT_THAT(Prepare(file).errors, SizeIs(1));
  EXPECT_EQ(Prepare(file).errors[0].message, "there is no variant 'TV3'");
  file.variant = "";
  EXPECT_EQ(Prepare(file).errors.at(0).message,
            "the schedule does not say which variant it is of: TV1-noverify, TV1, TV2");
}

}  // namespace
}  // namespace kafkasim::scenarios

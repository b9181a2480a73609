// explore --save, replay, fuzz and export as their users meet them.

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"
#include "tests/source_directory.h"

namespace kafkasim::cli {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

const char* const kLateEnd = "ladder/late-end";

std::string TextOf(const std::string& name) {
  std::ifstream in(name);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// A file in which explore has saved what it finds under TV1.
std::string SavedWay() {
  const std::string name = TemporaryFile("way.yaml", "");
  const ProgramResult result =
      RunProgram({"explore", kLateEnd, "--variant", "TV1", "-q", "--save", name});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("See it again: kafkasim replay " + name + "\n"));
  return name;
}

TEST(Replay, TellsTheStoryOfASavedWay) {
  const ProgramResult result = RunProgram({"replay", SavedWay()});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, IsEmpty());
  EXPECT_THAT(result.out, HasSubstr("variant       TV1"));
  EXPECT_THAT(result.out, HasSubstr("hold EndTxn from shop to broker-0"));
  EXPECT_THAT(result.out, HasSubstr("✘ only_committed_is_committed  orders-0@3: committed"));
  EXPECT_THAT(result.out, HasSubstr("No record is committed unless its application"));
  EXPECT_THAT(result.out, HasSubstr("What led to it"));
  EXPECT_THAT(result.out, HasSubstr("append COMMIT marker"));
  EXPECT_THAT(result.out, HasSubstr("orders-0   leader 0 epoch 0"));
}

TEST(Replay, HasTheSameBytesInEveryProcess) {
  const std::string way = SavedWay();
  const ProgramResult one = RunProgram({"replay", way, "--ndjson"});
  const ProgramResult two = RunProgram({"replay", way, "--ndjson"});
  EXPECT_EQ(one.exit_code, 1);
  EXPECT_THAT(one.out, StartsWith(R"({"line":"header")"));
  EXPECT_THAT(one.out, HasSubstr(R"("verdict":"FAILS","claims":1,"failures":1)"));
  EXPECT_EQ(one.out, two.out);
}

TEST(Replay, FollowsTheTextOfThenAndTellsOfAChange) {
  const std::string text = TextOf((SourceDirectory() / "scenarios/ladder/late-end.yaml").string());
  const std::string scenario = TemporaryFile("changed.yaml", text);
  const std::string way = TemporaryFile("changed-way.yaml", "");
  const ProgramResult saved =
      RunProgram({"explore", scenario, "--variant", "TV1", "-q", "--save", way});
  EXPECT_EQ(saved.exit_code, 0) << saved.err;
  EXPECT_THAT(RunProgram({"replay", way, "-q"}).err, IsEmpty());
  std::ofstream(scenario) << text << "# more\n";
  const ProgramResult then = RunProgram({"replay", way, "-q"});
  EXPECT_EQ(then.exit_code, 1);
  EXPECT_THAT(then.err, HasSubstr("changed.yaml has changed since"));
  std::string other = text;
  other.replace(other.find("times: 2"), 8, "times: 1");
  std::ofstream(scenario) << other;
  const ProgramResult now = RunProgram({"replay", way, "--scenario", scenario});
  EXPECT_EQ(now.exit_code, 2);
  EXPECT_THAT(now.err, HasSubstr(": error: move "));
  EXPECT_THAT(now.err, HasSubstr(" is not possible here; possible are: "));
}

TEST(Replay, HoldsWhereTheWayLeadsToNothing) {
  std::string text = TextOf(SavedWay());
  text.erase(text.find("- release EndTxn"), text.find("text: |") - text.find("- release EndTxn"));
  const ProgramResult result = RunProgram({"replay", TemporaryFile("short.yaml", text), "-q"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, EndsWith("only_committed_is_committed holds on this way\n"));
}

TEST(Replay, ABadFileIsOneError) {
  std::string text = TextOf(SavedWay());
  text.replace(text.find("brokers: 1"), 10, "brokres: 1");
  const ProgramResult inside = RunProgram({"replay", TemporaryFile("bad.yaml", text)});
  EXPECT_EQ(inside.exit_code, 2);
  EXPECT_THAT(inside.out, IsEmpty());
  EXPECT_THAT(inside.err, HasSubstr("did you mean 'brokers'?"));
  EXPECT_THAT(inside.err, HasSubstr("in the scenario that "));
  const ProgramResult missing = RunProgram({"replay", "no-such-way.yaml"});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_EQ(missing.err, "no-such-way.yaml: error: there is no such file\n");
}

TEST(Fuzz, FindsShrinksAndSaves) {
  const std::filesystem::path folder =
      std::filesystem::path(TemporaryFile("anchor", "")).parent_path() / "found";
  std::filesystem::create_directories(folder);
  const ProgramResult result = RunProgram(
      {"fuzz", kLateEnd, "--variant", "TV1", "--seeds", "380..381", "--save", folder.string()});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  const std::string file = (folder / "late-end-TV1-only_committed_is_committed.yaml").string();
  EXPECT_THAT(result.out, HasSubstr("seeds         380..381"));
  EXPECT_THAT(result.out, HasSubstr("seed 380: 47 moves; 45 after shrinking, with 1 held message"));
  EXPECT_THAT(result.out, HasSubstr("orders-0   leader 0 epoch 0"));
  EXPECT_THAT(result.out, HasSubstr("See it again: kafkasim replay " + file));
  EXPECT_THAT(result.err, HasSubstr("2 seeds in "));
  EXPECT_EQ(RunProgram({"replay", file, "-q"}).exit_code, 1);
}

TEST(Fuzz, IsSilentAboutSpeedInItsResult) {
  const std::vector<std::string> arguments{"fuzz", "--seeds", "1..10", "--threads", "1", "--json"};
  const ProgramResult one = RunProgram(arguments);
  std::vector<std::string> on_two = arguments;
  on_two[4] = "2";
  EXPECT_EQ(RunProgram(on_two).out, one.out);
  EXPECT_THAT(one.out, StartsWith("{\n  \"tool_version\": "));
}

// Workloads with faults of their own and with others are not the same.
TEST(Fuzz, SweepsWithOtherFaultsDoNotAddUp) {
  const auto sweep = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"fuzz", "--json"});
    return RunProgram(std::move(arguments)).out;
  };
  const std::string drawn = TemporaryFile("drawn.json", sweep({"--seeds", "1..2"}));
  const std::string none =
      TemporaryFile("none.json", sweep({"--seeds", "3..4", "--faults", "holds=0"}));
  const std::string out = RunProgram({"fuzz", "--merge", drawn, none, "-q"}).out;
  EXPECT_THAT(out, HasSubstr("generated workloads with no disturbance"));
  EXPECT_THAT(out, HasSubstr("1..2"));
  EXPECT_THAT(out, HasSubstr("3..4"));
}

TEST(Fuzz, ShardsOfManyMachinesAddUp) {
  const auto sweep = [](std::vector<std::string> more) {
    std::vector<std::string> arguments{"fuzz", kLateEnd, "--seeds", "375..384", "--no-shrink"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return RunProgram(arguments);
  };
  const std::string first = TemporaryFile("1.json", sweep({"--shard", "1/2", "--json"}).out);
  const std::string second = TemporaryFile("2.json", sweep({"--shard", "2/2", "--json"}).out);
  const ProgramResult merged = RunProgram({"fuzz", "--json", "--merge", second, first});
  const ProgramResult whole = sweep({"--json"});
  EXPECT_EQ(merged.out, whole.out);
  EXPECT_EQ(merged.exit_code, whole.exit_code);
  const ProgramResult twice = RunProgram({"fuzz", "--merge", first, second, first});
  EXPECT_EQ(twice.exit_code, 2);
  EXPECT_THAT(twice.err,
              HasSubstr("1.json: error: seed 376 of ladder/late-end.yaml would be counted twice"));
  const ProgramResult wrong = RunProgram({"fuzz", "--merge", TemporaryFile("x.json", "[]")});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("this is no document of `kafkasim fuzz --json`"));
  const auto edited = [&](const std::string& from, const std::string& to) {
    std::string text = TextOf(first);
    text.replace(text.find(from), from.size(), to);
    const ProgramResult result = RunProgram({"fuzz", "--merge", TemporaryFile("e.json", text)});
    EXPECT_EQ(result.exit_code, 2);
    return result.err;
  };
  EXPECT_THAT(edited("\"walks\": 5", "\"walks\": -5"), HasSubstr("-5 is no count"));
  EXPECT_THAT(edited("\"walks\": 5", "\"walks\": 6"), HasSubstr("6 walks over 5 seeds"));
  EXPECT_THAT(edited("\"shard\": 1", "\"shard\": 3"), HasSubstr("is no range of seeds"));
  EXPECT_THAT(edited("\"first_seed\": \"380\"", "\"first_seed\": \"999\""),
              HasSubstr("seed 999, which broke only_committed_is_committed, is none of its seeds"));
}

// Against false green: nothing was disturbed, or nothing committed.
TEST(Fuzz, GivesNoVerdictWhereNothingCouldShow) {
  // The first walk does not hold the EndTxn back.
  const ProgramResult calm = RunProgram({"fuzz", kLateEnd, "--variant", "TV2", "--seeds", "1"});
  EXPECT_EQ(calm.exit_code, 3);
  EXPECT_THAT(calm.err,
              HasSubstr("there was no occasion for held messages, so that nothing can be said"));
  // The pause comes before the producer has an id, and lasts too long for it.
  const ProgramResult idle =
      RunProgram({"fuzz", kLateEnd, "--variant", "TV2", "--seeds", "1", "--faults", "pauses=1"});
  EXPECT_EQ(idle.exit_code, 3);
  EXPECT_THAT(idle.out, HasSubstr("1 walk committed nothing"));
  EXPECT_THAT(idle.err, HasSubstr("no transaction was committed in any walk"));
}

TEST(Fuzz, PrintsTheScenarioOfASeed) {
  const ProgramResult printed = RunProgram({"fuzz", "--print", "--seeds", "5", "--brokers", "1"});
  EXPECT_EQ(printed.exit_code, 0);
  EXPECT_THAT(printed.out, StartsWith("title: Workload 5\ncluster:\n  brokers: 1\n"));
  ProgramRun run;
  run.arguments = {"validate", "-"};
  run.input = printed.out;
  EXPECT_EQ(RunProgram(run).exit_code, 0);
}

TEST(Fuzz, RefusesWhatItCannotRead) {
  const auto error = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "fuzz");
    const ProgramResult result = RunProgram(std::move(arguments));
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.out, IsEmpty());
    return result.err;
  };
  EXPECT_THAT(error({"--seeds", "9..1"}), HasSubstr("is no range of seeds"));
  EXPECT_THAT(error({"--seeds", "0..18446744073709551615"}),
              HasSubstr("as 1..1000; at most 1,000,000,000,000"));
  EXPECT_THAT(error({"--shard", "3/2"}), HasSubstr("as 2/8"));
  EXPECT_THAT(error({"--faults", "hold=1"}), HasSubstr("did you mean\n  'holds'?"));
  EXPECT_THAT(error({"--bugs", "init_keep_epoch"}),
              HasSubstr("did you mean\n  'init_keeps_epoch'?"));
  EXPECT_THAT(error({"--save", "no/such"}), HasSubstr("there is no folder 'no/such'"));
  EXPECT_THAT(error({"--generate", kLateEnd}), HasSubstr("a workload is generated instead"));
  EXPECT_THAT(error({"--brokers", "1", kLateEnd}), HasSubstr("a workload is generated instead"));
  EXPECT_THAT(error({"--variant", "TV1"}), HasSubstr("--variant is one of a scenario"));
  EXPECT_THAT(error({"--print", "--faults", "holds=1"}), HasSubstr("which --print shows"));
  EXPECT_THAT(error({"--merge", "a.json", "--bugs", "init_keeps_epoch"}),
              HasSubstr("--merge adds up what has been walked"));
  EXPECT_THAT(error({"--merge", "a.json", "--seeds", "1..3"}), HasSubstr("walks nothing itself"));
  EXPECT_THAT(error({"--save", ""}), HasSubstr("it is empty"));
  EXPECT_THAT(error({"--bugs", ""}), HasSubstr("it is empty"));
  EXPECT_THAT(error({"--faults", ""}), HasSubstr("it is empty"));
  EXPECT_THAT(error({"--seeds", "1..3", "--json=/no/such/folder/a.json"}),
              HasSubstr("cannot write '/no/such/folder/a.json'"));
  EXPECT_THAT(error({"--brokers", "9"}), HasSubstr("not a number from 1 to 3"));
}

TEST(Export, WritesAScenarioThatBreaksTheSame) {
  const std::string way = SavedWay();
  const ProgramResult exported = RunProgram({"export", way});
  EXPECT_EQ(exported.exit_code, 0) << exported.err;
  EXPECT_THAT(exported.out, HasSubstr("breaks: only_committed_is_committed\n"));
  EXPECT_THAT(exported.out, HasSubstr("- hold: {request: EndTxn, from: shop, to: broker-0}"));
  EXPECT_THAT(exported.out, HasSubstr("- release: EndTxn-1"));
  EXPECT_THAT(exported.out, Not(HasSubstr("explore:")));
  ProgramRun run;
  run.arguments = {"run", "-", "-q"};
  run.input = exported.out;
  const ProgramResult result = RunProgram(run);
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("HOLDS"));

  // To a file, in either spelling, and from standard input.
  for (const std::vector<std::string>& spelling :
       {std::vector<std::string>{"--scenario"}, std::vector<std::string>{}}) {
    const std::string torn = TemporaryFile("torn.yaml", "");
    std::vector<std::string> arguments{"export"};
    if (spelling.empty()) {
      arguments.push_back("--scenario=" + torn);
    } else {
      arguments.insert(arguments.end(), {spelling.front(), torn});
    }
    arguments.emplace_back("-");
    ProgramRun to_file;
    to_file.arguments = arguments;
    to_file.input = TextOf(way);
    const ProgramResult written = RunProgram(to_file);
    EXPECT_EQ(written.exit_code, 0) << written.err;
    EXPECT_THAT(written.out, IsEmpty());
    EXPECT_EQ(TextOf(torn), exported.out);
  }
  const std::string before = TextOf(way);
  const ProgramResult over = RunProgram({"export", way, "--scenario", way});
  EXPECT_EQ(over.exit_code, 2);
  EXPECT_THAT(over.err, HasSubstr("the scenario would replace the schedule"));
  EXPECT_EQ(TextOf(way), before);
}

TEST(Replay, ReadsStandardInput) {
  ProgramRun run;
  run.arguments = {"replay", "-", "-q"};
  run.input = TextOf(SavedWay());
  const ProgramResult result = RunProgram(run);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("✘ only_committed_is_committed  orders-0@3: committed"));
  run.input = "kafkasim: [\n";
  const ProgramResult bad = RunProgram(run);
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_THAT(bad.err, StartsWith("<stdin>:"));
  EXPECT_EQ(RunProgram({"replay", ""}).err, "kafkasim: error: the name of the schedule is empty\n");
}

TEST(Replay, NamesTheScenarioThatIsWrong) {
  std::string text = TextOf((SourceDirectory() / "scenarios/ladder/late-end.yaml").string());
  text.replace(text.find("brokers: 1"), 10, "brokres: 1");
  const std::string scenario = TemporaryFile("misspelt.yaml", text);
  const ProgramResult result = RunProgram({"replay", SavedWay(), "--scenario", scenario});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, StartsWith(scenario + ":"));
  EXPECT_THAT(result.err, Not(HasSubstr("in the scenario that")));
  const ProgramResult empty = RunProgram({"replay", SavedWay(), "--scenario", ""});
  EXPECT_EQ(empty.exit_code, 2);
  EXPECT_THAT(empty.err, HasSubstr("it is empty"));
}

TEST(Ladder, AnEmptyNameIsOneError) {
  const ProgramResult result = RunProgram({"ladder", ""});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "kafkasim: error: the name of the scenario is empty\n");
}

}  // namespace
}  // namespace kafkasim::cli

#include "cli/command_line.h"

#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include "cli/terminal_text.h"

#include "tests/source_directory.h"

namespace kafkasim::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

struct Outcome {
  ExitCode code{};
  std::string out{};
  std::string err{};
};

// The command line in a pipe, with a UTF-8 locale.
Outcome Do(std::vector<std::string> arguments, const std::string& input = "") {
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  Screen screen{.in = in, .out = out, .err = err};
  CommandLine command_line;
  const ExitCode code = command_line.Run(std::move(arguments), screen, {}, {},
                                         [](std::string_view name) -> std::optional<std::string> {
                                           if (name == "LANG") return "C.UTF-8";
                                           return std::nullopt;
                                         });
  return {code, out.str(), err.str()};
}

TEST(Help, WithoutArgumentsIsShortAndAnError) {
  const Outcome outcome = Do({});
  EXPECT_EQ(outcome.code, ExitCode::kUsage);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err, HasSubstr("Examples\n  kafkasim examples list"));
}

TEST(Help, BeginsWithExamplesAndNamesEveryCommand) {
  const Outcome outcome = Do({"--help"});
  EXPECT_EQ(outcome.code, ExitCode::kHolds);
  EXPECT_LT(outcome.out.find("Examples"), outcome.out.find("Usage"));
  for (const char* command : {"run", "check", "validate", "log", "explain", "examples", "txns",
                              "bugs", "ladder", "schema", "completion", "version"}) {
    EXPECT_THAT(outcome.out, HasSubstr(std::string("\n  ") + command + " ")) << command;
  }
  EXPECT_THAT(outcome.out, HasSubstr("Exit codes\n  0  every expectation held\n"));
}

TEST(Help, OfACommandIsTheSameByFlagAndByName) {
  const Outcome by_flag = Do({"run", "--help"});
  EXPECT_EQ(by_flag.code, ExitCode::kHolds);
  EXPECT_EQ(Do({"help", "run"}).out, by_flag.out);
  EXPECT_EQ(Do({"run", "x.yaml", "-v", "-h"}).out, by_flag.out);
  EXPECT_THAT(by_flag.out, StartsWith("kafkasim run  Run a scenario"));
  EXPECT_THAT(by_flag.out, HasSubstr("--ndjson[=FILE]"));
}

TEST(Help, SaysWhatTheCommandsDo) {
  EXPECT_THAT(Do({"--help"}).out, HasSubstr("List, print or copy the scenarios that come with"));
  EXPECT_THAT(Do({"examples", "--help"}).out, HasSubstr("List the examples, or those that a word"));
  EXPECT_THAT(Do({"txns", "--help"}).out,
              HasSubstr("List the transactional ids of all coordinators"));
}

TEST(Help, FitsTheWidth) {
  for (const char* command : {"run", "check", "log", "explain", "examples", "completion"}) {
    std::istringstream lines(Do({command, "--help"}).out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(DisplayWidth(line), 80) << line;
  }
}

TEST(WrongUsage, AMisspeltCommandIsAnsweredWithTheRightOne) {
  const Outcome outcome = Do({"rnu", "x.yaml"});
  EXPECT_EQ(outcome.code, ExitCode::kUsage);
  EXPECT_THAT(outcome.err, HasSubstr("there is no command 'rnu'\n  did you mean 'run'?"));
  EXPECT_THAT(Do({"examples", "lst"}).err, HasSubstr("did you mean 'list'?"));
  EXPECT_THAT(Do({"help", "chek"}).err, HasSubstr("did you mean 'check'?"));
}

TEST(WrongUsage, AMisspeltOptionIsAnsweredWithTheRightOne) {
  const Outcome outcome = Do({"run", "x.yaml", "--colr=never"});
  EXPECT_EQ(outcome.code, ExitCode::kUsage);
  EXPECT_THAT(outcome.err, HasSubstr("there is no option '--colr'\n  did you mean '--color'?"));
  EXPECT_THAT(outcome.err, HasSubstr("'kafkasim run --help' says more"));
}

TEST(WrongUsage, AMissingArgumentIsNamed) {
  const Outcome outcome = Do({"run"});
  EXPECT_EQ(outcome.code, ExitCode::kUsage);
  EXPECT_THAT(outcome.err, HasSubstr("FILE is missing"));
  EXPECT_THAT(Do({"explain", "x.yaml"}).err, HasSubstr("say what to explain: --offset"));
}

TEST(WrongUsage, ABadValueIsExplained) {
  EXPECT_THAT(Do({"run", "x", "--color", "alwys"}).err,
              HasSubstr("'alwys' is not one of auto, always, never"));
  EXPECT_THAT(Do({"run", "x", "--seed", "one"}).err, HasSubstr("'one' is not a seed"));
  EXPECT_THAT(Do({"log", "x", "--at", "5"}).err, HasSubstr("write it with its unit"));
  EXPECT_THAT(Do({"log", "x", "--offsets", "9..2"}).err, HasSubstr("not a range of offsets"));
  EXPECT_THAT(Do({"log", "x", "--width", "0"}).err, HasSubstr("not a number from 40 to 1000"));
  EXPECT_THAT(Do({"explain", "x", "--offset", "orders-0"}).err,
              HasSubstr("write it as orders-0:4"));
}

TEST(WrongUsage, VerboseAndQuietExcludeEachOther) {
  EXPECT_EQ(Do({"run", "x", "-v", "-q"}).code, ExitCode::kUsage);
}

TEST(WrongUsage, OneArgumentTooManyIsNamed) {
  EXPECT_THAT(Do({"version", "now"}).err, HasSubstr("one argument too many: 'now'"));
}

TEST(Input, AMissingFileIsOneError) {
  const Outcome outcome = Do({"validate", "no/such/file.yaml"});
  EXPECT_EQ(outcome.code, ExitCode::kUsage);
  EXPECT_EQ(outcome.err,
            "no/such/file.yaml: error: there is no such file\n"
            "  `kafkasim examples list` names the examples\n");
}

TEST(Input, ABeginningOfSeveralExamplesNamesThem) {
  EXPECT_THAT(Do({"run", "1"}).err,
              HasSubstr("several examples begin so: lecture/11-append-only,"));
  EXPECT_THAT(Do({"run", "1"}).err, HasSubstr(" 1 more\n"));
  EXPECT_THAT(Do({"examples", "copy", "999"}).err,
              HasSubstr("there is no example '999'\n  `kafkasim examples list`"));
}

TEST(Input, ChecksOfAFileThatIsNotThereSaySo) {
  EXPECT_THAT(Do({"check", "/nonexist"}).out, HasSubstr("✘ /nonexist  not found\n"));
}

TEST(Input, AFolderBelongsToCheck) {
  const Outcome outcome = Do({"run", SourceDirectory() / "scenarios"});
  EXPECT_EQ(outcome.code, ExitCode::kUsage);
  EXPECT_THAT(outcome.err, HasSubstr("is a directory"));
  EXPECT_THAT(outcome.err, HasSubstr("kafkasim check "));
}

TEST(Input, AFolderWithoutScenariosIsAnError) {
  EXPECT_EQ(Do({"check", SourceDirectory() / "cmake"}).code, ExitCode::kUsage);
}

TEST(Input, IsReadFromStandardInput) {
  const Outcome outcome = Do({"validate", "-"}, "title: [\n");
  EXPECT_EQ(outcome.code, ExitCode::kUsage);
  EXPECT_THAT(outcome.err, StartsWith("<stdin>:"));
}

TEST(Input, EveryErrorIsPrintedInOnePass) {
  const Outcome outcome =
      Do({"validate", "-"}, "title: x\ncluster: {brokrs: 3}\nsteps:\n  - sya: hello\n");
  EXPECT_EQ(outcome.code, ExitCode::kUsage);
  EXPECT_THAT(outcome.err, HasSubstr("<stdin>:2:11: error: "));
  EXPECT_THAT(outcome.err, HasSubstr("<stdin>:4:5: error: "));
}

TEST(Completion, KnowsEveryCommandAndOption) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const Outcome outcome = Do({"completion", shell});
    EXPECT_EQ(outcome.code, ExitCode::kHolds);
    for (const char* word : {"explain", "isolation", "read_uncommitted", "examples", "copy"}) {
      EXPECT_THAT(outcome.out, HasSubstr(word)) << shell;
    }
  }
  EXPECT_EQ(Do({"completion", "tcsh"}).code, ExitCode::kUsage);
}

TEST(Version, NamesTheKafkaRelease) {
  EXPECT_THAT(Do({"version"}).out, HasSubstr("follows Apache Kafka 4.4"));
  EXPECT_THAT(Do({"--version"}).out, StartsWith("kafkasim "));
}

}  // namespace
}  // namespace kafkasim::cli

// The built program as its users meet it: exit codes, streams, colours, the same bytes every time.

#include "tests/cli/program.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kafkasim::cli {
namespace {

using ::testing::ContainsRegex;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

// A transaction that is open at its end; `expected` is what it claims of the LSO, which is 0.
std::string OpenTransaction(const std::string& expected, const std::string& head = "") {
  return "title: A transaction is open\n" + head +
         "topics:\n"
         "  orders: {partitions: 1, replicas: 3}\n"
         "actors:\n"
         "  t1: {producer: {transactional.id: pay-1}}\n"
         "  rc: {consumer: {isolation.level: read_committed, assign: [orders-0]}}\n"
         "steps:\n"
         "  - t1: init_transactions\n"
         "  - t1: begin_transaction\n"
         "  - t1: {send: {to: orders-0, key: 42, value: paid}}\n"
         "  - say: The record is in the log, and nobody with read_committed may see it.\n"
         "  - expect: {orders-0: {last_stable_offset: " +
         expected + "}}\n";
}

ProgramResult RunText(const std::string& text, std::vector<std::string> options = {}) {
  std::vector<std::string> arguments{"run", "-"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  ProgramRun run;
  run.arguments = std::move(arguments);
  run.input = text;
  return RunProgram(run);
}

TEST(ExitCode, IsZeroIfEverythingHolds) {
  const ProgramResult result = RunText(OpenTransaction("0"));
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, IsEmpty());
  EXPECT_THAT(result.out, HasSubstr("✓ HOLDS"));
  EXPECT_THAT(result.out, HasSubstr("(42=paid)"));
  EXPECT_THAT(result.out, HasSubstr("▌ The record is in the log"));
}

TEST(ExitCode, IsOneForAWrongExpectationWithExpectedActualAndReason) {
  const ProgramResult result = RunText(OpenTransaction("1"));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("✘ FAILS"));
  EXPECT_THAT(result.out, HasSubstr("expected  1\n    actual    0\n    why       "));
  EXPECT_THAT(result.out, HasSubstr("<stdin>:12:"));
  EXPECT_THAT(result.out, HasSubstr("pay-1"));
}

TEST(ExitCode, IsTwoForAnInvalidFile) {
  const ProgramResult result = RunText(OpenTransaction("many"));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(result.err, StartsWith("<stdin>:12:"));
}

TEST(ExitCode, IsThreeIfNothingIsClaimed) {
  const ProgramResult result = RunText("title: x\nsteps:\n  - wait: 1s\n");
  EXPECT_EQ(result.exit_code, 3) << result.err;
  EXPECT_THAT(result.out, HasSubstr("? NO VERDICT"));
}

TEST(Check, HasALineForEachScenarioAndATotal) {
  const std::string good = TemporaryFile("good.yaml", OpenTransaction("0"));
  const std::string bad = TemporaryFile("bad.yaml", OpenTransaction("1"));
  const std::string broken = TemporaryFile("broken.yaml", "title: [\n");
  EXPECT_EQ(RunProgram({"check", good}).exit_code, 0);
  const ProgramResult failing = RunProgram({"check", good, bad, "--width", "200"});
  EXPECT_EQ(failing.exit_code, 1);
  EXPECT_THAT(failing.out, HasSubstr("expected 1, is 0"));
  EXPECT_THAT(failing.out, EndsWith("1 hold, 1 fail\n"));
  const ProgramResult invalid = RunProgram({"check", good, bad, broken});
  EXPECT_EQ(invalid.exit_code, 2);
  EXPECT_THAT(invalid.out, HasSubstr("not a valid scenario"));
}

TEST(BadFile, IsOneClearErrorAndNeverACrash) {
  const std::string bomb =
      "a: &a [x, x, x, x, x, x, x, x]\n"
      "b: &b [*a, *a, *a, *a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b, *b, *b, *b]\n"
      "d: &d [*c, *c, *c, *c, *c, *c, *c, *c]\ne: [*d, *d, *d, *d, *d, *d, *d, *d]\n";
  const std::string files[] = {
      TemporaryFile("empty.yaml", ""),
      TemporaryFile("binary.yaml", std::string("\0\1\2\xff", 4)),
      TemporaryFile("huge.yaml", std::string(10'000'000, 'x')),
      TemporaryFile("bomb.yaml", bomb),
      TemporaryFile("unknown_key.yaml", "title: x\nclustr: {}\nsteps: [{wait: 1s}]\n"),
      "/dev/zero",
      "/no/such/file.yaml"};
  for (const std::string& file : files) {
    for (const char* command : {"run", "check", "validate", "log"}) {
      const ProgramResult result = RunProgram({command, file});
      EXPECT_EQ(result.exit_code, 2) << command << ' ' << file;
      EXPECT_THAT(result.err, StartsWith(file)) << command;
      EXPECT_THAT(result.err, HasSubstr("error: ")) << command;
      EXPECT_LT(result.err.size(), 4000U) << command << ' ' << file;
    }
  }
}

TEST(Determinism, TwoProcessesPrintTheSameBytes) {
  const std::string file =
      TemporaryFile("random.yaml",
                    OpenTransaction("0", "cluster: {network: {latency: {min: 1ms, max: 20ms}}}\n"));
  for (const char* format : {"--ndjson", "--json", "-v"}) {
    const ProgramResult one = RunProgram({"run", file, "--seed", "7", format});
    const ProgramResult two = RunProgram({"run", file, "--seed", "7", format});
    EXPECT_EQ(one.exit_code, 0) << one.err;
    EXPECT_GT(one.out.size(), 1000U);
    EXPECT_EQ(one.out, two.out) << format;
  }
  EXPECT_NE(RunProgram({"run", file, "--seed", "7", "--ndjson"}).out,
            RunProgram({"run", file, "--seed", "8", "--ndjson"}).out);
}

TEST(Output, IsColouredOnATerminalOnly) {
  ProgramRun run;
  run.arguments = {"run", TemporaryFile("open.yaml", OpenTransaction("0"))};
  EXPECT_THAT(RunProgram(run).out, Not(HasSubstr("\x1b")));
  run.terminal = true;
  EXPECT_THAT(RunProgram(run).out, HasSubstr("\x1b[33m(42=paid)\x1b[0m"));
  run.environment["NO_COLOR"] = "1";
  EXPECT_THAT(RunProgram(run).out, Not(HasSubstr("\x1b")));
  run.arguments.push_back("--color=always");
  EXPECT_THAT(RunProgram(run).out, HasSubstr("\x1b["));
}

TEST(Output, IsAsciiWithoutAUtf8Locale) {
  ProgramRun run;
  run.arguments = {"run", "-"};
  run.input = OpenTransaction("0");
  run.environment = {{"LANG", "C"}};
  const ProgramResult result = RunProgram(run);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, HasSubstr("^LSO 0"));
  for (const char c : result.out) EXPECT_GE(c, 0);
}

TEST(Output, EndsQuietlyIfNobodyReadsIt) {
  ProgramRun run;
  run.arguments = {"schema", "trace"};
  run.closed_pipe = true;
  const ProgramResult result = RunProgram(run);
  EXPECT_EQ(result.exit_code, 128 + 13);
  EXPECT_THAT(result.err, IsEmpty());
}

TEST(Output, ThatCannotBeWrittenIsNoSuccess) {
  const ProgramResult result =
      RunText(OpenTransaction("0"), {"--ndjson=/no/such/folder/trace.ndjson"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("cannot write '/no/such/folder/trace.ndjson'"));
}

TEST(Quiet, PrintsTheVerdictAlone) {
  const ProgramResult result = RunText(OpenTransaction("0"), {"-q"});
  EXPECT_THAT(result.out, StartsWith("✓ HOLDS  1 claim checked\n  seed 1"));
}

TEST(Log, DrawsAnyPartitionAtAnyMoment) {
  const std::string file = TemporaryFile("open.yaml", OpenTransaction("0"));
  const ProgramResult start = RunProgram({"log", file, "orders-0", "--at", "0s"});
  EXPECT_EQ(start.exit_code, 0) << start.err;
  EXPECT_THAT(start.out, HasSubstr("empty log"));
  EXPECT_THAT(RunProgram({"log", file}).out, HasSubstr("(42=paid)"));
  EXPECT_EQ(RunProgram({"log", file, "__transaction_state-0"}).exit_code, 0);
  const ProgramResult unknown = RunProgram({"log", file, "order-0"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean 'orders-0'?"));
}

TEST(Explain, SaysWhyAReaderIsNotGivenARecord) {
  const std::string file = TemporaryFile("open.yaml", OpenTransaction("0"));
  const ProgramResult held = RunProgram({"explain", file, "--offset", "orders-0:0"});
  EXPECT_EQ(held.exit_code, 0) << held.err;
  EXPECT_THAT(held.out, HasSubstr("✘ held by the last stable offset"));
  EXPECT_THAT(held.out, HasSubstr("pay-1"));
  EXPECT_THAT(held.out, ContainsRegex("#[0-9]+ .*append"));
  const ProgramResult seen =
      RunProgram({"explain", file, "--offset", "orders-0:0", "--isolation", "read_uncommitted"});
  EXPECT_THAT(seen.out, HasSubstr("✓ visible"));
}

TEST(Examples, AreListedShownAndCopied) {
  const ProgramResult list = RunProgram({"examples", "list", "--json"});
  EXPECT_EQ(list.exit_code, 0);
  EXPECT_THAT(list.out, HasSubstr("\"name\": \"lecture/13-lso-6-with-t2-open\""));
  const ProgramResult show = RunProgram({"examples", "show", "13"});
  EXPECT_THAT(show.out, StartsWith("title: "));
  const std::string folder = TemporaryPath("copies");
  const ProgramResult copy = RunProgram({"examples", "copy", "13", "--to", folder});
  EXPECT_EQ(copy.exit_code, 0) << copy.err;
  EXPECT_EQ(copy.out, folder + "/lecture/13-lso-6-with-t2-open.yaml\n");
  EXPECT_EQ(RunProgram({"examples", "copy", "13", "--to", folder}).exit_code, 2);
  EXPECT_EQ(RunProgram({"examples", "copy", "13", "--to", folder, "--force"}).exit_code, 0);
  EXPECT_EQ(RunProgram({"examples", "list", "no such word"}).exit_code, 1);
}

}  // namespace
}  // namespace kafkasim::cli

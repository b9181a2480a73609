// The verdict of `explore`, and what it does with files that are not its own.
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace kafkasim::cli {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// The answer to EndTxn is given up after 30 s.
constexpr const char* kLostEnd = "{until: 60s, losses: 1, strike: {request: EndTxn}, drain: 5s}";

// A file with one broker; `actors` and `explore` are those keys of it.
std::string OneBroker(const std::string& actors, const std::string& explore) {
  return "title: One broker\n"
         "cluster:\n"
         "  brokers: 1\n"
         "  config: {transaction.state.log.num.partitions: 1, "
         "transaction.state.log.replication.factor: 1, transaction.state.log.min.isr: 1}\n"
         "topics: {orders: {partitions: 1, replicas: 1}}\n"
         "actors:\n" +
         actors + "explore: " + explore + "\nsteps: [{wait: 1s}]\n";
}

// One transaction.
std::string OneCommit(const std::string& explore) {
  return OneBroker(
      "  app:\n"
      "    application:\n"
      "      producer: {transactional.id: pay-1, linger.ms: 0}\n"
      "      program: [init_transactions, begin_transaction, "
      "{send: {to: orders-0, value: a}}, commit_transaction]\n",
      explore);
}

TEST(ExploreCommand, HoldsWhereItFindsWhatTheFileDeclares) {
  const ProgramResult result = RunProgram({"explore", "ladder/late-end", "--variant", "TV1", "-q"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, EndsWith("✓ as declared: it breaks only_committed_is_committed\n"));
}

TEST(ExploreCommand, FailsWhereItDoesNotFindWhatTheFileDeclares) {
  const std::string file = TemporaryFile(
      "nothing-breaks.yaml", OneCommit("{until: 2s, breaks: only_committed_is_committed}"));
  const ProgramResult result = RunProgram({"explore", file, "-q"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out,
              HasSubstr("it is declared to break only_committed_is_committed, but no "));
}

TEST(ExploreCommand, TellsTheDrainThatDoesNotEnd) {
  const std::string file = TemporaryFile("drain.yaml", OneCommit(kLostEnd));
  const ProgramResult result = RunProgram({"explore", file});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out, HasSubstr("✘ drains  "));
  EXPECT_THAT(result.out, HasSubstr("Once nothing more goes wrong"));
  EXPECT_THAT(result.out, HasSubstr("What is left after 5s"));

  const std::string way = TemporaryFile("drains.yaml", "");
  EXPECT_EQ(RunProgram({"explore", file, "-q", "--save", way}).exit_code, 1);
  EXPECT_THAT(RunProgram({"replay", way}).out, HasSubstr("Once nothing more goes wrong"));
  // In a text that asks for no drain there is none to be seen again.
  const std::string other = TemporaryFile("no-drain.yaml", OneCommit("{until: 2s}"));
  const ProgramResult without = RunProgram({"replay", way, "--scenario", other});
  EXPECT_EQ(without.exit_code, 2);
  EXPECT_THAT(without.err, HasSubstr("does not ask for what breaks: drains"));
}

// Depth first, so that the way is not the shortest and leads past the end of `zapp`.
TEST(ExploreCommand, TellsOfAProgramThatDiesOnTheWay) {
  const std::string file = TemporaryFile(
      "dies.yaml",
      OneBroker("  alpha:\n"
                "    application:\n"
                "      producer: {transactional.id: pay-1, transaction.timeout.ms: 10min}\n"
                "      program: [init_transactions, begin_transaction, "
                "{send: {to: orders-0, value: a}}, flush]\n"
                "  zapp:\n"
                "    application:\n"
                "      producer: {transactional.id: pay-2, transaction.timeout.ms: 10min}\n"
                "      program: [init_transactions, begin_transaction, begin_transaction]\n",
                "{until: 2s, always: {orders-0: {log_end_offset: 0}}}"));
  const ProgramResult result = RunProgram({"explore", file, "--depth-first"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out, HasSubstr("✘ always  orders-0 log_end_offset: expected 0, found 1"));
  EXPECT_THAT(result.out, HasSubstr("↯ uncaught at: program:"));
  EXPECT_THAT(result.out, HasSubstr("IllegalStateException"));
}

TEST(ExploreCommand, CountsTimersThatAreEarly) {
  const std::string file = TemporaryFile("early.yaml", OneCommit("{until: 90s, early_timers: 1}"));
  const ProgramResult result = RunProgram({"explore", file, "-q"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr(" early timers\n"));

  const std::string short_file =
      TemporaryFile("too-early.yaml", OneCommit("{until: 1ms, early_timers: 1}"));
  const ProgramResult none = RunProgram({"explore", short_file, "-q"});
  EXPECT_EQ(none.exit_code, 3);
  EXPECT_THAT(none.err, HasSubstr("there was no occasion for early timers, so that nothing"));
}

TEST(ExploreCommand, WantsWhatIsStruckToBeHeldOrLost) {
  const std::string file =
      TemporaryFile("struck.yaml", OneCommit("{until: 2s, strike: {request: EndTxn}}"));
  const ProgramResult result = RunProgram({"explore", file});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("error: no message may be held or lost"));
  EXPECT_THAT(result.err, HasSubstr("holds: 1, or losses: 1"));
}

TEST(ExploreCommand, WantsTimeToSearchIn) {
  const std::string file = TemporaryFile("no-time.yaml", OneCommit("{until: 0s}"));
  const ProgramResult result = RunProgram({"explore", file});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("no-time.yaml:11:18: error: a search needs time"));
}

TEST(ExploreCommand, WritesOverNothingButSchedules) {
  const std::string text = OneCommit(kLostEnd);
  const std::string file = TemporaryFile("kept.yaml", text);
  const ProgramResult result = RunProgram({"explore", file, "-q", "--save", file});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("kept.yaml' is a file that is no schedule; it stays as it is"));
  std::ostringstream now;
  now << std::ifstream(file).rdbuf();
  EXPECT_EQ(now.str(), text);
  // Before the search, not after it.
  EXPECT_THAT(result.out, IsEmpty());
  EXPECT_THAT(RunProgram({"explore", file, "--save", "no/such/way.yaml"}).err,
              HasSubstr("cannot write 'no/such/way.yaml'"));
  EXPECT_EQ(RunProgram({"explore", file, "-q", "--save", ""}).exit_code, 2);
  EXPECT_THAT(RunProgram({"explore", file, "-q", "--save", "-"}).err,
              HasSubstr("a way is kept in a file"));

  const std::string way = TemporaryFile("a way.yaml", "");
  EXPECT_THAT(RunProgram({"explore", file, "-q", "--save", way}).out,
              HasSubstr("See it again: kafkasim replay '" + way + "'\n"));
  EXPECT_EQ(RunProgram({"explore", file, "-q", "--save", way}).exit_code, 1);
  const ProgramResult played = RunProgram({"run", way});
  EXPECT_EQ(played.exit_code, 2);
  EXPECT_THAT(played.out, IsEmpty());
  EXPECT_THAT(played.err, HasSubstr("is a schedule, not a scenario"));
  const ProgramResult replayed = RunProgram({"replay", file});
  EXPECT_EQ(replayed.exit_code, 2);
  EXPECT_THAT(replayed.err, HasSubstr("is a scenario, not a schedule"));
  EXPECT_THAT(replayed.err, HasSubstr("kafkasim run "));
  // Documents take the place of no YAML file either.
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"replay", way, "--ndjson=" + way},
                                             {"run", file, "--json=" + file},
                                             {"run", file, "--ndjson=" + file},
                                             {"fuzz", file, "--json=" + file}}) {
    const ProgramResult refused = RunProgram(arguments);
    EXPECT_EQ(refused.exit_code, 2) << arguments.front();
    EXPECT_THAT(refused.err, HasSubstr("is a YAML file; it stays as it is"));
  }
}

}  // namespace
}  // namespace kafkasim::cli

// What a class sees of the lecture's scenarios: that of which they are about.
#include "cli/story.h"

#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include "cli/examples.h"
#include "cli/terminal_text.h"

#include "tests/cli/program.h"

namespace kafkasim::cli {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

// What `run` prints of one variant of an example, on a screen that is wide enough for every line.
std::string Told(const std::string& example, const std::string& variant = "TV1") {
  std::vector<std::string> arguments{"run", "lecture/" + example, "--width", "200"};
  if (!variant.empty()) arguments.insert(arguments.end(), {"--variant", variant});
  const ProgramResult result = RunProgram(arguments);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return result.out;
}

TEST(Story, TellsTheFirstRefusalAndCountsTheOthers) {
  const std::string story = Told("45-next-transaction-is-early");
  EXPECT_THAT(story, HasSubstr("✘ refuse AddPartitionsToTxn"));
  EXPECT_THAT(story, HasSubstr("CONCURRENT_TRANSACTIONS"));
  EXPECT_THAT(story, HasSubstr("… refuse AddPartitionsToTxn: 22 more times, until 0.712s"));
  EXPECT_THAT(Told("33-restart-inside-a-transaction"), HasSubstr("✘ refuse InitProducerId"));
  EXPECT_THAT(Told("38-decided-is-completed"),
              HasSubstr("… refuse InitProducerId: 28 more times, until 3.186s"));
}

TEST(Story, TellsWhatADelayHits) {
  EXPECT_THAT(Told("45-next-transaction-is-early"),
              HasSubstr("0.226s  line 20   ↯ WriteTxnMarkers to broker-0 comes 500ms later"));
}

TEST(Story, TellsWhenACallInTheBackgroundStarts) {
  EXPECT_THAT(Told("45-next-transaction-is-early"),
              ContainsRegex("service     send to enriched_orders-1: second +under way"));
}

TEST(Story, TellsOfTheNewCoordinatorAndTheRequestThatIsRepeated) {
  const std::string story = Told("48-crash-before-prepare-client-alive");
  EXPECT_THAT(story, HasSubstr("✘ failed: EndTxn"));
  EXPECT_THAT(story, ContainsRegex("coordinator of +broker-0"));
  EXPECT_THAT(story, HasSubstr("send EndTxn again"));
}

TEST(Story, RepeatsNoOrderOfACoordinator) {
  const std::string story = Told("46-participants-do-not-vote");
  EXPECT_THAT(story, HasSubstr("… ask for COMMIT markers: "));
  EXPECT_THAT(story, Not(HasSubstr("… 1")));
}

TEST(Story, ShowsEverythingThatWasClaimed) {
  const std::string story = Told("13-lso-6-with-t2-open", "");
  EXPECT_THAT(story,
              HasSubstr("✓ enriched_orders-0: log [a0, a1, a2, a3, a4, COMMIT, b0 @6, b1 @7]; LSO "
                        "6; HW 8; LEO 8; read_committed [a0, a1, a2, a3, a4]; read_uncommitted"));
  EXPECT_THAT(story, HasSubstr("knows T2 with open_since 6"));
}

TEST(Story, MarksTheCallsThatDidWhatWasClaimed) {
  const std::string story = Told("35-zombie-at-the-leader");
  EXPECT_THAT(story, HasSubstr("✓ init_transactions "));
  EXPECT_THAT(story, HasSubstr("✓ abort_transaction"));
  EXPECT_THAT(story, Not(HasSubstr("✘ abort_transaction")));
}

TEST(Story, GivesTheAuthorsReason) {
  EXPECT_THAT(Told("13-lso-6-with-t2-open", ""), HasSubstr(" because T2 is open since offset 6\n"));
  EXPECT_THAT(Told("35-zombie-at-the-leader"),
              HasSubstr(" because the coordinator has given the id to another instance\n"));
}

TEST(Story, WithEveryMessageStillBeginsWithTheScenario) {
  const ProgramResult result = RunProgram(
      {"run", "lecture/35-zombie-at-the-leader", "--variant", "TV1", "-v", "--width", "200"});
  EXPECT_THAT(result.out, HasSubstr("coordinate 17 partitions"));
  EXPECT_THAT(result.out, HasSubstr("34 internal partitions"));
  EXPECT_LT(result.out.find("init_transactions"), 4000u);
}

// Each example in a test of its own: together they take long under the sanitizers.
class StoryOfExample : public testing::TestWithParam<std::size_t> {};

TEST_P(StoryOfExample, FitsAScreenOf80Columns) {
  const Example& example = Examples()[GetParam()];
  std::istringstream lines(RunProgram({"run", std::string(example.name)}).out);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(DisplayWidth(line), 80) << example.name << ": " << line;
  }
}

INSTANTIATE_TEST_SUITE_P(Examples, StoryOfExample,
                         testing::Range(std::size_t{0}, Examples().size()));

TEST(TransactionLog, FitsAScreenOf80Columns) {
  std::istringstream lines(RunProgram({"log", "lecture/46-participants-do-not-vote", "--variant",
                                       "TV1", "__transaction_state-21"})
                               .out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(DisplayWidth(line), 80) << line;
}

}  // namespace
}  // namespace kafkasim::cli

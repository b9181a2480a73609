// What a class sees of the lecture's scenarios: that of which they are about.
#include "cli/story.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.h"

namespace kafkasim::cli {
namespace {

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
              HasSubstr("service     send to enriched_orders-1: second  under way"));
}

TEST(Story, TellsOfTheNewCoordinatorAndTheRequestThatIsRepeated) {
  const std::string story = Told("48-crash-before-prepare-client-alive");
  EXPECT_THAT(story, HasSubstr("✘ failed: EndTxn"));
  EXPECT_THAT(story, HasSubstr("coordinator of enrichment-service-1  broker-0"));
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

}  // namespace
}  // namespace kafkasim::cli

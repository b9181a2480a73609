// How a run with rules switched off is judged.
#include <gtest/gtest.h>

#include "run_scenario.h"

namespace kafkasim::scenarios {
namespace {

RunResult RunAborted(const std::string& top, const std::string& after_poll) {
  return scenarios::Run(*Load("title: t\n" + top + R"(
cluster: {brokers: 3}
topics: {t: {partitions: 1, replicas: 3}}
actors:
  T1: {producer: {transactional.id: pay-1}}
  rc: {consumer: {isolation.level: read_committed, auto.offset.reset: earliest, assign: [t-0]}}
steps:
  - T1: init_transactions
  - T1: begin_transaction
  - T1: {send: {to: t-0, value: a}}
  - T1: abort_transaction
  - wait: 100ms
  - rc: {poll: {timeout: 500ms}}
    returns: []
)" + after_poll));
}

Verdict Judge(const std::string& top, const std::string& after_poll) {
  const RunResult result = RunAborted(top, after_poll);
  Scenario scenario;
  if (top.find("reader_ignores_aborts") != std::string::npos) {
    scenario.bugs.Add(broker::Bug::kReaderIgnoresAborts);
  }
  return JudgeFile(scenario, result);
}

TEST(Bugs, AreCaughtByTheClaimsThatSayso) {
  const RunResult result =
      RunAborted("bugs: reader_ignores_aborts", "    catches: reader_ignores_aborts\n");
  EXPECT_TRUE(result.caught) << Complaints(result);
  EXPECT_EQ(result.verdict, Verdict::kFails);
  EXPECT_EQ(Judge("bugs: reader_ignores_aborts", "    catches: reader_ignores_aborts\n"),
            Verdict::kHolds);
}

TEST(Bugs, AreNotCaughtByOtherClaims) {
  EXPECT_EQ(Judge("bugs: reader_ignores_aborts", ""), Verdict::kFails);
  EXPECT_EQ(Judge("bugs: reader_ignores_aborts",
                  "    catches: reader_ignores_aborts\n"
                  "  - expect: {t-0: {log: [a]}}\n"),
            Verdict::kFails)
      << "a claim that the bug has nothing to do with fails as well";
}

TEST(Bugs, AClaimMayWaitForABugThatIsNotOn) {
  const RunResult result = RunAborted("", "    catches: reader_ignores_aborts\n");
  EXPECT_FALSE(result.caught);
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
}

TEST(LoadTime, MakesANewCoordinatorRefuseUntilItHasReadItsLog) {
  const RunResult result = scenarios::Run(*Load(R"(
title: t
cluster: {brokers: 3, coordinator_load_time: 5s}
topics:
  t: {partitions: 1, replicas: 3}
  __transaction_state: {leaders: {21: 1}}
actors:
  T1: {producer: {transactional.id: enrichment-service-1}}
  tool: admin
steps:
  - T1: init_transactions
  - T1: begin_transaction
  - T1: {send: {to: t-0, value: a}}
  - elect: {coordinator_of: enrichment-service-1, leader: 2}
  - wait: 1s
  - tool: {raw: {api: InitProducerId, to: broker-2, transactional_id: enrichment-service-1, transaction_timeout_ms: 60000}}
    fails: COORDINATOR_LOAD_IN_PROGRESS
  - T1: commit_transaction
  - wait: 1s
  - expect: {t-0: {read_committed: [a]}}
)"));
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
  EXPECT_GT(result.end->world.now(), sim::Time{5'000'000});
}

}  // namespace
}  // namespace kafkasim::scenarios

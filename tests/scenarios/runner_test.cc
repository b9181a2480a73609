#include <gtest/gtest.h>

#include "run_scenario.h"
#include "scenarios/run.h"

namespace kafkasim::scenarios {
namespace {

TEST(Runner, HoldsWhenEveryClaimHolds) {
  const RunResult result = RunSteps(R"(
  - t1: init_transactions
    returns: {producer_id: 7, epoch: 0}
  - t1: begin_transaction
  - t1: {send: {to: orders-0, key: 42, value: paid}}
  - t1: commit_transaction
  - expect:
      orders-0: {log: ["t1:42=paid", COMMIT], last_stable_offset: 2}
    within: 1s
)");
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
  EXPECT_EQ(result.claims, 4u);
}

TEST(Runner, AWrongClaimIsReportedWithItsPlaceAndReason) {
  const RunResult result = RunSteps(R"(
  - t1: init_transactions
  - t1: begin_transaction
  - t1: {send: {to: orders-0, value: a}}
  - p: {send: {to: orders-0, value: b}}
  - expect: {orders-0: {last_stable_offset: 2}}
    because: both records are replicated
)");
  ASSERT_EQ(result.verdict, Verdict::kFails);
  ASSERT_EQ(result.failures.size(), 1u);
  const FailedClaim& failed = result.failures[0];
  EXPECT_EQ(failed.what, "orders-0 last_stable_offset");
  EXPECT_EQ(failed.expected, "2");
  EXPECT_EQ(failed.actual, "0");
  EXPECT_EQ(failed.because, "both records are replicated");
  EXPECT_NE(failed.reason.find("pinned by transaction pay-1 (t1, producer 7, epoch 0), open at "
                               "offset 0 since"),
            std::string::npos)
      << failed.reason;
  EXPECT_EQ(failed.step, 4u);
}

TEST(Runner, WithoutAnyClaimThereIsNoVerdict) {
  const RunResult result = RunSteps("\n  - t1: init_transactions\n");
  EXPECT_EQ(result.verdict, Verdict::kNoVerdict);
  ASSERT_EQ(result.doubts.size(), 1u);
  EXPECT_EQ(result.doubts[0].what, "nothing was claimed");
}

TEST(Runner, ACallThatShouldHaveFailedFailsTheRun) {
  const RunResult result = RunSteps(R"(
  - t1: init_transactions
    fails: PRODUCER_FENCED
)");
  ASSERT_EQ(result.failures.size(), 1u);
  EXPECT_EQ(result.failures[0].what, "t1 init_transactions");
  EXPECT_EQ(result.failures[0].expected, "fails: PRODUCER_FENCED");
  EXPECT_EQ(result.failures[0].actual, "succeeds");
}

TEST(Runner, ACallWithoutAnOutcomeHasToSucceed) {
  const RunResult result = RunSteps("\n  - t1: begin_transaction\n");
  ASSERT_EQ(result.failures.size(), 1u) << Complaints(result);
  EXPECT_EQ(result.failures[0].expected, "succeeds");
  EXPECT_EQ(result.failures[0].actual, "IllegalStateException");
}

TEST(Runner, AFaultWithoutAnOccasionLeavesTheRunWithoutAVerdict) {
  const RunResult result = RunSteps(R"(
  - t1: init_transactions
    returns: {epoch: 0}
  - drop: {request: EndTxn}
)");
  EXPECT_EQ(result.verdict, Verdict::kNoVerdict);
  ASSERT_EQ(result.doubts.size(), 1u);
  EXPECT_EQ(result.doubts[0].what, "no message was hit by: drop request EndTxn");
}

TEST(Runner, AnOptionalFaultMayHaveNoOccasion) {
  const RunResult result = RunSteps(R"(
  - t1: init_transactions
    returns: {epoch: 0}
  - drop: {request: EndTxn}
    optional: true
)");
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
}

TEST(Runner, ATriggerThatNeverComesLeavesTheRunWithoutAVerdict) {
  const RunResult result = RunSteps(R"(
  - when: {marker: COMMIT}
    do: [crash: broker-1]
  - t1: init_transactions
    returns: {epoch: 0}
)");
  EXPECT_EQ(result.verdict, Verdict::kNoVerdict);
  ASSERT_EQ(result.doubts.size(), 1u);
  EXPECT_EQ(result.doubts[0].what, "never came: marker COMMIT appended");
}

TEST(Runner, TheZombieIsFencedAtTheCoordinator) {
  const RunResult result = RunSteps(R"(
  - old: init_transactions
    returns: {producer_id: 7, epoch: 0}
  - old: begin_transaction
  - old: {send: {to: orders-0, key: 42, value: paid}}
  - pause: old
  - new: init_transactions
    returns: {producer_id: 7, epoch: 2}
  - resume: old
  - old: commit_transaction
    fails: PRODUCER_FENCED
  - expect:
      orders-0: {log: ["old:42=paid", ABORT e1], high_watermark: 2, last_stable_offset: 2,
                 aborted: [{by: old, first_offset: 0, last_offset: 1}]}
      transactions: {ship-1: {state: EMPTY}}
  - rc: poll
    returns: []
  - ru: poll
    returns: ["old:42=paid"]
)");
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
}

TEST(Runner, ABackgroundActionIsJudgedWhenItIsAwaited) {
  const RunResult result = RunSteps(R"(
  - t1: init_transactions
  - t1: begin_transaction
  - t1: {send: {to: orders-0, value: a}}
  - hold: {answer: EndTxn}
    as: held
  - t1: commit_transaction
    background: true
    as: commit
  - wait: 1s
  - expect: {pending: [commit]}
  - release: held
  - await: commit
    returns: {epoch: 0}
)");
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
}

TEST(Runner, SendsAtARateComeAtTheirTimeWhileTheScriptWaits) {
  const RunResult result = RunSteps(R"(
  - p: {send: {to: orders-0, value: "r{n}", rate: 100/s, for: 2s}}
    returns: {count: 200}
  - expect: {orders-0: {log_end_offset: 200, log: {0: "p:r0", 199: "p:r199"}}}
)");
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
  EXPECT_GE(result.end->world.now(), sim::Time{1'990'000});
  EXPECT_LT(result.end->world.now(), sim::Time{2'100'000});
}

TEST(Runner, ExpectWithinWaitsUntilItHolds) {
  const RunResult result = RunSteps(R"(
  - t1: init_transactions
  - t1: begin_transaction
  - t1: {send: {to: orders-0, value: a}}
  - expect: {orders-0: {last_stable_offset: 2}}
    within: 80s
)");
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
  EXPECT_GT(result.end->world.now(), sim::Time{60'000'000});
}

TEST(Runner, AnExpectationThatIsNotMetInTimeFails) {
  const RunResult result = RunSteps(R"(
  - t1: init_transactions
  - t1: begin_transaction
  - t1: {send: {to: orders-0, value: a}}
  - expect: {orders-0: {last_stable_offset: 2}}
    within: 5s
)");
  EXPECT_EQ(result.verdict, Verdict::kFails);
}

TEST(Runner, AStopInTheMiddleJudgesNothingThatIsStillToCome) {
  const RunResult result = RunSteps(R"(
  - wait: 10s
  - drop: {request: EndTxn}
  - expect: {orders-0: {log_end_offset: 99}}
)",
                                    {.until = sim::Time{5'000'000}});
  EXPECT_TRUE(result.stopped_early);
  EXPECT_EQ(result.end->world.now(), sim::Time{5'000'000});
  EXPECT_TRUE(result.failures.empty());
  EXPECT_TRUE(result.doubts.empty());
}

TEST(Runner, ARunAwayRunIsStopped) {
  const RunResult result = RunSteps(R"(
  - p: {send: {to: orders-0, value: x, count: 50, every: 10ms}}
  - expect: {orders-0: {log_end_offset: 50}}
)",
                                    {.max_events = 50});
  EXPECT_EQ(result.verdict, Verdict::kNoVerdict);
  ASSERT_FALSE(result.doubts.empty());
  EXPECT_EQ(result.doubts[0].what, "the run took more than 50 events");
}

TEST(Runner, MessagesAreCountedFromTheStartOfTheRun) {
  const RunResult result = RunSteps(R"(
  - t1: init_transactions
  - t1: begin_transaction
  - t1: {send: {to: orders-0, value: a}}
  - t1: commit_transaction
  - expect:
      count: [{request: EndTxn, equals: 1}, {request: EndTxn, from: t1, to: coordinator of pay-1, equals: 1}]
)");
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
}

TEST(Runner, ARawRequestReachesTheBrokerAsItIsWritten) {
  const RunResult result = RunSteps(R"(
  - admin: {raw: {api: InitProducerId, to: coordinator of pay-1, transactional_id: pay-1}}
    returns: {error: COORDINATOR_LOAD_IN_PROGRESS}
    because: the broker has to fetch its first block of producer ids
  - admin: {raw: {api: InitProducerId, to: coordinator of pay-1, transactional_id: pay-1}}
    returns: {error: NONE, producer_id: 7, producer_epoch: 0}
  - admin: {raw: {api: EndTxn, to: coordinator of pay-1, version: 4, transactional_id: pay-1, producer_id: 7, producer_epoch: 0, committed: true}}
    returns: {error: INVALID_TXN_STATE}
)");
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
}

TEST(Runner, ACallThatHasToSucceedIsAClaimWhereItDoesNot) {
  const RunResult result = RunSteps("\n  - t1: begin_transaction\n");
  EXPECT_EQ(result.verdict, Verdict::kFails);
  EXPECT_EQ(result.failures.size(), 1u);
  EXPECT_EQ(result.claims, 1u);
}

TEST(Runner, NeverFailsMoreClaimsThanThereAre) {
  const RunResult result = RunSteps(R"(
  - t1: init_transactions
  - t1: begin_transaction
  - t1: {send: {to: orders-0, value: a}}
  - expect: {orders-0: {producers: {t1: {epoch: 5, last_sequence: 5, open_since: 5}}}}
)");
  EXPECT_EQ(result.failures.size(), 3u);
  EXPECT_EQ(result.claims, 3u);
}

TEST(Runner, TheReasonIsAboutTheRecordThatMakesTheDifference) {
  const RunResult result = RunSteps(R"(
  - t1: init_transactions
  - p: {send: {to: orders-0, value: a}}
  - t1: begin_transaction
  - t1: {send: {to: orders-0, value: b}}
  - wait: 1s
  - expect: {orders-0: {read_committed: []}}
  - expect: {orders-0: {read_committed: [a, b]}}
)");
  ASSERT_EQ(result.failures.size(), 2u);
  EXPECT_EQ(result.failures[0].reason.find("orders-0 offset 0 (p:a) is given to read_committed"),
            0u)
      << result.failures[0].reason;
  EXPECT_EQ(result.failures[1].reason.find("orders-0 offset 1 (t1:b) is held back"), 0u)
      << result.failures[1].reason;
}

TEST(Runner, AnyFailureWillDoWhereNoneIsNamed) {
  const RunResult result = RunSteps("\n  - {p: flush, fails: {}}\n");
  ASSERT_EQ(result.failures.size(), 1u);
  EXPECT_EQ(result.failures[0].expected, "fails");
}

}  // namespace
}  // namespace kafkasim::scenarios

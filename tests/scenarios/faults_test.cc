// Faults as a script orders them, by what they do to a run.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "broker/events.h"
#include "run_scenario.h"
#include "scenarios/fault_desk.h"
#include "scenarios/vocabulary.h"

namespace kafkasim::scenarios {
namespace {

std::size_t CountEvents(const RunResult& result, const sim::EventKind& kind) {
  const auto& trace = result.end->history.trace();
  return static_cast<std::size_t>(std::count_if(
      trace.begin(), trace.end(), [&](const sim::TraceEvent& event) { return event.Is(kind); }));
}

TEST(Faults, ADroppedAnswerMakesTheClientAskAgain) {
  const RunResult result = RunSteps(R"(
  - t1: init_transactions
  - t1: begin_transaction
  - t1: {send: {to: orders-0, value: a}}
  - drop: {answer: EndTxn, to: t1}
  - t1: commit_transaction
  - expect:
      count: [{request: EndTxn, from: t1, equals: 2}]
      transactions: {pay-1: {state: COMPLETE_COMMIT}}
)");
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
  EXPECT_GT(result.end->world.now(), sim::Time{30'000'000});
}

TEST(Faults, OnlyTheChosenMessageIsHit) {
  const RunResult result = RunSteps(R"(
  - t1: init_transactions
  - t1: begin_transaction
  - hold: {request: Produce, from: t1, nth: 2}
    as: second
  - t1: {send: {to: orders-0, value: a}}
  - t1: {send: {to: orders-0, value: b}}
    background: true
    as: b
  - wait: 1s
  - expect:
      orders-0: {log: [a]}
      pending: b
  - release: second
  - await: b
    returns: {offset: 1}
)");
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
}

TEST(Faults, ADelayedMessageComesThatMuchLater) {
  const RunResult result = RunSteps(R"(
  - delay: {request: Produce, from: p, by: 3s}
  - p: {send: {to: orders-0, value: a}}
    returns: {offset: 0}
)");
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
  EXPECT_GT(result.end->world.now(), sim::Time{3'000'000});
  EXPECT_LT(result.end->world.now(), sim::Time{4'000'000});
}

TEST(Faults, ARepeatedProduceIsRecognisedByItsSequence) {
  const RunResult result = RunSteps(R"(
  - repeat: {request: Produce, from: p}
  - p: {send: {to: orders-0, value: a}}
  - wait: 1s
  - expect: {orders-0: {log: [a]}}
)",
                                    {.keep_trace = true});
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
  EXPECT_EQ(CountEvents(result, broker::events::kDuplicate), 1u);
}

TEST(Faults, AOneWayCutStopsOneDirectionOnly) {
  const RunResult result = RunSteps(R"(
  - p: {send: {to: orders-0, value: a}}
  - partition: {from: [broker-0], to: [p]}
    as: deaf
  - p: {send: {to: orders-0, value: b}}
    background: true
    as: b
  - wait: 1s
  - expect:
      orders-0: {log: [a, b]}
      pending: b
    because: the request arrives, its answer does not
  - heal: deaf
  - await: b
    returns: {offset: 1}
)");
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
}

TEST(Faults, AnElectionMovesTheLeaderAndRaisesItsEpoch) {
  const RunResult result = RunSteps(R"(
  - p: {send: {to: orders-0, value: a}}
  - elect: {partition: orders-0, leader: 2}
  - wait: 1s
  - expect: {orders-0: {leader: 2, leader_epoch: 1, log: [a]}}
)");
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
}

TEST(Faults, AnElectionThatChangesNothingLeavesTheRunWithoutAVerdict) {
  const RunResult result = RunSteps(R"(
  - elect: {partition: orders-0, leader: 0}
  - expect: {orders-0: {leader: 0}}
)");
  EXPECT_EQ(result.verdict, Verdict::kNoVerdict);
  ASSERT_EQ(result.doubts.size(), 1u);
  EXPECT_EQ(result.doubts[0].what, "no other leader was elected for orders-0: ELECTION_NOT_NEEDED");
}

TEST(Faults, WhoWasCrashedCanBeRestartedByTheNameOfTheCrash) {
  const RunResult result = RunSteps(R"(
  - t1: init_transactions
  - crash: coordinator of pay-1
    as: dead
  - wait: 15s
  - expect: {coordinators: {pay-1: {epoch: 1}}}
  - restart: dead
  - wait: 5s
  - expect: {orders-0: {isr: [0, 1, 2]}}
)");
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
}

TEST(Faults, ACrashAtTheArrivalOfAMessageLosesIt) {
  const RunResult result = RunSteps(R"(
  - t1: init_transactions
  - t1: begin_transaction
  - t1: {send: {to: orders-0, value: a}}
  - when: {request: EndTxn, point: delivered}
    do: {crash: coordinator of pay-1}
  - t1: commit_transaction
    background: true
    as: commit
  - wait: 1s
  - expect: {transaction_log: {pay-1: [EMPTY, ONGOING]}}
  - await: commit
  - wait: 1s
  - expect: {transaction_log: {pay-1: [EMPTY, ONGOING, PREPARE_COMMIT, COMPLETE_COMMIT]}}
)");
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
}

TEST(Faults, APauseAtTheArrivalOfAMessageLetsItWait) {
  const RunResult result = RunSteps(R"(
  - t1: init_transactions
  - t1: begin_transaction
  - t1: {send: {to: orders-0, value: a}}
  - when: {request: EndTxn, point: delivered}
    do: {pause: coordinator of pay-1, as: asleep}
  - t1: commit_transaction
    background: true
    as: commit
  - wait: 1s
  - expect: {transaction_log: {pay-1: [EMPTY, ONGOING]}}
  - resume: asleep
  - await: commit
  - wait: 1s
  - expect:
      transaction_log: {pay-1: [EMPTY, ONGOING, PREPARE_COMMIT, COMPLETE_COMMIT]}
      count: [{request: EndTxn, equals: 1}]
)");
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
}

TEST(Faults, ACrashAtAProtocolPointLosesWhatWouldHaveFollowed) {
  const RunResult result = RunSteps(R"(
  - t1: init_transactions
  - t1: begin_transaction
  - t1: {send: {to: orders-0, value: a}}
  - when: {transaction_record: PREPARE_COMMIT, point: replicated}
    do: {crash: coordinator of pay-1}
  - t1: commit_transaction
    background: true
  - wait: 1s
  - expect:
      orders-0: {log: [a], last_stable_offset: 0}
      count: [{request: WriteTxnMarkers, equals: 0}, {answer: EndTxn, equals: 0}]
    because: the decision is recorded, and nobody was told
)");
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
}

TEST(Faults, AFaultThatIsOrderedForLaterComesWhileTheScriptGoesOn) {
  const RunResult result = RunSteps(R"(
  - pause: broker-1
    after: 2s
  - p: {send: {to: orders-0, value: a}}
    returns: {offset: 0}
  - resume: broker-1
    after: 4s
  - wait: 3s
  - expect: {orders-0: {log: [a]}}
  - wait: 2s
)",
                                    {.keep_trace = true});
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
  EXPECT_EQ(CountEvents(result, sim::events::kPaused), 1u);
  EXPECT_EQ(CountEvents(result, sim::events::kResumed), 1u);
}

TEST(Faults, AFaultThatIsStillToComeAtTheEndLeavesTheRunWithoutAVerdict) {
  const RunResult result = RunSteps(R"(
  - crash: broker-1
    after: 1h
  - expect: {orders-0: {log: []}}
)");
  EXPECT_EQ(result.verdict, Verdict::kNoVerdict);
  ASSERT_EQ(result.doubts.size(), 1u);
  EXPECT_EQ(result.doubts[0].what, "the run ended before: crash broker-1");
}

TEST(Faults, ACrashOfWhoIsDownAlreadyIsNoCrash) {
  const RunResult result = RunSteps(R"(
  - crash: broker-1
  - crash: broker-1
  - expect: {orders-0: {log: []}}
)");
  EXPECT_EQ(result.verdict, Verdict::kNoVerdict);
  ASSERT_EQ(result.doubts.size(), 1u);
  EXPECT_EQ(result.doubts[0].what, "broker-1 was down already");
}

TEST(Faults, WhatIsOptionalMayFindNothingToHit) {
  const RunResult result = RunSteps(R"(
  - crash: broker-1
  - {crash: broker-1, as: again, optional: true}
  - {restart: again, optional: true}
  - {restart: broker-2, optional: true}
  - {resume: broker-2, optional: true}
  - {pause: broker-1, optional: true}
  - {heal: all, optional: true}
  - {elect: {partition: orders-0, leader: 1}, optional: true}
  - expect: {orders-0: {log: []}}
)");
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
}

TEST(Faults, AHoldThatIsNeverReleasedIsRemarked) {
  const RunResult result = RunSteps(R"(
  - t1: init_transactions
  - t1: begin_transaction
  - t1: {send: {to: orders-0, value: a}}
  - hold: {request: WriteTxnMarkers}
  - t1: commit_transaction
  - expect: {transactions: {pay-1: {state: PREPARE_COMMIT}}}
)");
  EXPECT_EQ(result.verdict, Verdict::kHolds);
  ASSERT_EQ(result.remarks.size(), 1u);
  EXPECT_EQ(result.remarks[0].what,
            "a message was never released, of: hold request WriteTxnMarkers");
}

TEST(Faults, EveryMessageOfTheTraceCanBeChosen) {
  const RunResult result = RunSteps(R"(
  - t1: init_transactions
  - t1: begin_transaction
  - t1: {send: {to: orders-0, value: a}}
  - t1: commit_transaction
  - rc: poll
  - elect: {partition: orders-0, leader: 1}
  - crash: broker-0
  - restart: broker-0
  - wait: 20s
)",
                                    {.keep_trace = true});
  for (const sim::TraceEvent& event : result.end->history.trace()) {
    if (!event.Is(sim::events::kSent)) continue;
    EXPECT_THAT(MessageApis(), ::testing::Contains(std::string(event.Text("api"))));
  }
}

// One replica, so that nothing brings back what the broker loses.
RunResult RunWithOneReplica(const std::string& crash) {
  return scenarios::Run(*Load(R"(
title: A broker crashes
cluster: {brokers: 3}
topics: {t: {partitions: 1, replicas: 1, leaders: [0]}}
actors: {p: {producer: {}}}
steps:
  - p: {send: {to: t-0, value: a}}
  - crash: )" + crash + R"(
  - wait: 12s
  - restart: broker-0
  - wait: 20s
  - expect: {t-0: {leader: 0, log: [a]}}
)"));
}

TEST(Faults, ACrashedProcessKeepsWhatItWrote) {
  EXPECT_EQ(RunWithOneReplica("broker-0").verdict, Verdict::kHolds);
  EXPECT_EQ(RunWithOneReplica("{process: broker-0, loses: memory}").verdict, Verdict::kHolds);
}

TEST(Faults, ACrashedMachineLosesWhatIsNotFlushedAndALostDiskAll) {
  for (const char* loses : {"unflushed", "disk"}) {
    const RunResult result =
        RunWithOneReplica(std::string("{process: broker-0, loses: ") + loses + "}");
    EXPECT_EQ(result.verdict, Verdict::kFails) << loses;
    ASSERT_EQ(result.failures.size(), 1u) << Complaints(result);
    EXPECT_EQ(result.failures[0].actual, "[]") << Complaints(result);
  }
}

}  // namespace
}  // namespace kafkasim::scenarios

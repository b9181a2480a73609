#include "scenarios/explain.h"

#include <algorithm>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "broker/events.h"
#include "run_scenario.h"
#include "scenarios/snapshot.h"
#include "scenarios/why_offsets.h"

namespace kafkasim::scenarios {
namespace {

using broker::IsolationLevel;

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// An open transaction, an aborted one and a committed one, with a plain record behind each.
class ExplainTest : public ::testing::Test {
 protected:
  void SetUp() override {
    RunResult result = RunSteps(R"(
  - t1: init_transactions
  - t2: init_transactions
  - t1: begin_transaction
  - t1: {send: {to: orders-0, value: a}}
  - p: {send: {to: orders-0, value: b}}
  - t1: abort_transaction
  - t1: begin_transaction
  - t1: {send: {to: orders-0, value: c}}
  - t1: commit_transaction
  - t2: begin_transaction
  - t2: {send: {to: orders-0, value: d}}
  - p: {send: {to: orders-0, value: e}}
  - expect: {orders-0: {log: [a, b, ABORT, c, COMMIT, d, e], last_stable_offset: 5}}
    within: 1s
)",
                                {.keep_trace = true});
    ASSERT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
    moment_ = std::move(result.end);
  }

  Explanation Ask(std::int64_t offset, IsolationLevel level = IsolationLevel::kReadCommitted) {
    return Explain(*moment_, *moment_->names.FindPartition("orders-0"), offset, level);
  }

  std::optional<Moment> moment_;
};

TEST_F(ExplainTest, AnAbortedRecordIsLeftOutBecauseOfItsMarker) {
  const Explanation answer = Ask(0);
  EXPECT_EQ(answer.visibility, Visibility::kAborted);
  EXPECT_EQ(answer.marker_offset, 2);
  EXPECT_EQ(answer.sentence,
            "orders-0 offset 0 (t1:a) is left out by read_committed: transaction pay-1 (t1, "
            "producer 7, epoch 0) was aborted by the marker at offset 2.");
}

TEST_F(ExplainTest, TheReaderOfUncommittedRecordsGetsAnAbortedOne) {
  const Explanation answer = Ask(0, IsolationLevel::kReadUncommitted);
  EXPECT_EQ(answer.visibility, Visibility::kVisible);
  EXPECT_TRUE(Contains(answer.sentence, "though it was aborted")) << answer.sentence;
}

TEST_F(ExplainTest, APlainRecordBelowTheLastStableOffsetIsVisible) {
  const Explanation answer = Ask(1);
  EXPECT_EQ(answer.visibility, Visibility::kVisible);
  EXPECT_TRUE(Contains(answer.sentence, "not part of a transaction")) << answer.sentence;
}

TEST_F(ExplainTest, AMarkerIsGivenToNobody) {
  EXPECT_EQ(Ask(2).visibility, Visibility::kControlRecord);
  EXPECT_EQ(Ask(2, IsolationLevel::kReadUncommitted).visibility, Visibility::kControlRecord);
}

TEST_F(ExplainTest, ACommittedRecordIsVisibleBecauseOfItsMarker) {
  const Explanation answer = Ask(3);
  EXPECT_EQ(answer.visibility, Visibility::kVisible);
  EXPECT_TRUE(Contains(answer.sentence, "committed by the marker at offset 4")) << answer.sentence;
}

TEST_F(ExplainTest, AnOpenTransactionHoldsItsOwnRecordAndAllBehindIt) {
  for (const std::int64_t offset : {5, 6}) {
    const Explanation answer = Ask(offset);
    EXPECT_EQ(answer.visibility, Visibility::kHeldByLastStableOffset);
    ASSERT_TRUE(answer.pinned.has_value());
    EXPECT_EQ(answer.pinned->actor, "t2");
    EXPECT_EQ(answer.pinned->first_offset, 5);
    EXPECT_TRUE(
        Contains(answer.sentence, "pinned by transaction pay-2 (t2, producer 1007, epoch 0)"))
        << answer.sentence;
    EXPECT_TRUE(Contains(answer.sentence, "says ONGOING")) << answer.sentence;
    EXPECT_EQ(Ask(offset, IsolationLevel::kReadUncommitted).visibility, Visibility::kVisible);
  }
}

TEST_F(ExplainTest, BehindTheLogEndThereIsNothing) {
  EXPECT_EQ(Ask(7).visibility, Visibility::kBeyondLogEnd);
}

TEST_F(ExplainTest, TheChainLeadsFromTheScriptToTheMarker) {
  const Explanation answer = Ask(0);
  ASSERT_FALSE(answer.chain.empty());
  EXPECT_TRUE(std::is_sorted(answer.chain.begin(), answer.chain.end(),
                             [](const auto& a, const auto& b) { return a.event < b.event; }));
  EXPECT_TRUE(Contains(answer.chain.front().sentence, "send: {to: orders-0, value: a}"))
      << answer.chain.front().sentence;
  EXPECT_TRUE(Contains(answer.chain.back().sentence, "ABORT marker"))
      << answer.chain.back().sentence;
  EXPECT_EQ(answer.chain.back().actor, "broker-0");
}

TEST(Explain, ARecordThatAFollowerDoesNotHaveIsBeyondTheHighWatermark) {
  RunResult result = RunSteps(R"(
  - pause: [broker-1, broker-2]
  - p: {send: {to: orders-0, value: a}}
    background: true
  - wait: 1s
  - expect: {orders-0: {log_end_offset: 1, high_watermark: 0}}
)",
                              {.keep_trace = true});
  ASSERT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
  const Moment& moment = *result.end;
  const Explanation answer =
      Explain(moment, *moment.names.FindPartition("orders-0"), 0, IsolationLevel::kReadUncommitted);
  EXPECT_EQ(answer.visibility, Visibility::kBeyondHighWatermark);
  EXPECT_EQ(answer.lagging, (std::vector<std::int32_t>{1, 2}));
  EXPECT_TRUE(Contains(answer.sentence, "broker-1 (paused) and broker-2 (paused) do not have it"))
      << answer.sentence;
}

TEST(Explain, AMarkerThatIsNotReplicatedStillHolds) {
  RunResult result = RunSteps(R"(
  - t1: init_transactions
  - t1: begin_transaction
  - t1: {send: {to: orders-0, value: a}}
  - when: {marker: COMMIT, partition: orders-0, point: appended}
    do: [pause: broker-1, pause: broker-2]
  - t1: commit_transaction
    background: true
  - wait: 1s
  - expect: {orders-0: {log_end_offset: 2, high_watermark: 1, last_stable_offset: 0}}
)",
                              {.keep_trace = true});
  ASSERT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
  const Moment& moment = *result.end;
  const Explanation answer =
      Explain(moment, *moment.names.FindPartition("orders-0"), 0, IsolationLevel::kReadCommitted);
  EXPECT_EQ(answer.visibility, Visibility::kHeldByLastStableOffset);
  EXPECT_TRUE(Contains(answer.sentence, "its marker at offset 1 is not replicated yet"))
      << answer.sentence;
}

// The answer for the first record of orders-0 at the end of a run of these steps.
Explanation AskAfter(std::string_view steps,
                     IsolationLevel level = IsolationLevel::kReadCommitted) {
  const RunResult result = RunSteps(steps, {.keep_trace = true});
  EXPECT_TRUE(result.failures.empty()) << Complaints(result);
  const Moment& moment = *result.end;
  return Explain(moment, *moment.names.FindPartition("orders-0"), 0, level);
}

bool HasCause(const Explanation& answer, std::string_view actor, const std::string& sentence) {
  return std::any_of(answer.chain.begin(), answer.chain.end(), [&](const CauseLine& line) {
    return line.actor == actor && Contains(line.sentence, sentence);
  });
}

TEST(Explain, WithADeadLeaderNobodyCanRead) {
  const Explanation answer = AskAfter(R"(
  - t1: init_transactions
  - t1: begin_transaction
  - t1: {send: {to: orders-0, value: a}}
  - crash: broker-0
  - wait: 1s
)");
  EXPECT_EQ(answer.visibility, Visibility::kUnreadable);
  EXPECT_EQ(answer.sentence,
            "orders-0 offset 0 (t1:a) cannot be read by anybody now: leader broker-0 is down; it "
            "stands in the logs of broker-0 (down), broker-1 and broker-2.");
  EXPECT_TRUE(HasCause(answer, "broker-0", "crashed"));
}

TEST(Explain, WithAllBrokersDeadNobodyCanRead) {
  const Explanation answer = AskAfter(R"(
  - p: {send: {to: orders-0, value: a}}
  - crash: [broker-0, broker-1, broker-2]
  - wait: 20s
)");
  EXPECT_EQ(answer.visibility, Visibility::kUnreadable);
  EXPECT_TRUE(Contains(answer.sentence, "in-sync broker-2 (down) has not come back"))
      << answer.sentence;
  EXPECT_TRUE(HasCause(answer, "broker-2", "crashed"));
}

TEST(Explain, ACrashedReplicaKnowsNoHighWatermark) {
  const RunResult result = RunSteps(R"(
  - p: {send: {to: orders-0, value: a}}
  - crash: broker-0
  - expect: {orders-0: {high_watermark: 0}}
)",
                                    {.keep_trace = true});
  ASSERT_EQ(result.failures.size(), 1u);
  EXPECT_EQ(result.failures[0].actual, "unknown");
  EXPECT_TRUE(Contains(result.failures[0].reason, "in the memory of broker-0, which is down"));
}

TEST(Explain, AFollowerDoesNotKnowWhyTheHighWatermarkIsWhereItIs) {
  const RunResult result = RunSteps(R"(
  - pause: broker-1
  - p: {send: {to: orders-0, value: a}}
    background: true
  - wait: 1s
)",
                                    {.keep_trace = true});
  const auto view = ViewPartition(*result.end, *result.end->names.FindPartition("orders-0"), 2);
  EXPECT_EQ(WhyHighWatermark(*view), "a follower hears of it from its leader, one fetch later");
}

TEST(Explain, AMarkerWaitsForAFollowerThatIsDown) {
  const Explanation answer = AskAfter(R"(
  - t1: init_transactions
  - t1: begin_transaction
  - t1: {send: {to: orders-0, value: a}}
  - when: {marker: COMMIT, partition: orders-0, point: appended}
    do: {crash: broker-2}
  - t1: commit_transaction
  - wait: 1s
)");
  EXPECT_TRUE(Contains(answer.sentence, "in-sync broker-2 (down) does not have it"))
      << answer.sentence;
  EXPECT_TRUE(HasCause(answer, "broker-2", "crashed"));
}

TEST(Explain, ARefusedMarkerIsTheReasonWhyADecidedTransactionIsOpen) {
  const Explanation answer = AskAfter(R"(
  - elect: {coordinator_of: pay-1, leader: 0}
  - t1: init_transactions
  - t1: begin_transaction
  - t1: {send: {to: orders-0, value: a}}
  - hold: {request: WriteTxnMarkers, to: broker-0}
    as: late
  - t1: commit_transaction
  - crash: [broker-1, broker-2]
  - wait: 15s
  - release: late
  - wait: 1s
)");
  EXPECT_TRUE(Contains(answer.sentence,
                       "says PREPARE_COMMIT, but its marker was refused by "
                       "broker-0: NOT_ENOUGH_REPLICAS"))
      << answer.sentence;
}

TEST(Explain, AHeldMarkerIsTheReasonWhyADecidedTransactionIsOpen) {
  const Explanation answer = AskAfter(R"(
  - t1: init_transactions
  - t1: begin_transaction
  - t1: {send: {to: orders-0, value: a}}
  - hold: {request: WriteTxnMarkers}
  - t1: commit_transaction
  - wait: 1s
)");
  EXPECT_TRUE(Contains(answer.sentence,
                       "says PREPARE_COMMIT, but its marker to broker-0 is held in the network by "
                       "a fault [event "))
      << answer.sentence;
  EXPECT_TRUE(HasCause(answer, answer.chain.back().actor, "held WriteTxnMarkers"));
}

TEST(Explain, AMarkerThatCannotPassACutLinkIsTheReason) {
  const Explanation answer = AskAfter(R"(
  - t1: init_transactions
  - t1: begin_transaction
  - t1: {send: {to: orders-0, value: a}}
  - when: {transaction_record: PREPARE_COMMIT, point: replicated}
    do: {partition: [[broker-0], [broker-1]]}
  - t1: commit_transaction
  - wait: 1s
)");
  EXPECT_TRUE(Contains(answer.sentence, "cannot get through to broker-0: the link is cut"))
      << answer.sentence;
}

TEST(Explain, ADeadCoordinatorIsTheReasonWhyATransactionStaysOpen) {
  const Explanation answer = AskAfter(R"(
  - t1: init_transactions
  - t1: begin_transaction
  - t1: {send: {to: orders-0, value: a}}
  - crash: coordinator of pay-1
  - wait: 10ms
)");
  EXPECT_TRUE(Contains(answer.sentence, "its coordinator broker-") ||
              answer.visibility == Visibility::kUnreadable)
      << answer.sentence;
}

}  // namespace
}  // namespace kafkasim::scenarios

// The life of logs in the language: roll, clean, check_retention, delete_records, topics that come
// and go, and what the why-engine says of records that are gone.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run_scenario.h"
#include "scenarios/explain.h"

namespace kafkasim::scenarios {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::SizeIs;

// The stage of the other tests with a compacted topic.
RunResult RunCompacted(const std::string& steps) {
  std::string text(kStage);
  const std::string topic = "min.insync.replicas: 2}";
  text.replace(text.find(topic), topic.size(),
               "min.insync.replicas: 2, cleanup.policy: compact, min.cleanable.dirty.ratio: 1.0}");
  const std::optional<Scenario> scenario = Load(text + steps);
  return scenario.has_value() ? Run(*scenario, {.keep_trace = true}) : RunResult{};
}

Explanation ExplainAt(const RunResult& result, std::int64_t offset) {
  return Explain(*result.end, *result.end->names.FindPartition("orders-0"), offset,
                 broker::IsolationLevel::kReadUncommitted);
}

// What was aborted in the part that is clean already must not touch what comes after it.
TEST(LogLife, AnOldAbortDoesNotKeepOldValues) {
  const RunResult result = RunCompacted(R"(
  - t1: init_transactions
  - t1: begin_transaction
  - t1: {send: {to: orders-0, key: k, value: old}}
  - t1: commit_transaction
  - t1: begin_transaction
  - t1: {send: {to: orders-0, key: other, value: b}}
  - t1: abort_transaction
  - wait: 1s
  - roll: orders-0
  - clean: orders-0
  - t1: begin_transaction
  - t1: {send: {to: orders-0, key: k, value: new}}
  - t1: commit_transaction
  - wait: 1s
  - roll: orders-0
  - clean: orders-0
  - expect: {orders-0: {read_committed: ["k=new"]}}
)");
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
}

TEST(LogLife, WhatTheCleanerRemovedIsGone) {
  const RunResult result = RunCompacted(R"(
  - p: {send: {to: orders-0, key: k, values: [v1, v2]}}
  - roll: orders-0
  - clean: orders-0
  - expect: {orders-0: {log: ["k=v2 @1"], log_start_offset: 0}}
)");
  ASSERT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
  const Explanation why = ExplainAt(result, 0);
  EXPECT_EQ(why.visibility, Visibility::kGone);
  EXPECT_THAT(why.sentence,
              EndsWith("is gone: the cleaner has removed it from the compacted log."));
  ASSERT_FALSE(why.chain.empty());
  EXPECT_THAT(why.chain.back().sentence, HasSubstr("clean orders-0 → 1 record and 0 markers"));
}

TEST(LogLife, WhatWasDeletedIsGoneAndTheReasonIsTold) {
  const RunResult result = RunSteps(R"(
  - p: {send: {to: orders-0, values: [a, b, c]}}
  - wait: 1s
  - admin: {delete_records: {orders-0: 2}}
    returns: {error: NONE, low_watermark: 2}
  - expect: {orders-0: {log: [c @2], log_start_offset: 2}}
)",
                                    {.keep_trace = true});
  ASSERT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
  EXPECT_THAT(ExplainAt(result, 1).sentence,
              EndsWith("is gone: the log starts at offset 2 (DeleteRecords)."));
}

TEST(LogLife, ACheckOfRetentionDeletesWhatIsTooOld) {
  std::string text(kStage);
  text.replace(text.find("min.insync.replicas: 2}"), 23,
               "min.insync.replicas: 2, retention.ms: 1min}");
  const std::optional<Scenario> scenario = Load(text + R"(
  - p: {send: {to: orders-0, value: a}}
  - wait: 59s
  - check_retention: orders-0
  - expect: {orders-0: {log: [a]}}
  - wait: 2s
  - check_retention: orders-0
  - expect: {orders-0: {log: [], log_start_offset: 1, log_end_offset: 1}}
)");
  ASSERT_TRUE(scenario.has_value());
  const RunResult result = scenarios::Run(*scenario);
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
}

TEST(LogLife, ATaskThatNobodyCanDoLeavesTheRunWithoutAVerdict) {
  const RunResult result = RunSteps(R"(
  - crash: [broker-0, broker-1, broker-2]
  - roll: orders-0
)");
  ASSERT_THAT(result.doubts, SizeIs(::testing::Ge(1U)));
  EXPECT_EQ(result.doubts[0].what, "no broker that runs has orders-0");
}

TEST(LogLife, ATopicThatIsCreatedAgainIsAnother) {
  const RunResult result = RunSteps(R"(
  - p: {send: {to: orders-0, values: [a, b]}}
  - wait: 1s
  - admin: {delete_topic: orders}
    returns: {error: NONE}
  - admin: {delete_topic: orders}
    returns: {error: UNKNOWN_TOPIC_OR_PARTITION}
  - admin: {create_topic: {topic: orders, partitions: 1, replicas: 3, config: {retention.ms: 1h}}}
    returns: {error: NONE}
  - admin: {create_topic: {topic: orders}}
    returns: {error: TOPIC_ALREADY_EXISTS}
  - wait: 1s
  - expect: {orders-0: {log: []}}
  - q: {send: {to: orders-0, value: c}}
    returns: {offset: 0}
  - expect: {orders-0: {log: [c]}}
)");
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
}

TEST(LogLife, MistakesAreErrorsOfTheFile) {
  const auto error_of = [](const std::string& step) {
    LoadResult loaded = LoadScenarioText("test.yaml", std::string(kStage) + "  - " + step + "\n");
    EXPECT_FALSE(loaded.scenario.has_value()) << step;
    return loaded.Report();
  };
  EXPECT_THAT(error_of("roll: orders"), HasSubstr("expected a partition such as orders-0"));
  EXPECT_THAT(error_of("clean: order-0"), HasSubstr("unknown topic 'order'"));
  EXPECT_THAT(error_of("admin: {delete_records: {orders-0: -2}}"),
              HasSubstr("the first offset that stays"));
  EXPECT_THAT(error_of("admin: {delete_records: {orders-0: 1, orders-1: 1}}"),
              HasSubstr("one partition and the first offset that stays"));
  EXPECT_THAT(error_of("admin: {delete_topic: order}"), HasSubstr("unknown topic 'order'"));
  EXPECT_THAT(error_of("p: {delete_topic: orders}"),
              HasSubstr("delete_topic is a verb of an admin"));
}

TEST(LogLife, ATombstoneTakesTheValueAlong) {
  const RunResult result = RunCompacted(R"(
  - p: {send: {to: orders-0, key: k, value: v}}
  - p: {send: {to: orders-0, key: other, value: w}}
  - p: {send: {to: orders-0, key: k, value: null}}
  - rc: poll
    returns: ["k=v", "other=w", "k=null"]
  - roll: orders-0
  - clean: orders-0
  - expect: {orders-0: {log: ["other=w", "k=null"]}}
)");
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
}

}  // namespace
}  // namespace kafkasim::scenarios

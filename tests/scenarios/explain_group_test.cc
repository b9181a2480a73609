#include "scenarios/explain_group.h"

#include <optional>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "run_scenario.h"
#include "scenarios/group_records.h"
#include "scenarios/snapshot.h"

namespace kafkasim::scenarios {
namespace {

using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Not;
using testing::SizeIs;

constexpr std::string_view kGroupStage = R"(title: A group
cluster: {brokers: 3, config: {transaction.version: 2}, next_producer_id: 7}
topics:
  orders: {partitions: 1, replicas: 3}
actors:
  p: {producer: {}}
  t: {producer: {transactional.id: pay-1}}
  admin: admin
  first: {consumer: {group.id: g, subscribe: [orders], enable.auto.commit: false, auto.offset.reset: earliest}}
  second: {consumer: {group.id: g, subscribe: [orders], enable.auto.commit: false, auto.offset.reset: earliest}}
steps:
  - t: init_transactions
  - p: {send: {to: orders-0, values: [a, b, c]}}
  - first: {poll: {timeout: 10s}}
    returns: [a, b, c]
)";

// The moment after these steps.
Moment After(std::string_view steps) {
  const auto scenario = Load(std::string(kGroupStage) + std::string(steps));
  RunResult result = Run(*scenario, {.keep_trace = true});
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
  return *std::move(result.end);
}

GroupExplanation AskOfOrders(const Moment& moment) {
  return ExplainGroup(moment, "g", moment.names.FindPartition("orders-0"));
}

TEST(ExplainGroup, AStableGroupSaysWhyItRebalancedLast) {
  const GroupExplanation answer =
      ExplainGroup(After("  - expect: {groups: {g: {state: STABLE}}}\n"), "g");
  EXPECT_THAT(answer.sentence, MatchesRegex("Group g is STABLE since 3\\.[0-9]+s \\[event [0-9]+\\]"
                                            ": generation 1 has its assignment; the rebalance "
                                            "before it began at 0\\.[0-9]+s \\[event [0-9]+\\]: "
                                            "first-0-1 is new\\."));
  ASSERT_THAT(answer.partitions, SizeIs(1));
  EXPECT_EQ(answer.partitions[0].owner,
            "first has it as member first-0-1: assigned in generation 1, by range");
  EXPECT_EQ(answer.partitions[0].committed, "nothing: nobody has committed an offset for it");
  ASSERT_THAT(answer.chain, Not(IsEmpty()));
  EXPECT_EQ(answer.chain.back().sentence, "group g → STABLE: generation 1; first-0-1: orders-0");
}

TEST(ExplainGroup, ARebalanceSaysWhomItWaitsForAndUntilWhen) {
  const GroupExplanation answer = ExplainGroup(After(R"(
  - pause: first
  - second: {poll: {timeout: 1s}}
  - expect: {groups: {g: {state: PREPARING_REBALANCE}}}
)"),
                                               "g");
  EXPECT_THAT(answer.sentence,
              ContainsRegex("PREPARING_REBALANCE since .*: second-0-2 is new; it waits for "
                            "JoinGroup of first-0-1, until 30[0-9.]+s \\(max.poll.interval.ms\\)"));
  EXPECT_THAT(answer.sentence, ContainsRegex("first is paused; its member first-0-1 stays until "
                                             "4[0-9.]+s \\(session.timeout.ms\\)\\."));
  ASSERT_THAT(answer.partitions, SizeIs(1));
  EXPECT_EQ(answer.partitions[0].owner,
            "first has it as member first-0-1 from the generation before; the rebalance may move "
            "it");
}

TEST(ExplainGroup, AnEmptyGroupSaysHowItsLastMemberWent) {
  const GroupExplanation left = ExplainGroup(After(R"(
  - first: close
  - expect: {groups: {g: {state: EMPTY}}}
)"),
                                             "g");
  EXPECT_THAT(left.sentence,
              ContainsRegex("EMPTY since .*: its last member, first-0-1, left at 3\\.[0-9]+s"));
  const GroupExplanation expired = ExplainGroup(After(R"(
  - crash: first
  - wait: 60s
  - expect: {groups: {g: {state: EMPTY}}}
)"),
                                                "g");
  EXPECT_THAT(expired.sentence, ContainsRegex("first-0-1, was removed at 4[0-9.]+s"));
  EXPECT_EQ(expired.chain.front().sentence, "step 3: first: {poll: {timeout: 10s}}");
}

TEST(ExplainGroup, ACommittedOffsetIsThatOfARecord) {
  const GroupExplanation answer = AskOfOrders(After("  - first: {commit_sync: {orders-0: 2}}\n"));
  ASSERT_THAT(answer.partitions, SizeIs(1));
  EXPECT_THAT(answer.partitions[0].committed,
              MatchesRegex("2: record 2 of __consumer_offsets-3, by first at 3\\.[0-9]+s \\[event "
                           "[0-9]+\\]"));
  EXPECT_THAT(answer.partitions[0].pending, IsEmpty());
}

TEST(ExplainGroup, APendingOffsetNamesItsTransaction) {
  const GroupExplanation answer = AskOfOrders(After(R"(
  - first: {commit_sync: {orders-0: 1}}
  - t: begin_transaction
  - t: {send_offsets: {of: first}}
)"));
  ASSERT_THAT(answer.partitions, SizeIs(1));
  EXPECT_THAT(answer.partitions[0].committed, HasSubstr("1: record 2 of __consumer_offsets-3"));
  ASSERT_THAT(answer.partitions[0].pending, SizeIs(1));
  EXPECT_THAT(answer.partitions[0].pending[0],
              ContainsRegex("3: record 3 of __consumer_offsets-3, by t at .*; transaction pay-1 "
                            "\\(t, producer 7, epoch 0\\), open at offset 3 since .*; its "
                            "coordinator broker-[0-9] says ONGOING"));
}

TEST(ExplainGroup, AnAbortedOffsetNamesItsMarker) {
  const GroupExplanation answer = AskOfOrders(After(R"(
  - first: {commit_sync: {orders-0: 1}}
  - t: begin_transaction
  - t: {send_offsets: {of: first}}
  - t: abort_transaction
  - wait: 1s
)"));
  ASSERT_THAT(answer.partitions, SizeIs(1));
  EXPECT_THAT(answer.partitions[0].committed,
              ContainsRegex("^1: record 2 .*; 3 of transaction pay-1 \\(t, producer 7, epoch "
                            "0\\) was dropped by the ABORT marker at 4"));
}

TEST(ExplainGroup, AnUnknownGroupNamesThoseThatAreKnown) {
  const Moment moment = After("  - say: nothing more\n");
  EXPECT_EQ(ExplainGroup(moment, "h").sentence,
            "The coordinator broker-1 knows no group h: nobody has joined it, and no offset is "
            "committed. Groups at this moment: g");
}

TEST(GroupRecords, SayWhatHasBecomeOfEachOffset) {
  const Moment moment = After(R"(
  - t: begin_transaction
  - t: {send_offsets: {of: first}}
  - first: {commit_sync: {orders-0: 1}}
  - t: commit_transaction
  - wait: 1s
)");
  const Snapshot snapshot = TakeSnapshot(moment);
  ASSERT_THAT(snapshot.groups, SizeIs(1));
  std::vector<std::string> texts;
  for (const GroupRecordView& record : snapshot.groups[0].records) {
    texts.push_back(record.ShortText() + " " + std::string(FateName(record.fate)));
  }
  // The marker stands at 4. The plain commit came after the record of the transaction, and stays.
  EXPECT_THAT(texts, ElementsAre("generation 0 counts", "generation 1 counts",
                                 "orders-0 → 3 overtaken", "orders-0 → 1 counts"));
  EXPECT_EQ(snapshot.groups[0].records[2].decided_at, 4);
  EXPECT_EQ(snapshot.groups[0].committed[0].offset, 1);
}

}  // namespace
}  // namespace kafkasim::scenarios

#include "scenarios/snapshot.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "run_scenario.h"

namespace kafkasim::scenarios {
namespace {

std::vector<std::string> Texts(const std::vector<EntryView>& entries) {
  std::vector<std::string> texts;
  for (const EntryView& entry : entries) texts.push_back(EntryText(entry));
  return texts;
}

TEST(Snapshot, AMarkerBelongsToTheTransactionThatItEnds) {
  const RunResult result = RunSteps(R"(
  - old: init_transactions
  - old: begin_transaction
  - old: {send: {to: orders-0, value: a}}
  - new: init_transactions
  - wait: 1s
)");
  const Snapshot snapshot = TakeSnapshot(*result.end);
  const PartitionView& orders = snapshot.partitions.at(0);
  ASSERT_EQ(orders.entries.size(), 2u);
  EXPECT_EQ(orders.entries[1].kind, EntryKind::kAbort);
  EXPECT_EQ(orders.entries[1].actor, "old");
  EXPECT_EQ(orders.entries[1].epoch, 1);
  EXPECT_EQ(orders.entries[0].state, EntryState::kAborted);
  EXPECT_EQ(orders.entries[0].marker_offset, 1);
}

TEST(Snapshot, APlainProducerIsKnownByItsRequest) {
  const RunResult result = RunSteps("\n  - q: {send: {to: orders-0, value: a}}\n");
  const Snapshot snapshot = TakeSnapshot(*result.end);
  const PartitionView& orders = snapshot.partitions.at(0);
  ASSERT_EQ(orders.entries.size(), 1u);
  EXPECT_EQ(orders.entries[0].producer_id, -1);
  EXPECT_EQ(orders.entries[0].actor, "q");
}

TEST(Snapshot, ReadersOfBothLevelsAreShownWhatTheyWouldGet) {
  const RunResult result = RunSteps(R"(
  - t1: init_transactions
  - t2: init_transactions
  - t1: begin_transaction
  - t2: begin_transaction
  - t1: {send: {to: orders-0, value: a}}
  - t2: {send: {to: orders-0, value: b}}
  - p: {send: {to: orders-0, value: c}}
  - t1: abort_transaction
  - wait: 1s
)");
  const Snapshot snapshot = TakeSnapshot(*result.end);
  const PartitionView& orders = snapshot.partitions.at(0);
  EXPECT_EQ(Texts(EntriesAt(orders, orders.read_uncommitted)),
            (std::vector<std::string>{"t1:a", "t2:b", "p:c"}));
  EXPECT_EQ(Texts(EntriesAt(orders, orders.read_committed)), std::vector<std::string>{});
  ASSERT_EQ(orders.open.size(), 1u);
  EXPECT_EQ(orders.open[0].transactional_id, "pay-2");
  EXPECT_EQ(orders.open[0].first_offset, 1);
}

TEST(Snapshot, ATransactionShowsItsCoordinatorAndItsRecords) {
  const RunResult result = RunSteps(R"(
  - t1: init_transactions
  - t1: begin_transaction
  - t1: {send: {to: orders-0, value: a}}
  - t1: commit_transaction
  - wait: 1s
)");
  const Snapshot snapshot = TakeSnapshot(*result.end);
  const TransactionView& pay = snapshot.transactions.at(0);
  EXPECT_EQ(pay.transactional_id, "pay-1");
  EXPECT_EQ(pay.state, "COMPLETE_COMMIT");
  EXPECT_TRUE(pay.known);
  EXPECT_GE(pay.coordinator, 0);
  std::vector<std::string> states;
  for (const TransactionRecordView& record : pay.records) states.push_back(record.state);
  EXPECT_EQ(states,
            (std::vector<std::string>{"EMPTY", "ONGOING", "PREPARE_COMMIT", "COMPLETE_COMMIT"}));
  EXPECT_EQ(pay.records.at(1).partitions, std::vector<std::string>{"orders-0"});
}

TEST(Snapshot, ConsumersShowTheirPositionsAndAllThatTheyWereGiven) {
  const RunResult result = RunSteps(R"(
  - t1: init_transactions
  - t1: begin_transaction
  - t1: {send: {to: orders-0, values: [a, b]}}
  - t1: commit_transaction
  - wait: 1s
  - rc: poll
)");
  const Snapshot snapshot = TakeSnapshot(*result.end);
  for (const ActorView& actor : snapshot.actors) {
    if (actor.name != "rc") continue;
    ASSERT_EQ(actor.delivered.size(), 2u);
    EXPECT_EQ(actor.delivered[1].value, "b");
    ASSERT_EQ(actor.positions.size(), 1u);
    EXPECT_EQ(actor.positions[0].partition, "orders-0");
    EXPECT_EQ(actor.positions[0].offset, 3);
  }
}

TEST(Snapshot, ADeadBrokerIsShownAndItsPartitionsMoveOn) {
  const RunResult result = RunSteps(R"(
  - p: {send: {to: orders-0, value: a}}
  - crash: broker-0
  - wait: 15s
)");
  const Snapshot snapshot = TakeSnapshot(*result.end);
  EXPECT_EQ(snapshot.brokers.at(0).life, sim::Life::kCrashed);
  EXPECT_TRUE(snapshot.brokers.at(0).fenced);
  EXPECT_EQ(snapshot.partitions.at(0).leader, 1);
  EXPECT_EQ(snapshot.partitions.at(0).leader_epoch, 1);
  EXPECT_EQ(snapshot.partitions.at(0).isr, (std::vector<std::int32_t>{1, 2}));
}

}  // namespace
}  // namespace kafkasim::scenarios

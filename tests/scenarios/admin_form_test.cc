// The verbs of administrators and the ids that a cluster knows: how they are written, and run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/scenario_form.h"
#include "tests/scenarios/loading.h"
#include "tests/scenarios/run_scenario.h"

namespace kafkasim::scenarios {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

template <typename T>
T CallIn(const std::string& steps) {
  const auto action = BodyIn<Action>(steps);
  const auto* call = std::get_if<AdminCall>(&action.operation);
  const T* typed = call == nullptr ? nullptr : std::get_if<T>(&call->what);
  if (typed == nullptr) {
    ADD_FAILURE() << ErrorsOf(steps);
    return T{};
  }
  return *typed;
}

TEST(AdminForm, TakesPartitionsInShort) {
  EXPECT_THAT(CallIn<DescribeProducers>("  - tool: {describe_producers: orders-0}\n").partitions,
              ElementsAre(PartitionName{"orders", 0}));
  const auto on_broker = CallIn<DescribeProducers>(
      "  - tool: {describe_producers: {partition: [orders-0, orders-1], broker: 2}}\n");
  EXPECT_THAT(on_broker.partitions, SizeIs(2));
  EXPECT_EQ(on_broker.broker, 2);
}

TEST(AdminForm, ReadsFilters) {
  EXPECT_THAT(CallIn<ListTransactions>("  - tool: list_transactions\n").states, IsEmpty());
  const auto list = CallIn<ListTransactions>(
      "  - tool: {list_transactions: {states: [Ongoing, EMPTY], producer_ids: 7, longer_than: 5s, "
      "pattern: pay-.*}}\n");
  EXPECT_THAT(list.states, ElementsAre("ONGOING", "EMPTY"));
  EXPECT_THAT(list.producer_ids, ElementsAre(7));
  EXPECT_EQ(list.longer_than_us, 5'000'000);
  EXPECT_EQ(list.pattern, "pay-.*");
}

TEST(AdminForm, FindHangingHasTheToolsDefault) {
  const auto search = CallIn<FindHanging>("  - tool: {find_hanging: {partition: orders-0}}\n");
  EXPECT_EQ(search.max_transaction_timeout_us, 900'000'000);
  EXPECT_EQ(search.broker, std::nullopt);
}

TEST(AdminForm, AbortNeedsAnOffsetOrAProducer) {
  const auto abort = CallIn<AbortTransactionOn>(
      "  - tool: {abort_transaction: {partition: orders-0, start_offset: 5}}\n");
  EXPECT_EQ(abort.start_offset, 5);
  EXPECT_EQ(abort.producer_id, std::nullopt);
  EXPECT_THAT(ErrorsOf("  - tool: {abort_transaction: {partition: orders-0}}\n"),
              HasSubstr("needs start_offset, or producer_id and producer_epoch"));
  EXPECT_THAT(ErrorsOf("  - tool: {abort_transaction: {partition: orders-0, producer_id: 7}}\n"),
              HasSubstr("needs start_offset, or producer_id and producer_epoch"));
  EXPECT_THAT(ErrorsOf("  - tool: {find_hanging: {}}\n"),
              HasSubstr("f:8:26: error: find_hanging needs a partition or a broker"));
}

TEST(AdminForm, OffsetsAreAskedByTimeOrByWord) {
  EXPECT_EQ(CallIn<ListOffsets>("  - tool: {list_offsets: {partition: orders-0}}\n").timestamp, -1);
  EXPECT_EQ(
      CallIn<ListOffsets>("  - tool: {list_offsets: {partition: orders-0, at: max_timestamp}}\n")
          .timestamp,
      -3);
  EXPECT_EQ(
      CallIn<ListOffsets>("  - tool: {list_offsets: {partition: orders-0, at: 500}}\n").timestamp,
      500);
}

// A producer and an administrator both have abort_transaction, which are not the same.
TEST(AdminForm, AVerbBelongsToItsRole) {
  EXPECT_TRUE(std::holds_alternative<AbortTransaction>(
      BodyIn<Action>("  - old: abort_transaction\n").operation));
  EXPECT_THAT(ErrorsOf("  - tool: abort_transaction\n"), HasSubstr("needs arguments"));
  EXPECT_THAT(ErrorsOf("  - old: {fence_producers: pay-1}\n"),
              HasSubstr("'old' is a producer; fence_producers is a verb of an admin"));
  const std::string abort =
      "  - {tool: {abort_transaction: {partition: orders-0, start_offset: 5}}, background: true, "
      "as: x}\n";
  EXPECT_EQ(ErrorsOf(abort + "  - await: x\n"), "");
  EXPECT_THAT(ErrorsOf(abort + "  - {await: x, returns: {epoch: 1}}\n"),
              HasSubstr("abort_transaction returns nothing"));
  EXPECT_EQ(ErrorsOf("  - {old: abort_transaction, background: true, as: x}\n"
                     "  - {await: x, returns: {epoch: 1}}\n"),
            "");
}

TEST(AdminForm, RowsAreAListOrOne) {
  const auto one = BodyIn<Action>(
      "  - tool: {fence_producers: pay-1}\n    returns: {producer_id: 7, epoch: 1}\n");
  EXPECT_THAT(std::get<AdminRows>(one.outcome.returns->what).rows, SizeIs(1));
  const auto none = BodyIn<Action>("  - tool: {find_hanging: {broker: 0}}\n    returns: []\n");
  EXPECT_THAT(std::get<AdminRows>(none.outcome.returns->what).rows, IsEmpty());
  EXPECT_THAT(ErrorsOf("  - tool: {find_hanging: {broker: 0}}\n    returns: [{offset: 1}]\n"),
              HasSubstr("unknown key 'offset' in a row of find_hanging"));
}

TEST(AdminForm, TheClusterMayKnowTransactionalIds) {
  const auto load = [](const std::string& cluster) {
    return LoadScenarioText("f", "title: t\ncluster: {" + cluster +
                                     "}\nactors: {tool: admin}\nsteps:\n"
                                     "  - tool: {describe_transactions: pay-9}\n");
  };
  const LoadResult known = load("transactional_ids: {pay-9: {producer_id: 7, epoch: 32766}}");
  ASSERT_TRUE(known.scenario.has_value()) << known.Report();
  const TransactionalIdSpec& id = known.scenario->cluster.transactional_ids.at(0);
  EXPECT_EQ(id.id.value, "pay-9");
  EXPECT_EQ(id.producer_id, 7);
  EXPECT_EQ(id.epoch, 32766);
  EXPECT_EQ(id.transaction_timeout_us, 60'000'000);
  EXPECT_THAT(load("brokers: 3").Report(), HasSubstr("unknown transactional id 'pay-9'"));
  EXPECT_THAT(load("transactional_ids: {pay-9: {producer_id: 7, epoch: 32768}}").Report(),
              HasSubstr("a producer epoch (from 0 to 32767)"));
}

// What is wrong is told in its row, under the name of the field.
TEST(AdminRun, ReportsTheFieldThatIsNotAsClaimed) {
  const RunResult result = RunSteps(R"(
  - t1: init_transactions
  - admin: {list_transactions: {pattern: pay-1}}
    returns: [{transactional_id: pay-1, state: ONGOING, producer_id: 7}]
)");
  ASSERT_THAT(result.failures, SizeIs(1)) << Complaints(result);
  EXPECT_THAT(result.failures[0].what, HasSubstr("state"));
  EXPECT_EQ(result.failures[0].expected, "ONGOING");
  EXPECT_EQ(result.failures[0].actual, "EMPTY");
}

TEST(AdminRun, ReportsRowsThatAreTooMany) {
  const RunResult result = RunSteps(R"(
  - t1: init_transactions
  - admin: list_transactions
    returns: []
)");
  ASSERT_THAT(result.failures, SizeIs(1)) << Complaints(result);
  EXPECT_EQ(result.failures[0].expected, "0");
  EXPECT_EQ(result.failures[0].actual, "1");
}

TEST(AdminRun, KnownIdsGoOnWhereTheyAre) {
  const std::optional<Scenario> scenario = Load(R"(title: t
cluster: {transactional_ids: {pay-1: {producer_id: 41, epoch: 5}}}
topics: {orders: {partitions: 1, replicas: 3}}
actors:
  t: {producer: {transactional.id: pay-1}}
  fresh: {producer: {transactional.id: pay-2}}
steps:
  - t: init_transactions
    returns: {producer_id: 41, epoch: 6}
  - fresh: init_transactions
    returns: {producer_id: {at_least: 42}, epoch: 0}
)");
  ASSERT_TRUE(scenario.has_value());
  const RunResult result = scenarios::Run(*scenario, {});
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
}

TEST(AdminRun, AProducerIdIsNotHandedOutTwice) {
  const std::optional<Scenario> scenario = Load(R"(title: t
cluster: {next_producer_id: 7, transactional_ids: {pay-1: {producer_id: 7, epoch: 5}}}
actors: {tool: admin}
steps:
  - tool: list_transactions
)");
  ASSERT_TRUE(scenario.has_value());
  const RunResult result = scenarios::Run(*scenario, {});
  ASSERT_THAT(result.errors, SizeIs(1));
  EXPECT_THAT(result.errors[0].message, HasSubstr("producer id 7 is handed out again"));
  EXPECT_EQ(result.errors[0].mark, (Mark{2, 52}));
}

TEST(OffsetsForTimes, FindsTheFirstRecordAtOrAfterATime) {
  const RunResult result = RunSteps(R"(
  - q: {send: {to: orders-0, value: a, timestamp: 100}}
  - q: {send: {to: orders-0, value: b, timestamp: 200}}
  - ru: {offsets_for_times: {timestamp: 101}}
    returns: 1
  - ru: {offsets_for_times: {partition: orders-0, timestamp: 201}}
    returns: -1
  - ru: {offsets_for_times: {timestamp: -1}}
    fails: IllegalArgumentException
)");
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
}

// A record of an open transaction is not found by a reader of committed ones.
TEST(OffsetsForTimes, FollowTheIsolationLevel) {
  const RunResult result = RunSteps(R"(
  - t1: init_transactions
  - t1: begin_transaction
  - t1: {send: {to: orders-0, value: a, timestamp: 100}}
  - ru: {offsets_for_times: {timestamp: 100}}
    returns: 0
  - rc: {offsets_for_times: {timestamp: 100}}
    returns: -1
)");
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
}

// The broker says that it knows no such partition; before, such a request came without one.
TEST(RawRequest, AboutAnInternalTopicThatDoesNotExist) {
  const std::optional<Scenario> scenario = Load(R"(title: t
cluster: {brokers: 1}
topics: {orders: {}}
actors: {tool: admin}
steps:
  - tool: {raw: {api: ListOffsets, to: broker-0, partition: __consumer_offsets-0}}
    fails: UNKNOWN_TOPIC_OR_PARTITION
  - tool: {raw: {api: WriteTxnMarkers, to: broker-0, producer_id: 7, producer_epoch: 0, committed: true, partitions: [orders-0, __consumer_offsets-0]}}
    returns: {errors: [NONE, UNKNOWN_TOPIC_OR_PARTITION], error: UNKNOWN_TOPIC_OR_PARTITION}
)");
  ASSERT_TRUE(scenario.has_value());
  const RunResult result = scenarios::Run(*scenario, {});
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
}

TEST(AdminVerbs, FailIfTheBrokerRefuses) {
  const RunResult result = RunSteps("  - admin: {create_topic: {topic: orders}}\n");
  ASSERT_THAT(result.failures, SizeIs(1)) << Complaints(result);
  EXPECT_EQ(result.failures[0].what, "admin create_topic");
  EXPECT_EQ(result.failures[0].expected, "succeeds");
  EXPECT_THAT(result.failures[0].actual, HasSubstr("TOPIC_ALREADY_EXISTS"));
  EXPECT_EQ(result.verdict, Verdict::kFails);
}

TEST(AdminVerbs, MayBeRefusedIfTheFileSaysSo) {
  const RunResult result = RunSteps(R"(
  - admin: {create_topic: {topic: orders}}
    fails: TOPIC_ALREADY_EXISTS
  - admin: {delete_records: {orders-0: 50}}
    returns: {error: OFFSET_OUT_OF_RANGE}
  - admin: {raw: {api: DeleteRecords, to: leader of orders-0, partition: orders-0, offset: 50}}
)");
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
}

TEST(AdminVerbs, SetTheOffsetsOfAGroupWithoutMembers) {
  const RunResult result = RunSteps(R"(
  - admin: {list_consumer_group_offsets: {group: g, partition: orders-0}}
    returns: {offset: -1}
  - admin: {alter_consumer_group_offsets: {group: g, offsets: {orders-0: 5}}}
  - admin: {list_consumer_group_offsets: {group: g, partition: orders-0}}
    returns: {offset: 5}
  - expect: {groups: {g: {state: EMPTY, members: 0, committed: {orders-0: 5}}}}
)");
  EXPECT_EQ(result.verdict, Verdict::kHolds) << Complaints(result);
  EXPECT_THAT(ErrorsOf("  - tool: {alter_consumer_group_offsets: {group: g, offsets: {}}}\n"),
              HasSubstr("expected one partition and its offset: {orders-0: 5}, found an empty "
                        "mapping"));
}

}  // namespace
}  // namespace kafkasim::scenarios

// Every bug that can be switched on is found by a search of a small scenario that does not say
// where to strike, within a bound of states; the same scenario without the bug is searched to its
// last state, and nothing is found.
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "broker/bugs.h"
#include "run_scenario.h"
#include "scenarios/explore.h"

namespace kafkasim::scenarios {
namespace {

using broker::Bug;

// A cluster with one partition of each internal topic.
constexpr std::string_view kSmallCluster = R"(
title: A hunt
steps: [wait: 1s]
cluster:
  brokers: BROKERS
  next_producer_id: 7
  config:
    transaction.version: VERSION
    transaction.partition.verification.enable: VERIFICATION
    broker.session.timeout.ms: 300ms
    group.initial.rebalance.delay.ms: 0
    transaction.state.log.num.partitions: 1
    transaction.state.log.replication.factor: BROKERS
    transaction.state.log.min.isr: BROKERS
    offsets.topic.replication.factor: BROKERS
    offsets.topic.num.partitions: 1
)";

// A scenario to hunt in.
struct SmallWorld {
  std::string_view name;
  int brokers = 1;
  int version = 1;
  bool verification = true;
  std::string_view rest;
  bool small = true;  // else the search without a bug is cut
};

constexpr SmallWorld kOneCommit{"one commit", 1, 1, true, R"(
topics: {orders: {partitions: 1, replicas: 1}}
actors:
  shop:
    application:
      producer: {transactional.id: pay-1, linger.ms: 0}
      program: [init_transactions, begin_transaction, send: {to: orders-0, value: a}, flush, send: {to: orders-0, value: b}, flush, commit_transaction]
explore: {until: 120s}
)"};

constexpr SmallWorld kLostAnswer{"a lost answer", 1, 1, true, R"(
topics: {orders: {partitions: 1, replicas: 1}}
actors:
  shop:
    application:
      producer: {linger.ms: 0}
      program: [send: {to: orders-0, value: a}, flush]
explore: {losses: 1, strike: {answer: Produce}, until: 120s}
)"};

constexpr SmallWorld kNoAnswer{"no answer", 1, 1, true, R"(
topics: {orders: {partitions: 1, replicas: 1}}
actors:
  shop:
    application:
      producer: {linger.ms: 0, request.timeout.ms: 1s, delivery.timeout.ms: 1s}
      program: [send: {to: orders-0, value: a}, flush]
explore: {losses: 1, strike: {request: Produce}, until: 120s}
)"};

constexpr SmallWorld kReader{"a reader", 1, 1, true, R"(
topics: {orders: {partitions: 1, replicas: 1}}
actors:
  shop:
    application:
      producer: {transactional.id: pay-1, linger.ms: 0}
      program: [init_transactions, begin_transaction, send: {to: orders-0, value: wrong}, flush, abort_transaction, begin_transaction, send: {to: orders-0, value: right}, commit_transaction]
  clicks:
    application:
      producer: {linger.ms: 0}
      program: [send: {to: orders-0, value: click}, work: 1s, send: {to: orders-0, value: click}]
  billing:
    application:
      consumer: {isolation.level: read_committed, auto.offset.reset: earliest, assign: [orders-0]}
      program: [work: 2s, poll: {timeout: 5s}]
explore: {until: 120s}
)"};

constexpr SmallWorld kCompacted{"a compacted topic", 1, 1, true, R"(
topics: {orders: {partitions: 1, replicas: 1, config: {cleanup.policy: compact, segment.bytes: 100, min.cleanable.dirty.ratio: 0.01}}}
actors:
  first:
    application:
      producer: {transactional.id: pay-1, linger.ms: 0}
      program: [init_transactions, begin_transaction, send: {to: orders-0, key: a, value: v}, commit_transaction]
  second:
    application:
      producer: {transactional.id: pay-2, linger.ms: 0}
      program: [work: 1s, init_transactions, begin_transaction, send: {to: orders-0, key: b, value: v}, commit_transaction]
  clicks:
    application:
      producer: {linger.ms: 0}
      program: [work: 2s, send: {to: orders-0, key: c, value: v}]
explore: {until: 120s}
)"};
constexpr SmallWorld kTwoInstances{"two instances", 1, 1, false, R"(
topics: {orders: {partitions: 1, replicas: 1}}
actors:
  old:
    application:
      producer: {transactional.id: pay-1, linger.ms: 0}
      program: [init_transactions, begin_transaction, send: {to: orders-0, value: a}, flush, commit_transaction]
  new:
    application:
      producer: {transactional.id: pay-1, linger.ms: 0}
      program: [init_transactions, begin_transaction, send: {to: orders-0, value: a}, flush, commit_transaction]
explore: {pauses: 1, pause: old, until: 120s}
)"};

constexpr SmallWorld kSleeper{"a sleeper", 1, 1, false, R"(
topics: {orders: {partitions: 1, replicas: 1, config: {segment.bytes: 100}}}
actors:
  slow:
    application:
      producer: {transactional.id: pay-1, linger.ms: 0, transaction.timeout.ms: 5s}
      program: [init_transactions, begin_transaction, send: {to: orders-0, value: a}, flush, send: {to: orders-0, value: b}, flush, commit_transaction]
explore: {pauses: 1, pause: slow, until: 120s}
)"};

constexpr SmallWorld kReplicated{"two replicas", 2, 1, true, R"(
topics: {orders: {partitions: 1, replicas: 2, leaders: [0]}, __transaction_state: {leaders: {0: 0}}}
actors:
  shop:
    application:
      producer: {transactional.id: pay-1, linger.ms: 0}
      program: [init_transactions, begin_transaction, send: {to: orders-0, value: a}, flush, commit_transaction]
  clicks:
    application:
      producer: {linger.ms: 0}
      program: [work: 200ms, send: {to: orders-0, value: click}]
explore: {early_timers: 1, until: 120s}
)"};

constexpr SmallWorld kNewLeader{"a new leader", 2, 1, true, R"(
topics: {orders: {partitions: 1, replicas: 2, leaders: [0]}}
actors:
  shop:
    application:
      producer: {linger.ms: 0}
      program: [{times: 2, do: [send: {to: orders-0, value: a}, flush]}]
explore: {elections: 1, elect: orders-0, until: 120s}
)"};

constexpr SmallWorld kLeaderDies{"the leader dies", 2, 1, true, R"(
topics: {orders: {partitions: 1, replicas: 2, leaders: [0]}}
actors:
  shop:
    application:
      producer: {linger.ms: 0, acks: 1, enable.idempotence: false}
      program: [send: {to: orders-0, value: a}, work: 500ms, send: {to: orders-0, value: b}]
explore: {crashes: 1, crash: broker-0, until: 1s}
)", false};

constexpr SmallWorld kFollowerDies{"the follower dies", 2, 1, true, R"(
topics: {orders: {partitions: 1, replicas: 2, leaders: [0]}}
actors:
  shop:
    application:
      producer: {linger.ms: 0, acks: 1, enable.idempotence: false}
      program: [send: {to: orders-0, value: a}, work: 500ms, send: {to: orders-0, value: b}]
explore: {crashes: 1, crash: broker-1, until: 1s}
)"};

constexpr SmallWorld kOpenAndNewLeader{"a new leader in a transaction", 2, 1, true, R"(
topics: {orders: {partitions: 1, replicas: 2, leaders: [0]}, __transaction_state: {leaders: {0: 0}}}
actors:
  shop:
    application:
      producer: {transactional.id: pay-1, linger.ms: 0}
      program: [init_transactions, begin_transaction, send: {to: orders-0, value: a}, flush, crash_here: always]
explore: {elections: 1, elect: orders-0, until: 30s}
)"};

constexpr SmallWorld kNewCoordinator{"a new coordinator", 2, 1, true, R"(
topics: {orders: {partitions: 1, replicas: 1, leaders: [0]}, __transaction_state: {leaders: {0: 1}}}
actors:
  shop:
    application:
      producer: {transactional.id: pay-1, linger.ms: 0, transaction.timeout.ms: 10s}
      program: [init_transactions, begin_transaction, send: {to: orders-0, value: a}, flush, commit_transaction]
explore: {elections: 1, elect: __transaction_state-0, until: 120s}
)"};

constexpr SmallWorld kReplicaDies{"a replica of the transaction log dies", 2, 1, true, R"(
topics: {orders: {partitions: 1, replicas: 1, leaders: [0]}, __transaction_state: {leaders: {0: 0}}}
actors:
  shop:
    application:
      producer: {transactional.id: pay-1, linger.ms: 0}
      program: [init_transactions, begin_transaction, send: {to: orders-0, value: a}, flush, commit_transaction]
explore: {crashes: 1, crash: broker-1, until: 1s}
)", false};

constexpr SmallWorld kTwoMembers{"two members", 1, 1, true, R"(
topics: {in: {partitions: 2, replicas: 1}}
actors:
  first:
    application:
      consumer: {group.id: g, subscribe: in, auto.offset.reset: earliest, enable.auto.commit: false, partition.assignment.strategy: range}
      program: [poll: {timeout: 8s}, poll: {timeout: 8s}]
  second:
    application:
      consumer: {group.id: g, subscribe: in, auto.offset.reset: earliest, enable.auto.commit: false, partition.assignment.strategy: range}
      program: [work: 1s, poll: {timeout: 8s}]
explore: {until: 120s}
)"};

constexpr SmallWorld kZombie{"a zombie", 1, 1, true, R"(
topics: {in: {partitions: 1, replicas: 1}, out: {partitions: 1, replicas: 1}}
actors:
  clicks:
    application:
      producer: {linger.ms: 0, acks: 1, enable.idempotence: false}
      program: [send: {to: in-0, value: a}]
  first:
    application:
      consumer: {group.id: g, subscribe: in, auto.offset.reset: earliest, enable.auto.commit: false, max.poll.interval.ms: 2s}
      producer: {transactional.id: w-1, linger.ms: 0}
      program: [work: 1s, init_transactions, poll: {timeout: 3s}, begin_transaction, send: {to: out-0, value: b}, work: 10s, send_offsets, commit_transaction]
  second:
    application:
      consumer: {group.id: g, subscribe: in, auto.offset.reset: earliest, enable.auto.commit: false}
      producer: {transactional.id: w-2, linger.ms: 0}
      program: [work: 6s, init_transactions, poll: {timeout: 3s}, begin_transaction, send: {to: out-0, value: b}, send_offsets, commit_transaction]
explore: {until: 120s}
)"};

constexpr SmallWorld kHandover{"a handover", 1, 1, true, R"(
topics: {in: {partitions: 1, replicas: 1}, out: {partitions: 1, replicas: 1}}
actors:
  clicks:
    application:
      producer: {linger.ms: 0, acks: 1, enable.idempotence: false}
      program: [send: {to: in-0, value: a}]
  first:
    application:
      consumer: {group.id: g, subscribe: in, auto.offset.reset: earliest, enable.auto.commit: false}
      producer: {transactional.id: w-1, linger.ms: 0}
      program: [work: 1s, init_transactions, poll: {timeout: 3s}, begin_transaction, send: {to: out-0, value: b}, send_offsets, commit_transaction]
  second:
    application:
      consumer: {group.id: g, subscribe: in, auto.offset.reset: earliest, enable.auto.commit: false}
      producer: {transactional.id: w-2, linger.ms: 0}
      program: [work: 3s, init_transactions, poll: {timeout: 1s}, if_records: [begin_transaction, send: {to: out-0, value: b}, send_offsets, commit_transaction]]
explore: {holds: 1, strike: {request: WriteTxnMarkers}, until: 5s}
)"};

constexpr SmallWorld kService{"a service", 1, 1, true, R"(
topics: {in: {partitions: 1, replicas: 1}, out: {partitions: 1, replicas: 1}}
actors:
  worker:
    application:
      consumer: {group.id: g, subscribe: in, auto.offset.reset: earliest, enable.auto.commit: false}
      producer: {transactional.id: w-1, linger.ms: 0}
      program:
      - init_transactions
      - begin_transaction
      - send: {to: in-0, value: a}
      - commit_transaction
      - poll: {timeout: 30s}
      - begin_transaction
      - send: {to: out-0, value: b}
      - send_offsets
      - abort_transaction
explore: {until: 120s}
)"};

// What is hunted where, and the invariant that gives it away.
struct Hunt {
  Bug bug;
  const SmallWorld* stage;
  std::string_view violation;
  std::uint64_t states;  // of the search, at most
};

constexpr Hunt kHunts[] = {
    {Bug::kLsoIsHighWatermark, &kOneCommit, "lso_is_first_undecided", 30},
    {Bug::kLsoPassesHighWatermark, &kReplicated, "offsets_in_order", 2'000},
    {Bug::kFirstBatchIsStable, &kOneCommit, "lso_is_first_undecided", 30},
    {Bug::kUnreplicatedEndIsStable, &kReplicated, "lso_is_first_undecided", 2'000},
    {Bug::kOpenTransactionsForgotten, &kOpenAndNewLeader, "lso_is_first_undecided", 2'500},
    {Bug::kLeaderIgnoresEpochs, &kTwoInstances, "no_zombie_writes", 800},
    {Bug::kSequencesNotChecked, &kLostAnswer, "sequences_run_on", 30},
    {Bug::kAbortedIndexForgotten, &kReader, "only_committed_is_read", 300},
    {Bug::kIndexOfOneSegment, &kSleeper, "aborted_index_is_complete", 300},
    {Bug::kMarkersCompactedByKey, &kCompacted, "lso_is_first_undecided", 100},
    {Bug::kHighWatermarkIsLogEnd, &kNewLeader, "replicated_is_kept", 2'500},
    {Bug::kHighWatermarkFollowsSlowest, &kFollowerDies, "high_watermark_never_falls", 1'000},
    {Bug::kDivergenceNotSeen, &kLeaderDies, "replicas_agree", 13'000},
    {Bug::kInitKeepsEpoch, &kTwoInstances, "one_owner_of_an_epoch", 600},
    {Bug::kTimeoutKeepsEpoch, &kSleeper, "lso_reaches_high_watermark", 250},
    {Bug::kCoordinatorIgnoresEpochs, &kTwoInstances, "committed_is_committed", 1'500},
    {Bug::kAnswerBeforePrepare, &kNewCoordinator, "committed_is_committed", 3'000},
    {Bug::kMarkersForgottenAtFailover, &kNewCoordinator, "transactions_end", 2'500},
    {Bug::kTransactionsInMemoryOnly, &kNewCoordinator, "lso_reaches_high_watermark", 2'500},
    {Bug::kFailoverAbortsPrepared, &kNewCoordinator, "markers_follow_decisions", 1'500},
    {Bug::kFailedAppendIsKept, &kReplicaDies, "coordinator_is_its_log", 700},
    {Bug::kCoordinatorEpochIsConstant, &kNewCoordinator, "one_coordinator_an_epoch", 30},
    {Bug::kPendingOffsetsVisible, &kHandover, "input_is_processed_once", 700},
    {Bug::kGenerationNotChecked, &kZombie, "input_is_processed_once", 300},
    {Bug::kAssignmentsAddUp, &kTwoMembers, "partition_has_one_owner", 100},
    {Bug::kGroupsIgnoreMarkers, &kService, "pending_offsets_are_open", 150},
    {Bug::kAbortedOffsetsCount, &kService, "group_is_its_log", 150},
    {Bug::kExpiredBatchesForgotten, &kNoAnswer, "calls_return", 30},
    {Bug::kReaderIgnoresAborts, &kReader, "only_committed_is_read", 300},
    {Bug::kReaderForgetsRanges, &kReader, "polls_leave_nothing_out", 300},
};

std::string TextOf(const SmallWorld& stage) {
  std::string text(kSmallCluster);
  const auto fill = [&](const std::string& word, const std::string& value) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word)) {
      text.replace(at, word.size(), value);
    }
  };
  fill("BROKERS", std::to_string(stage.brokers));
  fill("VERSION", std::to_string(stage.version));
  fill("VERIFICATION", stage.verification ? "true" : "false");
  return text + std::string(stage.rest);
}

sim::SearchResult SearchOn(const SmallWorld& stage, const broker::Bugs& bugs) {
  std::optional<Scenario> scenario = Load(TextOf(stage));
  if (!scenario.has_value()) return {};
  scenario->bugs = bugs;
  const ExploreOptions options{.states = 13'000, .stop_at_first = true};
  const ExplorationResult prepared = PrepareExploration(*scenario, options);
  if (!prepared.exploration.has_value()) {
    ADD_FAILURE() << prepared.errors.front().message;
    return {};
  }
  return Explore(*prepared.exploration, options);
}

// The one that is missing here is found in scenarios/ladder/marker-without-epoch.yaml.
TEST(HuntedBugs, AreAllBugs) {
  std::set<Bug> hunted{Bug::kMarkersNotChecked};
  for (const Hunt& hunt : kHunts) hunted.insert(hunt.bug);
  EXPECT_EQ(hunted.size(), broker::AllBugs().size());
}

class FoundBugs : public testing::TestWithParam<Hunt> {};

TEST_P(FoundBugs, InTheStatesOfASmallScenario) {
  const Hunt& hunt = GetParam();
  const sim::SearchResult result = SearchOn(*hunt.stage, broker::Bugs{hunt.bug});
  std::set<std::string_view> names;
  for (const sim::SearchFinding& finding : result.found) names.insert(finding.violation.name);
  EXPECT_TRUE(names.contains(hunt.violation)) << "in " << result.states << " states";
  EXPECT_LE(result.states, hunt.states);
}

INSTANTIATE_TEST_SUITE_P(All, FoundBugs, testing::ValuesIn(kHunts),
                         [](const testing::TestParamInfo<Hunt>& chosen) {
                           return std::string(
                               broker::AllBugs()[static_cast<size_t>(chosen.param.bug)].name);
                         });

class WithoutABug : public testing::TestWithParam<const SmallWorld*> {};

TEST_P(WithoutABug, NothingIsFound) {
  const sim::SearchResult result = SearchOn(*GetParam(), {});
  EXPECT_EQ(result.bound, GetParam()->small ? sim::SearchBound::kNone : sim::SearchBound::kStates);
  for (const sim::SearchFinding& finding : result.found) {
    ADD_FAILURE() << finding.violation.name << ": " << finding.violation.what;
  }
}

INSTANTIATE_TEST_SUITE_P(All, WithoutABug,
                         testing::Values(&kOneCommit, &kLostAnswer, &kNoAnswer, &kReader,
                                         &kCompacted, &kTwoInstances, &kSleeper, &kReplicated,
                                         &kNewLeader, &kLeaderDies, &kFollowerDies,
                                         &kOpenAndNewLeader, &kNewCoordinator, &kTwoMembers,
                                         &kZombie, &kHandover, &kService, &kReplicaDies),
                         [](const testing::TestParamInfo<const SmallWorld*>& chosen) {
                           std::string name(chosen.param->name);
                           for (char& c : name) c = c == ' ' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace kafkasim::scenarios

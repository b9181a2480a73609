// Every bug that can be switched on is found by a search of a small scenario that does not say
// where to strike, within a bound of states; the same scenario without the bug is searched to its
// last state, and nothing is found.
#include <cstdint>
#include <ostream>
#include <set>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
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
struct Stage {
  std::string_view name;
  int brokers = 1;
  int version = 1;
  bool verification = true;
  std::string_view rest;
};

constexpr Stage kOneCommit{"one commit", 1, 1, true, R"(
topics: {orders: {partitions: 1, replicas: 1}}
actors:
  shop:
    application:
      producer: {transactional.id: pay-1, linger.ms: 0}
      program: [init_transactions, begin_transaction, send: {to: orders-0, value: a}, flush, send: {to: orders-0, value: b}, flush, commit_transaction]
explore: {until: 120s}
)"};

constexpr Stage kLostAnswer{"a lost answer", 1, 1, true, R"(
topics: {orders: {partitions: 1, replicas: 1}}
actors:
  shop:
    application:
      producer: {linger.ms: 0}
      program: [send: {to: orders-0, value: a}, flush]
explore: {losses: 1, strike: {answer: Produce}, until: 120s}
)"};

constexpr Stage kNoAnswer{"no answer", 1, 1, true, R"(
topics: {orders: {partitions: 1, replicas: 1}}
actors:
  shop:
    application:
      producer: {linger.ms: 0, request.timeout.ms: 1s, delivery.timeout.ms: 1s}
      program: [send: {to: orders-0, value: a}, flush]
explore: {losses: 1, strike: {request: Produce}, until: 120s}
)"};

constexpr Stage kReader{"a reader", 1, 1, true, R"(
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

constexpr Stage kSmallSegments{"small segments", 1, 1, true, R"(
topics: {orders: {partitions: 1, replicas: 1, config: {segment.bytes: 100}}}
actors:
  shop:
    application:
      producer: {transactional.id: pay-1, linger.ms: 0}
      program: [init_transactions, begin_transaction, send: {to: orders-0, value: a}, flush, send: {to: orders-0, value: b}, flush, abort_transaction]
explore: {until: 120s}
)"};

constexpr Stage kCompacted{"a compacted topic", 1, 1, true, R"(
topics: {orders: {partitions: 1, replicas: 1, config: {cleanup.policy: compact, segment.bytes: 100, min.cleanable.dirty.ratio: 0.01}}}
actors:
  shop:
    application:
      producer: {transactional.id: pay-1, linger.ms: 0}
      program: [init_transactions, begin_transaction, send: {to: orders-0, key: a, value: v}, commit_transaction, begin_transaction, send: {to: orders-0, key: b, value: v}, commit_transaction, begin_transaction, send: {to: orders-0, key: c, value: v}, commit_transaction]
explore: {until: 120s}
)"};

constexpr Stage kTwoInstances{"two instances", 1, 1, false, R"(
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

constexpr Stage kSleeper{"a sleeper", 1, 1, false, R"(
topics: {orders: {partitions: 1, replicas: 1}}
actors:
  slow:
    application:
      producer: {transactional.id: pay-1, linger.ms: 0, transaction.timeout.ms: 5s}
      program: [init_transactions, begin_transaction, send: {to: orders-0, value: a}, flush, send: {to: orders-0, value: b}, flush, commit_transaction]
explore: {pauses: 1, pause: slow, until: 120s}
)"};

constexpr Stage kReplicated{"two replicas", 2, 1, true, R"(
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

constexpr Stage kNewLeader{"a new leader", 2, 1, true, R"(
topics: {orders: {partitions: 1, replicas: 2, leaders: [0]}}
actors:
  shop:
    application:
      producer: {linger.ms: 0}
      program: [{times: 2, do: [send: {to: orders-0, value: a}, flush]}]
explore: {elections: 1, elect: orders-0, until: 120s}
)"};

constexpr Stage kLeaderDies{"the leader dies", 2, 1, true, R"(
topics: {orders: {partitions: 1, replicas: 2, leaders: [0]}}
actors:
  shop:
    application:
      producer: {linger.ms: 0}
      program: [send: {to: orders-0, value: a}, flush]
explore: {crashes: 1, crash: broker-0, until: 1500ms}
)"};

constexpr Stage kFollowerDies{"the follower dies", 2, 1, true, R"(
topics: {orders: {partitions: 1, replicas: 2, leaders: [0]}}
actors:
  shop:
    application:
      producer: {linger.ms: 0}
      program: [{times: 2, do: [send: {to: orders-0, value: a}, flush]}]
explore: {crashes: 1, crash: broker-1, until: 3s}
)"};

constexpr Stage kOpenAndNewLeader{"a new leader in a transaction", 2, 1, true, R"(
topics: {orders: {partitions: 1, replicas: 2, leaders: [0]}, __transaction_state: {leaders: {0: 0}}}
actors:
  shop:
    application:
      producer: {transactional.id: pay-1, linger.ms: 0}
      program: [init_transactions, begin_transaction, send: {to: orders-0, value: a}, flush, crash_here: always]
explore: {elections: 1, elect: orders-0, until: 30s}
)"};

constexpr Stage kNewCoordinator{"a new coordinator", 2, 1, true, R"(
topics: {orders: {partitions: 1, replicas: 1, leaders: [0]}, __transaction_state: {leaders: {0: 1}}}
actors:
  shop:
    application:
      producer: {transactional.id: pay-1, linger.ms: 0, transaction.timeout.ms: 10s}
      program: [init_transactions, begin_transaction, send: {to: orders-0, value: a}, flush, commit_transaction]
explore: {elections: 1, elect: __transaction_state-0, until: 120s}
)"};

constexpr Stage kLateMarker{"a late marker", 2, 1, true, R"(
topics: {orders: {partitions: 1, replicas: 1, leaders: [0]}, __transaction_state: {leaders: {0: 1}}}
actors:
  shop:
    application:
      producer: {transactional.id: pay-1, linger.ms: 0}
      program: [init_transactions, begin_transaction, send: {to: orders-0, value: a}, flush, commit_transaction, begin_transaction, send: {to: orders-0, value: b}, flush, crash_here: always]
explore: {elections: 1, elect: __transaction_state-0, holds: 1, strike: {request: WriteTxnMarkers}, until: 600ms}
)"};

constexpr Stage kReplicaDies{"a replica of the transaction log dies", 2, 1, true, R"(
topics: {orders: {partitions: 1, replicas: 1, leaders: [0]}, __transaction_state: {leaders: {0: 0}}}
actors:
  shop:
    application:
      producer: {transactional.id: pay-1, linger.ms: 0}
      program: [init_transactions, begin_transaction, send: {to: orders-0, value: a}, flush, commit_transaction]
explore: {crashes: 1, crash: broker-1, until: 3s}
)"};

// What is hunted where, and the invariant that gives it away.
struct Hunt {
  Bug bug;
  const Stage* stage;
  std::string_view violation;
  std::uint64_t states;  // of the search, at most
};

constexpr Hunt kHunts[] = {
    {Bug::kLsoIsHighWatermark, &kOneCommit, "lso_is_first_undecided", 100},
    {Bug::kLsoPassesHighWatermark, &kReplicated, "offsets_in_order", 1000},
    {Bug::kFirstBatchIsStable, &kOneCommit, "lso_is_first_undecided", 100},
    {Bug::kUnreplicatedEndIsStable, &kReplicated, "lso_is_first_undecided", 1000},
    {Bug::kOpenTransactionsForgotten, &kOpenAndNewLeader, "lso_is_first_undecided", 1000},
    {Bug::kLeaderIgnoresEpochs, &kTwoInstances, "no_zombie_writes", 1000},
    {Bug::kSequencesNotChecked, &kLostAnswer, "sequences_run_on", 100},
    {Bug::kMarkersNotChecked, &kLateMarker, "only_committed_is_committed", 1000},
    {Bug::kAbortedIndexForgotten, &kReader, "only_committed_is_read", 1000},
    {Bug::kIndexOfOneSegment, &kSmallSegments, "aborted_index_is_complete", 100},
    {Bug::kMarkersCompactedByKey, &kCompacted, "lso_is_first_undecided", 1000},
    {Bug::kHighWatermarkIsLogEnd, &kNewLeader, "acknowledged_is_kept", 1000},
    {Bug::kHighWatermarkFollowsSlowest, &kFollowerDies, "high_watermark_never_falls", 1000},
    {Bug::kDivergenceNotSeen, &kLeaderDies, "replicas_agree", 1000},
    {Bug::kInitKeepsEpoch, &kTwoInstances, "one_owner_of_an_epoch", 1000},
    {Bug::kTimeoutKeepsEpoch, &kSleeper, "lso_reaches_high_watermark", 1000},
    {Bug::kCoordinatorIgnoresEpochs, &kTwoInstances, "only_committed_is_committed", 1000},
    {Bug::kAnswerBeforePrepare, &kNewCoordinator, "committed_is_committed", 1000},
    {Bug::kMarkersForgottenAtFailover, &kNewCoordinator, "lso_reaches_high_watermark", 1000},
    {Bug::kTransactionsInMemoryOnly, &kNewCoordinator, "lso_reaches_high_watermark", 1000},
    {Bug::kFailoverAbortsPrepared, &kNewCoordinator, "transaction_states_follow", 1000},
    {Bug::kFailedAppendIsKept, &kReplicaDies, "coordinator_is_its_log", 1000},
    {Bug::kCoordinatorEpochIsConstant, &kNewCoordinator, "one_coordinator_an_epoch", 1000},
    {Bug::kExpiredBatchesForgotten, &kNoAnswer, "calls_return", 100},
    {Bug::kReaderIgnoresAborts, &kReader, "only_committed_is_read", 1000},
    {Bug::kReaderForgetsRanges, &kReader, "polls_leave_nothing_out", 1000},
};

std::string TextOf(const Stage& stage) {
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

sim::SearchResult SearchOn(const Stage& stage, const broker::Bugs& bugs) {
  std::optional<Scenario> scenario = Load(TextOf(stage));
  if (!scenario.has_value()) return {};
  scenario->bugs = bugs;
  const ExploreOptions options{.stop_at_first = true};
  const ExplorationResult prepared = PrepareExploration(*scenario, options);
  if (!prepared.exploration.has_value()) {
    ADD_FAILURE() << prepared.errors.front().message;
    return {};
  }
  return Explore(*prepared.exploration, *scenario, options);
}

class FoundBugs : public testing::TestWithParam<Hunt> {};

TEST_P(FoundBugs, InTheStatesOfASmallScenario) {
  const Hunt& hunt = GetParam();
  const sim::SearchResult result = SearchOn(*hunt.stage, broker::Bugs{hunt.bug});
  ASSERT_FALSE(result.found.empty()) << result.states << " states, and nothing wrong";
  EXPECT_EQ(result.found.front().violation.name, hunt.violation)
      << result.found.front().violation.what;
  EXPECT_LE(result.states, hunt.states);
}

INSTANTIATE_TEST_SUITE_P(All, FoundBugs, testing::ValuesIn(kHunts),
                         [](const testing::TestParamInfo<Hunt>& chosen) {
                           return std::string(
                               broker::AllBugs()[static_cast<size_t>(chosen.param.bug)].name);
                         });

class WithoutABug : public testing::TestWithParam<const Stage*> {};

TEST_P(WithoutABug, NothingIsFound) {
  const sim::SearchResult result = SearchOn(*GetParam(), {});
  EXPECT_TRUE(result.exhausted());
  for (const sim::SearchFinding& finding : result.found) {
    ADD_FAILURE() << finding.violation.name << ": " << finding.violation.what;
  }
  RecordProperty("states", std::to_string(result.states));
  RecordProperty("ends", std::to_string(result.ends));
  EXPECT_GT(result.ends, 0u) << "nothing comes to rest";
}

INSTANTIATE_TEST_SUITE_P(All, WithoutABug,
                         testing::Values(&kOneCommit, &kLostAnswer, &kNoAnswer, &kReader,
                                         &kSmallSegments, &kCompacted, &kTwoInstances, &kSleeper,
                                         &kReplicated, &kNewLeader, &kLeaderDies, &kFollowerDies,
                                         &kOpenAndNewLeader, &kNewCoordinator, &kLateMarker,
                                         &kReplicaDies),
                         [](const testing::TestParamInfo<const Stage*>& chosen) {
                           std::string name(chosen.param->name);
                           for (char& c : name) c = c == ' ' ? '_' : c;
                           return name;
                         });

}  // namespace
}  // namespace kafkasim::scenarios

// The points of a commit at which the lecture lets the coordinator die (S-77 to S-79): a search
// that may crash it anywhere comes through all of them, and finds nothing wrong, in both protocols.
#include <string>

#include <gtest/gtest.h>

#include "broker/broker.h"
#include "coordinator/transaction_view.h"
#include "run_scenario.h"
#include "scenarios/explore.h"
#include "scenarios/invariants/invariant_judge.h"

namespace kafkasim::scenarios {
namespace {

using coordinator::TransactionState;

constexpr std::string_view kTwoPartitions = R"(
title: A commit over two partitions
matrix: [TV1, TV2]
cluster:
  brokers: 3
  next_producer_id: 7
  config:
    transaction.state.log.num.partitions: 1
    broker.session.timeout.ms: 300ms
    transaction.state.log.replication.factor: 1
    transaction.state.log.min.isr: 1
    offsets.topic.replication.factor: 1
    offsets.topic.num.partitions: 1
topics:
  orders: {assignment: [[1], [2]]}
actors:
  shop:
    application:
      producer: {transactional.id: pay-1, linger.ms: 0}
      program: [init_transactions, begin_transaction, send: {to: orders-0, value: a}, flush, send: {to: orders-1, value: b}, flush, commit_transaction]
explore: {crashes: 1, crash: broker-0, until: 600ms}
steps: [wait: 1s]
)";

// Where a commit is when its coordinator is down, a bit each.
enum Point : std::uint64_t {
  kBeforePrepare = 1,    // the log says ONGOING
  kAfterPrepare = 2,     // PREPARE_COMMIT, no marker
  kAfterOneMarker = 4,   // of two
  kAfterAllMarkers = 8,  // PREPARE_COMMIT still
};

bool HasMarker(const broker::PartitionLog& log) {
  bool has = false;
  log.ForEachBatch(broker::Offset(0),
                   [&](const broker::RecordBatchRef& batch) { has = has || batch->is_control(); });
  return has;
}

class PointsJudge final : public sim::Judge {
 public:
  explicit PointsJudge(const NameTable& names) : names_(names), invariants_(names) {}

  [[nodiscard]] std::unique_ptr<sim::View> Look(const sim::World& world,
                                                const sim::View* before) const override {
    return invariants_.Look(world, before);
  }
  void CheckStep(const sim::View& before, const sim::View& now,
                 std::vector<sim::Violation>& found) const override {
    invariants_.CheckStep(before, now, found);
  }
  sim::Situations CheckState(const sim::View& now,
                             std::vector<sim::Violation>& found) const override {
    invariants_.CheckState(now, found);
    return PointsOf(now.world());
  }
  void CheckEnd(const sim::View& end, std::vector<sim::Violation>& found) const override {
    invariants_.CheckEnd(end, found);
  }

 private:
  // What the logs say while the coordinator, broker 0, is down.
  [[nodiscard]] sim::Situations PointsOf(const sim::World& now) const {
    const sim::ProcessId coordinator(0);
    if (now.life(coordinator) != sim::Life::kCrashed) return {};
    const broker::TopicId log_topic = *names_.topics->FindTopicId(broker::kTransactionStateTopic);
    const broker::TopicId orders = *names_.topics->FindTopicId("orders");
    TransactionState state = TransactionState::kEmpty;
    int markers = 0;
    for (std::int32_t id = 0; id < 3; ++id) {
      static_cast<const broker::Broker&>(now.process(sim::ProcessId(id)))
          .ForEachReplica([&](const broker::Partition& replica) {
            if (replica.id().topic == orders && HasMarker(replica.log())) ++markers;
            if (replica.id().topic != log_topic) return;
            for (const auto& entry : coordinator::DecodeTransactionLog(replica.log())) {
              if (entry.record.value.has_value()) state = entry.record.value->state;
            }
          });
    }
    if (state == TransactionState::kOngoing) return kBeforePrepare;
    if (state != TransactionState::kPrepareCommit) return {};
    return markers == 0 ? kAfterPrepare : markers == 1 ? kAfterOneMarker : kAfterAllMarkers;
  }

  const NameTable& names_;
  InvariantJudge invariants_;
};

class FailoverPoints : public testing::TestWithParam<std::size_t> {};

TEST_P(FailoverPoints, AreAllCoveredAndNothingIsLost) {
  const LoadResult loaded = LoadScenarioText("test.yaml", std::string(kTwoPartitions));
  ASSERT_TRUE(loaded.scenario.has_value()) << loaded.Report();
  const Scenario scenario = ForVariant(*loaded.scenario, GetParam());
  const ExplorationResult prepared = PrepareExploration(scenario, {});
  ASSERT_TRUE(prepared.exploration.has_value());
  const PointsJudge judge(prepared.exploration->names);
  const sim::SearchResult result = sim::Search(
      prepared.exploration->start, prepared.exploration->space, judge, {.states = 30'000});
  for (const sim::SearchFinding& finding : result.found) {
    ADD_FAILURE() << finding.violation.name << ": " << finding.violation.what;
  }
  for (std::size_t point = 0; point < 4; ++point) {
    EXPECT_GT(result.situations[point], 0u) << "point " << point << " was never come across";
  }
}

INSTANTIATE_TEST_SUITE_P(Protocols, FailoverPoints, testing::Values(std::size_t{0}, std::size_t{1}),
                         [](const testing::TestParamInfo<std::size_t>& chosen) {
                           return std::string(chosen.param == 0 ? "TV1" : "TV2");
                         });

}  // namespace
}  // namespace kafkasim::scenarios

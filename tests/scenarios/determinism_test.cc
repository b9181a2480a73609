// The same run is the same, byte for byte: again, after a copy in the middle, and without a
// watcher.
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "run_scenario.h"
#include "scenarios/trace_digest.h"
#include "scenarios/trace_log.h"

namespace kafkasim::scenarios {
namespace {

constexpr std::string_view kSteps = R"(
  - t1: init_transactions
  - t1: begin_transaction
  - t1: {send: {to: orders, value: "v{n}", count: 20, every: 50ms}}
    background: true
  - wait: 500ms
  - p: {send: {to: orders-0, value: "r{n}", rate: 50/s, for: 2s}}
  - crash: coordinator of pay-1
  - wait: 20s
  - expect: {orders-0: {log_end_offset: {at_least: 100}}}
)";

std::string TraceOf(const Scenario& scenario, const RunResult& result) {
  std::ostringstream out;
  WriteTrace(out, scenario, result, "test");
  return out.str();
}

// A cluster with random latencies, where another seed means another run.
std::optional<Scenario> RandomScenario() {
  std::optional<Scenario> scenario = WithSteps(kSteps);
  if (scenario.has_value()) scenario->cluster.network.latency = {.min_us = 500, .max_us = 5'000};
  return scenario;
}

// Takes the digest of whatever happens to a world.
class Watcher final : public sim::Observer {
 public:
  sim::Reaction OnEvent(const sim::TraceEvent& event) override {
    digest_.Add(event);
    return sim::Reaction::kGoOn;
  }
  const TraceDigest& digest() const { return digest_; }

 private:
  TraceDigest digest_;
};

TEST(Determinism, TheSameScenarioTwiceInOneProcessGivesTheSameBytes) {
  const std::optional<Scenario> scenario = RandomScenario();
  ASSERT_TRUE(scenario.has_value());
  const RunResult first = scenarios::Run(*scenario, {.keep_trace = true});
  const RunResult second = scenarios::Run(*scenario, {.keep_trace = true});
  EXPECT_GT(first.events, 1000u);
  EXPECT_TRUE(TraceOf(*scenario, first) == TraceOf(*scenario, second));
}

TEST(Determinism, AKeptTraceChangesNothing) {
  const std::optional<Scenario> scenario = RandomScenario();
  ASSERT_TRUE(scenario.has_value());
  const RunResult kept = scenarios::Run(*scenario, {.keep_trace = true});
  const RunResult light = scenarios::Run(*scenario);
  EXPECT_EQ(kept.trace_digest, light.trace_digest);
  EXPECT_EQ(kept.world_fingerprint, light.world_fingerprint);
  EXPECT_EQ(kept.next_draw, light.next_draw);
}

TEST(Determinism, AnotherSeedGivesAnotherRun) {
  const std::optional<Scenario> scenario = RandomScenario();
  ASSERT_TRUE(scenario.has_value());
  const RunResult one = scenarios::Run(*scenario, {.seed = 1});
  const RunResult two = scenarios::Run(*scenario, {.seed = 2});
  EXPECT_TRUE(one.is_random);
  EXPECT_NE(one.trace_digest, two.trace_digest);
}

TEST(Determinism, ACopyOfTheWorldInTheMiddleGoesOnWithTheSameBytes) {
  const std::optional<Scenario> scenario = RandomScenario();
  ASSERT_TRUE(scenario.has_value());
  std::optional<Moment> moment = MomentAt(*scenario, sim::Time{1'234'567});
  ASSERT_TRUE(moment.has_value());
  sim::World copy = moment->world;
  EXPECT_EQ(copy.fingerprint(), moment->world.fingerprint());
  Watcher original_watcher;
  Watcher copy_watcher;
  const sim::Time end{30'000'000};
  moment->world.RunUntil(end, &original_watcher);
  copy.RunUntil(end, &copy_watcher);
  EXPECT_GT(original_watcher.digest().events(), 20u);
  EXPECT_EQ(original_watcher.digest().events(), copy_watcher.digest().events());
  EXPECT_EQ(original_watcher.digest().value(), copy_watcher.digest().value());
  EXPECT_EQ(copy.fingerprint(), moment->world.fingerprint());
}

TEST(Determinism, AWorldThatNobodyWatchesGoesTheSameWay) {
  const std::optional<Scenario> scenario = RandomScenario();
  ASSERT_TRUE(scenario.has_value());
  std::optional<Moment> moment = MomentAt(*scenario, sim::Time{1'234'567});
  ASSERT_TRUE(moment.has_value());
  sim::World copy = moment->world;
  Watcher watcher;
  moment->world.RunUntil(sim::Time{30'000'000}, &watcher);
  copy.RunUntil(sim::Time{30'000'000}, nullptr);
  EXPECT_EQ(copy.fingerprint(), moment->world.fingerprint());
}

}  // namespace
}  // namespace kafkasim::scenarios

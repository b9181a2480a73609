// The exhaustive search: transitions per second and bytes_per_state, by its own account.
#include <benchmark/benchmark.h>

#include "scenarios/explore.h"
#include "scenarios/loader.h"

namespace kafkasim::scenarios {
namespace {

// Two transactions and one EndTxn that may get stuck, under version 2.
constexpr std::string_view kLateEnd = R"(title: A late EndTxn
cluster:
  brokers: 1
  config:
    transaction.state.log.num.partitions: 1
    transaction.state.log.replication.factor: 1
    transaction.state.log.min.isr: 1
    offsets.topic.replication.factor: 1
    offsets.topic.num.partitions: 1
topics:
  orders: {partitions: 1, replicas: 1}
actors:
  shop:
    application:
      producer: {transactional.id: pay-1, linger.ms: 0}
      program:
      - init_transactions
      - times: 2
        do:
        - begin_transaction
        - send: {to: orders-0, value: paid}
        - commit_transaction
explore: {holds: 1, strike: {request: EndTxn}, until: 90s}
steps:
- say: The search plays the program alone.
)";

void Search(benchmark::State& state, std::optional<std::int64_t> drain_us) {
  const LoadResult loaded = LoadScenarioText("late-end.yaml", std::string(kLateEnd));
  Scenario scenario = ForVariant(*loaded.scenario, 0);
  scenario.explore->drain_us = drain_us;
  const ExploreOptions options{.threads = static_cast<std::int32_t>(state.range(0))};
  const ExplorationResult prepared = PrepareExploration(scenario, options);
  sim::SearchResult result;
  for (auto _ : state) {
    result = Explore(*prepared.exploration, options);
    benchmark::DoNotOptimize(result);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(result.transitions) * state.iterations());
  state.counters["bytes_per_state"] =
      static_cast<double>(result.peak_bytes) / static_cast<double>(result.states);
}

void VisitAll(benchmark::State& state) { Search(state, std::nullopt); }
BENCHMARK(VisitAll)->ArgName("threads")->Arg(1)->Arg(2)->UseRealTime();

// The same, and from each state everything has to end.
void VisitAllAndDrain(benchmark::State& state) { Search(state, 180'000'000); }
BENCHMARK(VisitAllAndDrain)->ArgName("threads")->Arg(1)->Arg(2)->UseRealTime();

}  // namespace
}  // namespace kafkasim::scenarios

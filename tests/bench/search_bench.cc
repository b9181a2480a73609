// The exhaustive search: transitions per second and bytes_per_state, by its own account.
//
// What bounds it: in a small world the instructions of a move, of which a third are the move
// itself, a quarter its fingerprint and a fifth the invariants. In a large one the frontier does
// not fit into the caches: each move then waits for about a hundred lines of memory, and two
// threads wait side by side. Depth first there is no frontier: the table of states is all that
// grows.
#include <benchmark/benchmark.h>

#include "scenarios/explore.h"
#include "scenarios/loader.h"

namespace kafkasim::scenarios {
namespace {

// A small cluster, for the actors below.
constexpr std::string_view kCluster = R"(title: A search
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
steps:
- say: The search plays the programs.
actors:
)";

// Two transactions and one EndTxn that may get stuck, under version 2.
constexpr std::string_view kLateEnd = R"(  shop:
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
)";

// Two applications at once: levels of tens of thousands of states.
constexpr std::string_view kTwoShops = R"(  one:
    application:
      producer: {transactional.id: pay-1, linger.ms: 0}
      program: [init_transactions, begin_transaction, send: {to: orders-0, value: a}, commit_transaction]
  two:
    application:
      producer: {transactional.id: pay-2, linger.ms: 0}
      program: [init_transactions, begin_transaction, send: {to: orders-0, value: b}, commit_transaction]
explore: {holds: 2, until: 90s}
)";

struct Asked {
  std::optional<std::int64_t> drain_us{};
  std::optional<std::uint64_t> states{};  // as many at most
  bool depth_first = false;
};

void Search(benchmark::State& state, std::string_view actors, const Asked& asked) {
  const LoadResult loaded = LoadScenarioText("bench.yaml", std::string(kCluster).append(actors));
  Scenario scenario = ForVariant(*loaded.scenario, 0);
  scenario.explore->drain_us = asked.drain_us;
  const ExploreOptions options{.threads = static_cast<std::int32_t>(state.range(0)),
                               .states = asked.states,
                               .depth_first = asked.depth_first};
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

void VisitAll(benchmark::State& state) { Search(state, kLateEnd, {}); }
BENCHMARK(VisitAll)->ArgName("threads")->Arg(1)->Arg(2)->UseRealTime();

// The same, and from each state everything has to end.
void VisitAllAndDrain(benchmark::State& state) {
  Search(state, kLateEnd, {.drain_us = 180'000'000});
}
BENCHMARK(VisitAllAndDrain)->ArgName("threads")->Arg(1)->Arg(2)->UseRealTime();

// The first so many states of a large world.
void VisitMany(benchmark::State& state) { Search(state, kTwoShops, {.states = 300'000}); }
BENCHMARK(VisitMany)->ArgName("threads")->Arg(1)->Arg(2)->UseRealTime()->Unit(
    benchmark::kMillisecond);

// The same world, many more of them, depth first.
void VisitDeep(benchmark::State& state) {
  Search(state, kTwoShops, {.states = 1'400'000, .depth_first = true});
}
BENCHMARK(VisitDeep)->ArgName("threads")->Arg(1)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace kafkasim::scenarios

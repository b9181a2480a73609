// The whole model: committed transactions of ten records at replication factor 3, and what a world
// costs in memory and to copy.
//
// What bounds them: a transaction is as many messages as `events` says, and most of these are
// fetches of followers, since each record of the transaction log waits for two replicas. In memory
// a record is its strings and their optional fields, and each transaction leaves five records in
// the transaction log.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>
#ifdef KAFKASIM_MIMALLOC
#include <mimalloc.h>
#else
#include <malloc.h>
#endif

#include "broker/cluster_builder.h"
#include "client/call.h"
#include "client/client_process.h"
#include "client/producer.h"
#include "coordinator/group_coordinator.h"
#include "coordinator/transaction_coordinator.h"
#include "sim/check.h"
#include "sim/world.h"

namespace kafkasim {
namespace {

constexpr int kRecords = 10;

// Bytes that are in use, by the account of the allocator.
int64_t BytesInUse() {
#ifdef KAFKASIM_MIMALLOC
  int64_t bytes = 0;
  const auto add = [](const mi_heap_t*, const mi_heap_area_t* area, void*, size_t, void* sum) {
    *static_cast<int64_t*>(sum) += static_cast<int64_t>(area->used * area->block_size);
    return true;
  };
  mi_heap_visit_blocks(mi_heap_get_default(), /*visit_all_blocks=*/false, add, &bytes);
  return bytes;
#else
  return static_cast<int64_t>(mallinfo2().uordblks);
#endif
}

class Discard final : public sim::Observer {
 public:
  sim::Reaction OnEvent(const sim::TraceEvent& event) override {
    benchmark::DoNotOptimize(event.id);
    return sim::Reaction::kGoOn;
  }
};

// Three brokers, one topic of one partition, one transactional producer that is ready.
class Bench {
 public:
  Bench(int64_t transaction_version, int64_t state_partitions, sim::Observer* observer)
      : world_({.seed = 1}), observer_(observer) {
    broker::ClusterSpec spec;
    spec.config.transaction_version = transaction_version;
    spec.config.transaction_state_log_num_partitions = state_partitions;
    spec.config.offsets_topic_num_partitions = state_partitions;
    spec.topics.push_back({.name = "orders", .partitions = 1, .replication_factor = 3});
    const auto services = [] {
      std::vector<std::unique_ptr<broker::Service>> list;
      list.push_back(std::make_unique<coordinator::TransactionCoordinator>());
      list.push_back(std::make_unique<coordinator::GroupCoordinator>());
      return list;
    };
    absl::StatusOr<broker::Cluster> cluster = broker::AddCluster(world_, spec, services);
    KAFKASIM_CHECK(cluster.ok(), "the cluster of the benchmark is valid");
    topic_ = *cluster->image->FindTopicId("orders");
    client::ProducerConfig config;
    KAFKASIM_CHECK(SetConfig(config, "transactional.id", "bench").ok(), "a key of the producer");
    absl::StatusOr<client::ProducerConfig> finished = client::FinishConfig(std::move(config));
    KAFKASIM_CHECK(finished.ok(), "a valid configuration");
    producer_ = world_.AddProcess(
        "producer", std::make_unique<client::Producer>(
                        client::ClientOptions{.bootstrap = cluster->image->brokers}, *finished));
    world_.Start(observer_);
    Do(client::InitTransactions{});
  }

  // Gives the orders for a transaction, all but the first still to be carried out.
  void Begin() {
    Do(client::BeginTransaction{});
    client::Send send{.topic = topic_, .partition = 0};
    for (int i = 0; i < kRecords; ++i) send.records.push_back({.value = "a record of twenty"});
    Command(std::move(send));
    Command(client::CommitTransaction{});
  }

  void Transaction() {
    Begin();
    WaitForLast();
    world_.Command(producer_, client::MakeCall(client::CallId(0), client::ForgetCalls{last_}),
                   observer_);
  }

  [[nodiscard]] const sim::World& world() const { return world_; }
  sim::World& world() { return world_; }
  // Messages and timers so far.
  [[nodiscard]] int64_t events() const { return events_; }

 private:
  void Command(client::Operation operation) {
    last_ = last_ + 1;
    world_.Command(producer_, client::MakeCall(last_, std::move(operation)), observer_);
  }

  void Do(client::Operation operation) {
    Command(std::move(operation));
    WaitForLast();
  }

  void WaitForLast() {
    for (;;) {
      const client::CallResult* result =
          client::AsClient(world_.process(producer_)).FindCall(last_);
      if (result != nullptr && result->done()) {
        KAFKASIM_CHECK(result->ok(), "a call of the benchmark succeeds");
        return;
      }
      KAFKASIM_CHECK(world_.Step(observer_), "a call of the benchmark ends");
      ++events_;
    }
  }

  sim::World world_;
  sim::Observer* observer_;
  broker::TopicId topic_{-1};
  sim::ProcessId producer_ = sim::kNoProcess;
  client::CallId last_{0};
  int64_t events_ = 0;
};

void CommittedTransactions(benchmark::State& state) {
  Discard discard;
  Bench bench(state.range(0), 50, state.range(1) != 0 ? &discard : nullptr);
  const int64_t before = bench.events();
  for (auto _ : state) bench.Transaction();
  state.SetItemsProcessed(state.iterations());
  state.counters["events"] = benchmark::Counter(static_cast<double>(bench.events() - before),
                                                benchmark::Counter::kAvgIterations);
}
BENCHMARK(CommittedTransactions)
    ->ArgNames({"transaction_version", "traced"})
    ->Args({1, 0})
    ->Args({2, 0})
    ->Args({1, 1})
    ->Args({2, 1});

// A world with a few transactions, copied; `partitions` of each internal topic.
void CopyWorld(benchmark::State& state) {
  Bench bench(2, state.range(0), nullptr);
  for (int i = 0; i < 3; ++i) bench.Transaction();
  for (auto _ : state) {
    sim::World copy = bench.world();
    benchmark::DoNotOptimize(copy);
  }
}
BENCHMARK(CopyWorld)->ArgName("partitions")->Arg(1)->Arg(50);

// One transition of a search: copy, one step, fingerprint. From worlds that lie along a
// transaction, each with its fingerprint taken, as a search has them.
void CopyStepFingerprint(benchmark::State& state) {
  Bench bench(2, state.range(0), nullptr);
  for (int i = 0; i < 3; ++i) bench.Transaction();
  bench.Begin();
  std::vector<sim::World> worlds{bench.world()};
  while (worlds.back().NextEventAt().has_value() && worlds.size() < 100) {
    benchmark::DoNotOptimize(worlds.back().fingerprint());
    worlds.push_back(worlds.back());
    worlds.back().Step(nullptr);
  }
  worlds.pop_back();
  size_t at = 0;
  for (auto _ : state) {
    sim::World next = worlds[at];
    next.Step(nullptr);
    benchmark::DoNotOptimize(next.fingerprint());
    at = at + 1 == worlds.size() ? 0 : at + 1;
  }
}
BENCHMARK(CopyStepFingerprint)->ArgName("partitions")->Arg(1)->Arg(50);

// Bytes of memory for each record of payload 18, all three replicas together, and for a copy.
void Memory(benchmark::State& state) {
  int64_t records = 0;
  for (auto _ : state) {
    Bench bench(2, 50, nullptr);
    bench.Transaction();
    const int64_t before = BytesInUse();
    for (int i = 0; i < 2000; ++i) bench.Transaction();
    const int64_t after = BytesInUse();
    records = int64_t{2000} * kRecords;
    state.counters["bytes_per_record"] =
        static_cast<double>(after - before) / static_cast<double>(records);
    const int64_t before_copy = BytesInUse();
    std::vector<sim::World> copies(100, bench.world());
    state.counters["bytes_per_copy"] = static_cast<double>(BytesInUse() - before_copy) / 100;
  }
}
BENCHMARK(Memory)->Iterations(1);

}  // namespace
}  // namespace kafkasim

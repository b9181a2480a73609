// The bare kernel: how many timer events a second, with 100 timers armed at any time.
#include <memory>

#include <benchmark/benchmark.h>

#include "sim/world.h"

namespace kafkasim::sim {
namespace {

// Keeps 100 timers going with pseudo-random delays, as a busy process would.
class Ticker final : public Process {
 public:
  [[nodiscard]] std::unique_ptr<Process> Clone() const override {
    return std::make_unique<Ticker>(*this);
  }
  void AppendTo(CanonicalBytes& out) const override { out.Add(fired_); }
  void OnStart(Context& context) override {
    for (uint64_t i = 0; i < 100; ++i) Arm(context, i);
  }
  void OnTimer(Context& context, uint32_t, uint64_t argument) override {
    ++fired_;
    Arm(context, argument);
  }
  void OnRequest(Context&, const RequestIn&) override {}
  void OnResponse(Context&, const ResponseIn&) override {}
  void OnDisconnect(Context&, ProcessId, Channel) override {}
  void OnCommand(Context&, const PayloadRef&) override {}
  void OnCrash(CrashKind) override {}
  void OnRestart(Context&) override {}

 private:
  void Arm(Context& context, uint64_t i) {
    context.SetTimer(Micros(context.rng(RngStream::kClients).Between(1, 1000)), 0, i);
  }

  uint64_t fired_ = 0;
};

void SchedulerEvents(benchmark::State& state) {
  World world({.seed = 1});
  world.AddProcess("ticker", std::make_unique<Ticker>());
  world.Start(nullptr);
  for (auto _ : state) {
    world.Step(nullptr);
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(SchedulerEvents);

}  // namespace
}  // namespace kafkasim::sim

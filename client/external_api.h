// A service outside Kafka, seen from an application: it does what it is asked each time it is
// called, unless it knows idempotency keys and has seen this one. It cannot know that a call is a
// repetition otherwise. What it has done survives a crash.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <absl/container/btree_map.h>

#include "client/delayed_answers.h"
#include "client/external_message.h"
#include "sim/process.h"
#include "sim/time.h"

namespace kafkasim::client {

class ExternalApi final : public sim::Process {
 public:
  struct Options {
    bool idempotency_keys = false;  // a second call with the same key has no effect
    std::string answer = "ok";      // `{with}` stands for what was asked
    std::vector<int64_t> fails{};   // numbers of calls, from 1 on, that fail without an effect
    sim::Duration latency{};        // from the effect to the answer
  };

  explicit ExternalApi(Options options) : options_(std::move(options)) {}

  // Every call that arrived, failed and repeated ones included.
  [[nodiscard]] int64_t calls() const { return calls_; }
  // What was done, in order.
  [[nodiscard]] const std::vector<std::string>& effects() const { return effects_; }

  [[nodiscard]] std::unique_ptr<sim::Process> Clone() const override {
    return std::make_unique<ExternalApi>(*this);
  }
  void AppendTo(sim::CanonicalBytes& out) const override;
  // An ExternalMessage with kCall.
  void OnRequest(sim::Context& context, const sim::RequestIn& request) override;
  void OnResponse(sim::Context&, const sim::ResponseIn&) override {}
  void OnDisconnect(sim::Context&, sim::ProcessId, sim::Channel) override {}
  void OnTimer(sim::Context& context, uint32_t kind, uint64_t argument) override;
  void OnCommand(sim::Context&, const sim::PayloadRef&) override {}
  void OnCrash(sim::CrashKind) override { answers_.Clear(); }
  void OnRestart(sim::Context&) override {}

 private:
  [[nodiscard]] ExternalAnswer Answer(const ExternalRequest& asked, bool& has_effect);

  Options options_;
  int64_t calls_ = 0;
  std::vector<std::string> effects_;
  absl::btree_map<std::string, std::string> answered_;  // idempotency key -> answer
  DelayedAnswers answers_;
};

}  // namespace kafkasim::client

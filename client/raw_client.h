// A client without a state machine: it sends any message of Kafka's to any process and reports the
// answer. For what no Java client would send, and for administrators.
//
//   world.Command(admin, MakeCall(id, RawRequest{.to = ProcessOf(leader), .request = message}),
//   ...)
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "broker/cluster_image.h"
#include "client/call_result.h"
#include "client/client_process.h"
#include "sim/context.h"
#include "sim/cow.h"
#include "sim/process.h"

namespace kafkasim::client {

class RawClient final : public ClientProcess {
 public:
  // `names` are for the trace only.
  explicit RawClient(broker::ClusterImageRef names) : names_(std::move(names)) {}

  [[nodiscard]] const CallResult* FindCall(CallId id) const override { return calls_->Find(id); }

  [[nodiscard]] std::unique_ptr<sim::Process> Clone() const override;
  void AppendTo(sim::CanonicalBytes& out) const override;
  void OnRequest(sim::Context& context, const sim::RequestIn& request) override;
  void OnResponse(sim::Context& context, const sim::ResponseIn& response) override;
  void OnDisconnect(sim::Context& context, sim::ProcessId peer, sim::Channel channel) override;
  void OnTimer(sim::Context& context, uint32_t kind, uint64_t argument) override;
  // A Call with a RawRequest. Several may be open at once. It fails with
  //   DisconnectException  the connection broke before the answer came
  //   TimeoutException     no answer in time; the connection is given up
  void OnCommand(sim::Context& context, const sim::PayloadRef& command) override;
  void OnCrash(sim::CrashKind kind) override;
  void OnRestart(sim::Context& context) override;

 private:
  struct Open {
    CallId call{};
    sim::CorrelationId correlation{};
    sim::ProcessId to = sim::kNoProcess;
    sim::Channel channel{};
    sim::TimerId timer{};
  };

  void Fail(sim::Context& context, const Open& open, ApiError error);
  void Finish(sim::Context& context, CallId call);

  broker::ClusterImageRef names_;
  std::vector<Open> open_;  // in the order of sending
  sim::Cow<CallLog> calls_;
};

}  // namespace kafkasim::client

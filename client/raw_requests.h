// Requests that are sent as they are to any process, for what no Java client would send: the part
// of an administrator's client that has no rules.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "client/call.h"
#include "client/call_result.h"
#include "client/exception.h"
#include "sim/context.h"
#include "sim/fingerprint.h"
#include "sim/process.h"

namespace kafkasim::client {

class RawRequests {
 public:
  // A call that is over, and what came of it.
  struct Done {
    CallId call{};
    ApiError error{};
    sim::PayloadRef response{};
  };

  // The timers that it sets have this kind, and the call's id as argument.
  static constexpr uint32_t kTimerKind = 1;

  // Several may be open at once.
  void Send(sim::Context& context, CallId call, const RawRequest& request);
  // nullopt if nothing here waits for this answer.
  std::optional<Done> OnResponse(sim::Context& context, const sim::ResponseIn& response);
  // The connection broke: DisconnectException for all that was under way on it.
  std::vector<Done> OnDisconnect(sim::Context& context, sim::ProcessId peer, sim::Channel channel);
  // No answer in time: TimeoutException, and the connection is given up, which costs the others on
  // it. nullopt if the call is over by now.
  struct GivenUp {
    sim::ProcessId peer = sim::kNoProcess;
    sim::Channel channel{};
    std::vector<Done> done{};
  };
  std::optional<GivenUp> OnTimer(sim::Context& context, CallId call);
  // The process died.
  void Drop() { open_.clear(); }

  void AppendTo(sim::CanonicalBytes& out) const;

 private:
  struct Open {
    CallId call{};
    sim::CorrelationId correlation{};
    sim::ProcessId to = sim::kNoProcess;
    sim::Channel channel{};
    sim::TimerId timer{};
  };

  std::vector<Open> open_;  // in the order of sending
};

}  // namespace kafkasim::client

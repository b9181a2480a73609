// The part of an application that talks to the world outside Kafka: a driver of a database, a
// client of a service. One call at a time, each with a timeout; it is never repeated by itself,
// since nobody can know whether a call without an answer took effect.
#pragma once

#include <cstdint>
#include <optional>

#include "client/call.h"
#include "client/call_result.h"
#include "client/external_message.h"
#include "sim/context.h"
#include "sim/cow.h"
#include "sim/process.h"

namespace kafkasim::client {

class ExternalClient {
 public:
  [[nodiscard]] const CallLog& calls() const { return *calls_; }
  // Whom it has asked; kNoProcess if no call is open.
  [[nodiscard]] sim::ProcessId awaited() const {
    return open_.has_value() ? open_->to : sim::kNoProcess;
  }

  // Gives ExternalReply, or fails with
  //   DuplicateKeyException     a unique constraint refused the row
  //   ExternalServiceException  the service answered that it failed
  //   TimeoutException          no answer in time; the connection is given up
  //   DisconnectException       the connection broke before the answer came
  void Begin(sim::Context& context, CallId id, const ExternalCall& call);
  void OnResponse(sim::Context& context, const sim::ResponseIn& response);
  void OnDisconnect(sim::Context& context, sim::ProcessId peer);
  void OnTimer(sim::Context& context);
  void OnCrash();

  void AppendTo(sim::CanonicalBytes& out) const;

 private:
  struct Open {
    CallId call{};
    sim::CorrelationId correlation{};
    sim::ProcessId to = sim::kNoProcess;
    sim::TimerId timer{};

    void AppendTo(sim::CanonicalBytes& out) const;
  };

  void Finish(sim::Context& context, CallValue value, ApiError error);

  std::optional<Open> open_;
  sim::Cow<CallLog> calls_;
};

}  // namespace kafkasim::client

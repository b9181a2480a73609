#include "client/external_client.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "client/call_events.h"
#include "client/events.h"
#include "sim/check.h"

namespace kafkasim::client {
namespace {

ApiError ErrorOf(const ExternalAnswer& answer) {
  switch (answer.outcome) {
    case ExternalAnswer::Outcome::kDone:
      return {};
    case ExternalAnswer::Outcome::kRefused:
      return ClientError(Exception::kDuplicateKey, ErrorClass::kMisuse, answer.text);
    case ExternalAnswer::Outcome::kFailed:
      return ClientError(Exception::kExternalService, ErrorClass::kRetriable, answer.text);
  }
  return {};
}

}  // namespace

void ExternalClient::Begin(sim::Context& context, CallId id, const ExternalCall& call) {
  KAFKASIM_CHECK(!open_.has_value(), "an application waits for the answer of the last call");
  CallResult& result = calls_.Mutable().Add(id, call.request->api());
  result.state = CallState::kOpen;
  result.started = context.now();
  result.requests = 1;
  if (context.tracing()) {
    context.Emit(events::kCallStarted,
                 {{"call", id.value()},
                  {"operation", std::string(call.request->api())},
                  {"arguments", fmt::format("{}: {}", context.ProcessName(call.to),
                                            AsExternal(*call.request).Describe())}});
  }
  open_ = Open{.call = id, .to = call.to};
  open_->correlation = context.SendRequest(call.to, kExternalChannel, call.request);
  open_->timer = context.SetTimer(call.timeout, 0);
}

void ExternalClient::OnResponse(sim::Context& context, const sim::ResponseIn& response) {
  if (!open_.has_value() || open_->correlation != response.correlation) return;
  const auto& answer = std::get<ExternalAnswer>(AsExternal(*response.payload).body());
  Finish(context, ExternalReply{answer.text}, ErrorOf(answer));
}

void ExternalClient::OnDisconnect(sim::Context& context, sim::ProcessId peer) {
  if (!open_.has_value() || open_->to != peer) return;
  Finish(context, {},
         ClientError(Exception::kDisconnect, ErrorClass::kRetriable,
                     fmt::format("the connection to {} broke; it may have done it or not",
                                 context.ProcessName(peer))));
}

void ExternalClient::OnTimer(sim::Context& context) {
  if (!open_.has_value()) return;
  context.CloseConnection(open_->to, kExternalChannel);
  Finish(context, {},
         ClientError(Exception::kTimeout, ErrorClass::kRetriable,
                     fmt::format("{} did not answer in time; it may have done it or not",
                                 context.ProcessName(open_->to))));
}

void ExternalClient::Finish(sim::Context& context, CallValue value, ApiError error) {
  const Open finished = *std::exchange(open_, std::nullopt);
  context.CancelTimer(finished.timer);
  CallResult& result = calls_.Mutable().Mutable(finished.call);
  result.state = CallState::kDone;
  result.finished = context.now();
  result.error = std::move(error);
  if (result.error.ok()) result.value = std::move(value);
  if (context.tracing()) EmitCallFinished(context, result, nullptr);
}

void ExternalClient::OnCrash() {
  calls_.Mutable().LoseOpenCalls();
  open_.reset();
}

void ExternalClient::Open::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(call);
  out.Add(correlation);
  out.Add(to);
}

void ExternalClient::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(open_);
  out.Add(calls_);
}

}  // namespace kafkasim::client

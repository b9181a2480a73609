#include "client/raw_client.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "client/call_events.h"
#include "sim/check.h"

namespace kafkasim::client {

std::unique_ptr<sim::Process> RawClient::Clone() const {
  return std::make_unique<RawClient>(*this);
}

void RawClient::OnRequest(sim::Context&, const sim::RequestIn&) {
  KAFKASIM_CHECK(false, "nobody sends requests to a client");
}

void RawClient::OnCommand(sim::Context& context, const sim::PayloadRef& command) {
  const auto call = std::static_pointer_cast<const Call>(command);
  if (const auto* forget = std::get_if<ForgetCalls>(&call->operation())) {
    calls_.Mutable().Forget(forget->up_to);
    return;
  }
  CallResult& result = calls_.Mutable().Add(call->id(), Name(call->operation()));
  result.state = CallState::kOpen;
  result.started = context.now();
  if (context.tracing()) EmitCallStarted(context, *call, names_.get());
  const auto* raw = std::get_if<RawRequest>(&call->operation());
  if (raw == nullptr) {
    result.error = ClientError(Exception::kIllegalArgument, ErrorClass::kMisuse,
                               fmt::format("a raw client has no {}", Name(call->operation())));
    Finish(context, call->id());
    return;
  }
  result.requests = 1;
  Open open{.call = call->id(), .to = raw->to, .channel = raw->channel};
  open.correlation = context.SendRequest(raw->to, raw->channel, raw->request);
  open.timer = context.SetTimer(raw->timeout, 0, static_cast<uint64_t>(call->id().value()));
  open_.push_back(open);
}

void RawClient::OnResponse(sim::Context& context, const sim::ResponseIn& response) {
  const auto at = std::find_if(open_.begin(), open_.end(), [&](const Open& open) {
    return open.correlation == response.correlation;
  });
  if (at == open_.end()) return;
  const Open answered = *at;
  open_.erase(at);
  context.CancelTimer(answered.timer);
  calls_.Mutable().Mutable(answered.call).value = RawResponse{response.payload};
  Finish(context, answered.call);
}

void RawClient::OnDisconnect(sim::Context& context, sim::ProcessId peer, sim::Channel channel) {
  const std::vector<Open> open = open_;
  for (const Open& lost : open) {
    if (lost.to != peer || lost.channel != channel) continue;
    Fail(context, lost,
         ClientError(Exception::kDisconnect, ErrorClass::kRetriable,
                     fmt::format("the connection to {} broke", context.ProcessName(peer))));
  }
}

void RawClient::OnTimer(sim::Context& context, uint32_t, uint64_t argument) {
  const CallId call(static_cast<int64_t>(argument));
  const auto at = std::find_if(open_.begin(), open_.end(),
                               [call](const Open& open) { return open.call == call; });
  if (at == open_.end()) return;
  const Open late = *at;
  context.CloseConnection(late.to, late.channel);
  Fail(context, late,
       ClientError(Exception::kTimeout, ErrorClass::kRetriable,
                   fmt::format("{} did not answer in time", context.ProcessName(late.to))));
  // Whatever else was under way on that connection is lost with it.
  OnDisconnect(context, late.to, late.channel);
}

void RawClient::Fail(sim::Context& context, const Open& open, ApiError error) {
  std::erase_if(open_, [&](const Open& other) { return other.call == open.call; });
  context.CancelTimer(open.timer);
  calls_.Mutable().Mutable(open.call).error = std::move(error);
  Finish(context, open.call);
}

void RawClient::Finish(sim::Context& context, CallId call) {
  CallResult& result = calls_.Mutable().Mutable(call);
  result.state = CallState::kDone;
  result.finished = context.now();
  if (context.tracing()) EmitCallFinished(context, result, names_.get());
}

void RawClient::OnCrash(sim::CrashKind) {
  calls_.Mutable().LoseOpenCalls();
  open_.clear();
}

void RawClient::OnRestart(sim::Context&) {}

void RawClient::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(static_cast<uint32_t>(open_.size()));
  for (const Open& open : open_) {
    out.Add(open.call);
    out.Add(open.correlation);
    out.Add(open.to);
    out.Add(open.channel);
  }
  out.Add(calls_);
}

}  // namespace kafkasim::client

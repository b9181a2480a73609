#include "client/raw_requests.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace kafkasim::client {

void RawRequests::Send(sim::Context& context, CallId call, const RawRequest& request) {
  Open open{.call = call, .to = request.to, .channel = request.channel};
  open.correlation = context.SendRequest(request.to, request.channel, request.request);
  open.timer = context.SetTimer(request.timeout, kTimerKind, static_cast<uint64_t>(call.value()));
  open_.push_back(open);
}

std::optional<RawRequests::Done> RawRequests::OnResponse(sim::Context& context,
                                                         const sim::ResponseIn& response) {
  const auto at = std::find_if(open_.begin(), open_.end(), [&](const Open& open) {
    return open.correlation == response.correlation && open.to == response.from;
  });
  if (at == open_.end()) return std::nullopt;
  const Open answered = *at;
  open_.erase(at);
  context.CancelTimer(answered.timer);
  return Done{.call = answered.call, .response = response.payload};
}

std::vector<RawRequests::Done> RawRequests::OnDisconnect(sim::Context& context, sim::ProcessId peer,
                                                         sim::Channel channel) {
  std::vector<Done> done;
  for (const Open& lost : std::exchange(open_, {})) {
    if (lost.to != peer || lost.channel != channel) {
      open_.push_back(lost);
      continue;
    }
    context.CancelTimer(lost.timer);
    done.push_back({.call = lost.call,
                    .error = ClientError(
                        Exception::kDisconnect, ErrorClass::kRetriable,
                        fmt::format("the connection to {} broke", context.ProcessName(peer)))});
  }
  return done;
}

std::optional<RawRequests::GivenUp> RawRequests::OnTimer(sim::Context& context, CallId call) {
  const auto at = std::find_if(open_.begin(), open_.end(),
                               [call](const Open& open) { return open.call == call; });
  if (at == open_.end()) return std::nullopt;
  const Open late = *at;
  open_.erase(at);
  context.CloseConnection(late.to, late.channel);
  GivenUp given_up{.peer = late.to, .channel = late.channel};
  given_up.done.push_back({.call = late.call,
                           .error = ClientError(Exception::kTimeout, ErrorClass::kRetriable,
                                                fmt::format("{} did not answer in time",
                                                            context.ProcessName(late.to)))});
  for (Done& lost : OnDisconnect(context, late.to, late.channel)) {
    given_up.done.push_back(std::move(lost));
  }
  return given_up;
}

void RawRequests::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(static_cast<uint32_t>(open_.size()));
  for (const Open& open : open_) {
    out.Add(open.call);
    out.Add(open.correlation);
    out.Add(open.to);
    out.Add(open.channel);
  }
}

}  // namespace kafkasim::client

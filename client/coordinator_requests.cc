#include "client/coordinator_requests.h"

#include <algorithm>
#include <utility>

#include "broker/channels.h"

namespace kafkasim::client {
namespace {

sim::Channel ChannelOf(const GroupRequest& request) {
  return request.kind == GroupRequest::Kind::kFindCoordinator ? broker::kClientChannel
                                                              : broker::kCoordinatorChannel;
}

}  // namespace

std::vector<GroupAnswer> CoordinatorRequests::Send(sim::Context& context,
                                                   ClusterConnection& connection) {
  std::vector<GroupAnswer> lost;
  std::vector<GroupRequest> waiting;
  for (GroupRequest& request : std::exchange(unsent_, {})) {
    const sim::Channel channel = ChannelOf(request);
    if (connection.Ready(context, request.to, channel)) {
      connection.Send(context, request.to, std::exchange(request.message, nullptr), request.number,
                      {.channel = channel, .timeout = request.timeout});
      under_way_.push_back(std::move(request));
    } else if (connection.IsDisconnected(request.to, channel)) {
      lost.push_back({.request = std::move(request)});
    } else {
      waiting.push_back(std::move(request));
    }
  }
  unsent_ = std::move(waiting);
  return lost;
}

std::optional<GroupAnswer> CoordinatorRequests::OnCompleted(const Completed& completed) {
  const auto at =
      std::find_if(under_way_.begin(), under_way_.end(),
                   [&](const GroupRequest& request) { return request.number == completed.token; });
  if (at == under_way_.end()) return std::nullopt;
  GroupAnswer answer{.request = std::move(*at), .response = completed.response};
  under_way_.erase(at);
  return answer;
}

std::vector<GroupAnswer> CoordinatorRequests::Disconnect(sim::Context& context,
                                                         ClusterConnection& connection,
                                                         broker::BrokerId broker) {
  std::vector<GroupAnswer> lost;
  CompletedRequests completed;
  connection.Disconnect(context, broker, broker::kCoordinatorChannel, completed);
  for (const Completed& request : completed) {
    if (std::optional<GroupAnswer> answer = OnCompleted(request); answer.has_value()) {
      lost.push_back(std::move(*answer));
    }
  }
  for (GroupRequest& request : std::exchange(unsent_, {})) {
    if (request.to != broker || ChannelOf(request) != broker::kCoordinatorChannel) {
      unsent_.push_back(std::move(request));
    } else {
      lost.push_back({.request = std::move(request)});
    }
  }
  return lost;
}

bool CoordinatorRequests::Has(GroupRequest::Kind kind) const {
  const auto is = [kind](const GroupRequest& request) { return request.kind == kind; };
  return std::any_of(unsent_.begin(), unsent_.end(), is) ||
         std::any_of(under_way_.begin(), under_way_.end(), is);
}

bool CoordinatorRequests::HasPending() const {
  const auto to_coordinator = [](const GroupRequest& request) {
    return ChannelOf(request) == broker::kCoordinatorChannel;
  };
  return std::any_of(unsent_.begin(), unsent_.end(), to_coordinator) ||
         std::any_of(under_way_.begin(), under_way_.end(), to_coordinator);
}

bool CoordinatorRequests::Is(uint64_t number, GroupRequest::Kind kind) const {
  return std::any_of(under_way_.begin(), under_way_.end(), [&](const GroupRequest& request) {
    return request.number == number && request.kind == kind;
  });
}

void GroupRequest::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(number);
  out.Add(kind);
  out.Add(to);
  out.Add(sent_in);
  out.Add(message != nullptr);
  if (message != nullptr) out.Add(message->fingerprint());
}

void CoordinatorRequests::AppendTo(sim::CanonicalBytes& out) const {
  out.AddAll(unsent_);
  out.AddAll(under_way_);
}

}  // namespace kafkasim::client

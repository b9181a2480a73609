#include "client/cluster_connection.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "broker/channels.h"
#include "broker/messages_cluster.h"
#include "client/events.h"
#include "sim/check.h"

namespace kafkasim::client {

using broker::BrokerId;

const ClusterConnection::Peer* ClusterConnection::Find(BrokerId broker,
                                                       sim::Channel channel) const {
  for (const Peer& peer : peers_) {
    if (peer.broker == broker && peer.channel == channel) return &peer;
  }
  return nullptr;
}

ClusterConnection::Peer& ClusterConnection::PeerOf(BrokerId broker, sim::Channel channel) {
  const auto key = std::pair(broker, channel);
  auto at = std::lower_bound(
      peers_.begin(), peers_.end(), key,
      [](const Peer& peer, const auto& k) { return std::pair(peer.broker, peer.channel) < k; });
  if (at == peers_.end() || std::pair(at->broker, at->channel) != key) {
    at = peers_.insert(at, Peer{});
    at->broker = broker;
    at->channel = channel;
  }
  return *at;
}

bool ClusterConnection::CanSend(const Peer& peer) const {
  return peer.state == PeerState::kReady &&
         static_cast<int64_t>(peer.in_flight.size()) < config_.max_in_flight;
}

bool ClusterConnection::Ready(sim::Context& context, BrokerId broker, sim::Channel channel) {
  Peer& peer = PeerOf(broker, channel);
  if (peer.state == PeerState::kDisconnected && context.now() >= peer.retry_at) {
    Connect(context, peer);
  }
  return CanSend(peer);
}

bool ClusterConnection::IsDisconnected(BrokerId broker, sim::Channel channel) const {
  const Peer* peer = Find(broker, channel);
  return peer == nullptr || peer->state == PeerState::kDisconnected;
}

std::optional<sim::Time> ClusterConnection::RetryAt(BrokerId broker, sim::Channel channel) const {
  const Peer* peer = Find(broker, channel);
  if (peer == nullptr || peer->state != PeerState::kDisconnected) return std::nullopt;
  return peer->retry_at;
}

std::optional<BrokerId> ClusterConnection::LeastLoaded(sim::Time now) const {
  std::optional<BrokerId> ready;
  std::optional<BrokerId> connecting;
  std::optional<BrokerId> connectable;
  size_t fewest = 0;
  sim::Time oldest{};
  for (BrokerId broker : metadata_.nodes()) {
    const Peer* peer = Find(broker);
    if (peer != nullptr && CanSend(*peer)) {
      if (!ready.has_value() || peer->in_flight.size() < fewest) {
        ready = broker;
        fewest = peer->in_flight.size();
      }
    } else if (peer != nullptr && peer->state == PeerState::kConnecting) {
      connecting = broker;
    } else if (peer == nullptr ||
               (peer->state == PeerState::kDisconnected && now >= peer->retry_at)) {
      const sim::Time attempt = peer == nullptr ? sim::Time{-1} : peer->last_attempt;
      if (!connectable.has_value() || attempt < oldest) {
        connectable = broker;
        oldest = attempt;
      }
    }
  }
  if (ready.has_value()) return ready;
  return connecting.has_value() ? connecting : connectable;
}

void ClusterConnection::Connect(sim::Context& context, Peer& peer) {
  peer.state = PeerState::kConnecting;
  peer.last_attempt = context.now();
  SendNow(context, peer, broker::MakeMessage(broker::ApiVersionsRequest{}),
          {.deadline = context.now() + broker::GivenUpAfter(config_.connection_setup_timeout.After(
                                           peer.setup_failures)),
           .purpose = Purpose::kHandshake});
}

void ClusterConnection::SendNow(sim::Context& context, Peer& peer, sim::PayloadRef request,
                                const InFlight& like) {
  InFlight sent = like;
  sent.correlation =
      context.SendRequest(broker::ProcessOf(peer.broker), peer.channel, std::move(request));
  peer.in_flight.push_back(sent);
}

void ClusterConnection::Send(sim::Context& context, BrokerId broker, sim::PayloadRef request,
                             uint64_t token, const SendOptions& options) {
  Peer& peer = PeerOf(broker, options.channel);
  KAFKASIM_CHECK(CanSend(peer), "a request is sent on a connection that is ready for it");
  const sim::Duration timeout = options.timeout.value_or(config_.request_timeout);
  SendNow(context, peer, std::move(request),
          {.deadline = context.now() + broker::GivenUpAfter(timeout), .token = token});
  if (!options.answered) peer.in_flight.pop_back();
}

void ClusterConnection::Disconnect(sim::Context& context, BrokerId broker, sim::Channel channel,
                                   CompletedRequests& completed) {
  if (IsDisconnected(broker, channel)) return;
  context.CloseConnection(broker::ProcessOf(broker), channel);
  Lose(context, PeerOf(broker, channel), Completed::How::kDisconnected, completed);
}

void ClusterConnection::OnResponse(sim::Context& context, const sim::ResponseIn& response,
                                   CompletedRequests& completed) {
  Peer& peer = PeerOf(broker::BrokerOf(response.from), response.channel);
  const auto at =
      std::find_if(peer.in_flight.begin(), peer.in_flight.end(),
                   [&](const InFlight& sent) { return sent.correlation == response.correlation; });
  if (at == peer.in_flight.end()) return;  // of a connection given up, or a second answer
  const InFlight answered = *at;
  peer.in_flight.erase(at);
  switch (answered.purpose) {
    case Purpose::kOwner:
      completed.push_back(
          {.token = answered.token, .broker = peer.broker, .response = response.payload});
      return;
    case Purpose::kMetadata:
      metadata_under_way_ = false;
      OnMetadata(context, *response.payload);
      return;
    case Purpose::kHandshake:
      peer.state = PeerState::kReady;
      peer.failures = 0;
      peer.setup_failures = 0;
      transaction_version_ =
          broker::BodyOf<broker::ApiVersionsResponse>(*response.payload).transaction_version;
      return;
  }
}

void ClusterConnection::OnMetadata(sim::Context& context, const sim::Payload& response) {
  const broker::ClusterImageRef& image = broker::BodyOf<broker::MetadataResponse>(response).image;
  const broker::ClusterImageRef was = metadata_.image();
  if (!metadata_.OnImage(image, context.now()) || !context.tracing()) return;
  std::vector<std::string> moved;
  for (size_t t = 0; was != nullptr && t < image->topics.size(); ++t) {
    for (size_t p = 0; p < image->topics[t].partitions.size(); ++p) {
      const broker::PartitionId id{broker::TopicId(static_cast<int32_t>(t)),
                                   static_cast<int32_t>(p)};
      const broker::PartitionImage* old = was->FindPartition(id);
      const BrokerId leader = image->topics[t].partitions[p].leader;
      if (old == nullptr || old->leader == leader) continue;
      moved.push_back(fmt::format("{}: {} -> {}", image->NameOf(id), old->leader, leader));
    }
  }
  context.Emit(events::kMetadataLearned, {{"version", image->version}, {"leaders", moved}});
}

// The connection is gone: what was under way on it has failed, and its broker is left alone.
void ClusterConnection::Lose(sim::Context& context, Peer& peer, Completed::How how,
                             CompletedRequests& completed) {
  const bool was_connecting = peer.state == PeerState::kConnecting;
  peer.state = PeerState::kDisconnected;
  peer.last_attempt = context.now();
  peer.retry_at = context.now() + config_.reconnect_backoff.After(peer.failures++);
  peer.setup_failures = was_connecting ? peer.setup_failures + 1 : 0;
  for (const InFlight& lost : std::exchange(peer.in_flight, {})) {
    if (lost.purpose == Purpose::kOwner) {
      completed.push_back({.token = lost.token, .broker = peer.broker, .how = how, .response = {}});
    } else if (lost.purpose == Purpose::kMetadata) {
      metadata_under_way_ = false;
      metadata_.OnFailure(context.now());
    }
  }
  // Kafka counts a broken connection as a failed refresh when one was due, and asks again.
  const std::optional<sim::Time> due = metadata_.NextUpdateAt(context.now());
  if (!metadata_under_way_ && due.has_value() && *due <= context.now()) {
    metadata_.OnFailure(context.now());
  }
  metadata_.RequestUpdate();
}

void ClusterConnection::OnDisconnect(sim::Context& context, sim::ProcessId peer_process,
                                     sim::Channel channel, CompletedRequests& completed) {
  Peer& peer = PeerOf(broker::BrokerOf(peer_process), channel);
  if (peer.state == PeerState::kDisconnected) return;
  Lose(context, peer, Completed::How::kDisconnected, completed);
}

void ClusterConnection::OnTime(sim::Context& context, CompletedRequests& completed) {
  for (Peer& peer : peers_) {
    const bool late =
        std::any_of(peer.in_flight.begin(), peer.in_flight.end(),
                    [&](const InFlight& sent) { return sent.deadline <= context.now(); });
    if (!late) continue;
    if (context.tracing()) {
      context.Emit(events::kConnectionClosed,
                   {{"broker", int64_t{peer.broker.value()}},
                    {"reason", std::string(peer.state == PeerState::kConnecting
                                               ? "the handshake was not answered in time"
                                               : "a request was not answered in time")}});
    }
    context.CloseConnection(broker::ProcessOf(peer.broker), peer.channel);
    Lose(context, peer, Completed::How::kTimedOut, completed);
  }
}

void ClusterConnection::Poll(sim::Context& context) {
  if (metadata_under_way_) return;
  const std::optional<sim::Time> due = metadata_.NextUpdateAt(context.now());
  if (!due.has_value() || *due > context.now()) return;
  if (AllKnownFailed()) metadata_.Rebootstrap();
  const std::optional<BrokerId> broker = LeastLoaded(context.now());
  if (!broker.has_value() || !Ready(context, *broker)) return;
  SendNow(context, PeerOf(*broker), broker::MakeMessage(broker::MetadataRequest{}),
          {.deadline = context.now() + broker::GivenUpAfter(config_.request_timeout),
           .purpose = Purpose::kMetadata});
  metadata_under_way_ = true;
}

bool ClusterConnection::AllKnownFailed() const {
  const std::vector<BrokerId> known = metadata_.nodes();
  return std::all_of(known.begin(), known.end(), [this](BrokerId broker) {
    const Peer* peer = Find(broker);
    return peer != nullptr && peer->state == PeerState::kDisconnected && peer->failures > 1;
  });
}

void ClusterConnection::Close(sim::Context& context) {
  for (Peer& peer : peers_) {
    if (peer.state == PeerState::kDisconnected) continue;
    context.CloseConnection(broker::ProcessOf(peer.broker), peer.channel);
    peer.state = PeerState::kDisconnected;
    peer.in_flight.clear();
  }
  metadata_under_way_ = false;
}

sim::Time ClusterConnection::NextWake(sim::Time now, bool polls) const {
  sim::Time next = sim::kEndOfTime;
  bool connecting = false;
  sim::Time retry = sim::kEndOfTime;
  for (const Peer& peer : peers_) {
    for (const InFlight& sent : peer.in_flight) next = std::min(next, sent.deadline);
    if (peer.channel != broker::kClientChannel) continue;  // not for metadata
    connecting = connecting || peer.state == PeerState::kConnecting;
    if (peer.state == PeerState::kDisconnected) retry = std::min(retry, peer.retry_at);
  }
  const std::optional<sim::Time> due = metadata_.NextUpdateAt(now);
  if (!polls || metadata_under_way_ || !due.has_value()) return next;
  if (*due > now) return std::min(next, *due);
  // It is due but could not be sent: all brokers are left alone, or an answer will make room.
  if (!connecting && retry > now) next = std::min(next, retry);
  return next;
}

void ClusterConnection::AppendAwaited(sim::Part part, std::vector<sim::Peer>& peers) const {
  for (const Peer& peer : peers_) {
    if (peer.in_flight.empty()) continue;
    peers.push_back(
        {.process = broker::ProcessOf(peer.broker), .channel = sim::ChannelOf(part, peer.channel)});
  }
}

size_t ClusterConnection::in_flight_count() const {
  size_t count = 0;
  for (const Peer& peer : peers_) {
    for (const InFlight& sent : peer.in_flight) count += sent.purpose == Purpose::kOwner ? 1 : 0;
  }
  return count;
}

void ClusterConnection::Peer::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(broker);
  out.Add(channel);
  out.Add(state);
  out.Add(failures);
  out.Add(setup_failures);
  out.Add(last_attempt);
  out.Add(retry_at);
  out.Add(static_cast<uint32_t>(in_flight.size()));
  for (const InFlight& sent : in_flight) {
    out.Add(sent.correlation);
    out.Add(sent.deadline);
    out.Add(sent.token);
    out.Add(sent.purpose);
  }
}

void ClusterConnection::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(metadata_);
  out.Add(metadata_under_way_);
  out.Add(transaction_version_);
  out.AddAll(peers_);
}

}  // namespace kafkasim::client

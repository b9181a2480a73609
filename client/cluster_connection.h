// The connections of one client to the brokers and the requests under way on them: class
// NetworkClient, Kafka 4.4 development line.
//
// A connection is usable after a handshake (ApiVersions; it stands for TCP's connect as well). A
// request without an answer in request.timeout.ms, or a broken connection, closes the connection
// and fails all requests on it; what to do then is the owner's decision. After that the broker is
// left alone for reconnect.backoff.ms, doubling up to its maximum. Metadata is kept fresh here.
//
// A consumer has a second connection to its group's coordinator, on kCoordinatorChannel.
//
// Simplified on purpose: where Kafka draws the broker to ask at random, the lowest id is taken; the
// bootstrap connection and the one to the same broker are one.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <absl/container/inlined_vector.h>

#include "broker/channels.h"
#include "broker/ids.h"
#include "client/backoff.h"
#include "client/client_metadata.h"
#include "sim/context.h"
#include "sim/fingerprint.h"
#include "sim/payload.h"
#include "sim/process.h"
#include "sim/time.h"

namespace kafkasim::client {

struct NetworkConfig {
  sim::Duration request_timeout = sim::Seconds(30);
  Backoff retry_backoff{sim::Millis(100), sim::Millis(1'000)};
  Backoff reconnect_backoff{sim::Millis(50), sim::Millis(1'000)};
  Backoff connection_setup_timeout{sim::Seconds(10), sim::Seconds(30)};
  sim::Duration metadata_max_age = sim::Seconds(300);
  int64_t max_in_flight = 5;
};

// A request that is over.
struct Completed {
  enum class How : uint8_t { kAnswered, kDisconnected, kTimedOut };

  uint64_t token = 0;  // as given to Send
  broker::BrokerId broker = broker::kNoBroker;
  How how = How::kAnswered;
  sim::PayloadRef response{};  // null unless answered
};
using CompletedRequests = std::vector<Completed>;

struct SendOptions {
  sim::Channel channel = broker::kClientChannel;
  bool answered = true;                    // false: acks=0, nothing will be completed
  std::optional<sim::Duration> timeout{};  // default: request.timeout.ms
};

class ClusterConnection {
 public:
  ClusterConnection(std::vector<broker::BrokerId> bootstrap, const NetworkConfig& config)
      : config_(config),
        metadata_(std::move(bootstrap), config.retry_backoff, config.metadata_max_age) {}

  [[nodiscard]] const ClientMetadata& metadata() const { return metadata_; }
  [[nodiscard]] ClientMetadata& metadata() { return metadata_; }
  // The level of transaction.version that brokers have told; nullopt before the first handshake.
  [[nodiscard]] std::optional<int64_t> transaction_version() const { return transaction_version_; }

  // Whether a request can be sent to this broker now. If it is not connected and not being left
  // alone, begins to connect.
  bool Ready(sim::Context& context, broker::BrokerId broker,
             sim::Channel channel = broker::kClientChannel);
  // Not connected, and not about to be (NetworkClient.connectionFailed). Ask after Ready.
  [[nodiscard]] bool IsDisconnected(broker::BrokerId broker,
                                    sim::Channel channel = broker::kClientChannel) const;
  // When a broker that was left alone may be tried again; nullopt unless IsDisconnected.
  [[nodiscard]] std::optional<sim::Time> RetryAt(
      broker::BrokerId broker, sim::Channel channel = broker::kClientChannel) const;
  // The broker to ask what any can answer: connected with the fewest requests, else connecting,
  // else one that may be connected to; nullopt if all are being left alone.
  [[nodiscard]] std::optional<broker::BrokerId> LeastLoaded(sim::Time now) const;
  // Needs Ready.
  void Send(sim::Context& context, broker::BrokerId broker, sim::PayloadRef request, uint64_t token,
            const SendOptions& options = {});
  // Gives up a connection, if there is one; what was under way on it is disconnected.
  void Disconnect(sim::Context& context, broker::BrokerId broker, sim::Channel channel,
                  CompletedRequests& completed);

  // The world's events. Requests that they end are added to `completed`, in order of sending.
  void OnResponse(sim::Context& context, const sim::ResponseIn& response,
                  CompletedRequests& completed);
  void OnDisconnect(sim::Context& context, sim::ProcessId peer, sim::Channel channel,
                    CompletedRequests& completed);
  // Gives up connections that have waited too long.
  void OnTime(sim::Context& context, CompletedRequests& completed);
  // Asks for metadata if it is time to.
  void Poll(sim::Context& context);
  void Close(sim::Context& context);

  // The next moment at which OnTime or (if the owner polls) Poll has something to do; kEndOfTime
  // for none.
  [[nodiscard]] sim::Time NextWake(sim::Time now, bool polls) const;
  // Requests of the owner, metadata and handshakes not counted.
  [[nodiscard]] size_t in_flight_count() const;
  // Those with a request under way, of any kind.
  void AppendAwaited(sim::Part part, std::vector<sim::Peer>& peers) const;

  void AppendTo(sim::CanonicalBytes& out) const;

 private:
  enum class Purpose : uint8_t { kOwner, kMetadata, kHandshake };
  struct InFlight {
    sim::CorrelationId correlation{};
    sim::Time deadline{};
    uint64_t token = 0;
    Purpose purpose = Purpose::kOwner;
  };
  enum class PeerState : uint8_t { kDisconnected, kConnecting, kReady };
  struct Peer {
    broker::BrokerId broker = broker::kNoBroker;
    sim::Channel channel = broker::kClientChannel;
    PeerState state = PeerState::kDisconnected;
    int32_t failures = 0;        // connections lost or refused in a row
    int32_t setup_failures = 0;  // of them, handshakes that nobody answered
    sim::Time last_attempt{};
    sim::Time retry_at{};
    absl::InlinedVector<InFlight, 5> in_flight{};

    void AppendTo(sim::CanonicalBytes& out) const;
  };

  [[nodiscard]] const Peer* Find(broker::BrokerId broker,
                                 sim::Channel channel = broker::kClientChannel) const;
  Peer& PeerOf(broker::BrokerId broker, sim::Channel channel = broker::kClientChannel);
  [[nodiscard]] bool CanSend(const Peer& peer) const;
  // Each broker of the metadata has failed twice in a row. Kafka rebootstraps when metadata is due
  // and all are being left alone; whether that is so depends on the jitter of its backoffs.
  [[nodiscard]] bool AllKnownFailed() const;
  void Connect(sim::Context& context, Peer& peer);
  void SendNow(sim::Context& context, Peer& peer, sim::PayloadRef request, const InFlight& like);
  void Lose(sim::Context& context, Peer& peer, Completed::How how, CompletedRequests& completed);
  void OnMetadata(sim::Context& context, const sim::Payload& response);

  NetworkConfig config_;
  ClientMetadata metadata_;
  bool metadata_under_way_ = false;
  std::optional<int64_t> transaction_version_;
  std::vector<Peer> peers_;  // sorted by broker and channel
};

}  // namespace kafkasim::client

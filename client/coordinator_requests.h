// Requests of a consumer to the coordinator of its group, and those that look for it: what
// ConsumerNetworkClient does with requests whose connection is not there yet. They wait for it in
// their order; if it breaks or cannot be had they are lost, and their sender is told.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "broker/ids.h"
#include "broker/messages_group.h"
#include "client/cluster_connection.h"
#include "sim/context.h"
#include "sim/fingerprint.h"
#include "sim/payload.h"
#include "sim/time.h"

namespace kafkasim::client {

// Who a member is, as of one moment (AbstractCoordinator.Generation).
struct Generation {
  int32_t id = broker::kNoGeneration;
  std::string member_id{};
  std::string protocol{};  // the assignor; "" outside of a generation

  friend bool operator==(const Generation&, const Generation&) = default;
  void AppendTo(sim::CanonicalBytes& out) const {
    out.Add(id);
    out.Add(member_id);
    out.Add(protocol);
  }
};

struct GroupRequest {
  enum class Kind : uint8_t {
    kFindCoordinator,  // to any broker
    kJoin,
    kSync,
    kHeartbeat,
    kLeave,
    kCommit,
    kFetchOffsets,
  };

  uint64_t number = 0;
  Kind kind = Kind::kFindCoordinator;
  broker::BrokerId to = broker::kNoBroker;
  Generation sent_in{};                    // as the member was when it was made
  sim::PayloadRef message{};               // null once it is sent
  std::optional<sim::Duration> timeout{};  // default: request.timeout.ms

  void AppendTo(sim::CanonicalBytes& out) const;
};

struct GroupAnswer {
  GroupRequest request{};
  sim::PayloadRef response{};  // null: the connection broke
};

class CoordinatorRequests {
 public:
  void Add(GroupRequest request) { unsent_.push_back(std::move(request)); }
  // Sends what can be sent. The answers are of requests whose connection cannot be had.
  [[nodiscard]] std::vector<GroupAnswer> Send(sim::Context& context, ClusterConnection& connection);
  // nullopt if it is none of these requests.
  [[nodiscard]] std::optional<GroupAnswer> OnCompleted(const Completed& completed);
  // All requests to this broker are lost with its connection as the group's coordinator.
  [[nodiscard]] std::vector<GroupAnswer> Disconnect(sim::Context& context,
                                                    ClusterConnection& connection,
                                                    broker::BrokerId broker);

  [[nodiscard]] bool Has(GroupRequest::Kind kind) const;
  // Whether something waits for the coordinator to answer or to be connected.
  [[nodiscard]] bool HasPending() const;
  // Whether this is the number of a request under way, and of this kind.
  [[nodiscard]] bool Is(uint64_t number, GroupRequest::Kind kind) const;

  void AppendTo(sim::CanonicalBytes& out) const;

 private:
  std::vector<GroupRequest> unsent_;
  std::vector<GroupRequest> under_way_;
};

}  // namespace kafkasim::client

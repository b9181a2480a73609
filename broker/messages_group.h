// Requests of the members of a consumer group to its coordinator, classic protocol (KIP-62,
// KIP-345, KIP-394, KIP-429; message schemas of the Kafka 4.4 development line).
//
// What Kafka's consumers write into opaque bytes (ConsumerProtocol) is written out: a subscription
// and an assignment are lists here. `client_id` stands in Kafka's request header.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "broker/error_code.h"
#include "broker/ids.h"
#include "broker/message.h"
#include "broker/messages_transaction.h"

namespace kafkasim::broker {

inline constexpr int32_t kNoGeneration = -1;

// What a member tells the others of itself (ConsumerProtocolSubscription, version 3).
struct MemberSubscription {
  std::vector<TopicId> topics{};          // sorted
  PartitionList owned{};                  // of a cooperative member: what it still has; sorted
  int32_t generation_id = kNoGeneration;  // in which it owns them (KIP-792)

  friend bool operator==(const MemberSubscription&, const MemberSubscription&) = default;
  void AppendTo(sim::CanonicalBytes& out) const;
};

// Version 4 and above: the first request of a member without an id is answered MEMBER_ID_REQUIRED
// with the id to use (KIP-394); 5 and above know static members (KIP-345).
struct JoinGroupRequest {
  static constexpr ApiKey kApi = ApiKey::kJoinGroup;
  static constexpr bool kResponse = false;

  struct Protocol {
    std::string name{};  // of an assignor: "range", "cooperative-sticky"
    MemberSubscription subscription{};

    friend bool operator==(const Protocol&, const Protocol&) = default;
    void AppendTo(sim::CanonicalBytes& out) const;
  };

  int16_t version = 9;
  std::string client_id{};
  std::string group_id{};
  int32_t session_timeout_ms = 45'000;
  int32_t rebalance_timeout_ms = 300'000;
  std::string member_id{};  // "" at first
  std::optional<std::string> group_instance_id{};
  std::string protocol_type = "consumer";
  std::vector<Protocol> protocols{};  // in order of preference
  std::string reason{};               // for people (KIP-800)

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

struct JoinGroupResponse {
  static constexpr ApiKey kApi = ApiKey::kJoinGroup;
  static constexpr bool kResponse = true;

  struct Member {
    std::string member_id{};
    std::optional<std::string> group_instance_id{};
    MemberSubscription subscription{};  // of the chosen protocol
  };

  ErrorCode error = ErrorCode::kNone;
  int32_t generation_id = kNoGeneration;
  std::string protocol_name{};
  std::string leader{};
  bool skip_assignment = false;  // a static leader came back, and the assignment stays (KIP-814)
  std::string member_id{};
  std::vector<Member> members{};  // for the leader only

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

struct SyncGroupRequest {
  static constexpr ApiKey kApi = ApiKey::kSyncGroup;
  static constexpr bool kResponse = false;

  struct Assignment {
    std::string member_id{};
    PartitionList partitions{};

    friend bool operator==(const Assignment&, const Assignment&) = default;
  };

  int16_t version = 5;
  std::string group_id{};
  int32_t generation_id = kNoGeneration;
  std::string member_id{};
  std::optional<std::string> group_instance_id{};
  std::string protocol_name{};
  std::vector<Assignment> assignments{};  // from the leader only

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

struct SyncGroupResponse {
  static constexpr ApiKey kApi = ApiKey::kSyncGroup;
  static constexpr bool kResponse = true;

  ErrorCode error = ErrorCode::kNone;
  std::string protocol_name{};
  PartitionList partitions{};

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

struct HeartbeatRequest {
  static constexpr ApiKey kApi = ApiKey::kHeartbeat;
  static constexpr bool kResponse = false;

  int16_t version = 4;
  std::string group_id{};
  int32_t generation_id = kNoGeneration;
  std::string member_id{};
  std::optional<std::string> group_instance_id{};

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

struct HeartbeatResponse {
  static constexpr ApiKey kApi = ApiKey::kHeartbeat;
  static constexpr bool kResponse = true;

  ErrorCode error = ErrorCode::kNone;

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

struct LeaveGroupRequest {
  static constexpr ApiKey kApi = ApiKey::kLeaveGroup;
  static constexpr bool kResponse = false;

  struct Member {
    std::string member_id{};  // "" to remove a static member by its instance alone
    std::optional<std::string> group_instance_id{};
    std::string reason{};
  };

  int16_t version = 5;
  std::string group_id{};
  std::vector<Member> members{};

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

struct LeaveGroupResponse {
  static constexpr ApiKey kApi = ApiKey::kLeaveGroup;
  static constexpr bool kResponse = true;

  struct Member {
    std::string member_id{};
    std::optional<std::string> group_instance_id{};
    ErrorCode error = ErrorCode::kNone;
  };

  ErrorCode error = ErrorCode::kNone;
  std::vector<Member> members{};

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

}  // namespace kafkasim::broker

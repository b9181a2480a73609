// Requests about the cluster itself: metadata for clients, and what brokers and the controller tell
// each other (KIP-497 AlterPartition, KIP-631 broker registration, KIP-730 producer-id blocks).
// UpdateMetadata carries a whole image from the controller to a broker; in KRaft a broker reads the
// same changes from the metadata log.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "broker/cluster_image.h"
#include "broker/error_code.h"
#include "broker/ids.h"
#include "broker/message.h"

namespace kafkasim::broker {

// The first request on each connection of a client (KIP-35), which is usable when the answer is
// there. The answer carries the finalized features (KIP-584); one of them concerns clients.
struct ApiVersionsRequest {
  static constexpr ApiKey kApi = ApiKey::kApiVersions;
  static constexpr bool kResponse = false;

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

struct ApiVersionsResponse {
  static constexpr ApiKey kApi = ApiKey::kApiVersions;
  static constexpr bool kResponse = true;

  int64_t transaction_version = 2;  // feature level: from 2 on clients speak TV2 (KIP-890)

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

struct MetadataRequest {
  static constexpr ApiKey kApi = ApiKey::kMetadata;
  static constexpr bool kResponse = false;

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

struct MetadataResponse {
  static constexpr ApiKey kApi = ApiKey::kMetadata;
  static constexpr bool kResponse = true;

  ClusterImageRef image{};  // as the asked broker knows it

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

// Controller to broker; there is no answer.
struct UpdateMetadataRequest {
  static constexpr ApiKey kApi = ApiKey::kUpdateMetadata;
  static constexpr bool kResponse = false;

  ClusterImageRef image{};

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

// A broker that started (again); there is no answer but the next UpdateMetadata.
struct BrokerRegistrationRequest {
  static constexpr ApiKey kApi = ApiKey::kBrokerRegistration;
  static constexpr bool kResponse = false;

  BrokerId broker = kNoBroker;
  int64_t incarnation = 0;  // which life of the broker this is

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

// A leader asks for another ISR.
struct AlterPartitionRequest {
  static constexpr ApiKey kApi = ApiKey::kAlterPartition;
  static constexpr bool kResponse = false;

  // A member of the ISR, and in which of its lives the leader knows it (KIP-903; -1: any).
  struct IsrMember {
    BrokerId broker = kNoBroker;
    int64_t broker_epoch = -1;
  };

  BrokerId broker = kNoBroker;
  PartitionId partition{};
  LeaderEpoch leader_epoch{0};
  int32_t partition_epoch = 0;
  std::vector<IsrMember> new_isr{};

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

struct AlterPartitionResponse {
  static constexpr ApiKey kApi = ApiKey::kAlterPartition;
  static constexpr bool kResponse = true;

  PartitionId partition{};
  ErrorCode error = ErrorCode::kNone;
  PartitionImage state{};  // as the controller has it now

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

struct AllocateProducerIdsRequest {
  static constexpr ApiKey kApi = ApiKey::kAllocateProducerIds;
  static constexpr bool kResponse = false;

  BrokerId broker = kNoBroker;

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

struct AllocateProducerIdsResponse {
  static constexpr ApiKey kApi = ApiKey::kAllocateProducerIds;
  static constexpr bool kResponse = true;

  ErrorCode error = ErrorCode::kNone;
  ProducerId first = kNoProducerId;
  int32_t count = 1000;

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

// An operator moves leadership. Given to the controller as a command.
struct ElectLeadersRequest {
  static constexpr ApiKey kApi = ApiKey::kElectLeaders;
  static constexpr bool kResponse = false;

  PartitionId partition{};
  BrokerId leader = kNoBroker;  // -1: the first eligible replica in order of preference
  bool unclean = false;         // a replica outside the ISR may be chosen

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

// Errors: UNKNOWN_TOPIC_OR_PARTITION, ELECTION_NOT_NEEDED, PREFERRED_LEADER_NOT_AVAILABLE,
// ELIGIBLE_LEADERS_NOT_AVAILABLE; REQUEST_TIMED_OUT from the broker that asks the controller.
struct ElectLeadersResponse {
  static constexpr ApiKey kApi = ApiKey::kElectLeaders;
  static constexpr bool kResponse = true;

  ErrorCode error = ErrorCode::kNone;

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

}  // namespace kafkasim::broker

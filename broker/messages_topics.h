// Requests of administrators about topics and their records: CreateTopics, DeleteTopics and
// DeleteRecords (KIP-4, KIP-107; message schemas of the Kafka 4.4 development line). A broker hands
// the first two on to the controller (KIP-590), the third is for the leader of each partition.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <absl/container/inlined_vector.h>

#include "broker/error_code.h"
#include "broker/ids.h"
#include "broker/message.h"

namespace kafkasim::broker {

struct CreateTopicsRequest {
  static constexpr ApiKey kApi = ApiKey::kCreateTopics;
  static constexpr bool kResponse = false;

  struct Topic {
    std::string name{};
    int32_t num_partitions = -1;      // -1: num.partitions of the brokers
    int16_t replication_factor = -1;  // -1: default.replication.factor of the brokers
    std::vector<std::pair<std::string, std::string>> configs{};
  };

  std::vector<Topic> topics{};

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

// What became of one topic.
struct TopicResult {
  std::string name{};
  ErrorCode error = ErrorCode::kNone;
  std::string error_message{};  // why, for people
};

struct CreateTopicsResponse {
  static constexpr ApiKey kApi = ApiKey::kCreateTopics;
  static constexpr bool kResponse = true;

  std::vector<TopicResult> topics{};

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

struct DeleteTopicsRequest {
  static constexpr ApiKey kApi = ApiKey::kDeleteTopics;
  static constexpr bool kResponse = false;

  std::vector<std::string> topics{};

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

struct DeleteTopicsResponse {
  static constexpr ApiKey kApi = ApiKey::kDeleteTopics;
  static constexpr bool kResponse = true;

  std::vector<TopicResult> topics{};

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

struct DeleteRecordsRequest {
  static constexpr ApiKey kApi = ApiKey::kDeleteRecords;
  static constexpr bool kResponse = false;
  static constexpr Offset kHighWatermark{-1};  // everything that is replicated

  struct PartitionOffset {
    PartitionId partition{};
    Offset offset{0};  // the first one that stays
  };

  int32_t timeout_ms = 30'000;
  absl::InlinedVector<PartitionOffset, 1> partitions{};

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

struct DeleteRecordsResponse {
  static constexpr ApiKey kApi = ApiKey::kDeleteRecords;
  static constexpr bool kResponse = true;

  struct PartitionResult {
    PartitionId partition{};
    ErrorCode error = ErrorCode::kNone;
    Offset low_watermark = kNoOffset;  // the lowest log start offset of all replicas alive
  };

  absl::InlinedVector<PartitionResult, 1> partitions{};

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

}  // namespace kafkasim::broker

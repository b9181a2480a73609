// Requests about the offsets that a group has committed or is committing inside a transaction
// (KIP-98, KIP-447, KIP-890; message schemas of the Kafka 4.4 development line).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "broker/error_code.h"
#include "broker/ids.h"
#include "broker/message.h"
#include "broker/messages_group.h"
#include "broker/messages_transaction.h"

namespace kafkasim::broker {

// A position to be committed: the offset of the next record to process.
struct OffsetToCommit {
  PartitionId partition{};
  Offset offset = kNoOffset;
  LeaderEpoch leader_epoch = kNoLeaderEpoch;  // of the last processed record, if known
  std::string metadata{};

  friend bool operator==(const OffsetToCommit&, const OffsetToCommit&) = default;
  void AppendTo(sim::CanonicalBytes& out) const;
};

// What came of each partition of a commit.
struct CommittedPartition {
  PartitionId partition{};
  ErrorCode error = ErrorCode::kNone;

  friend bool operator==(const CommittedPartition&, const CommittedPartition&) = default;
};

struct OffsetCommitRequest {
  static constexpr ApiKey kApi = ApiKey::kOffsetCommit;
  static constexpr bool kResponse = false;

  int16_t version = 9;
  std::string group_id{};
  int32_t generation_id = kNoGeneration;  // -1, with member_id "": not from a member
  std::string member_id{};
  std::optional<std::string> group_instance_id{};
  std::vector<OffsetToCommit> offsets{};

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

struct OffsetCommitResponse {
  static constexpr ApiKey kApi = ApiKey::kOffsetCommit;
  static constexpr bool kResponse = true;

  std::vector<CommittedPartition> partitions{};

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

// Version 7 added require_stable (KIP-447), 8 asks for one group of many; here always one.
struct OffsetFetchRequest {
  static constexpr ApiKey kApi = ApiKey::kOffsetFetch;
  static constexpr bool kResponse = false;

  int16_t version = 9;
  std::string group_id{};
  std::optional<PartitionList> partitions{};  // nullopt: all that the group has committed
  bool require_stable = false;

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

struct OffsetFetchResponse {
  static constexpr ApiKey kApi = ApiKey::kOffsetFetch;
  static constexpr bool kResponse = true;

  struct PartitionResult {
    PartitionId partition{};
    Offset offset = kNoOffset;  // -1: nothing committed, or an error
    LeaderEpoch leader_epoch = kNoLeaderEpoch;
    std::string metadata{};
    ErrorCode error = ErrorCode::kNone;
  };

  ErrorCode error = ErrorCode::kNone;  // of the group
  std::vector<PartitionResult> partitions{};

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

// Versions: 3 added the member's identity (KIP-447), 4 lets the client hear TRANSACTION_ABORTABLE,
// from 5 on the group coordinator adds its partition to the transaction (KIP-890, TV2), 6 answers
// STALE_MEMBER_EPOCH and GROUP_ID_NOT_FOUND as such (KIP-1319).
struct TxnOffsetCommitRequest {
  static constexpr ApiKey kApi = ApiKey::kTxnOffsetCommit;
  static constexpr bool kResponse = false;

  int16_t version = 4;
  std::string transactional_id{};
  std::string group_id{};
  ProducerId producer_id = kNoProducerId;
  ProducerEpoch producer_epoch = kNoProducerEpoch;
  int32_t generation_id = kNoGeneration;
  std::string member_id{};
  std::optional<std::string> group_instance_id{};
  std::vector<OffsetToCommit> offsets{};

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

struct TxnOffsetCommitResponse {
  static constexpr ApiKey kApi = ApiKey::kTxnOffsetCommit;
  static constexpr bool kResponse = true;

  std::vector<CommittedPartition> partitions{};

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

}  // namespace kafkasim::broker

// Requests about the data of partitions: Produce, Fetch, ListOffsets (message schemas of the
// Kafka 4.4 development line).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <absl/container/inlined_vector.h>

#include "broker/error_code.h"
#include "broker/ids.h"
#include "broker/message.h"
#include "broker/record_batch.h"

namespace kafkasim::broker {

enum class IsolationLevel : int8_t { kReadUncommitted = 0, kReadCommitted = 1 };
[[nodiscard]] std::string_view Name(IsolationLevel level);  // "read_committed"

// Versions: from 11 on the client understands TRANSACTION_ABORTABLE; from 12 on (TV2) the leader
// adds the partition to the transaction on the client's behalf.
struct ProduceRequest {
  static constexpr ApiKey kApi = ApiKey::kProduce;
  static constexpr bool kResponse = false;

  struct PartitionData {
    PartitionId partition{};
    RecordBatchRef batch{};  // exactly one a partition
  };

  int16_t version = 11;
  std::optional<std::string> transactional_id{};
  int16_t acks = -1;
  int32_t timeout_ms = 30'000;
  absl::InlinedVector<PartitionData, 1> partitions{};

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

struct ProduceResponse {
  static constexpr ApiKey kApi = ApiKey::kProduce;
  static constexpr bool kResponse = true;

  struct PartitionResult {
    PartitionId partition{};
    ErrorCode error = ErrorCode::kNone;
    Offset base_offset = kNoOffset;
    Offset log_start_offset = kNoOffset;
    std::string error_message{};  // why, for people
  };

  absl::InlinedVector<PartitionResult, 1> partitions{};

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

// From a consumer (replica = -1) or a follower. A follower's request is incremental (KIP-227): it
// names only the partitions whose fetch offset or log start changed; the leader remembers the rest
// of the session.
struct FetchRequest {
  static constexpr ApiKey kApi = ApiKey::kFetch;
  static constexpr bool kResponse = false;

  struct PartitionFetch {
    PartitionId partition{};
    Offset fetch_offset{0};
    LeaderEpoch current_leader_epoch = kNoLeaderEpoch;  // -1: the sender does not check
    LeaderEpoch last_fetched_epoch = kNoLeaderEpoch;    // followers: to find where logs diverge
    Offset log_start_offset = kNoOffset;                // followers: where their log starts
    int32_t max_bytes = 1'048'576;
  };

  BrokerId replica = kNoBroker;
  int64_t replica_epoch = -1;  // followers: their broker epoch (KIP-903); -1 is not checked
  IsolationLevel isolation_level = IsolationLevel::kReadUncommitted;
  int32_t max_wait_ms = 500;
  int32_t min_bytes = 1;
  int32_t max_bytes = 52'428'800;
  int32_t session_epoch = 0;  // followers: 0 opens a session, then 1, 2, ...
  absl::InlinedVector<PartitionFetch, 1> partitions{};
  std::vector<PartitionId> forgotten{};  // followers: no longer in the session

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

struct FetchResponse {
  static constexpr ApiKey kApi = ApiKey::kFetch;
  static constexpr bool kResponse = true;

  struct AbortedTransaction {
    ProducerId producer_id = kNoProducerId;
    Offset first_offset{0};

    friend constexpr bool operator==(const AbortedTransaction&,
                                     const AbortedTransaction&) = default;
  };
  // KIP-595 / KIP-320: the follower must truncate to where this epoch ends.
  struct DivergingEpoch {
    LeaderEpoch epoch = kNoLeaderEpoch;
    Offset end_offset = kNoOffset;
  };
  struct PartitionResult {
    PartitionId partition{};
    ErrorCode error = ErrorCode::kNone;
    Offset high_watermark = kNoOffset;
    Offset last_stable_offset = kNoOffset;
    Offset log_start_offset = kNoOffset;
    std::optional<DivergingEpoch> diverging_epoch{};
    // Set (perhaps empty) for read_committed only.
    std::optional<std::vector<AbortedTransaction>> aborted_transactions{};
    RecordBatches batches{};
  };

  ErrorCode error = ErrorCode::kNone;  // of the session
  absl::InlinedVector<PartitionResult, 1> partitions{};

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

inline constexpr int64_t kLatestTimestamp = -1;
inline constexpr int64_t kEarliestTimestamp = -2;
inline constexpr int64_t kMaxTimestamp = -3;  // the record with the largest timestamp

struct ListOffsetsRequest {
  static constexpr ApiKey kApi = ApiKey::kListOffsets;
  static constexpr bool kResponse = false;

  struct PartitionQuery {
    PartitionId partition{};
    int64_t timestamp = kLatestTimestamp;  // milliseconds, or one of the above
    LeaderEpoch current_leader_epoch = kNoLeaderEpoch;
  };

  BrokerId replica = kNoBroker;  // -1 consumer; -2 debug consumer sees the log end offset
  IsolationLevel isolation_level = IsolationLevel::kReadUncommitted;
  std::vector<PartitionQuery> partitions{};

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

struct ListOffsetsResponse {
  static constexpr ApiKey kApi = ApiKey::kListOffsets;
  static constexpr bool kResponse = true;

  struct PartitionResult {
    PartitionId partition{};
    ErrorCode error = ErrorCode::kNone;
    int64_t timestamp = -1;
    Offset offset = kNoOffset;                  // -1: no record with such a timestamp
    LeaderEpoch leader_epoch = kNoLeaderEpoch;  // of the record there, or the log's last one
  };

  std::vector<PartitionResult> partitions{};

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

}  // namespace kafkasim::broker

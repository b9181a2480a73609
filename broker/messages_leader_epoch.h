// OffsetForLeaderEpoch: where the log of a leader epoch ends at the leader. A consumer finds out
// with it whether what it has read is still there after a change of leader (KIP-320; message schema
// of the Kafka 4.4 development line). Followers learn the same from their fetches (KIP-595).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "broker/error_code.h"
#include "broker/ids.h"
#include "broker/message.h"

namespace kafkasim::broker {

struct OffsetForLeaderEpochRequest {
  static constexpr ApiKey kApi = ApiKey::kOffsetForLeaderEpoch;
  static constexpr bool kResponse = false;

  struct PartitionQuery {
    PartitionId partition{};
    LeaderEpoch current_leader_epoch = kNoLeaderEpoch;  // -1: the sender does not check
    LeaderEpoch leader_epoch = kNoLeaderEpoch;          // the one asked about
  };

  std::vector<PartitionQuery> partitions{};

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

// Errors of a partition: UNKNOWN_TOPIC_OR_PARTITION, NOT_LEADER_OR_FOLLOWER, FENCED_LEADER_EPOCH,
// UNKNOWN_LEADER_EPOCH.
struct OffsetForLeaderEpochResponse {
  static constexpr ApiKey kApi = ApiKey::kOffsetForLeaderEpoch;
  static constexpr bool kResponse = true;

  struct PartitionResult {
    PartitionId partition{};
    ErrorCode error = ErrorCode::kNone;
    LeaderEpoch leader_epoch = kNoLeaderEpoch;  // the largest known one not above the one asked
    Offset end_offset = kNoOffset;              // its end, exclusive; -1: nothing is known of it
  };

  std::vector<PartitionResult> partitions{};

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

}  // namespace kafkasim::broker

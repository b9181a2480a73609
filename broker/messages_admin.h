// What an administrator asks about transactions: DescribeProducers of partitions,
// DescribeTransactions and ListTransactions of transaction coordinators (KIP-664, KIP-994,
// KIP-1152; message schemas of the Kafka 4.4 development line).
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

struct DescribeProducersRequest {
  static constexpr ApiKey kApi = ApiKey::kDescribeProducers;
  static constexpr bool kResponse = false;

  std::vector<PartitionId> partitions{};

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

// Of any replica, not only of the leader. Errors of a partition:
//   UNKNOWN_TOPIC_OR_PARTITION  the broker does not know it
//   NOT_LEADER_OR_FOLLOWER      the broker has no replica of it
struct DescribeProducersResponse {
  static constexpr ApiKey kApi = ApiKey::kDescribeProducers;
  static constexpr bool kResponse = true;

  struct ProducerState {
    ProducerId producer_id = kNoProducerId;
    ProducerEpoch producer_epoch = kNoProducerEpoch;
    Sequence last_sequence = kNoSequence;
    int64_t last_timestamp_ms = -1;
    CoordinatorEpoch coordinator_epoch = kNoCoordinatorEpoch;  // of the last marker
    Offset current_txn_start_offset = kNoOffset;               // -1: no transaction is open here
  };
  struct PartitionResult {
    PartitionId partition{};
    ErrorCode error = ErrorCode::kNone;
    std::vector<ProducerState> active_producers{};  // by producer id
  };

  std::vector<PartitionResult> partitions{};

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

struct DescribeTransactionsRequest {
  static constexpr ApiKey kApi = ApiKey::kDescribeTransactions;
  static constexpr bool kResponse = false;

  std::vector<std::string> transactional_ids{};

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

// Errors of an id: COORDINATOR_LOAD_IN_PROGRESS, NOT_COORDINATOR, TRANSACTIONAL_ID_NOT_FOUND, and
// INVALID_REQUEST for an empty one.
struct DescribeTransactionsResponse {
  static constexpr ApiKey kApi = ApiKey::kDescribeTransactions;
  static constexpr bool kResponse = true;

  struct TransactionState {
    ErrorCode error = ErrorCode::kNone;
    std::string transactional_id{};
    std::string state{};  // "Ongoing"
    int32_t timeout_ms = 0;
    int64_t start_time_ms = -1;
    ProducerId producer_id = kNoProducerId;
    ProducerEpoch producer_epoch = kNoProducerEpoch;
    PartitionList partitions{};  // of the open transaction, or those still without a marker
  };

  std::vector<TransactionState> transactions{};

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

// A filter that is empty lets everything through. Versions: 1 added the duration (KIP-994), 2 the
// pattern (KIP-1152).
struct ListTransactionsRequest {
  static constexpr ApiKey kApi = ApiKey::kListTransactions;
  static constexpr bool kResponse = false;

  std::vector<std::string> state_filters{};  // "Ongoing"
  std::vector<ProducerId> producer_id_filters{};
  int64_t duration_filter_ms = -1;         // transactions that began longer ago; < 0: all
  std::string transactional_id_pattern{};  // a regular expression for the whole id

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

// Errors: COORDINATOR_LOAD_IN_PROGRESS while any partition of __transaction_state is being loaded
// there, INVALID_REGULAR_EXPRESSION.
struct ListTransactionsResponse {
  static constexpr ApiKey kApi = ApiKey::kListTransactions;
  static constexpr bool kResponse = true;

  struct TransactionState {
    std::string transactional_id{};
    ProducerId producer_id = kNoProducerId;
    std::string state{};
  };

  ErrorCode error = ErrorCode::kNone;
  std::vector<std::string> unknown_state_filters{};
  std::vector<TransactionState> transactions{};  // by partition of __transaction_state, then by id

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

}  // namespace kafkasim::broker

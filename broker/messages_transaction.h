// Requests to a transaction coordinator and from it (KIP-98, KIP-360, KIP-890; message schemas of
// the Kafka 4.4 development line). `version` tells the receiver what the sender understands; the
// highest of each is the default where a client has no reason for an older one.
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

namespace kafkasim::broker {

using PartitionList = absl::InlinedVector<PartitionId, 4>;

// Which broker coordinates a group or a transactional id.
enum class CoordinatorType : int8_t { kGroup = 0, kTransaction = 1 };

struct FindCoordinatorRequest {
  static constexpr ApiKey kApi = ApiKey::kFindCoordinator;
  static constexpr bool kResponse = false;

  CoordinatorType type = CoordinatorType::kTransaction;
  std::string key{};

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

struct FindCoordinatorResponse {
  static constexpr ApiKey kApi = ApiKey::kFindCoordinator;
  static constexpr bool kResponse = true;

  ErrorCode error = ErrorCode::kNone;
  BrokerId broker = kNoBroker;

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

// Versions: 3 added the producer id and epoch (KIP-360), below 4 a fenced producer hears
// INVALID_PRODUCER_EPOCH instead of PRODUCER_FENCED (KIP-588), 6 added two-phase commit (KIP-939).
struct InitProducerIdRequest {
  static constexpr ApiKey kApi = ApiKey::kInitProducerId;
  static constexpr bool kResponse = false;

  int16_t version = 5;
  std::optional<std::string> transactional_id{};  // nullopt: an idempotent producer wants an id
  int32_t transaction_timeout_ms = 60'000;
  ProducerId producer_id = kNoProducerId;
  ProducerEpoch producer_epoch = kNoProducerEpoch;
  bool enable_2pc = false;
  bool keep_prepared_txn = false;

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

struct InitProducerIdResponse {
  static constexpr ApiKey kApi = ApiKey::kInitProducerId;
  static constexpr bool kResponse = true;

  ErrorCode error = ErrorCode::kNone;
  ProducerId producer_id = kNoProducerId;
  ProducerEpoch producer_epoch = kNoProducerEpoch;

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

// Versions: clients send up to 3 with one transaction; 4 and above come from brokers, several
// transactions at once, to verify (TV1) or to add (TV2). Below 2 PRODUCER_FENCED is
// INVALID_PRODUCER_EPOCH; from 5 on TRANSACTION_ABORTABLE is understood.
struct AddPartitionsToTxnRequest {
  static constexpr ApiKey kApi = ApiKey::kAddPartitionsToTxn;
  static constexpr bool kResponse = false;

  struct Transaction {
    std::string transactional_id{};
    ProducerId producer_id = kNoProducerId;
    ProducerEpoch producer_epoch = kNoProducerEpoch;
    bool verify_only = false;
    PartitionList partitions{};
  };

  int16_t version = 3;
  std::vector<Transaction> transactions{};

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

struct AddPartitionsToTxnResponse {
  static constexpr ApiKey kApi = ApiKey::kAddPartitionsToTxn;
  static constexpr bool kResponse = true;

  struct PartitionResult {
    PartitionId partition{};
    ErrorCode error = ErrorCode::kNone;
  };
  struct TransactionResult {
    std::string transactional_id{};
    absl::InlinedVector<PartitionResult, 4> partitions{};
  };

  ErrorCode error = ErrorCode::kNone;  // of the request as a whole, versions 4 and above
  std::vector<TransactionResult> transactions{};

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

struct AddOffsetsToTxnRequest {
  static constexpr ApiKey kApi = ApiKey::kAddOffsetsToTxn;
  static constexpr bool kResponse = false;

  int16_t version = 4;
  std::string transactional_id{};
  ProducerId producer_id = kNoProducerId;
  ProducerEpoch producer_epoch = kNoProducerEpoch;
  std::string group_id{};

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

struct AddOffsetsToTxnResponse {
  static constexpr ApiKey kApi = ApiKey::kAddOffsetsToTxn;
  static constexpr bool kResponse = true;

  ErrorCode error = ErrorCode::kNone;

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

// Versions: from 5 on the client speaks transaction.version 2 and adopts the epoch that comes back.
struct EndTxnRequest {
  static constexpr ApiKey kApi = ApiKey::kEndTxn;
  static constexpr bool kResponse = false;

  int16_t version = 4;
  std::string transactional_id{};
  ProducerId producer_id = kNoProducerId;
  ProducerEpoch producer_epoch = kNoProducerEpoch;
  bool committed = true;

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

struct EndTxnResponse {
  static constexpr ApiKey kApi = ApiKey::kEndTxn;
  static constexpr bool kResponse = true;

  ErrorCode error = ErrorCode::kNone;
  ProducerId producer_id = kNoProducerId;  // version 5: to be used from now on
  ProducerEpoch producer_epoch = kNoProducerEpoch;

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

// From a coordinator to the leaders of a transaction's partitions. Version 2 added
// transaction_version (KIP-1228).
struct WriteTxnMarkersRequest {
  static constexpr ApiKey kApi = ApiKey::kWriteTxnMarkers;
  static constexpr bool kResponse = false;

  struct Marker {
    ProducerId producer_id = kNoProducerId;
    ProducerEpoch producer_epoch = kNoProducerEpoch;
    bool committed = true;
    PartitionList partitions{};
    CoordinatorEpoch coordinator_epoch = kNoCoordinatorEpoch;
    int8_t transaction_version = 0;
  };

  int16_t version = 2;
  std::vector<Marker> markers{};

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

struct WriteTxnMarkersResponse {
  static constexpr ApiKey kApi = ApiKey::kWriteTxnMarkers;
  static constexpr bool kResponse = true;

  struct PartitionResult {
    PartitionId partition{};
    ErrorCode error = ErrorCode::kNone;
  };
  struct MarkerResult {
    ProducerId producer_id = kNoProducerId;
    absl::InlinedVector<PartitionResult, 4> partitions{};
  };

  std::vector<MarkerResult> markers{};

  [[nodiscard]] bool Concerns(std::string_view attribute, std::string_view value) const;
  [[nodiscard]] std::string Describe(const ClusterImage& names) const;
  void AppendTo(sim::CanonicalBytes& out) const;
};

}  // namespace kafkasim::broker

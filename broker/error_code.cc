#include "broker/error_code.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <absl/strings/cord.h>
#include <fmt/format.h>

namespace kafkasim::broker {
namespace {

struct Row {
  ErrorCode code;
  std::string_view name;
  bool retriable = false;
  bool refresh = false;
};

constexpr bool kRetriable = true;
constexpr bool kRefresh = true;

// clang-format off
constexpr std::array kRows = {
    Row{ErrorCode::kUnknownServerError, "UNKNOWN_SERVER_ERROR"},
    Row{ErrorCode::kNone, "NONE"},
    Row{ErrorCode::kOffsetOutOfRange, "OFFSET_OUT_OF_RANGE"},
    Row{ErrorCode::kUnknownTopicOrPartition, "UNKNOWN_TOPIC_OR_PARTITION", kRetriable, kRefresh},
    Row{ErrorCode::kLeaderNotAvailable, "LEADER_NOT_AVAILABLE", kRetriable, kRefresh},
    Row{ErrorCode::kNotLeaderOrFollower, "NOT_LEADER_OR_FOLLOWER", kRetriable, kRefresh},
    Row{ErrorCode::kRequestTimedOut, "REQUEST_TIMED_OUT", kRetriable},
    Row{ErrorCode::kMessageTooLarge, "MESSAGE_TOO_LARGE"},
    Row{ErrorCode::kOffsetMetadataTooLarge, "OFFSET_METADATA_TOO_LARGE"},
    Row{ErrorCode::kNetworkException, "NETWORK_EXCEPTION", kRetriable, kRefresh},
    Row{ErrorCode::kCoordinatorLoadInProgress, "COORDINATOR_LOAD_IN_PROGRESS", kRetriable},
    Row{ErrorCode::kCoordinatorNotAvailable, "COORDINATOR_NOT_AVAILABLE", kRetriable, kRefresh},
    Row{ErrorCode::kNotCoordinator, "NOT_COORDINATOR", kRetriable, kRefresh},
    Row{ErrorCode::kInvalidTopic, "INVALID_TOPIC_EXCEPTION"},
    Row{ErrorCode::kRecordListTooLarge, "RECORD_LIST_TOO_LARGE"},
    Row{ErrorCode::kNotEnoughReplicas, "NOT_ENOUGH_REPLICAS", kRetriable},
    Row{ErrorCode::kNotEnoughReplicasAfterAppend, "NOT_ENOUGH_REPLICAS_AFTER_APPEND", kRetriable},
    Row{ErrorCode::kInvalidRequiredAcks, "INVALID_REQUIRED_ACKS"},
    Row{ErrorCode::kIllegalGeneration, "ILLEGAL_GENERATION"},
    Row{ErrorCode::kInconsistentGroupProtocol, "INCONSISTENT_GROUP_PROTOCOL"},
    Row{ErrorCode::kInvalidGroupId, "INVALID_GROUP_ID"},
    Row{ErrorCode::kUnknownMemberId, "UNKNOWN_MEMBER_ID"},
    Row{ErrorCode::kInvalidSessionTimeout, "INVALID_SESSION_TIMEOUT"},
    Row{ErrorCode::kRebalanceInProgress, "REBALANCE_IN_PROGRESS"},
    Row{ErrorCode::kTopicAuthorizationFailed, "TOPIC_AUTHORIZATION_FAILED"},
    Row{ErrorCode::kGroupAuthorizationFailed, "GROUP_AUTHORIZATION_FAILED"},
    Row{ErrorCode::kInvalidTimestamp, "INVALID_TIMESTAMP"},
    Row{ErrorCode::kUnsupportedVersion, "UNSUPPORTED_VERSION"},
    Row{ErrorCode::kTopicAlreadyExists, "TOPIC_ALREADY_EXISTS"},
    Row{ErrorCode::kInvalidPartitions, "INVALID_PARTITIONS"},
    Row{ErrorCode::kInvalidReplicationFactor, "INVALID_REPLICATION_FACTOR"},
    Row{ErrorCode::kInvalidConfig, "INVALID_CONFIG"},
    Row{ErrorCode::kInvalidRequest, "INVALID_REQUEST"},
    Row{ErrorCode::kUnsupportedForMessageFormat, "UNSUPPORTED_FOR_MESSAGE_FORMAT"},
    Row{ErrorCode::kPolicyViolation, "POLICY_VIOLATION"},
    Row{ErrorCode::kOutOfOrderSequenceNumber, "OUT_OF_ORDER_SEQUENCE_NUMBER"},
    Row{ErrorCode::kDuplicateSequenceNumber, "DUPLICATE_SEQUENCE_NUMBER"},
    Row{ErrorCode::kInvalidProducerEpoch, "INVALID_PRODUCER_EPOCH"},
    Row{ErrorCode::kInvalidTxnState, "INVALID_TXN_STATE"},
    Row{ErrorCode::kInvalidProducerIdMapping, "INVALID_PRODUCER_ID_MAPPING"},
    Row{ErrorCode::kInvalidTransactionTimeout, "INVALID_TRANSACTION_TIMEOUT"},
    Row{ErrorCode::kConcurrentTransactions, "CONCURRENT_TRANSACTIONS", kRetriable},
    Row{ErrorCode::kTransactionCoordinatorFenced, "TRANSACTION_COORDINATOR_FENCED"},
    Row{ErrorCode::kTransactionalIdAuthorizationFailed, "TRANSACTIONAL_ID_AUTHORIZATION_FAILED"},
    Row{ErrorCode::kOperationNotAttempted, "OPERATION_NOT_ATTEMPTED"},
    Row{ErrorCode::kKafkaStorageError, "KAFKA_STORAGE_ERROR", kRetriable, kRefresh},
    Row{ErrorCode::kUnknownProducerId, "UNKNOWN_PRODUCER_ID"},
    Row{ErrorCode::kGroupIdNotFound, "GROUP_ID_NOT_FOUND"},
    Row{ErrorCode::kFetchSessionIdNotFound, "FETCH_SESSION_ID_NOT_FOUND", kRetriable},
    Row{ErrorCode::kInvalidFetchSessionEpoch, "INVALID_FETCH_SESSION_EPOCH", kRetriable},
    Row{ErrorCode::kFencedLeaderEpoch, "FENCED_LEADER_EPOCH", kRetriable, kRefresh},
    Row{ErrorCode::kUnknownLeaderEpoch, "UNKNOWN_LEADER_EPOCH", kRetriable},
    Row{ErrorCode::kOffsetNotAvailable, "OFFSET_NOT_AVAILABLE", kRetriable},
    Row{ErrorCode::kMemberIdRequired, "MEMBER_ID_REQUIRED"},
    Row{ErrorCode::kPreferredLeaderNotAvailable, "PREFERRED_LEADER_NOT_AVAILABLE", kRetriable,
        kRefresh},
    Row{ErrorCode::kGroupMaxSizeReached, "GROUP_MAX_SIZE_REACHED"},
    Row{ErrorCode::kFencedInstanceId, "FENCED_INSTANCE_ID"},
    Row{ErrorCode::kEligibleLeadersNotAvailable, "ELIGIBLE_LEADERS_NOT_AVAILABLE", kRetriable,
        kRefresh},
    Row{ErrorCode::kElectionNotNeeded, "ELECTION_NOT_NEEDED", kRetriable, kRefresh},
    Row{ErrorCode::kInvalidRecord, "INVALID_RECORD"},
    Row{ErrorCode::kUnstableOffsetCommit, "UNSTABLE_OFFSET_COMMIT", kRetriable},
    Row{ErrorCode::kProducerFenced, "PRODUCER_FENCED"},
    Row{ErrorCode::kInvalidUpdateVersion, "INVALID_UPDATE_VERSION"},
    Row{ErrorCode::kUnknownTopicId, "UNKNOWN_TOPIC_ID", kRetriable, kRefresh},
    Row{ErrorCode::kTransactionalIdNotFound, "TRANSACTIONAL_ID_NOT_FOUND"},
    Row{ErrorCode::kIneligibleReplica, "INELIGIBLE_REPLICA"},
    Row{ErrorCode::kFencedMemberEpoch, "FENCED_MEMBER_EPOCH"},
    Row{ErrorCode::kStaleMemberEpoch, "STALE_MEMBER_EPOCH"},
    Row{ErrorCode::kTransactionAbortable, "TRANSACTION_ABORTABLE"},
    Row{ErrorCode::kInvalidRegularExpression, "INVALID_REGULAR_EXPRESSION"},
};
// clang-format on

constexpr const Row* Find(ErrorCode code) {
  for (const Row& row : kRows) {
    if (row.code == code) return &row;
  }
  return nullptr;
}

constexpr const char* kPayloadUrl = "kafkasim/error_code";

}  // namespace

std::string_view Name(ErrorCode code) {
  const Row* row = Find(code);
  return row != nullptr ? row->name : "UNKNOWN_SERVER_ERROR";
}

std::optional<ErrorCode> ErrorCodeFromName(std::string_view name) {
  for (const Row& row : kRows) {
    if (row.name == name) return row.code;
  }
  return std::nullopt;
}

const std::vector<ErrorCode>& AllErrorCodes() {
  static const std::vector<ErrorCode> codes = [] {
    std::vector<ErrorCode> all;
    for (const Row& row : kRows) all.push_back(row.code);
    return all;
  }();
  return codes;
}

bool IsRetriable(ErrorCode code) {
  const Row* row = Find(code);
  return row != nullptr && row->retriable;
}

bool NeedsMetadataRefresh(ErrorCode code) {
  const Row* row = Find(code);
  return row != nullptr && row->refresh;
}

absl::Status KafkaError(ErrorCode code, std::string_view message) {
  absl::Status status = absl::FailedPreconditionError(fmt::format("{}: {}", Name(code), message));
  status.SetPayload(kPayloadUrl, absl::Cord(std::to_string(static_cast<int>(code))));
  return status;
}

ErrorCode CodeOf(const absl::Status& status) {
  if (status.ok()) return ErrorCode::kNone;
  const auto payload = status.GetPayload(kPayloadUrl);
  if (!payload.has_value()) return ErrorCode::kUnknownServerError;
  const std::string digits(*payload);
  int code = -1;
  std::from_chars(digits.data(), digits.data() + digits.size(), code);
  return static_cast<ErrorCode>(code);
}

std::ostream& operator<<(std::ostream& out, ErrorCode code) { return out << Name(code); }

}  // namespace kafkasim::broker

// Kafka's error codes, with Kafka's names and numbers (class Errors, Kafka 4.4 development line),
// and what a client may do about each (KIP-1050 categories where the client distinguishes them).
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <absl/status/status.h>

namespace kafkasim::broker {

enum class ErrorCode : int16_t {
  kUnknownServerError = -1,
  kNone = 0,
  kOffsetOutOfRange = 1,
  kUnknownTopicOrPartition = 3,
  kLeaderNotAvailable = 5,
  kNotLeaderOrFollower = 6,
  kRequestTimedOut = 7,
  kMessageTooLarge = 10,
  kOffsetMetadataTooLarge = 12,
  kNetworkException = 13,
  kCoordinatorLoadInProgress = 14,
  kCoordinatorNotAvailable = 15,
  kNotCoordinator = 16,
  kInvalidTopic = 17,
  kRecordListTooLarge = 18,
  kNotEnoughReplicas = 19,
  kNotEnoughReplicasAfterAppend = 20,
  kInvalidRequiredAcks = 21,
  kIllegalGeneration = 22,
  kInconsistentGroupProtocol = 23,
  kInvalidGroupId = 24,
  kUnknownMemberId = 25,
  kInvalidSessionTimeout = 26,
  kRebalanceInProgress = 27,
  kTopicAuthorizationFailed = 29,
  kGroupAuthorizationFailed = 30,
  kInvalidTimestamp = 32,
  kUnsupportedVersion = 35,
  kTopicAlreadyExists = 36,
  kInvalidPartitions = 37,
  kInvalidReplicationFactor = 38,
  kInvalidConfig = 40,
  kInvalidRequest = 42,
  kUnsupportedForMessageFormat = 43,
  kPolicyViolation = 44,
  kOutOfOrderSequenceNumber = 45,
  kDuplicateSequenceNumber = 46,
  kInvalidProducerEpoch = 47,
  kInvalidTxnState = 48,
  kInvalidProducerIdMapping = 49,
  kInvalidTransactionTimeout = 50,
  kConcurrentTransactions = 51,
  kTransactionCoordinatorFenced = 52,
  kTransactionalIdAuthorizationFailed = 53,
  kOperationNotAttempted = 55,
  kKafkaStorageError = 56,
  kUnknownProducerId = 59,
  kGroupIdNotFound = 69,
  kFetchSessionIdNotFound = 70,
  kInvalidFetchSessionEpoch = 71,
  kFencedLeaderEpoch = 74,
  kUnknownLeaderEpoch = 75,
  kOffsetNotAvailable = 78,
  kMemberIdRequired = 79,
  kPreferredLeaderNotAvailable = 80,
  kGroupMaxSizeReached = 81,
  kFencedInstanceId = 82,
  kEligibleLeadersNotAvailable = 83,
  kElectionNotNeeded = 84,
  kInvalidRecord = 87,
  kUnstableOffsetCommit = 88,
  kProducerFenced = 90,
  kInvalidUpdateVersion = 95,
  kUnknownTopicId = 100,
  kTransactionalIdNotFound = 105,
  kIneligibleReplica = 107,
  kFencedMemberEpoch = 110,
  kStaleMemberEpoch = 113,
  kTransactionAbortable = 120,
  kInvalidRegularExpression = 128,
};

// "PRODUCER_FENCED".
[[nodiscard]] std::string_view Name(ErrorCode code);
// The code of that name; nullopt if Kafka has none.
[[nodiscard]] std::optional<ErrorCode> ErrorCodeFromName(std::string_view name);
// All codes, in the order of their numbers.
[[nodiscard]] const std::vector<ErrorCode>& AllErrorCodes();
// Kafka's RetriableException: the same request may succeed later.
[[nodiscard]] bool IsRetriable(ErrorCode code);
// Of the retriable ones, those after which a client must refresh its metadata first
// (InvalidMetadataException, and for coordinators RefreshRetriableException).
[[nodiscard]] bool NeedsMetadataRefresh(ErrorCode code);

// An expected Kafka error as a Status: the code travels as payload, `message` names the ids and
// both values compared.
[[nodiscard]] absl::Status KafkaError(ErrorCode code, std::string_view message);
// The code of a Status made by KafkaError; kNone for OK, kUnknownServerError for any other.
[[nodiscard]] ErrorCode CodeOf(const absl::Status& status);

std::ostream& operator<<(std::ostream& out, ErrorCode code);

}  // namespace kafkasim::broker

#include "client/exception.h"

#include <utility>

#include <fmt/format.h>

namespace kafkasim::client {
namespace {

using broker::ErrorCode;

struct ExceptionRow {
  ErrorCode code;
  std::string_view exception;
};

// clang-format off
constexpr ExceptionRow kExceptions[] = {
    {ErrorCode::kOffsetOutOfRange, "OffsetOutOfRangeException"},
    {ErrorCode::kUnknownTopicOrPartition, "UnknownTopicOrPartitionException"},
    {ErrorCode::kLeaderNotAvailable, "LeaderNotAvailableException"},
    {ErrorCode::kNotLeaderOrFollower, "NotLeaderOrFollowerException"},
    {ErrorCode::kRequestTimedOut, "TimeoutException"},
    {ErrorCode::kOffsetMetadataTooLarge, "OffsetMetadataTooLarge"},
    {ErrorCode::kNetworkException, "NetworkException"},
    {ErrorCode::kCoordinatorLoadInProgress, "CoordinatorLoadInProgressException"},
    {ErrorCode::kCoordinatorNotAvailable, "CoordinatorNotAvailableException"},
    {ErrorCode::kNotCoordinator, "NotCoordinatorException"},
    {ErrorCode::kInvalidTopic, "InvalidTopicException"},
    {ErrorCode::kNotEnoughReplicas, "NotEnoughReplicasException"},
    {ErrorCode::kNotEnoughReplicasAfterAppend, "NotEnoughReplicasAfterAppendException"},
    {ErrorCode::kInvalidRequiredAcks, "InvalidRequiredAcksException"},
    {ErrorCode::kIllegalGeneration, "IllegalGenerationException"},
    {ErrorCode::kInconsistentGroupProtocol, "InconsistentGroupProtocolException"},
    {ErrorCode::kInvalidGroupId, "InvalidGroupIdException"},
    {ErrorCode::kUnknownMemberId, "UnknownMemberIdException"},
    {ErrorCode::kInvalidSessionTimeout, "InvalidSessionTimeoutException"},
    {ErrorCode::kRebalanceInProgress, "RebalanceInProgressException"},
    {ErrorCode::kTopicAuthorizationFailed, "TopicAuthorizationException"},
    {ErrorCode::kGroupAuthorizationFailed, "GroupAuthorizationException"},
    {ErrorCode::kInvalidTimestamp, "InvalidTimestampException"},
    {ErrorCode::kUnsupportedVersion, "UnsupportedVersionException"},
    {ErrorCode::kTopicAlreadyExists, "TopicExistsException"},
    {ErrorCode::kInvalidPartitions, "InvalidPartitionsException"},
    {ErrorCode::kInvalidReplicationFactor, "InvalidReplicationFactorException"},
    {ErrorCode::kInvalidConfig, "InvalidConfigurationException"},
    {ErrorCode::kInvalidRequest, "InvalidRequestException"},
    {ErrorCode::kUnsupportedForMessageFormat, "UnsupportedForMessageFormatException"},
    {ErrorCode::kPolicyViolation, "PolicyViolationException"},
    {ErrorCode::kOutOfOrderSequenceNumber, "OutOfOrderSequenceException"},
    {ErrorCode::kDuplicateSequenceNumber, "DuplicateSequenceException"},
    {ErrorCode::kInvalidProducerEpoch, "InvalidProducerEpochException"},
    {ErrorCode::kInvalidTxnState, "InvalidTxnStateException"},
    {ErrorCode::kInvalidProducerIdMapping, "InvalidPidMappingException"},
    {ErrorCode::kInvalidTransactionTimeout, "InvalidTxnTimeoutException"},
    {ErrorCode::kConcurrentTransactions, "ConcurrentTransactionsException"},
    {ErrorCode::kTransactionCoordinatorFenced, "TransactionCoordinatorFencedException"},
    {ErrorCode::kTransactionalIdAuthorizationFailed, "TransactionalIdAuthorizationException"},
    {ErrorCode::kOperationNotAttempted, "OperationNotAttemptedException"},
    {ErrorCode::kKafkaStorageError, "KafkaStorageException"},
    {ErrorCode::kUnknownProducerId, "UnknownProducerIdException"},
    {ErrorCode::kGroupIdNotFound, "GroupIdNotFoundException"},
    {ErrorCode::kFetchSessionIdNotFound, "FetchSessionIdNotFoundException"},
    {ErrorCode::kInvalidFetchSessionEpoch, "InvalidFetchSessionEpochException"},
    {ErrorCode::kFencedLeaderEpoch, "FencedLeaderEpochException"},
    {ErrorCode::kUnknownLeaderEpoch, "UnknownLeaderEpochException"},
    {ErrorCode::kOffsetNotAvailable, "OffsetNotAvailableException"},
    {ErrorCode::kMemberIdRequired, "MemberIdRequiredException"},
    {ErrorCode::kPreferredLeaderNotAvailable, "PreferredLeaderNotAvailableException"},
    {ErrorCode::kGroupMaxSizeReached, "GroupMaxSizeReachedException"},
    {ErrorCode::kFencedInstanceId, "FencedInstanceIdException"},
    {ErrorCode::kEligibleLeadersNotAvailable, "EligibleLeadersNotAvailableException"},
    {ErrorCode::kElectionNotNeeded, "ElectionNotNeededException"},
    {ErrorCode::kInvalidRecord, "InvalidRecordException"},
    {ErrorCode::kUnstableOffsetCommit, "UnstableOffsetCommitException"},
    {ErrorCode::kProducerFenced, "ProducerFencedException"},
    {ErrorCode::kInvalidUpdateVersion, "InvalidUpdateVersionException"},
    {ErrorCode::kUnknownTopicId, "UnknownTopicIdException"},
    {ErrorCode::kTransactionalIdNotFound, "TransactionalIdNotFoundException"},
    {ErrorCode::kFencedMemberEpoch, "FencedMemberEpochException"},
    {ErrorCode::kStaleMemberEpoch, "StaleMemberEpochException"},
    {ErrorCode::kTransactionAbortable, "TransactionAbortableException"},
    {ErrorCode::kInvalidRegularExpression, "InvalidRegularExpression"},
};
// clang-format on

std::string_view NameWithCode(Exception exception, ErrorCode code) {
  switch (exception) {
    case Exception::kNone:
      return "";
    case Exception::kFromCode:
      return ExceptionOf(code);
    case Exception::kKafka:
      return "KafkaException";
    case Exception::kIllegalState:
      return "IllegalStateException";
    case Exception::kIllegalArgument:
      return "IllegalArgumentException";
    case Exception::kConfig:
      return "ConfigException";
    case Exception::kTimeout:
      return "TimeoutException";
    case Exception::kTransactionAborted:
      return "TransactionAbortedException";
    case Exception::kDisconnect:
      return "DisconnectException";
    case Exception::kCommitFailed:
      return "CommitFailedException";
    case Exception::kRetriableCommitFailed:
      return "RetriableCommitFailedException";
    case Exception::kRecordTooLarge:
      return "RecordTooLargeException";
    case Exception::kDuplicateKey:
      return "DuplicateKeyException";
    case Exception::kExternalService:
      return "ExternalServiceException";
    case Exception::kNoOffsetForPartition:
      return "NoOffsetForPartitionException";
    case Exception::kLogTruncation:
      return "LogTruncationException";
  }
  return "?";
}

}  // namespace

std::string_view Name(ErrorClass error_class) {
  switch (error_class) {
    case ErrorClass::kNone:
      return "";
    case ErrorClass::kRetriable:
      return "retriable";
    case ErrorClass::kAbortable:
      return "abortable";
    case ErrorClass::kFatal:
      return "fatal";
    case ErrorClass::kMisuse:
      return "misuse";
  }
  return "?";
}

std::string_view ExceptionOf(ErrorCode code) {
  if (code == ErrorCode::kNone) return "";
  for (const ExceptionRow& row : kExceptions) {
    if (row.code == code) return row.exception;
  }
  return "UnknownServerException";
}

std::string_view ApiError::ExceptionName() const { return NameWithCode(exception, code); }

bool ApiError::IsRetriableException() const {
  if (exception == Exception::kTimeout || exception == Exception::kDisconnect ||
      exception == Exception::kRetriableCommitFailed) {
    return true;
  }
  return exception == Exception::kFromCode && broker::IsRetriable(code);
}

std::string ApiError::ToString() const {
  if (ok()) return "";
  if (cause == Exception::kNone) return fmt::format("{}: {}", ExceptionName(), message);
  return fmt::format("{} ({}): {}", ExceptionName(), NameWithCode(cause, code), message);
}

void ApiError::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(exception);
  out.Add(cause);
  out.Add(code);
  out.Add(error_class);
  out.Add(message);
}

ApiError ErrorFromCode(ErrorCode code, ErrorClass error_class, std::string message) {
  return {.exception = Exception::kFromCode,
          .code = code,
          .error_class = error_class,
          .message = std::move(message)};
}

ApiError ClientError(Exception exception, ErrorClass error_class, std::string message) {
  return {.exception = exception, .error_class = error_class, .message = std::move(message)};
}

ApiError IllegalState(std::string message) {
  return ClientError(Exception::kIllegalState, ErrorClass::kMisuse, std::move(message));
}

ApiError WrapInKafkaException(const ApiError& cause, std::string_view message) {
  ApiError error = cause;
  error.exception = Exception::kKafka;
  // A KafkaException inside another adds nothing to its name.
  error.cause = cause.exception == Exception::kKafka ? cause.cause : cause.exception;
  error.message = fmt::format("{}: {}", message, cause.message);
  return error;
}

std::ostream& operator<<(std::ostream& out, const ApiError& error) {
  return out << error.ToString();
}

}  // namespace kafkasim::client

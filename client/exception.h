// The exceptions of the Java client by their names, the Kafka error codes behind them, and what an
// application may do about each (KIP-1050 categories). Classes under org.apache.kafka.common.errors
// and Errors.java, Kafka 4.4 development line.
//
// An error of a client is data here: the exception that the application sees, the exception that it
// wraps, the broker's code, and a message that names the values compared.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "broker/error_code.h"
#include "sim/fingerprint.h"

namespace kafkasim::client {

// Exceptions that exist only in the client, or that stand for several error codes.
enum class Exception : uint8_t {
  kNone,
  kFromCode,               // the exception that belongs to the error code: PRODUCER_FENCED ->
                           // ProducerFencedException
  kKafka,                  // KafkaException, wraps another
  kIllegalState,           // IllegalStateException: a call that makes no sense in this state
  kIllegalArgument,        // IllegalArgumentException
  kConfig,                 // ConfigException
  kTimeout,                // TimeoutException, of a blocking call or of a batch
  kTransactionAborted,     // TransactionAbortedException, of records that an abort threw away
  kDisconnect,             // DisconnectException
  kCommitFailed,           // CommitFailedException: the group has moved on without this member
  kRetriableCommitFailed,  // RetriableCommitFailedException, of commit_async: wraps another
  kRecordTooLarge,         // RecordTooLargeException
  kDuplicateKey,           // outside Kafka: a unique constraint of a database refused a row
  kExternalService,        // outside Kafka: a service answered that it failed
  kNoOffsetForPartition,   // NoOffsetForPartitionException: auto.offset.reset=none
  kLogTruncation,          // LogTruncationException: what was read is no longer in the log
};

// What an application may do after an error.
enum class ErrorClass : uint8_t {
  kNone,       // no error
  kRetriable,  // the same call may succeed later
  kAbortable,  // abort the transaction, then go on
  kFatal,      // close this producer and make a new one
  kMisuse,     // a bug of the application; the client's state is as before
};
[[nodiscard]] std::string_view Name(ErrorClass error_class);  // "abortable"

// The simple name of the exception of an error code: "ProducerFencedException"; "UnknownServer-
// Exception" for a code without one, "" for NONE.
[[nodiscard]] std::string_view ExceptionOf(broker::ErrorCode code);

struct ApiError {
  Exception exception = Exception::kNone;
  Exception cause = Exception::kNone;  // of a KafkaException: what it wraps
  // The code of the broker's answer, of the exception or of its cause. UNKNOWN_SERVER_ERROR never
  // stands for "none": client-side errors have NONE here.
  broker::ErrorCode code = broker::ErrorCode::kNone;
  ErrorClass error_class = ErrorClass::kNone;
  std::string message{};

  [[nodiscard]] bool ok() const { return exception == Exception::kNone; }
  // Whether the exception is a RetriableException in Java.
  [[nodiscard]] bool IsRetriableException() const;
  // Whether a send returns it in its future; all other exceptions are thrown by the send itself.
  [[nodiscard]] bool IsApiException() const {
    return exception == Exception::kFromCode || exception == Exception::kTimeout ||
           exception == Exception::kRecordTooLarge;
  }
  // "ProducerFencedException"; "" if there is no error.
  [[nodiscard]] std::string_view ExceptionName() const;
  // "KafkaException (ProducerFencedException): message"; "" if there is no error.
  [[nodiscard]] std::string ToString() const;

  friend bool operator==(const ApiError&, const ApiError&) = default;
  void AppendTo(sim::CanonicalBytes& out) const;
};

// The error that a code stands for when it reaches the application as itself.
[[nodiscard]] ApiError ErrorFromCode(broker::ErrorCode code, ErrorClass error_class,
                                     std::string message);
// An error that is the client's own.
[[nodiscard]] ApiError ClientError(Exception exception, ErrorClass error_class,
                                   std::string message);

// The application has called what it must not call now.
[[nodiscard]] ApiError IllegalState(std::string message);

// A KafkaException around `cause`, which must be an error; code and class stay those of the cause.
[[nodiscard]] ApiError WrapInKafkaException(const ApiError& cause, std::string_view message);

std::ostream& operator<<(std::ostream& out, const ApiError& error);

}  // namespace kafkasim::client

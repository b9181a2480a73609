// What a transactional producer does about each error of each API: the handlers of Kafka's
// TransactionManager and Sender.failBatch as one table, Kafka 4.4 development line.
#pragma once

#include <array>
#include <cstdint>
#include <ostream>
#include <string_view>

#include "broker/error_code.h"

namespace kafkasim::client {

// Which answer it is. The two about offsets belong to consumer groups.
enum class TransactionApi : uint8_t {
  kProduce,
  kFindCoordinator,
  kInitProducerId,
  kAddPartitionsToTxn,
  kAddOffsetsToTxn,
  kTxnOffsetCommit,
  kEndTxnCommit,
  kEndTxnAbort,
};
inline constexpr std::array kTransactionApis = {
    TransactionApi::kProduce,         TransactionApi::kFindCoordinator,
    TransactionApi::kInitProducerId,  TransactionApi::kAddPartitionsToTxn,
    TransactionApi::kAddOffsetsToTxn, TransactionApi::kTxnOffsetCommit,
    TransactionApi::kEndTxnCommit,    TransactionApi::kEndTxnAbort};

enum class Reaction : uint8_t {
  kProceed,
  kRetry,                       // after retry.backoff.ms; a batch until its delivery timeout
  kRetrySoon,                   // after 20 ms if this is the transaction's first AddPartitionsToTxn
  kFindCoordinatorAndRetry,     // somebody else is the coordinator by now
  kRetryUnlessNext,             // a batch: retry if another one must come first, else abortable
  kResetAndRetry,               // a batch: the leader has forgotten the producer (old brokers)
  kAbortable,                   // the transaction must be aborted; the exception is the code's
  kAbortableAndBump,            // and the epoch must be bumped
  kAbortableAsAbortable,        // abortable, shown as TransactionAbortableException
  kAbortableKafka,              // abortable, shown as KafkaException
  kAbortableCommitFailed,       // abortable, shown as CommitFailedException
  kAbortableThenUninitialized,  // abortable, after which init_transactions may be tried again
  kFatal,                       // the exception is the code's
  kFatalAsFenced,               // shown as ProducerFencedException
  kFatalKafka,                  // shown as KafkaException
};
[[nodiscard]] std::string_view Name(Reaction reaction);

// Total: every code of every API has a reaction.
[[nodiscard]] Reaction ReactionTo(TransactionApi api, broker::ErrorCode code);

std::ostream& operator<<(std::ostream& out, Reaction reaction);

}  // namespace kafkasim::client

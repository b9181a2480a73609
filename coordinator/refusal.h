// Why a coordinator refuses a request: the rule, the error code that it answers with, and a
// sentence for people that names both values compared (classes TransactionCoordinator and
// KafkaApis, Kafka 4.4 development line).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "broker/error_code.h"
#include "broker/ids.h"
#include "broker/message.h"
#include "coordinator/transaction_metadata.h"

namespace kafkasim::coordinator {

enum class Refusal : uint8_t {
  kEmptyTransactionalId,     // INVALID_REQUEST
  kHalfAnIdentity,           // INVALID_REQUEST: only one of producer id and epoch is given
  kTwoPhaseCommitOff,        // TRANSACTIONAL_ID_AUTHORIZATION_FAILED
  kKeepPreparedTxn,          // UNSUPPORTED_VERSION
  kTimeoutOutOfRange,        // INVALID_TRANSACTION_TIMEOUT
  kLoading,                  // COORDINATOR_LOAD_IN_PROGRESS
  kNotCoordinator,           // NOT_COORDINATOR
  kNoProducerId,             // COORDINATOR_LOAD_IN_PROGRESS: the next block has not come
  kUnknownTransactionalId,   // INVALID_PRODUCER_ID_MAPPING
  kOtherProducerId,          // INVALID_PRODUCER_ID_MAPPING
  kReplacedProducerId,       // PRODUCER_FENCED: InitProducerId with a producer id of another time
  kOtherEpoch,               // PRODUCER_FENCED
  kExhaustedByAnotherEpoch,  // UNKNOWN_SERVER_ERROR
  kChangePending,            // CONCURRENT_TRANSACTIONS
  kStillEnding,              // CONCURRENT_TRANSACTIONS
  kAbortingFirst,            // CONCURRENT_TRANSACTIONS: InitProducerId had to abort a transaction
  kWrongState,               // INVALID_TXN_STATE
  kUnknownPartition,         // UNKNOWN_TOPIC_OR_PARTITION
  kNotInTransaction,         // TRANSACTION_ABORTABLE
  kNoOffsetsTopic,           // COORDINATOR_NOT_AVAILABLE
};

[[nodiscard]] broker::ErrorCode ErrorOf(Refusal refusal);

// As the error reads for a request of this version: clients that do not know PRODUCER_FENCED
// (InitProducerId below 4, the others below 2) hear INVALID_PRODUCER_EPOCH (KIP-588).
[[nodiscard]] broker::ErrorCode ErrorForVersion(broker::ErrorCode error, broker::ApiKey api,
                                                int16_t version);

// What was asked, as far as a reason speaks of it.
struct Asked {
  broker::ApiKey api = broker::ApiKey::kEndTxn;
  std::string_view transactional_id;
  broker::ProducerId producer_id = broker::kNoProducerId;
  broker::ProducerEpoch producer_epoch = broker::kNoProducerEpoch;
  std::optional<bool> committed{};  // EndTxn
  int64_t timeout_ms = 0;           // InitProducerId
  int64_t max_timeout_ms = 0;       // transaction.max.timeout.ms
};

// One sentence, without the error's name. `metadata` is null where the rule looks at none.
[[nodiscard]] std::string Explain(Refusal refusal, const Asked& asked,
                                  const TransactionMetadata* metadata);

}  // namespace kafkasim::coordinator

#include "coordinator/refusal.h"

#include <fmt/format.h>

#include "sim/check.h"

namespace kafkasim::coordinator {

namespace {

using broker::ApiKey;
using broker::ErrorCode;

std::string DescribePending(const TransactionMetadata& metadata) {
  const TransactionState to = metadata.pending->state;
  if (IsComplete(to)) {
    const size_t left = metadata.value.partitions.size();
    if (left == 0) return fmt::format("its record {} is not replicated yet", UpperName(to));
    return fmt::format("it is still being ended: {} of its partitions {} without a marker", left,
                       left == 1 ? "is" : "are");
  }
  return fmt::format("its change from {} to {} is not replicated yet",
                     UpperName(metadata.value.state), UpperName(to));
}

std::string DescribeEpochs(const Asked& asked, const TransactionValue& now) {
  if (asked.producer_epoch < now.producer_epoch) {
    return fmt::format("epoch {} is older than epoch {}, which producer {} has by now",
                       asked.producer_epoch, now.producer_epoch, now.producer_id);
  }
  if (asked.producer_epoch > now.producer_epoch) {
    return fmt::format("epoch {} is newer than epoch {}, which producer {} has",
                       asked.producer_epoch, now.producer_epoch, now.producer_id);
  }
  return fmt::format("epoch {} of producer {} belongs to the next transaction, and this one is {}",
                     asked.producer_epoch, now.producer_id, UpperName(now.state));
}

std::string DescribeWrongState(const Asked& asked, const TransactionValue& now) {
  const std::string_view wish = asked.committed.value_or(true) ? "commit" : "abort";
  switch (now.state) {
    case TransactionState::kEmpty:
      return fmt::format("there is nothing to {}: {} is EMPTY", wish, asked.transactional_id);
    case TransactionState::kPrepareCommit:
    case TransactionState::kPrepareAbort:
      return fmt::format("cannot {}: {} is decided otherwise, it is {}", wish,
                         asked.transactional_id, UpperName(now.state));
    default:
      return fmt::format("there is nothing to {}: the last transaction of {} has ended, it is {}",
                         wish, asked.transactional_id, UpperName(now.state));
  }
}

std::string ExplainFormal(Refusal refusal, const Asked& asked) {
  switch (refusal) {
    case Refusal::kEmptyTransactionalId:
      return "a transactional id must not be empty";
    case Refusal::kHalfAnIdentity:
      return fmt::format("producer id {} with epoch {}: either both are given or neither",
                         asked.producer_id, asked.producer_epoch);
    case Refusal::kTwoPhaseCommitOff:
      return "transaction.two.phase.commit.enable is false";
    case Refusal::kKeepPreparedTxn:
      return "no broker can keep a prepared transaction yet (KIP-939)";
    case Refusal::kTimeoutOutOfRange:
      return fmt::format("timeout {} ms is not between 1 and transaction.max.timeout.ms = {}",
                         asked.timeout_ms, asked.max_timeout_ms);
    case Refusal::kLoading:
      return fmt::format("the coordinator of {} is still loading its log", asked.transactional_id);
    case Refusal::kNotCoordinator:
      return fmt::format("this broker is not the coordinator of {}", asked.transactional_id);
    case Refusal::kNoProducerId:
      return "the broker waits for its next block of producer ids from the controller";
    case Refusal::kUnknownTransactionalId:
      return fmt::format("the coordinator does not know {}", asked.transactional_id);
    case Refusal::kUnknownPartition:
      return "a partition of the request does not exist, so none was added";
    case Refusal::kNotInTransaction:
      return fmt::format("a partition is not part of the transaction of {}",
                         asked.transactional_id);
    case Refusal::kNoOffsetsTopic:
      return "__consumer_offsets does not exist yet";
    default:
      KAFKASIM_CHECK(false, "this refusal needs the metadata");
  }
}

}  // namespace

ErrorCode ErrorOf(Refusal refusal) {
  switch (refusal) {
    case Refusal::kEmptyTransactionalId:
    case Refusal::kHalfAnIdentity:
      return ErrorCode::kInvalidRequest;
    case Refusal::kTwoPhaseCommitOff:
      return ErrorCode::kTransactionalIdAuthorizationFailed;
    case Refusal::kKeepPreparedTxn:
      return ErrorCode::kUnsupportedVersion;
    case Refusal::kTimeoutOutOfRange:
      return ErrorCode::kInvalidTransactionTimeout;
    case Refusal::kLoading:
    case Refusal::kNoProducerId:
      return ErrorCode::kCoordinatorLoadInProgress;
    case Refusal::kNotCoordinator:
      return ErrorCode::kNotCoordinator;
    case Refusal::kUnknownTransactionalId:
    case Refusal::kOtherProducerId:
      return ErrorCode::kInvalidProducerIdMapping;
    case Refusal::kReplacedProducerId:
    case Refusal::kOtherEpoch:
      return ErrorCode::kProducerFenced;
    case Refusal::kExhaustedByAnotherEpoch:
      return ErrorCode::kUnknownServerError;
    case Refusal::kChangePending:
    case Refusal::kStillEnding:
    case Refusal::kAbortingFirst:
      return ErrorCode::kConcurrentTransactions;
    case Refusal::kWrongState:
      return ErrorCode::kInvalidTxnState;
    case Refusal::kUnknownPartition:
      return ErrorCode::kUnknownTopicOrPartition;
    case Refusal::kNotInTransaction:
      return ErrorCode::kTransactionAbortable;
    case Refusal::kNoOffsetsTopic:
      return ErrorCode::kCoordinatorNotAvailable;
  }
  KAFKASIM_CHECK(false, "every refusal has an error code");
}

ErrorCode ErrorForVersion(ErrorCode error, ApiKey api, int16_t version) {
  const int16_t knows_fenced = api == ApiKey::kInitProducerId ? 4 : 2;
  return error == ErrorCode::kProducerFenced && version < knows_fenced
             ? ErrorCode::kInvalidProducerEpoch
             : error;
}

std::string Explain(Refusal refusal, const Asked& asked, const TransactionMetadata* metadata) {
  if (metadata == nullptr) return ExplainFormal(refusal, asked);
  const TransactionValue& now = metadata->value;
  switch (refusal) {
    case Refusal::kOtherProducerId:
    case Refusal::kReplacedProducerId:
      return fmt::format("producer id {} is not {}, which {} has now", asked.producer_id,
                         now.producer_id, asked.transactional_id);
    case Refusal::kOtherEpoch:
      return DescribeEpochs(asked, now);
    case Refusal::kExhaustedByAnotherEpoch:
      return fmt::format("producer {} has no epoch left after {}, and {} is not its current one",
                         now.producer_id, now.producer_epoch, asked.producer_epoch);
    case Refusal::kChangePending:
      return fmt::format("{} must wait: {}", asked.transactional_id, DescribePending(*metadata));
    case Refusal::kStillEnding:
      return fmt::format("{} must wait: its transaction is {}", asked.transactional_id,
                         UpperName(now.state));
    case Refusal::kAbortingFirst:
      return fmt::format("the open transaction of {} is aborted first; the producer asks again",
                         asked.transactional_id);
    case Refusal::kWrongState:
      return DescribeWrongState(asked, now);
    default:
      return ExplainFormal(refusal, asked);
  }
}

}  // namespace kafkasim::coordinator

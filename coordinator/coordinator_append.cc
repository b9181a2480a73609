#include <utility>
#include <vector>

#include "coordinator/coordinator_timers.h"
#include "coordinator/coordinator_trace.h"
#include "coordinator/events.h"
#include "coordinator/transaction_coordinator.h"
#include "coordinator/transaction_log_record.h"
#include "sim/check.h"

namespace kafkasim::coordinator {

using broker::ErrorCode;

namespace {

// How an error of the log reads for whoever waits (appendTransactionToLog).
ErrorCode CoordinatorError(ErrorCode log_error) {
  switch (log_error) {
    case ErrorCode::kUnknownTopicOrPartition:
    case ErrorCode::kNotEnoughReplicas:
    case ErrorCode::kNotEnoughReplicasAfterAppend:
    case ErrorCode::kRequestTimedOut:
      return ErrorCode::kCoordinatorNotAvailable;
    case ErrorCode::kNotLeaderOrFollower:
    case ErrorCode::kKafkaStorageError:
      return ErrorCode::kNotCoordinator;
    case ErrorCode::kMessageTooLarge:
    case ErrorCode::kRecordListTooLarge:
      return ErrorCode::kUnknownServerError;
    default:
      return log_error;
  }
}

}  // namespace

void TransactionCoordinator::Append(Turn& turn, const TransactionMetadata& metadata,
                                    PendingAppend append) {
  const TransactionValue& next = *metadata.pending;
  const broker::PartitionId partition = cache_->TopicPartition(append.partition);
  const int16_t version = TransactionLogValueVersion(turn.context.config().transaction_version);
  std::vector<broker::Record> records;
  records.push_back(EncodeTransaction(metadata.transactional_id, next, version, turn.now_ms()));
  broker::AppendEffect effect{.partition = partition,
                              .expected_epoch = LogEpoch(turn, append.epoch),
                              .batch = broker::MakeBatch(std::move(records)),
                              .timeout = sim::Millis(next.timeout_ms)};
  if (turn.context.tracing()) {
    effect.appended = RecordPoint(events::kTransactionRecordAppended, metadata.transactional_id,
                                  next, partition, append.epoch, turn.context.image());
  }
  effect.token = appends_.Mutable().Put(std::move(append));
  turn.effects.push_back(std::move(effect));
}

broker::LeaderEpoch TransactionCoordinator::LogEpoch(const Turn& turn,
                                                     broker::CoordinatorEpoch epoch) {
  return turn.context.config().bugs.Has(broker::Bug::kCoordinatorEpochIsConstant)
             ? broker::kNoLeaderEpoch
             : broker::LeaderEpoch(epoch.value());
}

void TransactionCoordinator::OnRecordAppended(Turn& turn, const PendingAppend& append,
                                              ErrorCode log_error) {
  if (append.kind == PendingAppend::Kind::kExpire) return FinishExpiry(turn, append, log_error);
  const ErrorCode error = Settle(turn, append, log_error);
  switch (append.kind) {
    case PendingAppend::Kind::kInitProducerId: {
      if (error != ErrorCode::kNone) return RefuseInit(turn, append.waiting, error);
      const TransactionValue& value = cache_->Locate(append.transactional_id).metadata->value;
      return AnswerInit(turn, append.waiting, append.transactional_id, value.producer_id,
                        value.producer_epoch);
    }
    case PendingAppend::Kind::kAddPartitions:
      return FinishAddPartitions(turn, append, error);
    case PendingAppend::Kind::kAddOffsets:
      turn.effects.push_back(broker::ReplyEffect{
          append.waiting.to, broker::MakeMessage(broker::AddOffsetsToTxnResponse{.error = error})});
      return;
    case PendingAppend::Kind::kEndTxn:
    case PendingAppend::Kind::kFence:
      return FinishEndTxn(turn, append, error);
    case PendingAppend::Kind::kComplete:
      if (error != ErrorCode::kCoordinatorNotAvailable) return;
      markers_.Mutable().AddAppendRetry({append.transactional_id, append.partition, append.epoch});
      if (append_retry_armed_) return;
      // The sender's loop passes whenever a marker moves, and at least once in this time.
      append_retry_armed_ = true;
      turn.effects.push_back(
          broker::TimerEffect{.delay = sim::Millis(turn.context.config().request_timeout_ms),
                              .kind = static_cast<uint32_t>(CoordinatorTimer::kAppendRetry)});
      return;
    case PendingAppend::Kind::kExpire:
      break;
  }
  KAFKASIM_CHECK(false, "every append has somebody to go on");
}

ErrorCode TransactionCoordinator::Settle(Turn& turn, const PendingAppend& append,
                                         ErrorCode log_error) {
  const bool tracing = turn.context.tracing();
  const ErrorCode error = CoordinatorError(log_error);
  const TransactionCache::Partition* partition = cache_->Find(append.partition, append.epoch);
  const bool known =
      partition != nullptr && cache_->Find(*partition, append.transactional_id) != nullptr;
  if (!known) {
    // Resigned since, perhaps elected again: what the record said is found by reading the log.
    const bool loading =
        cache_->Locate(append.transactional_id).standing == TransactionCache::Standing::kLoading;
    if (error != ErrorCode::kNone) return error;
    return loading ? ErrorCode::kCoordinatorLoadInProgress : ErrorCode::kNotCoordinator;
  }
  TransactionMetadata& metadata =
      cache_.Mutable().Mutable(append.partition, append.transactional_id);
  const broker::PartitionId log = cache_->TopicPartition(append.partition);
  if (error == ErrorCode::kNone) {
    const TransactionState from = metadata.value.state;
    Complete(metadata);
    if (tracing) {
      turn.effects.push_back(RecordPoint(events::kTransactionRecordReplicated,
                                         append.transactional_id, metadata.value, log, append.epoch,
                                         turn.context.image()));
    }
    if (tracing && from != metadata.value.state) {
      turn.effects.push_back(StatePoint(append.transactional_id, from, metadata.value));
    }
  } else {
    if (tracing) {
      turn.effects.push_back(RecordFailedPoint(append.transactional_id, metadata.pending->state,
                                               log, log_error, turn.context.image()));
    }
    const bool retried = append.kind == PendingAppend::Kind::kComplete &&
                         error == ErrorCode::kCoordinatorNotAvailable;
    if (retried) return error;
    if (turn.context.config().bugs.Has(broker::Bug::kFailedAppendIsKept)) {
      Complete(metadata);
    } else {
      ClearPending(metadata);
    }
    const bool bumps =
        SupportsEpochBump(static_cast<int8_t>(turn.context.config().transaction_version));
    if (append.kind == PendingAppend::Kind::kFence && !bumps) {
      metadata.has_failed_epoch_fence = true;
    }
  }
  ArmSweeps(turn, metadata);
  return error;
}

void TransactionCoordinator::ArmSweeps(Turn& turn, const TransactionMetadata& metadata) {
  const TransactionValue& value = metadata.value;
  std::optional<sim::Duration> delay;
  CoordinatorTimer timer = CoordinatorTimer::kAbortSweep;
  if (value.state == TransactionState::kOngoing) {
    if (value.timeout_ms == kTwoPhaseCommitTimeoutMs) return;
    delay = abort_sweep_.Want(value.start_timestamp_ms + value.timeout_ms, turn.context.now());
  } else if (IsExpirationAllowed(value.state)) {
    timer = CoordinatorTimer::kExpirySweep;
    const int64_t expiration_ms = turn.context.config().transactional_id_expiration_ms;
    delay =
        expiry_sweep_.Want(value.last_update_timestamp_ms + expiration_ms - 1, turn.context.now());
  }
  if (!delay.has_value()) return;
  turn.effects.push_back(
      broker::TimerEffect{.delay = *delay, .kind = static_cast<uint32_t>(timer)});
}

}  // namespace kafkasim::coordinator

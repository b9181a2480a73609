// What comes of a batch: Sender.completeBatch, failBatch, TransactionManager.canRetry and the
// resolution of sequences.
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "client/events.h"
#include "client/sender.h"
#include "client/transaction_reactions.h"
#include "sim/check.h"

namespace kafkasim::client {

using broker::ErrorCode;
using PartitionResult = broker::ProduceResponse::PartitionResult;

void Sender::OnProduce(sim::Context& context, const Completed& completed) {
  if (completed.how == Completed::How::kAnswered) {
    const auto& response = broker::BodyOf<broker::ProduceResponse>(*completed.response);
    for (const PartitionResult& result : response.partitions) {
      OnPartitionAnswer(context, accumulator_.QueueOf(result.partition), completed.token, result);
    }
    return;
  }
  const bool timed_out = completed.how == Completed::How::kTimedOut;
  for (PartitionQueue& queue : accumulator_.queues()) {
    if (queue.FindByRequest(completed.token) == nullptr) continue;
    PartitionResult lost{.partition = queue.partition()};
    lost.error = timed_out ? ErrorCode::kRequestTimedOut : ErrorCode::kNetworkException;
    lost.error_message = fmt::format("the connection to broker {} was {}", completed.broker,
                                     timed_out ? "closed, no answer came in time" : "lost");
    OnPartitionAnswer(context, queue, completed.token, lost);
  }
}

void Sender::OnPartitionAnswer(sim::Context& context, PartitionQueue& queue, uint64_t request,
                               const PartitionResult& result) {
  ProducerBatch* batch = queue.FindByRequest(request);
  if (batch == nullptr) return;
  queue.muted = false;
  if (result.error == ErrorCode::kNone || result.error == ErrorCode::kDuplicateSequenceNumber) {
    batch->request = 0;
    Acknowledge(queue, *batch,
                result.error == ErrorCode::kNone ? result.base_offset : broker::kNoOffset);
  } else {
    const bool retried = CanRetry(queue, *batch, result, context.now());
    if (context.tracing() && !batch->done) {
      context.Emit(events::kBatchFailed,
                   {{"partition", connection_.metadata().image()->NameOf(queue.partition())},
                    {"base_sequence", int64_t{batch->base_sequence.value()}},
                    {"records", int64_t{batch->record_count()}},
                    {"error", std::string(broker::Name(result.error))},
                    {"reason", result.error_message},
                    {"retried", retried}});
    }
    if (retried) {
      queue.PutBack(*batch, context.now(), idempotent());
    } else {
      batch->request = 0;
      ApiError error = ErrorFromCode(result.error, ErrorClass::kNone, result.error_message);
      // After the last retry nobody knows whether the sequence was used.
      FailBatch(context, queue, *batch, error,
                /*adjust_sequences=*/batch->attempts < config_->retries);
    }
    if (broker::NeedsMetadataRefresh(result.error)) connection_.metadata().RequestUpdate();
  }
  queue.RemoveFinished();
}

bool Sender::CanRetry(PartitionQueue& queue, const ProducerBatch& batch,
                      const PartitionResult& result, sim::Time now) {
  if (batch.done || batch.attempts >= config_->retries) return false;
  if (batch.HasReachedDeliveryTimeout(accumulator_.config().delivery_timeout, now)) return false;
  return idempotent() ? IsRetriable(queue, batch, result) : broker::IsRetriable(result.error);
}

// TransactionManager.canRetry.
bool Sender::IsRetriable(PartitionQueue& queue, const ProducerBatch& batch,
                         const PartitionResult& result) {
  const PartitionSequences& sequences = queue.sequences;
  const bool transactional = config_->transactional();
  switch (ReactionTo(TransactionApi::kProduce, result.error)) {
    case Reaction::kRetry:
      return true;
    case Reaction::kRetryUnlessNext:
      if (!sequences.unresolved.has_value() &&
          (batch.sequence_was_reset || !sequences.IsNext(batch.base_sequence))) {
        return true;
      }
      if (transactional) return false;
      // There is a gap, unless an expired batch before it may still turn out to be written.
      if (!sequences.unresolved.has_value() || *sequences.unresolved == batch.base_sequence) {
        RequestIdempotentBump(queue);
      }
      return true;
    case Reaction::kResetAndRetry:
      if (result.log_start_offset == broker::kNoOffset || batch.sequence_was_reset) return true;
      if (transactional && sequences.last_acked_offset >= result.log_start_offset) return false;
      if (transactional) {
        queue.StartSequencesAtBeginning(transactions_.identity());
      } else {
        RequestIdempotentBump(queue);
      }
      return true;
    default:
      return false;
  }
}

void Sender::Acknowledge(PartitionQueue& queue, ProducerBatch& batch, broker::Offset base_offset) {
  if (idempotent()) {
    const broker::Offset last = base_offset == broker::kNoOffset
                                    ? broker::kNoOffset
                                    : base_offset + (batch.record_count() - 1);
    queue.OnAcknowledged(batch.last_sequence(), last);
  }
  if (batch.done) return;  // too late: it has expired
  batch.done = true;
  AddOutcomes(RecordsOutcome::What::kAcknowledged, batch, base_offset, {});
}

void Sender::FailBatch(sim::Context&, PartitionQueue& queue, ProducerBatch& batch,
                       const ApiError& error, bool adjust_sequences) {
  if (batch.done) return;
  batch.done = true;
  ApiError shown = error;
  if (!idempotent()) {
    shown.error_class = error.IsRetriableException() ? ErrorClass::kRetriable : ErrorClass::kFatal;
    AddOutcomes(RecordsOutcome::What::kFailed, batch, broker::kNoOffset, shown);
    return;
  }
  transactions_.OnBatchFailed(error);
  shown.error_class = transactions_.is_fatal()       ? ErrorClass::kFatal
                      : config_->transactional()     ? ErrorClass::kAbortable
                      : error.IsRetriableException() ? ErrorClass::kRetriable
                                                     : ErrorClass::kFatal;
  AddOutcomes(RecordsOutcome::What::kFailed, batch, broker::kNoOffset, shown);
  if (transactions_.is_fatal()) return;
  if (error.code == ErrorCode::kOutOfOrderSequenceNumber && !config_->transactional()) {
    RequestIdempotentBump(queue);
  } else if (error.code == ErrorCode::kUnknownProducerId) {
    queue.sequences = {};
  } else if (adjust_sequences && config_->transactional()) {
    queue.CloseSequenceGap(batch);
  } else if (adjust_sequences) {
    RequestIdempotentBump(queue);
  }
}

// Fails batches without asking anybody: all, or those that have never been sent.
void Sender::AbortBatches(const ApiError& error, bool undrained_only) {
  for (PartitionQueue& queue : accumulator_.queues()) {
    for (ProducerBatch& batch : queue.batches()) {
      if (batch.done || (undrained_only && batch.has_sequence())) continue;
      batch.done = true;
      AddOutcomes(RecordsOutcome::What::kFailed, batch, broker::kNoOffset, error);
    }
    queue.RemoveFinished();
  }
}

void Sender::ResolveSequences() {
  for (PartitionQueue& queue : accumulator_.queues()) {
    PartitionSequences& sequences = queue.sequences;
    if (!sequences.unresolved.has_value() || queue.HasTracked()) continue;
    sequences.unresolved.reset();
    // If a later batch was written, the expired one before it was written too.
    if (sequences.IsNext(sequences.next)) continue;
    if (config_->transactional()) {
      transactions_.OnUnresolvedSequence();
    } else {
      RequestIdempotentBump(queue);
    }
  }
}

void Sender::RequestIdempotentBump(PartitionQueue& queue) {
  idempotent_bump_ = true;
  queue.sequences.rewrite = true;
}

// The epoch of an idempotent producer is its own affair: no request is needed (KIP-360).
void Sender::BumpIdempotentEpochIfNeeded() {
  if (config_->transactional() || !std::exchange(idempotent_bump_, false)) return;
  transactions_.BumpIdempotentEpoch();
  for (PartitionQueue& queue : accumulator_.queues()) {
    if (!std::exchange(queue.sequences.rewrite, false)) continue;
    queue.StartSequencesAtBeginning(transactions_.identity());
    queue.sequences.unresolved.reset();
  }
}

void Sender::AddOutcomes(RecordsOutcome::What what, const ProducerBatch& batch,
                         broker::Offset base_offset, const ApiError& error) {
  int32_t position = 0;
  for (const RecordsOf& owner : batch.owners) {
    if (owner.call != kNoCall) {
      outcomes_.push_back({.what = what,
                           .records = owner,
                           .base_offset = base_offset == broker::kNoOffset ? broker::kNoOffset
                                                                           : base_offset + position,
                           .error = error});
    }
    position += owner.count;
  }
}

}  // namespace kafkasim::client

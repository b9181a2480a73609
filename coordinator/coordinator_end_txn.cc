#include <utility>

#include "broker/messages_transaction.h"
#include "coordinator/coordinator_trace.h"
#include "coordinator/end_txn_rules.h"
#include "coordinator/events.h"
#include "coordinator/transaction_coordinator.h"
#include "sim/check.h"

namespace kafkasim::coordinator {

using broker::ErrorCode;

namespace {

TransactionCause CauseOf(EndTxnAction action) {
  switch (action) {
    case EndTxnAction::kPrepareCommit:
      return TransactionCause::kEndTxnCommit;
    case EndTxnAction::kPrepareAbort:
      return TransactionCause::kEndTxnAbort;
    case EndTxnAction::kEmptyAbort:
      return TransactionCause::kEmptyAbort;
    case EndTxnAction::kAlreadyEnded:
    case EndTxnAction::kRefuse:
      break;
  }
  KAFKASIM_CHECK(false, "only a decision is written");
}

}  // namespace

void TransactionCoordinator::HandleEndTxn(Turn& turn, const Waiting& waiting,
                                          const broker::EndTxnRequest& request) {
  const Asked asked{.api = waiting.api,
                    .transactional_id = request.transactional_id,
                    .producer_id = request.producer_id,
                    .producer_epoch = request.producer_epoch,
                    .committed = request.committed};
  const auto refuse = [&](Refusal refusal, const TransactionMetadata* metadata) {
    const ErrorCode error = Refuse(turn, refusal, asked, waiting.version, metadata);
    ReplyEndTxn(turn, waiting, error, nullptr);
  };
  if (request.transactional_id.empty()) return refuse(Refusal::kEmptyTransactionalId, nullptr);
  const TransactionCache::Located located = cache_->Locate(request.transactional_id);
  if (const auto refusal = StandingRefusal(located)) return refuse(*refusal, nullptr);
  if (located.metadata == nullptr) return refuse(Refusal::kUnknownTransactionalId, nullptr);

  const bool tv2 = request.version >= 5;
  const auto decide = tv2 ? DecideEndTxnTV2 : DecideEndTxnTV1;
  const EndTxnDecision decision =
      decide(*located.metadata, request.producer_id,
             EpochToCheck(turn, *located.metadata, request.producer_epoch), request.committed);
  if (decision.action == EndTxnAction::kRefuse) return refuse(decision.refusal, located.metadata);
  if (decision.action == EndTxnAction::kAlreadyEnded) {
    return ReplyEndTxn(turn, waiting, ErrorCode::kNone, tv2 ? &located.metadata->value : nullptr);
  }
  broker::ProducerId next_producer_id = broker::kNoProducerId;
  if (tv2 && IsEpochExhausted(located.metadata->value.producer_epoch)) {
    const std::optional<broker::ProducerId> id = GenerateProducerId(turn);
    if (!id.has_value()) return refuse(Refusal::kNoProducerId, nullptr);
    next_producer_id = *id;
  }
  TransactionMetadata& metadata =
      cache_.Mutable().Mutable(located.partition, request.transactional_id);
  SetPending(metadata, PrepareAbortOrCommit(metadata, CauseOf(decision.action),
                                            tv2 ? kTransactionVersion2 : kTransactionVersion0,
                                            next_producer_id, turn.now_ms()));
  PendingAppend append{.kind = PendingAppend::Kind::kEndTxn,
                       .partition = located.partition,
                       .epoch = located.epoch,
                       .transactional_id = metadata.transactional_id,
                       .waiting = waiting};
  if (turn.context.config().bugs.Has(broker::Bug::kAnswerBeforePrepare)) {
    ReplyEndTxn(turn, waiting, ErrorCode::kNone, tv2 ? &*metadata.pending : nullptr);
    append.waiting = {};
  }
  Append(turn, metadata, std::move(append));
}

broker::ProducerEpoch TransactionCoordinator::EpochToCheck(const Turn& turn,
                                                           const TransactionMetadata& metadata,
                                                           broker::ProducerEpoch asked) {
  return turn.context.config().bugs.Has(broker::Bug::kCoordinatorIgnoresEpochs)
             ? metadata.value.producer_epoch
             : asked;
}

void TransactionCoordinator::ReplyEndTxn(Turn& turn, const Waiting& waiting, ErrorCode error,
                                         const TransactionValue* value) {
  broker::EndTxnResponse response{.error = error};
  if (value != nullptr) {
    response.producer_id = value->producer_id;
    response.producer_epoch = value->producer_epoch;
  }
  turn.effects.push_back(broker::ReplyEffect{waiting.to, broker::MakeMessage(response)});
}

void TransactionCoordinator::FinishEndTxn(Turn& turn, const PendingAppend& append,
                                          ErrorCode error) {
  const bool fence = append.kind == PendingAppend::Kind::kFence;
  const bool somebody_waits = append.waiting.to.process != sim::kNoProcess;
  if (error != ErrorCode::kNone) {
    if (fence && somebody_waits) RefuseInit(turn, append.waiting, error);
    if (!fence && somebody_waits) ReplyEndTxn(turn, append.waiting, error, nullptr);
    return;
  }
  TransactionMetadata& metadata =
      cache_.Mutable().Mutable(append.partition, append.transactional_id);
  SetPending(metadata, PrepareComplete(metadata, turn.now_ms()));
  if (fence && somebody_waits) {
    const Asked asked{.api = append.waiting.api, .transactional_id = append.transactional_id};
    RefuseInit(turn, append.waiting,
               Refuse(turn, Refusal::kAbortingFirst, asked, append.waiting.version, &metadata));
  } else if (!fence && somebody_waits) {
    // The producer goes on with what will be when the markers are written.
    const bool tv2 = append.waiting.version >= 5;
    ReplyEndTxn(turn, append.waiting, ErrorCode::kNone, tv2 ? &*metadata.pending : nullptr);
  }
  StartMarkers(turn, append.partition, append.epoch, append.transactional_id);
}

}  // namespace kafkasim::coordinator

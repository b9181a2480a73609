#include <limits>
#include <utility>

#include "broker/channels.h"
#include "broker/messages_cluster.h"
#include "broker/messages_transaction.h"
#include "coordinator/coordinator_timers.h"
#include "coordinator/coordinator_trace.h"
#include "coordinator/events.h"
#include "coordinator/transaction_coordinator.h"

namespace kafkasim::coordinator {

using broker::ErrorCode;
using broker::InitProducerIdRequest;
using broker::InitProducerIdResponse;
using broker::kNoProducerEpoch;
using broker::kNoProducerId;

namespace {

// What is wrong with the request itself, in Kafka's order; nullopt if nothing is.
std::optional<Refusal> CheckRequest(const InitProducerIdRequest& request,
                                    const broker::BrokerConfig& config) {
  if (request.transactional_id->empty()) return Refusal::kEmptyTransactionalId;
  if (request.enable_2pc && !config.transaction_two_phase_commit_enable) {
    return Refusal::kTwoPhaseCommitOff;
  }
  if (request.keep_prepared_txn) return Refusal::kKeepPreparedTxn;
  const bool in_range = request.transaction_timeout_ms > 0 &&
                        request.transaction_timeout_ms <= config.transaction_max_timeout_ms;
  if (!request.enable_2pc && !in_range) return Refusal::kTimeoutOutOfRange;
  return std::nullopt;
}

EpochBump BumpUnless(broker::Bug bug, const broker::BrokerConfig& config) {
  return config.bugs.Has(bug) ? EpochBump::kNo : EpochBump::kYes;
}

}  // namespace

void TransactionCoordinator::HandleInitProducerId(Turn& turn, const Waiting& waiting,
                                                  const InitProducerIdRequest& request) {
  const broker::BrokerConfig& config = turn.context.config();
  const Asked asked{.api = waiting.api,
                    .transactional_id = request.transactional_id.has_value()
                                            ? std::string_view(*request.transactional_id)
                                            : std::string_view(),
                    .producer_id = request.producer_id,
                    .producer_epoch = request.producer_epoch,
                    .timeout_ms = request.transaction_timeout_ms,
                    .max_timeout_ms = config.transaction_max_timeout_ms};
  const bool has_id = request.producer_id != kNoProducerId;
  const bool has_epoch = request.producer_epoch != kNoProducerEpoch;
  std::optional<Refusal> refusal;
  if (has_id != has_epoch) {
    refusal = Refusal::kHalfAnIdentity;
  } else if (!request.transactional_id.has_value()) {
    return AssignProducerId(turn, waiting, asked);
  } else {
    refusal = CheckRequest(request, config);
  }
  if (refusal.has_value()) {
    const ErrorCode error = Refuse(turn, *refusal, asked, waiting.version, nullptr);
    return RefuseInit(turn, waiting, error);
  }
  std::optional<ProducerIdAndEpoch> expected;
  if (has_id) expected = ProducerIdAndEpoch{request.producer_id, request.producer_epoch};
  const int32_t timeout_ms =
      request.enable_2pc ? kTwoPhaseCommitTimeoutMs : request.transaction_timeout_ms;
  InitTransactionalId(turn, waiting, asked, timeout_ms, expected);
}

// An idempotent producer without a transactional id: a fresh producer id, and nothing is kept.
void TransactionCoordinator::AssignProducerId(Turn& turn, const Waiting& waiting,
                                              const Asked& asked) {
  const std::optional<broker::ProducerId> id = GenerateProducerId(turn);
  if (!id.has_value()) {
    const ErrorCode error = Refuse(turn, Refusal::kNoProducerId, asked, waiting.version, nullptr);
    return RefuseInit(turn, waiting, error);
  }
  AnswerInit(turn, waiting, {}, *id, broker::ProducerEpoch(0));
}

void TransactionCoordinator::InitTransactionalId(
    Turn& turn, const Waiting& waiting, const Asked& asked, int32_t timeout_ms,
    const std::optional<ProducerIdAndEpoch>& expected) {
  const auto refuse = [&](Refusal refusal, const TransactionMetadata* metadata) {
    const ErrorCode error = Refuse(turn, refusal, asked, waiting.version, metadata);
    RefuseInit(turn, waiting, error);
  };
  const TransactionCache::Located located = cache_->Locate(asked.transactional_id);
  if (const auto refusal = StandingRefusal(located)) return refuse(*refusal, nullptr);
  const TransactionMetadata* known =
      FindOrCreate(turn, located, asked.transactional_id, timeout_ms);
  if (known == nullptr) return refuse(Refusal::kNoProducerId, nullptr);
  const InitProducerIdDecision decision = DecideInitProducerId(*known, expected);
  TransactionValue next;
  switch (decision.action) {
    case InitProducerIdAction::kRefuse:
      return refuse(decision.refusal, known);
    case InitProducerIdAction::kFenceAndAbort: {
      const auto refusal =
          FenceAndAbort(turn, located.partition, std::string(asked.transactional_id), waiting,
                        "another instance called initTransactions");
      if (refusal.has_value()) refuse(*refusal, nullptr);
      return;
    }
    case InitProducerIdAction::kRotateProducerId: {
      const std::optional<broker::ProducerId> id = GenerateProducerId(turn);
      if (!id.has_value()) return refuse(Refusal::kNoProducerId, nullptr);
      next =
          PrepareProducerIdRotation(*known, *id, timeout_ms, turn.now_ms(), expected.has_value());
      break;
    }
    case InitProducerIdAction::kBumpEpoch: {
      std::optional<broker::ProducerEpoch> epoch;
      if (expected.has_value()) epoch = expected->epoch;
      next = PrepareIncrementProducerEpoch(
          *known, timeout_ms, epoch, turn.now_ms(),
          BumpUnless(broker::Bug::kInitKeepsEpoch, turn.context.config()));
      break;
    }
  }
  TransactionMetadata& metadata =
      cache_.Mutable().Mutable(located.partition, asked.transactional_id);
  SetPending(metadata, std::move(next));
  Append(turn, metadata,
         PendingAppend{.kind = PendingAppend::Kind::kInitProducerId,
                       .partition = located.partition,
                       .epoch = located.epoch,
                       .transactional_id = metadata.transactional_id,
                       .waiting = waiting});
}

void TransactionCoordinator::AnswerInit(Turn& turn, const Waiting& waiting,
                                        const std::string& transactional_id,
                                        broker::ProducerId producer_id,
                                        broker::ProducerEpoch epoch) {
  if (turn.context.tracing()) {
    turn.effects.push_back(ProducerIdAssignedPoint(transactional_id, producer_id, epoch));
  }
  turn.effects.push_back(
      broker::ReplyEffect{waiting.to, broker::MakeMessage(InitProducerIdResponse{
                                          .producer_id = producer_id, .producer_epoch = epoch})});
}

void TransactionCoordinator::RefuseInit(Turn& turn, const Waiting& waiting, ErrorCode error) {
  turn.effects.push_back(
      broker::ReplyEffect{waiting.to, broker::MakeMessage(InitProducerIdResponse{.error = error})});
}

const TransactionMetadata* TransactionCoordinator::FindOrCreate(
    Turn& turn, const TransactionCache::Located& located, std::string_view transactional_id,
    int32_t timeout_ms) {
  if (located.metadata != nullptr) return located.metadata;
  const std::optional<broker::ProducerId> id = GenerateProducerId(turn);
  if (!id.has_value()) return nullptr;
  TransactionMetadata created{.transactional_id = std::string(transactional_id)};
  created.value.producer_id = *id;
  created.value.timeout_ms = timeout_ms;
  created.value.last_update_timestamp_ms = turn.now_ms();
  return &cache_.Mutable().Insert(located.partition, std::move(created));
}

std::optional<Refusal> TransactionCoordinator::FenceAndAbort(Turn& turn, int32_t partition,
                                                             const std::string& transactional_id,
                                                             const Waiting& waiting,
                                                             std::string_view reason) {
  const auto level = static_cast<int8_t>(turn.context.config().transaction_version);
  TransactionMetadata& metadata = cache_.Mutable().Mutable(partition, transactional_id);
  const broker::Bug keeps_epoch = waiting.to.process == sim::kNoProcess
                                      ? broker::Bug::kTimeoutKeepsEpoch
                                      : broker::Bug::kInitKeepsEpoch;
  const TransactionValue fence =
      PrepareFenceProducerEpoch(metadata, BumpUnless(keeps_epoch, turn.context.config()));
  broker::ProducerId next_producer_id = kNoProducerId;
  if (SupportsEpochBump(level) && IsEpochExhausted(metadata.value.producer_epoch)) {
    const std::optional<broker::ProducerId> id = GenerateProducerId(turn);
    if (!id.has_value()) return Refusal::kNoProducerId;
    next_producer_id = *id;
  }
  if (turn.context.tracing())
    turn.effects.push_back(FencedPoint(metadata, fence.producer_epoch, reason));
  if (!SupportsEpochBump(level)) {
    // TV1 raises the epoch in memory before the record is written; see has_failed_epoch_fence.
    metadata.value.producer_epoch = fence.producer_epoch;
    metadata.value.last_producer_epoch = kNoProducerEpoch;
  }
  SetPending(metadata, PrepareAbortOrCommit(metadata, TransactionCause::kAbortFenced,
                                            SupportsEpochBump(level) ? level : kTransactionVersion0,
                                            next_producer_id, turn.now_ms()));
  const TransactionCache::Located located = cache_->Locate(transactional_id);
  Append(turn, metadata,
         PendingAppend{.kind = PendingAppend::Kind::kFence,
                       .partition = partition,
                       .epoch = located.epoch,
                       .transactional_id = transactional_id,
                       .waiting = waiting});
  return std::nullopt;
}

std::optional<broker::ProducerId> TransactionCoordinator::GenerateProducerId(Turn& turn) {
  const ProducerIdBlocks::Generated generated = producer_ids_.Generate(turn.context.now());
  if (generated.request_block) {
    turn.effects.push_back(broker::SendEffect{
        .to = turn.context.controller(),
        .channel = broker::kControllerChannel,
        .request =
            broker::MakeMessage(broker::AllocateProducerIdsRequest{.broker = turn.context.self()}),
        .timeout = sim::Millis(turn.context.config().request_timeout_ms),
        .token = kProducerIdsToken});
  }
  return generated.id;
}

void TransactionCoordinator::OnProducerIds(Turn& turn, const sim::PayloadRef& response) {
  if (response == nullptr) return producer_ids_.OnFailure(turn.context.now());
  const auto& body = broker::BodyOf<broker::AllocateProducerIdsResponse>(*response);
  if (body.error != ErrorCode::kNone) return producer_ids_.OnFailure(turn.context.now());
  producer_ids_.OnBlock(body.first, body.count, turn.context.now());
}

}  // namespace kafkasim::coordinator

#include <utility>

#include "broker/messages_transaction.h"
#include "coordinator/add_partitions_rules.h"
#include "coordinator/coordinator_trace.h"
#include "coordinator/events.h"
#include "coordinator/transaction_coordinator.h"

namespace kafkasim::coordinator {

using broker::AddPartitionsToTxnRequest;
using broker::AddPartitionsToTxnResponse;
using broker::ErrorCode;

namespace {

void SetErrors(AddPartitionsToTxnResponse::TransactionResult& result, ErrorCode error) {
  for (auto& partition : result.partitions) partition.error = error;
}

// If a partition does not exist, none is added: it gets the reason, the others
// OPERATION_NOT_ATTEMPTED.
bool HasUnknownPartition(AddPartitionsToTxnResponse::TransactionResult& result,
                         const broker::ClusterImage& image) {
  bool unknown = false;
  for (const auto& partition : result.partitions) {
    unknown = unknown || image.FindPartition(partition.partition) == nullptr;
  }
  if (!unknown) return false;
  for (auto& partition : result.partitions) {
    partition.error = image.FindPartition(partition.partition) == nullptr
                          ? ErrorCode::kUnknownTopicOrPartition
                          : ErrorCode::kOperationNotAttempted;
  }
  return true;
}

AddPartitionsToTxnResponse::TransactionResult ResultFor(
    const AddPartitionsToTxnRequest::Transaction& transaction) {
  AddPartitionsToTxnResponse::TransactionResult result{transaction.transactional_id, {}};
  for (const broker::PartitionId& partition : transaction.partitions) {
    result.partitions.push_back({partition, ErrorCode::kNone});
  }
  return result;
}

}  // namespace

void TransactionCoordinator::HandleAddPartitions(Turn& turn, const Waiting& waiting,
                                                 const AddPartitionsToTxnRequest& request) {
  const int8_t client_version = request.version > 3 ? kTransactionVersion2 : kTransactionVersion0;
  AddPartitionsJob job{.waiting = waiting, .response = {}, .remaining = 0};
  const uint32_t slot = jobs_->NextFree();
  job.response.transactions.reserve(request.transactions.size());
  for (uint32_t i = 0; i < request.transactions.size(); ++i) {
    const AddPartitionsToTxnRequest::Transaction& transaction = request.transactions[i];
    auto& result = job.response.transactions.emplace_back(ResultFor(transaction));
    const Asked asked{.api = waiting.api,
                      .transactional_id = transaction.transactional_id,
                      .producer_id = transaction.producer_id,
                      .producer_epoch = transaction.producer_epoch};
    if (HasUnknownPartition(result, turn.context.image())) {
      Refuse(turn, Refusal::kUnknownPartition, asked, waiting.version, nullptr);
    } else if (transaction.verify_only) {
      VerifyPartitions(turn, asked, result);
    } else {
      PendingAppend append{.kind = PendingAppend::Kind::kAddPartitions,
                           .waiting = waiting,
                           .request = slot,
                           .transaction = i};
      const std::optional<ErrorCode> error =
          AddPartitions(turn, asked, transaction.partitions, client_version, std::move(append));
      if (error.has_value()) {
        SetErrors(result, *error);
      } else {
        ++job.remaining;
      }
    }
  }
  if (job.remaining > 0) {
    jobs_.Mutable().Put(std::move(job));
  } else {
    turn.effects.push_back(
        broker::ReplyEffect{waiting.to, broker::MakeMessage(std::move(job.response))});
  }
}

std::optional<ErrorCode> TransactionCoordinator::AddPartitions(Turn& turn, const Asked& asked,
                                                               const broker::PartitionList& added,
                                                               int8_t client_transaction_version,
                                                               PendingAppend append) {
  const auto refuse = [&](Refusal refusal, const TransactionMetadata* metadata) {
    return Refuse(turn, refusal, asked, append.waiting.version, metadata);
  };
  if (asked.transactional_id.empty()) return refuse(Refusal::kEmptyTransactionalId, nullptr);
  const TransactionCache::Located located = cache_->Locate(asked.transactional_id);
  if (const auto refusal = StandingRefusal(located)) return refuse(*refusal, nullptr);
  if (located.metadata == nullptr) return refuse(Refusal::kUnknownTransactionalId, nullptr);
  const AddPartitionsDecision decision =
      DecideAddPartitions(*located.metadata, asked.producer_id,
                          EpochToCheck(turn, *located.metadata, asked.producer_epoch), added);
  switch (decision.action) {
    case AddPartitionsAction::kRefuse:
      return refuse(decision.refusal, located.metadata);
    case AddPartitionsAction::kAlreadyIn:
      return ErrorCode::kNone;
    case AddPartitionsAction::kAdd:
      break;
  }
  TransactionMetadata& metadata =
      cache_.Mutable().Mutable(located.partition, asked.transactional_id);
  SetPending(metadata,
             PrepareAddPartitions(metadata, added, turn.now_ms(), client_transaction_version));
  append.partition = located.partition;
  append.epoch = located.epoch;
  append.transactional_id = metadata.transactional_id;
  Append(turn, metadata, std::move(append));
  return std::nullopt;
}

// The leader of a TV1 client's partition asks before it opens a transaction there.
void TransactionCoordinator::VerifyPartitions(
    Turn& turn, const Asked& asked, AddPartitionsToTxnResponse::TransactionResult& result) {
  const auto refuse = [&](Refusal refusal, const TransactionMetadata* metadata) {
    SetErrors(result, Refuse(turn, refusal, asked, /*version=*/4, metadata));
  };
  if (asked.transactional_id.empty()) return refuse(Refusal::kEmptyTransactionalId, nullptr);
  const TransactionCache::Located located = cache_->Locate(asked.transactional_id);
  if (const auto refusal = StandingRefusal(located)) return refuse(*refusal, nullptr);
  if (located.metadata == nullptr) return refuse(Refusal::kUnknownTransactionalId, nullptr);
  const auto refusal =
      CheckVerification(*located.metadata, asked.producer_id,
                        EpochToCheck(turn, *located.metadata, asked.producer_epoch));
  if (refusal.has_value()) return refuse(*refusal, located.metadata);
  bool missing = false;
  for (auto& partition : result.partitions) {
    if (Contains(located.metadata->value.partitions, partition.partition)) continue;
    partition.error = ErrorOf(Refusal::kNotInTransaction);
    missing = true;
  }
  if (missing) Refuse(turn, Refusal::kNotInTransaction, asked, /*version=*/4, nullptr);
}

void TransactionCoordinator::HandleAddOffsets(Turn& turn, const Waiting& waiting,
                                              const broker::AddOffsetsToTxnRequest& request) {
  const Asked asked{.api = waiting.api,
                    .transactional_id = request.transactional_id,
                    .producer_id = request.producer_id,
                    .producer_epoch = request.producer_epoch};
  const std::optional<broker::PartitionId> offsets =
      turn.context.image().PartitionForKey(broker::kConsumerOffsetsTopic, request.group_id);
  std::optional<ErrorCode> error;
  if (!offsets.has_value()) {
    error = Refuse(turn, Refusal::kNoOffsetsTopic, asked, waiting.version, nullptr);
  } else {
    error =
        AddPartitions(turn, asked, broker::PartitionList{*offsets}, kTransactionVersion0,
                      PendingAppend{.kind = PendingAppend::Kind::kAddOffsets, .waiting = waiting});
  }
  if (!error.has_value()) return;
  turn.effects.push_back(broker::ReplyEffect{
      waiting.to, broker::MakeMessage(broker::AddOffsetsToTxnResponse{.error = *error})});
}

void TransactionCoordinator::FinishAddPartitions(Turn& turn, const PendingAppend& append,
                                                 ErrorCode error) {
  SlotTable<AddPartitionsJob>& jobs = jobs_.Mutable();
  AddPartitionsJob& job = jobs.At(append.request);
  SetErrors(job.response.transactions[append.transaction], error);
  if (--job.remaining > 0) return;
  AddPartitionsJob done = jobs.Take(append.request);
  turn.effects.push_back(
      broker::ReplyEffect{done.waiting.to, broker::MakeMessage(std::move(done.response))});
}

}  // namespace kafkasim::coordinator

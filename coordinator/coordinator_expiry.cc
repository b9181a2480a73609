#include <string>
#include <utility>
#include <vector>

#include "coordinator/coordinator_trace.h"
#include "coordinator/events.h"
#include "coordinator/transaction_coordinator.h"
#include "coordinator/transaction_log_record.h"

namespace kafkasim::coordinator {

using broker::ErrorCode;

namespace {

bool IsTimedOut(const TransactionMetadata& metadata, int64_t now_ms) {
  const TransactionValue& value = metadata.value;
  return value.state == TransactionState::kOngoing && !metadata.pending.has_value() &&
         value.timeout_ms != kTwoPhaseCommitTimeoutMs &&
         value.start_timestamp_ms + value.timeout_ms < now_ms;
}

bool IsExpired(const TransactionMetadata& metadata, int64_t now_ms, int64_t expiration_ms) {
  return IsExpirationAllowed(metadata.value.state) && !metadata.pending.has_value() &&
         metadata.value.last_update_timestamp_ms <= now_ms - expiration_ms;
}

}  // namespace

void TransactionCoordinator::AbortTimedOutTransactions(Turn& turn) {
  std::vector<std::pair<int32_t, std::string>> timed_out;
  for (const TransactionCache::Partition& partition : cache_->partitions()) {
    for (const sim::Cow<TransactionMetadata>& entry : *partition.entries) {
      if (IsTimedOut(*entry, turn.now_ms())) {
        timed_out.emplace_back(partition.index, entry->transactional_id);
      } else if (entry->value.state == TransactionState::kOngoing && !entry->pending.has_value()) {
        ArmSweeps(turn, *entry);
      }
    }
  }
  for (const auto& [partition, transactional_id] : timed_out) {
    if (turn.context.tracing()) {
      const TransactionCache::Located located = cache_->Locate(transactional_id);
      turn.effects.push_back(TimedOutPoint(*located.metadata, turn.now_ms()));
    }
    const auto refusal = FenceAndAbort(turn, partition, transactional_id, Waiting{},
                                       "the transaction is open for longer than its timeout");
    // Without a producer id nothing has begun: the next sweep tries again.
    if (refusal.has_value()) ArmSweeps(turn, *cache_->Locate(transactional_id).metadata);
  }
}

void TransactionCoordinator::RemoveExpiredTransactionalIds(Turn& turn) {
  std::vector<int32_t> partitions;
  for (const TransactionCache::Partition& partition : cache_->partitions()) {
    if (!partition.loading) partitions.push_back(partition.index);
  }
  for (const int32_t partition : partitions) ExpireIdsOf(turn, partition);
}

void TransactionCoordinator::ExpireIdsOf(Turn& turn, int32_t index) {
  const int64_t expiration_ms = turn.context.config().transactional_id_expiration_ms;
  PendingAppend append{
      .kind = PendingAppend::Kind::kExpire, .partition = index, .transactional_id = {}};
  std::vector<broker::Record> tombstones;
  for (const TransactionCache::Partition& partition : cache_->partitions()) {
    if (partition.index != index) continue;
    append.epoch = partition.epoch;
    for (const sim::Cow<TransactionMetadata>& entry : *partition.entries) {
      if (IsExpired(*entry, turn.now_ms(), expiration_ms)) {
        append.expired.emplace_back(entry->transactional_id, entry->value.producer_epoch);
        tombstones.push_back(EncodeTombstone(entry->transactional_id, turn.now_ms()));
      } else if (IsExpirationAllowed(entry->value.state) && !entry->pending.has_value()) {
        ArmSweeps(turn, *entry);
      }
    }
  }
  if (tombstones.empty()) return;
  for (const auto& [transactional_id, epoch] : append.expired) {
    TransactionMetadata& metadata = cache_.Mutable().Mutable(index, transactional_id);
    SetPending(metadata, PrepareDead(metadata));
  }
  broker::AppendEffect effect{.partition = cache_->TopicPartition(index),
                              .expected_epoch = LogEpoch(turn, append.epoch),
                              .batch = broker::MakeBatch(std::move(tombstones)),
                              .timeout = sim::Millis(turn.context.config().request_timeout_ms)};
  if (turn.context.tracing()) {
    const std::string& first = append.expired.front().first;
    effect.appended = RecordPoint(events::kTransactionRecordAppended, first,
                                  *cache_->Locate(first).metadata->pending, effect.partition,
                                  append.epoch, turn.context.image());
  }
  effect.token = appends_.Mutable().Put(std::move(append));
  turn.effects.push_back(std::move(effect));
}

void TransactionCoordinator::FinishExpiry(Turn& turn, const PendingAppend& append,
                                          ErrorCode error) {
  if (cache_->Find(append.partition, append.epoch) == nullptr) return;
  TransactionCache& cache = cache_.Mutable();
  const broker::PartitionId log = cache.TopicPartition(append.partition);
  for (const auto& [transactional_id, epoch] : append.expired) {
    TransactionMetadata& metadata = cache.Mutable(append.partition, transactional_id);
    if (error != ErrorCode::kNone || metadata.value.producer_epoch != epoch) {
      ClearPending(metadata);
      ArmSweeps(turn, metadata);
      continue;
    }
    if (turn.context.tracing()) {
      turn.effects.push_back(RecordPoint(events::kTransactionRecordReplicated, transactional_id,
                                         *metadata.pending, log, append.epoch,
                                         turn.context.image()));
      turn.effects.push_back(
          broker::PointEffect{&events::kTransactionalIdExpired,
                              {sim::Field{"transactional_id", transactional_id},
                               sim::Field{"partition", turn.context.image().NameOf(log)}}});
    }
    cache.Erase(append.partition, transactional_id);
  }
}

}  // namespace kafkasim::coordinator

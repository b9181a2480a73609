#include "coordinator/transaction_view.h"

#include <utility>

#include "broker/partition_log.h"

namespace kafkasim::coordinator {

namespace {

TransactionView ViewOf(const TransactionMetadata& metadata, int32_t partition,
                       broker::CoordinatorEpoch epoch) {
  TransactionView view{.transactional_id = metadata.transactional_id,
                       .value = metadata.value,
                       .has_failed_epoch_fence = metadata.has_failed_epoch_fence,
                       .txn_partition = partition,
                       .coordinator_epoch = epoch};
  if (metadata.pending.has_value()) view.pending = metadata.pending->state;
  return view;
}

}  // namespace

const TransactionCoordinator* AsTransactionCoordinator(const broker::Service& service) {
  if (service.topic() != broker::kTransactionStateTopic) return nullptr;
  return static_cast<const TransactionCoordinator*>(&service);
}

std::vector<TransactionView> ViewTransactions(const TransactionCoordinator& coordinator) {
  std::vector<TransactionView> views;
  for (const TransactionCache::Partition& partition : coordinator.cache().partitions()) {
    for (const sim::Cow<TransactionMetadata>& entry : *partition.entries) {
      views.push_back(ViewOf(*entry, partition.index, partition.epoch));
    }
  }
  return views;
}

std::optional<TransactionView> FindTransaction(const TransactionCoordinator& coordinator,
                                               std::string_view transactional_id) {
  const TransactionCache::Located located = coordinator.cache().Locate(transactional_id);
  if (located.metadata == nullptr) return std::nullopt;
  return ViewOf(*located.metadata, located.partition, located.epoch);
}

std::vector<CoordinatedPartition> ViewPartitions(const TransactionCoordinator& coordinator) {
  std::vector<CoordinatedPartition> views;
  for (const TransactionCache::Partition& partition : coordinator.cache().partitions()) {
    views.push_back({partition.index, partition.epoch, partition.loading,
                     static_cast<int64_t>(partition.entries->size())});
  }
  return views;
}

std::vector<TransactionLogEntry> DecodeTransactionLog(const broker::PartitionLog& log) {
  std::vector<TransactionLogEntry> entries;
  DecodeTransactionLog(log, log.log_start_offset(), entries);
  return entries;
}

void DecodeTransactionLog(const broker::PartitionLog& log, broker::Offset from,
                          std::vector<TransactionLogEntry>& entries) {
  log.ForEachBatch(from, [&](const broker::RecordBatchRef& batch) {
    for (const broker::Record& record : *batch->records) {
      std::optional<TransactionLogRecord> read = DecodeTransaction(record);
      if (!read.has_value()) continue;
      entries.push_back({.offset = batch->base_offset + record.offset_delta,
                         .timestamp_ms = record.timestamp_ms,
                         .leader_epoch = batch->partition_leader_epoch,
                         .record = *std::move(read)});
    }
  });
}

LoadedTransactions ReplayTransactionLog(const broker::PartitionLog& log) {
  LoadedTransactions loaded;
  log.ForEachBatch(log.log_start_offset(), [&](const broker::RecordBatchRef& batch) {
    for (const broker::Record& record : *batch->records) Replay(record, loaded);
  });
  return loaded;
}

}  // namespace kafkasim::coordinator

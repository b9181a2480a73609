// What the transaction coordinator of a broker knows, and what its log says, for displays and
// expectations. Reads only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "broker/ids.h"
#include "broker/service.h"
#include "coordinator/transaction_coordinator.h"
#include "coordinator/transaction_log_record.h"
#include "coordinator/transaction_metadata.h"

namespace kafkasim::broker {
class PartitionLog;
}

namespace kafkasim::coordinator {

// One transactional id in a coordinator's memory. `value.partitions` are those of the open
// transaction, or those that still need a marker.
struct TransactionView {
  std::string transactional_id;
  TransactionValue value{};
  std::optional<TransactionState> pending{};
  bool has_failed_epoch_fence = false;
  int32_t txn_partition = -1;  // of __transaction_state
  broker::CoordinatorEpoch coordinator_epoch = broker::kNoCoordinatorEpoch;
};

// One partition of __transaction_state that a broker coordinates.
struct CoordinatedPartition {
  int32_t txn_partition = -1;
  broker::CoordinatorEpoch coordinator_epoch = broker::kNoCoordinatorEpoch;
  bool loading = false;
  int64_t transactional_ids = 0;
};

// One record of a partition of __transaction_state.
struct TransactionLogEntry {
  broker::Offset offset{0};
  int64_t timestamp_ms = 0;
  broker::LeaderEpoch leader_epoch = broker::kNoLeaderEpoch;
  TransactionLogRecord record;
};

// The service as what it is; null if it is another one.
[[nodiscard]] const TransactionCoordinator* AsTransactionCoordinator(
    const broker::Service& service);

// All ids that are coordinated here, by partition and then by id.
[[nodiscard]] std::vector<TransactionView> ViewTransactions(
    const TransactionCoordinator& coordinator);
// One id; nullopt if it is not known or not coordinated here, or still being loaded.
[[nodiscard]] std::optional<TransactionView> FindTransaction(
    const TransactionCoordinator& coordinator, std::string_view transactional_id);
// By index.
[[nodiscard]] std::vector<CoordinatedPartition> ViewPartitions(
    const TransactionCoordinator& coordinator);

// The records of a partition of __transaction_state from the log's start to its end, those not
// replicated included. Records of unknown versions are left out.
[[nodiscard]] std::vector<TransactionLogEntry> DecodeTransactionLog(
    const broker::PartitionLog& log);
// Adds those at or above `from` to `entries`.
void DecodeTransactionLog(const broker::PartitionLog& log, broker::Offset from,
                          std::vector<TransactionLogEntry>& entries);
// What a coordinator would load from the log.
[[nodiscard]] LoadedTransactions ReplayTransactionLog(const broker::PartitionLog& log);

}  // namespace kafkasim::coordinator

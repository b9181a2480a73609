// What Kafka's admin client finds out about transactions (KIP-664: ListTransactions,
// DescribeTransactions, DescribeProducers, and the search of kafka-transactions.sh for hanging
// ones), at one moment of a run. Classes Admin and TransactionsCommand, Kafka 4.4 development line.
// Looked up in the processes, without requests: asking changes nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "broker/ids.h"
#include "coordinator/transaction_view.h"
#include "scenarios/moment.h"

namespace kafkasim::scenarios {

// A transactional id as its coordinator knows it.
struct ListedTransaction {
  std::int32_t coordinator = -1;  // the broker
  coordinator::TransactionView transaction;
};
// Of all coordinators that run and have read their logs; by transactional id.
[[nodiscard]] std::vector<ListedTransaction> TransactionsAt(const Moment& moment);

// A producer that the leader of a partition knows. Times in milliseconds.
struct ActiveProducer {
  broker::PartitionId partition;
  std::int64_t producer_id = -1;
  std::int32_t epoch = -1;
  std::int32_t coordinator_epoch = -1;  // of the last marker; -1 before the first
  std::int32_t last_sequence = -1;
  std::int64_t last_timestamp_ms = -1;
  std::optional<std::int64_t> transaction_start_offset{};
};
// Of the partition's leader, by producer id; nothing while there is no leader that runs.
[[nodiscard]] std::vector<ActiveProducer> ProducersAt(const Moment& moment,
                                                      const broker::PartitionId& partition);

// Open transactions on the scenario's topics whose last record is older than `max_timeout_ms` and
// of which no coordinator knows: they hold the last stable offset for ever.
[[nodiscard]] std::vector<ActiveProducer> HangingAt(const Moment& moment,
                                                    std::int64_t max_timeout_ms);

}  // namespace kafkasim::scenarios

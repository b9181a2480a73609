#include "scenarios/transaction_admin.h"

#include <algorithm>

#include "scenarios/cluster_access.h"

namespace kafkasim::scenarios {
namespace {

// Whether a coordinator has this partition in an ongoing transaction of the producer.
bool IsListed(const std::vector<ListedTransaction>& transactions, const ActiveProducer& producer) {
  return std::any_of(transactions.begin(), transactions.end(),
                     [&](const ListedTransaction& listed) {
                       const coordinator::TransactionValue& value = listed.transaction.value;
                       return value.producer_id.value() == producer.producer_id &&
                              coordinator::Contains(value.partitions, producer.partition);
                     });
}

}  // namespace

std::vector<ListedTransaction> TransactionsAt(const Moment& moment) {
  std::vector<ListedTransaction> listed;
  for (const broker::BrokerId id : CurrentCluster(moment).brokers) {
    const coordinator::TransactionCoordinator* coordinator = FindCoordinator(moment, id);
    if (coordinator == nullptr) continue;
    for (coordinator::TransactionView& view : coordinator::ViewTransactions(*coordinator)) {
      listed.push_back({.coordinator = id.value(), .transaction = std::move(view)});
    }
  }
  std::sort(listed.begin(), listed.end(), [](const auto& a, const auto& b) {
    return a.transaction.transactional_id < b.transaction.transactional_id;
  });
  return listed;
}

std::vector<ActiveProducer> ProducersAt(const Moment& moment,
                                        const broker::PartitionId& partition) {
  std::vector<ActiveProducer> producers;
  const broker::BrokerId leader = LeaderOf(moment, partition);
  if (leader == broker::kNoBroker || !BrokerAt(moment, leader).active()) return producers;
  for (const broker::ProducerStateEntry& entry : ProducersOf(moment, leader, partition)) {
    ActiveProducer producer{.partition = partition,
                            .producer_id = entry.producer_id().value(),
                            .epoch = entry.producer_epoch().value(),
                            .coordinator_epoch = entry.coordinator_epoch().value(),
                            .last_sequence = entry.last_sequence().value(),
                            .last_timestamp_ms = entry.last_timestamp_ms()};
    if (const auto first = entry.current_txn_first_offset()) {
      producer.transaction_start_offset = first->value();
    }
    producers.push_back(producer);
  }
  return producers;
}

std::vector<ActiveProducer> HangingAt(const Moment& moment, std::int64_t max_timeout_ms) {
  const std::vector<ListedTransaction> transactions = TransactionsAt(moment);
  const std::int64_t now_ms = moment.world.now().millis();
  std::vector<ActiveProducer> hanging;
  const broker::ClusterImage& cluster = CurrentCluster(moment);
  for (std::size_t t = 0; t < cluster.topics.size(); ++t) {
    if (cluster.topics[t].name.starts_with("__")) continue;
    for (std::size_t p = 0; p < cluster.topics[t].partitions.size(); ++p) {
      const broker::PartitionId partition{broker::TopicId(static_cast<std::int32_t>(t)),
                                          static_cast<std::int32_t>(p)};
      for (const ActiveProducer& producer : ProducersAt(moment, partition)) {
        const bool candidate = producer.transaction_start_offset.has_value() &&
                               now_ms - producer.last_timestamp_ms > max_timeout_ms;
        if (candidate && !IsListed(transactions, producer)) hanging.push_back(producer);
      }
    }
  }
  return hanging;
}

}  // namespace kafkasim::scenarios

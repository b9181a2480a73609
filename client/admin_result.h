// What the calls of an administrator give (admin_operation.h): the rows that Kafka's tools print.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "broker/cluster_image.h"
#include "broker/ids.h"
#include "broker/messages_admin.h"
#include "sim/fingerprint.h"

namespace kafkasim::client {

// Of describe_producers and find_hanging: in the order of the partitions asked for, then by
// producer id.
struct PartitionProducers {
  struct Row {
    broker::PartitionId partition{};
    broker::DescribeProducersResponse::ProducerState state{};
  };
  std::vector<Row> rows{};
};

// Of list_transactions, by transactional id.
struct TransactionListings {
  struct Row {
    broker::BrokerId coordinator = broker::kNoBroker;
    broker::ListTransactionsResponse::TransactionState state{};
  };
  std::vector<Row> rows{};
};

// Of describe_transactions, in the order asked.
struct TransactionDescriptions {
  struct Row {
    broker::BrokerId coordinator = broker::kNoBroker;
    broker::DescribeTransactionsResponse::TransactionState state{};
  };
  std::vector<Row> rows{};
};

// Of fence_producers, in the order asked: who the next producer follows upon.
struct FencedProducers {
  struct Row {
    std::string transactional_id{};
    broker::ProducerId producer_id = broker::kNoProducerId;
    broker::ProducerEpoch epoch = broker::kNoProducerEpoch;
  };
  std::vector<Row> rows{};
};

struct AdminResult {
  std::variant<PartitionProducers, TransactionListings, TransactionDescriptions, FencedProducers>
      what{};

  void AppendTo(sim::CanonicalBytes& out) const;
};

// "orders-0: producer 7 epoch 0 from offset 1": the rows on one line; "none" if there are none.
[[nodiscard]] std::string Describe(const AdminResult& result, const broker::ClusterImage& names);

}  // namespace kafkasim::client

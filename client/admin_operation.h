// What an administrator asks of a Kafka cluster: methods of Java's Admin, and the commands of
// kafka-transactions.sh that are made of several of them (KIP-664; classes KafkaAdminClient and
// TransactionsCommand, Kafka 4.4 development line). What comes of them: admin_result.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "broker/cluster_image.h"
#include "broker/ids.h"
#include "broker/messages_data.h"
#include "sim/fingerprint.h"
#include "sim/time.h"

namespace kafkasim::client {

// The producers that the leaders of these partitions know, or the replicas on one broker. Gives
// PartitionProducers.
struct DescribeProducers {
  std::vector<broker::PartitionId> partitions{};
  std::optional<broker::BrokerId> broker{};
};

// The transactional ids of all coordinators. A filter that is empty lets everything through. Gives
// TransactionListings.
struct ListTransactions {
  std::vector<std::string> states{};  // Kafka's names: "Ongoing"
  std::vector<broker::ProducerId> producer_ids{};
  std::optional<sim::Duration> running_longer_than{};
  std::string pattern{};  // of the whole transactional id
};

// Gives TransactionDescriptions.
struct DescribeTransactions {
  std::vector<std::string> transactional_ids{};
};

// kafka-transactions.sh find-hanging: transactions that are open on these partitions, whose last
// record is older than `max_transaction_timeout`, and of which no coordinator knows. With `broker`,
// its replicas are asked instead of the leaders; then no partitions mean all that it has, internal
// ones too. Gives PartitionProducers.
struct FindHanging {
  std::vector<broker::PartitionId> partitions{};
  std::optional<broker::BrokerId> broker{};
  sim::Duration max_transaction_timeout = sim::Seconds(900);
};

// kafka-transactions.sh abort: an ABORT marker for one partition, past the coordinator. The
// producer is the one whose transaction is open from `start_offset` on, or it is named. Gives
// nothing.
struct AbortTransactionOn {
  broker::PartitionId partition{};
  std::optional<broker::Offset> start_offset{};
  broker::ProducerId producer_id = broker::kNoProducerId;
  broker::ProducerEpoch producer_epoch = broker::kNoProducerEpoch;
  broker::CoordinatorEpoch coordinator_epoch{0};
};

// Gives the producers of these ids a new epoch, and aborts what they have open. `timeout` is the
// call's own and the transaction timeout that the id has afterwards (default: request.timeout.ms).
// Gives FencedProducers.
struct FenceProducers {
  std::vector<std::string> transactional_ids{};
  std::optional<sim::Duration> timeout{};
};

// kafka-transactions.sh forceTerminateTransaction (KIP-939): fences one id. Gives nothing.
struct ForceTerminateTransaction {
  std::string transactional_id{};
};

// Offsets by timestamp: a time in milliseconds, or one of broker::k*Timestamp. Gives
// PartitionOffsets.
struct ListOffsets {
  std::vector<broker::PartitionId> partitions{};
  int64_t timestamp = broker::kLatestTimestamp;
  broker::IsolationLevel isolation_level = broker::IsolationLevel::kReadUncommitted;
};

// The preferred leader, or an unclean election where there is no leader. Gives nothing.
struct ElectLeaders {
  broker::PartitionId partition{};
  bool unclean = false;
};

struct AdminCall {
  std::variant<DescribeProducers, ListTransactions, DescribeTransactions, FindHanging,
               AbortTransactionOn, FenceProducers, ForceTerminateTransaction, ListOffsets,
               ElectLeaders>
      what{};

  void AppendTo(sim::CanonicalBytes& out) const;
};

// "find_hanging": the scenario language's verb.
[[nodiscard]] std::string_view Name(const AdminCall& call);
// "orders-0 from offset 5": what it is about.
[[nodiscard]] std::string Describe(const AdminCall& call, const broker::ClusterImage& names);

}  // namespace kafkasim::client

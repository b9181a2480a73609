// What an administrator is told to do: methods of Java's Admin and commands of
// kafka-transactions.sh. One struct per verb; AdminCall is any of them.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "scenarios/references.h"

namespace kafkasim::scenarios {

struct DescribeProducers {
  std::vector<PartitionName> partitions;
  std::optional<std::int32_t> broker;  // whose replicas are asked; default: the leaders
};

struct ListTransactions {
  std::vector<std::string> states;         // "ONGOING"; empty = all
  std::vector<std::int64_t> producer_ids;  // empty = all
  std::optional<std::int64_t> longer_than_us;
  std::string pattern;  // of the transactional id; empty = all
};

struct DescribeTransactions {
  std::vector<std::string> transactional_ids;
};

struct FindHanging {
  std::vector<PartitionName> partitions;  // empty = all that `broker` has
  std::optional<std::int32_t> broker;
  std::int64_t max_transaction_timeout_us = 900'000'000;
};

// Either where the transaction starts, or who the producer is.
struct AbortTransactionOn {
  PartitionName partition;
  std::optional<std::int64_t> start_offset;
  std::optional<std::int64_t> producer_id;
  std::optional<std::int64_t> producer_epoch;
  std::int64_t coordinator_epoch = 0;
};

struct FenceProducers {
  std::vector<std::string> transactional_ids;
  std::optional<std::int64_t> timeout_us;  // also the transaction timeout that the ids get
};

struct ForceTerminateTransaction {
  std::string transactional_id;
};

struct ListOffsets {
  std::vector<PartitionName> partitions;
  std::int64_t timestamp = -1;  // milliseconds; -1 latest, -2 earliest, -3 the largest timestamp
  std::string isolation_level = "read_uncommitted";
};

struct ElectLeaders {
  PartitionName partition;
  bool unclean = false;
};

struct AdminCall {
  std::variant<DescribeProducers, ListTransactions, DescribeTransactions, FindHanging,
               AbortTransactionOn, FenceProducers, ForceTerminateTransaction, ListOffsets,
               ElectLeaders>
      what;
};

}  // namespace kafkasim::scenarios

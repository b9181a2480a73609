// What stands before the first step: brokers, network, topics and actors of a scenario.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/config.h"
#include "scenarios/mark.h"
#include "scenarios/programs.h"
#include "scenarios/references.h"

namespace kafkasim::scenarios {

// One-way latency of a message in microseconds. With min < max each message draws its own from the
// run's seeded stream; connections stay in order.
struct Latency {
  std::int64_t min_us = 1'000;
  std::int64_t max_us = 1'000;
};

// A direction between two processes that is slower or faster than the rest.
struct LinkSpec {
  ProcessName from;  // an actor or a broker
  ProcessName to;
  Latency latency;
  Mark mark{};
};

struct NetworkSpec {
  Latency latency;
  std::vector<LinkSpec> links;
};

// A transactional id that has been used before the run begins.
struct TransactionalIdSpec {
  Name id;
  std::int64_t producer_id = 0;
  std::int64_t epoch = 0;
  std::int64_t transaction_timeout_us = 60'000'000;
};

struct ClusterSpec {
  std::int32_t brokers = 3;  // ids 0 .. brokers-1
  Config config;             // every broker's settings, `transaction.version` among them
  std::optional<std::int64_t> next_producer_id;  // the first producer id that is handed out
  std::vector<TransactionalIdSpec> transactional_ids;
  std::int64_t coordinator_load_time_us = 0;  // a new coordinator reads its log for so long
  NetworkSpec network;
  std::optional<std::uint64_t> seed;  // of the run's random streams, unless the caller gives one
  Mark mark{};
};

// The leader that a partition has at the start.
struct LeaderSpec {
  std::int32_t partition = 0;
  std::int32_t broker = 0;
  Mark mark{};
};

// One topic. For the internal `__transaction_state` only `leaders` and `config` can be written: its
// partitions and replicas follow the broker's transaction.state.log.* settings.
struct TopicSpec {
  Name name;
  std::optional<std::int32_t> partitions;  // default: num.partitions of the cluster
  std::optional<std::int32_t> replicas;    // default: default.replication.factor of the cluster
  Config config;
  std::vector<LeaderSpec> leaders;  // partitions not named here get the usual assignment
  // Replica lists partition by partition, the preferred leader first; empty = the usual assignment.
  std::vector<std::vector<std::int32_t>> assignment;
  bool internal = false;
};

// Who acts in the script. An admin asks about the cluster, repairs it, and sends raw requests; an
// application has both clients and a program; stores and APIs are outside Kafka and only do what
// they are asked.
struct ActorSpec {
  enum class Role { kProducer, kConsumer, kAdmin, kApplication, kStore, kApi };

  Name name;
  Role role = Role::kProducer;
  Config config;
  std::vector<PartitionName> assign;  // consumers only: the partitions of `assign`, in order
  std::vector<Name> subscribe;        // consumers only, instead of it: topics
  ApplicationSpec application;        // kApplication
  StoreSpec store;                    // kStore
  ApiSpec api;                        // kApi
};

}  // namespace kafkasim::scenarios

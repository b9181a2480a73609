// Clients against a real cluster: three brokers with both coordinators, topic "orders" with
// two partitions on all brokers, led by brokers 0 and 1. Producer ids start at 7.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "broker/broker.h"
#include "broker/cluster_builder.h"
#include "broker/controller.h"
#include "client/admin.h"
#include "client/call.h"
#include "client/client_process.h"
#include "client/consumer.h"
#include "client/producer.h"
#include "coordinator/group_coordinator.h"
#include "coordinator/transaction_coordinator.h"
#include "sim/world.h"

namespace kafkasim::client {

inline const broker::PartitionId kFirst{broker::TopicId(0), 0};
inline const broker::PartitionId kSecond{broker::TopicId(0), 1};

class ClusterWorld {
 public:
  using Adjust = void (*)(broker::BrokerConfig&);

  explicit ClusterWorld(int64_t transaction_version, Adjust adjust = nullptr)
      : world_(sim::World::Options{}) {
    broker::ClusterSpec spec;
    spec.config.transaction_version = transaction_version;
    if (adjust != nullptr) adjust(spec.config);
    spec.topics.push_back({.name = "orders",
                           .partitions = 2,
                           .replication_factor = 3,
                           .config = broker::TopicConfig{.min_insync_replicas = 2}});
    spec.first_producer_id = broker::ProducerId(7);
    cluster_ = *broker::AddCluster(world_, spec, [] {
      std::vector<std::unique_ptr<broker::Service>> services;
      services.push_back(std::make_unique<coordinator::TransactionCoordinator>());
      services.push_back(std::make_unique<coordinator::GroupCoordinator>());
      return services;
    });
  }

  // All clients are added before the first call.
  sim::ProcessId AddProducer(const std::string& name, ProducerConfig config) {
    return world_.AddProcess(
        name, std::make_unique<Producer>(Options(), *FinishConfig(std::move(config))));
  }
  sim::ProcessId AddTransactional(const std::string& name, const std::string& id,
                                  ProducerConfig config = {}) {
    config.transactional_id = id;
    return AddProducer(name, std::move(config));
  }
  sim::ProcessId AddConsumer(const std::string& name, broker::IsolationLevel level,
                             std::vector<broker::PartitionId> assignment = {kFirst}) {
    const ConsumerConfig config{.isolation_level = level,
                                .auto_offset_reset = OffsetReset::kEarliest};
    return world_.AddProcess(name,
                             std::make_unique<Consumer>(Options(), config, std::move(assignment)));
  }
  sim::ProcessId AddAdmin(const AdminConfig& config = {}) {
    return world_.AddProcess("admin", std::make_unique<Admin>(Options(), config));
  }
  // A consumer of "orders" in group "g" that commits when it is told to.
  sim::ProcessId AddMember(const std::string& name, ConsumerConfig config = {}) {
    config.group_id = "g";
    config.auto_offset_reset = OffsetReset::kEarliest;
    config.isolation_level = broker::IsolationLevel::kReadCommitted;
    if (!config.enable_auto_commit.has_value()) config.enable_auto_commit = false;
    return world_.AddProcess(
        name,
        std::make_unique<Consumer>(Options(), std::move(config), std::vector<broker::PartitionId>{},
                                   std::vector<broker::TopicId>{broker::TopicId(0)}));
  }
  void Start() { world_.Start(nullptr); }

  CallId Give(sim::ProcessId client, Operation operation) {
    ++last_call_;
    world_.Command(client, MakeCall(last_call_, std::move(operation)), nullptr);
    return last_call_;
  }
  CallId GiveSend(sim::ProcessId client, const broker::PartitionId& to,
                  std::vector<std::string> values) {
    Send send{.topic = to.topic, .partition = to.index};
    for (std::string& value : values) send.records.push_back({.value = std::move(value)});
    return Give(client, std::move(send));
  }
  CallResult Await(sim::ProcessId client, CallId call) {
    const sim::Time limit = world_.now() + sim::Seconds(300);
    while (!Result(client, call).done() && world_.now() < limit && world_.Step(nullptr)) {
    }
    return Result(client, call);
  }
  CallResult Do(sim::ProcessId client, Operation operation) {
    return Await(client, Give(client, std::move(operation)));
  }
  CallResult DoSend(sim::ProcessId client, const broker::PartitionId& to,
                    std::vector<std::string> values) {
    return Await(client, GiveSend(client, to, std::move(values)));
  }
  // Polls until nothing has come for a virtual second.
  std::vector<std::string> ReadAll(sim::ProcessId consumer) {
    std::vector<std::string> values;
    for (;;) {
      const std::optional<broker::Offset> before = ConsumerOf(consumer).position(kFirst);
      const CallResult polled = Do(consumer, Poll{});
      EXPECT_TRUE(polled.ok()) << polled.error;
      if (!polled.ok()) return values;
      const auto& records = *std::get<ConsumedRecords>(polled.value).records;
      for (const ConsumedRecord& record : records) values.push_back(*record.value);
      if (records.empty() && ConsumerOf(consumer).position(kFirst) == before) return values;
    }
  }

  void RunFor(sim::Duration duration) { world_.RunUntil(world_.now() + duration, nullptr); }
  void Crash(sim::ProcessId process) { world_.Crash(process, sim::CrashKind::kProcess, nullptr); }
  void Restart(sim::ProcessId process) { world_.Restart(process, nullptr); }

  const CallResult& Result(sim::ProcessId client, CallId call) const {
    return *AsClient(world_.process(client)).FindCall(call);
  }
  const Producer& ProducerOf(sim::ProcessId id) const {
    return static_cast<const Producer&>(world_.process(id));
  }
  const Consumer& ConsumerOf(sim::ProcessId id) const {
    return static_cast<const Consumer&>(world_.process(id));
  }
  // Who coordinates this transactional id now, as the controller knows.
  sim::ProcessId CoordinatorOf(const std::string& transactional_id) const {
    const auto& controller =
        static_cast<const broker::Controller&>(world_.process(cluster_.controller));
    const broker::ClusterImage& image = *controller.image();
    const auto partition = image.PartitionForKey(broker::kTransactionStateTopic, transactional_id);
    return broker::ProcessOf(image.FindPartition(*partition)->leader);
  }
  // The log of a partition on a broker.
  const broker::PartitionLog& LogOf(int32_t broker_id, const broker::PartitionId& partition) const {
    const auto& process =
        static_cast<const broker::Broker&>(world_.process(sim::ProcessId(broker_id)));
    return process.FindReplica(partition)->log();
  }
  sim::World& world() { return world_; }
  const broker::Cluster& cluster() const { return cluster_; }

 private:
  ClientOptions Options() const { return {.bootstrap = cluster_.image->brokers}; }

  sim::World world_;
  broker::Cluster cluster_;
  CallId last_call_{0};
};

}  // namespace kafkasim::client

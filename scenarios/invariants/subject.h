// What the invariants look at: the processes of a world by what they are, at one moment.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "broker/broker.h"
#include "broker/cluster_image.h"
#include "broker/partition.h"
#include "client/client_process.h"
#include "client/consumer.h"
#include "client/producer.h"
#include "coordinator/group_coordinator.h"
#include "coordinator/transaction_coordinator.h"
#include "coordinator/transaction_view.h"
#include "scenarios/invariants/log_reading.h"
#include "scenarios/name_table.h"
#include "sim/world.h"

namespace kafkasim::scenarios {

// A partition with a leader that runs: of several that think so, the one of the newest epoch; not
// one that the controller has fenced since.
struct LedPartition {
  const broker::Broker* broker = nullptr;
  const broker::Partition* replica = nullptr;

  [[nodiscard]] const broker::PartitionLog& log() const { return replica->log(); }
  // Both are read once, when they are asked for.
  [[nodiscard]] const LogReading& reading() const {
    if (!reading_.has_value()) reading_.emplace(log());
    return *reading_;
  }
  // The records of a partition of __transaction_state.
  [[nodiscard]] const std::vector<coordinator::TransactionLogEntry>& transactions() const {
    if (!transactions_.has_value()) transactions_ = coordinator::DecodeTransactionLog(log());
    return *transactions_;
  }

 private:
  mutable std::optional<LogReading> reading_{};
  mutable std::optional<std::vector<coordinator::TransactionLogEntry>> transactions_{};
};

struct RunningProducer {
  std::string_view name{};
  const client::Producer* producer = nullptr;
  bool crashed = false;
};
struct RunningConsumer {
  std::string_view name{};
  const client::Consumer* consumer = nullptr;
};
struct RunningCoordinator {
  const broker::Broker* broker = nullptr;
  const coordinator::TransactionCoordinator* coordinator = nullptr;
};
struct RunningGroupCoordinator {
  const broker::Broker* broker = nullptr;
  const coordinator::GroupCoordinator* coordinator = nullptr;
};

class Subject {
 public:
  // Both must outlive it.
  Subject(const sim::World& world, const NameTable& names);

  [[nodiscard]] const broker::ClusterImage& cluster() const;
  // In the order of the partitions; those that nothing was ever written to are left out.
  [[nodiscard]] const std::vector<LedPartition>& led() const { return led_; }
  // Null if nobody who runs leads it, or if it is empty.
  [[nodiscard]] const LedPartition* FindLed(const broker::PartitionId& partition) const;
  // Whether a running broker leads it and has never had a record in it.
  [[nodiscard]] bool IsEmpty(const broker::PartitionId& partition) const;
  // All brokers that are not crashed.
  [[nodiscard]] const std::vector<const broker::Broker*>& brokers() const { return brokers_; }
  [[nodiscard]] const std::vector<RunningCoordinator>& coordinators() const {
    return coordinators_;
  }
  [[nodiscard]] const std::vector<RunningGroupCoordinator>& group_coordinators() const {
    return group_coordinators_;
  }
  [[nodiscard]] const std::vector<RunningProducer>& producers() const { return producers_; }
  [[nodiscard]] const std::vector<RunningConsumer>& consumers() const { return consumers_; }
  [[nodiscard]] std::string NameOf(const broker::PartitionId& partition) const {
    return cluster().NameOf(partition);
  }

 private:
  const sim::World& world_;
  const NameTable& names_;
  std::vector<const broker::Broker*> brokers_;
  std::vector<RunningCoordinator> coordinators_;
  std::vector<RunningGroupCoordinator> group_coordinators_;
  std::vector<LedPartition> led_;
  std::vector<RunningProducer> producers_;
  std::vector<RunningConsumer> consumers_;
};

}  // namespace kafkasim::scenarios

// What the invariants look at: the processes of a world by what they are, at one moment.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "broker/broker.h"
#include "broker/cluster_image.h"
#include "client/client_process.h"
#include "client/consumer.h"
#include "client/producer.h"
#include "coordinator/group_coordinator.h"
#include "coordinator/transaction_coordinator.h"
#include "scenarios/invariants/led_partition.h"
#include "scenarios/name_table.h"
#include "sim/search/judge.h"
#include "sim/world.h"

namespace kafkasim::scenarios {

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

// Parts of a subject, to say which of them a check reads and which a move has changed. What may be
// read of each stands beside it; a check that reads anything else reads kAnything, which always
// counts as changed. Configurations never change, nor do the names of topics; how time passes may
// be read with each.
using Parts = uint8_t;
inline constexpr Parts kLogs = 1 << 0;  // cluster(), led(), IsEmpty(); replicas of brokers()
inline constexpr Parts kCoordinators = 1 << 1;       // all of a transaction coordinator
inline constexpr Parts kGroupCoordinators = 1 << 2;  // all of a group coordinator
inline constexpr Parts kProducers = 1 << 3;          // calls() and identity(), crashed or not
inline constexpr Parts kConsumers = 1 << 4;          // calls()
inline constexpr Parts kAnything = 1 << 5;
inline constexpr Parts kAllParts = (1 << 6) - 1;

class Subject final : public sim::View {
 public:
  // Both must outlive it. `before`: the same of the world that a move made this one of, from which
  // it takes over what was read of logs that are still the same.
  Subject(const sim::World& world, const NameTable& names, const Subject* before = nullptr);

  // The parts in which it may differ from the one before; all if there was none.
  [[nodiscard]] Parts changed() const { return changed_; }
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
  void FindClient(const ProcessEntry& entry, const sim::Process& process, bool crashed);
  void FindServices(const broker::Broker& broker);
  [[nodiscard]] Parts ChangedSince(const Subject& before) const;
  void FindLeaders(const Subject* before);

  const NameTable& names_;
  std::vector<const broker::Broker*> brokers_;
  std::vector<RunningCoordinator> coordinators_;
  std::vector<RunningGroupCoordinator> group_coordinators_;
  std::vector<RunningProducer> producers_;
  std::vector<RunningConsumer> consumers_;
  Parts changed_ = kAllParts;
  std::vector<LedPartition> led_;
};

}  // namespace kafkasim::scenarios

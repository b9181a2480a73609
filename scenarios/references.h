// How a scenario names the things of the simulated cluster: partitions, topics and processes.
// Names are checked against the file when it is loaded; which broker `leader of orders-0` is gets
// decided by the run, at the moment the step is carried out.

#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>

#include "scenarios/mark.h"

namespace kafkasim::scenarios {

// One partition, written `enriched_orders-0`. Internal topics count: `__transaction_state-21`.
struct PartitionName {
  std::string topic;
  std::int32_t partition = 0;
  Mark mark{};

  friend bool operator==(const PartitionName& a, const PartitionName& b) {
    return a.topic == b.topic && a.partition == b.partition;
  }
  friend std::ostream& operator<<(std::ostream& out, const PartitionName& name) {
    return out << name.topic << '-' << name.partition;
  }
};

// Where a record goes: a partition, or a topic whose partitioner decides.
struct Destination {
  std::string topic;
  std::optional<std::int32_t> partition;
  Mark mark{};
};

// One process of the run, as the author points at it.
struct ProcessName {
  enum class Kind {
    kActor,          // `old`                      name = the actor
    kBroker,         // `broker-1`                 broker = its id
    kLeaderOf,       // `leader of orders-0`       partition
    kCoordinatorOf,  // `coordinator of pay-1`     name = the transactional id
    kController,     // `controller`
    kHandle,         // a name given by `as:` to an earlier crash or pause: the process it hit
  };

  Kind kind = Kind::kActor;
  std::string name;
  std::int32_t broker = -1;
  PartitionName partition;
  Mark mark{};

  friend std::ostream& operator<<(std::ostream& out, const ProcessName& process) {
    switch (process.kind) {
      case Kind::kActor:
      case Kind::kHandle:
        return out << process.name;
      case Kind::kBroker:
        return out << "broker-" << process.broker;
      case Kind::kController:
        return out << "controller";
      case Kind::kLeaderOf:
        return out << "leader of " << process.partition;
      case Kind::kCoordinatorOf:
        return out << "coordinator of " << process.name;
    }
    return out;
  }
};

}  // namespace kafkasim::scenarios

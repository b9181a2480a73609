// A partition with a leader that runs, and what its log says: read when somebody asks, taken over
// from the state before where it is the same.
#pragma once

#include <memory>
#include <vector>

#include "broker/broker.h"
#include "broker/partition.h"
#include "coordinator/transaction_view.h"
#include "scenarios/invariants/log_reading.h"

namespace kafkasim::scenarios {

// Of several brokers that think they lead: the one of the newest epoch; not one that the controller
// has fenced since.
class LedPartition {
 public:
  LedPartition(const broker::Broker& broker, const broker::Partition& replica)
      : broker_(&broker), replica_(&replica) {}

  [[nodiscard]] const broker::Broker& broker() const { return *broker_; }
  [[nodiscard]] const broker::Partition& replica() const { return *replica_; }
  [[nodiscard]] const broker::PartitionId& id() const { return replica_->id(); }
  [[nodiscard]] const broker::PartitionLog& log() const { return replica_->log(); }
  [[nodiscard]] const LogReading& reading() const;
  // The records of a partition of __transaction_state.
  [[nodiscard]] const std::vector<coordinator::TransactionLogEntry>& transactions() const;

  // False if the replica is as it was in the state before.
  [[nodiscard]] bool changed() const { return changed_; }
  // What was read of the same partition in the state before.
  void TakeOver(const LedPartition& before);

 private:
  using Transactions = std::shared_ptr<const std::vector<coordinator::TransactionLogEntry>>;

  const broker::Broker* broker_;
  const broker::Partition* replica_;
  bool changed_ = true;
  // Null until somebody asks. Never changed then: subjects of several threads may share them.
  mutable std::shared_ptr<const LogReading> reading_;
  mutable Transactions transactions_;
  // Those below an offset, if they are known already.
  Transactions earlier_;
  broker::Offset earlier_end_{0};
};

}  // namespace kafkasim::scenarios

#include "scenarios/cluster_access.h"

#include "broker/controller.h"

namespace kafkasim::scenarios {

// The controller is the process after the brokers (broker/cluster_builder.h).
const broker::ClusterImage& CurrentCluster(const Moment& moment) {
  return *CurrentClusterRef(moment);
}

broker::ClusterImageRef CurrentClusterRef(const Moment& moment) {
  const sim::ProcessId controller(static_cast<std::int32_t>(moment.names.topics->brokers.size()));
  return static_cast<const broker::Controller&>(moment.world.process(controller)).image();
}

const broker::Broker& BrokerAt(const Moment& moment, broker::BrokerId broker) {
  return static_cast<const broker::Broker&>(moment.world.process(broker::ProcessOf(broker)));
}

const broker::PartitionLog* FindLog(const Moment& moment, broker::BrokerId broker,
                                    const broker::PartitionId& partition) {
  const auto brokers = static_cast<std::int32_t>(moment.names.topics->brokers.size());
  if (broker.value() < 0 || broker.value() >= brokers) return nullptr;
  const broker::Partition* replica = BrokerAt(moment, broker).FindReplica(partition);
  return replica == nullptr ? nullptr : &replica->log();
}

std::vector<broker::ProducerStateEntry> ProducersOf(const Moment& moment, broker::BrokerId broker,
                                                    const broker::PartitionId& partition) {
  if (FindLog(moment, broker, partition) == nullptr) return {};
  const broker::Broker& process = BrokerAt(moment, broker);
  return process.FindReplica(partition)->ProducersAt(moment.world.now(), process.config());
}

broker::BrokerId LeaderOf(const Moment& moment, const broker::PartitionId& partition) {
  const broker::PartitionImage* image = CurrentCluster(moment).FindPartition(partition);
  return image == nullptr ? broker::kNoBroker : image->leader;
}

std::optional<broker::PartitionId> CoordinatorPartition(const Moment& moment,
                                                        std::string_view transactional_id) {
  return CurrentCluster(moment).PartitionForKey(broker::kTransactionStateTopic, transactional_id);
}

std::optional<broker::PartitionId> GroupPartition(const Moment& moment, std::string_view group_id) {
  return CurrentCluster(moment).PartitionForKey(broker::kConsumerOffsetsTopic, group_id);
}

broker::BrokerId CoordinatorOf(const Moment& moment, std::string_view transactional_id) {
  const auto partition = CoordinatorPartition(moment, transactional_id);
  return partition.has_value() ? LeaderOf(moment, *partition) : broker::kNoBroker;
}

const coordinator::TransactionCoordinator* FindCoordinator(const Moment& moment,
                                                           broker::BrokerId broker) {
  if (broker == broker::kNoBroker) return nullptr;
  if (moment.world.life(broker::ProcessOf(broker)) == sim::Life::kCrashed) return nullptr;
  return static_cast<const coordinator::TransactionCoordinator*>(
      BrokerAt(moment, broker).FindService(broker::kTransactionStateTopic));
}

}  // namespace kafkasim::scenarios

#include "scenarios/invariants/subject.h"

#include <algorithm>

#include <absl/container/btree_map.h>

#include "broker/controller.h"
#include "client/application.h"

namespace kafkasim::scenarios {

Subject::Subject(const sim::World& world, const NameTable& names) : world_(world), names_(names) {
  absl::btree_map<broker::PartitionId, LedPartition> led;
  for (size_t i = 0; i < names.processes.size(); ++i) {
    const sim::ProcessId id(static_cast<int32_t>(i));
    const ProcessEntry& entry = names.processes[i];
    const sim::Process& process = world.process(id);
    const bool crashed = world.life(id) == sim::Life::kCrashed;
    if (entry.role == ProcessRole::kProducer) {
      producers_.push_back({.name = entry.name,
                            .producer = static_cast<const client::Producer*>(&process),
                            .crashed = crashed});
    } else if (entry.role == ProcessRole::kConsumer) {
      consumers_.push_back(
          {.name = entry.name, .consumer = static_cast<const client::Consumer*>(&process)});
    } else if (entry.role == ProcessRole::kApplication) {
      const auto& application = static_cast<const client::Application&>(process);
      if (application.producer() != nullptr) {
        producers_.push_back(
            {.name = entry.name, .producer = application.producer(), .crashed = crashed});
      }
      if (application.consumer() != nullptr) {
        consumers_.push_back({.name = entry.name, .consumer = application.consumer()});
      }
    } else if (entry.role == ProcessRole::kBroker && !crashed) {
      const auto& broker = static_cast<const broker::Broker&>(process);
      brokers_.push_back(&broker);
      if (const broker::Service* service = broker.FindService(broker::kTransactionStateTopic)) {
        coordinators_.push_back(
            {.broker = &broker,
             .coordinator = static_cast<const coordinator::TransactionCoordinator*>(service)});
      }
      if (const broker::Service* service = broker.FindService(broker::kConsumerOffsetsTopic)) {
        group_coordinators_.push_back(
            {.broker = &broker,
             .coordinator = static_cast<const coordinator::GroupCoordinator*>(service)});
      }
      broker.ForEachReplica([&](const broker::Partition& replica) {
        if (!replica.is_leader() || replica.log().log_end_offset() == broker::Offset(0)) return;
        LedPartition& leader = led[replica.id()];
        if (leader.replica != nullptr && leader.replica->leader_epoch() > replica.leader_epoch()) {
          return;
        }
        leader.broker = &broker;
        leader.replica = &replica;
      });
    }
  }
  for (auto& [partition, leader] : led) {
    // One that was fenced while it slept or was cut off still believes that it leads.
    const broker::PartitionImage* known = cluster().FindPartition(partition);
    const bool deposed =
        known == nullptr || (known->leader_epoch > leader.replica->leader_epoch() &&
                             !cluster().IsAlive(leader.broker->id()));
    if (!deposed) led_.push_back(std::move(leader));
  }
}

const broker::ClusterImage& Subject::cluster() const {
  const sim::ProcessId controller(static_cast<int32_t>(names_.topics->brokers.size()));
  return *static_cast<const broker::Controller&>(world_.process(controller)).image();
}

bool Subject::IsEmpty(const broker::PartitionId& partition) const {
  return std::any_of(brokers_.begin(), brokers_.end(), [&](const broker::Broker* broker) {
    const broker::Partition* replica = broker->FindReplica(partition);
    return replica != nullptr && replica->is_leader() &&
           replica->log().log_end_offset() == broker::Offset(0);
  });
}

const LedPartition* Subject::FindLed(const broker::PartitionId& partition) const {
  const auto at = std::lower_bound(led_.begin(), led_.end(), partition,
                                   [](const LedPartition& led, const broker::PartitionId& wanted) {
                                     return led.replica->id() < wanted;
                                   });
  return at == led_.end() || at->replica->id() != partition ? nullptr : &*at;
}

}  // namespace kafkasim::scenarios

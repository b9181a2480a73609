#include "scenarios/invariants/subject.h"

#include <algorithm>
#include <tuple>

#include "broker/controller.h"
#include "client/application.h"

namespace kafkasim::scenarios {
namespace {

template <typename One, typename IsSame>
Parts ChangedUnless(const std::vector<One>& before, const std::vector<One>& now, Parts part,
                    IsSame is_same) {
  return std::equal(before.begin(), before.end(), now.begin(), now.end(), is_same) ? 0 : part;
}

bool HasTheSameReplicas(const broker::Broker* before, const broker::Broker* now) {
  return before == now || (before->id() == now->id() && before->SharesReplicasWith(*now));
}

bool IsTheSame(const RunningProducer& before, const RunningProducer& now) {
  return before.name == now.name && before.crashed == now.crashed &&
         &before.producer->calls() == &now.producer->calls() &&
         before.producer->identity() == now.producer->identity();
}

bool IsTheSameConsumer(const RunningConsumer& before, const RunningConsumer& now) {
  return before.name == now.name && &before.consumer->calls() == &now.consumer->calls();
}

// A coordinator that is the same object is in the same state, as worlds share what is.
template <typename Running>
bool IsTheSameService(const Running& before, const Running& now) {
  return before.broker->id() == now.broker->id() && before.coordinator == now.coordinator;
}

}  // namespace

Subject::Subject(const sim::World& world, const NameTable& names, const Subject* before)
    : View(world), names_(names) {
  for (size_t i = 0; i < names.processes.size(); ++i) {
    const sim::ProcessId id(static_cast<int32_t>(i));
    const sim::Process& process = world.process(id);
    const bool crashed = world.life(id) == sim::Life::kCrashed;
    if (names.processes[i].role != ProcessRole::kBroker) {
      FindClient(names.processes[i], process, crashed);
    } else if (!crashed) {
      const auto& broker = static_cast<const broker::Broker&>(process);
      brokers_.push_back(&broker);
      FindServices(broker);
    }
  }
  if (before != nullptr) changed_ = ChangedSince(*before);
  FindLeaders(before);
}

void Subject::FindClient(const ProcessEntry& entry, const sim::Process& process, bool crashed) {
  const client::Producer* producer = nullptr;
  const client::Consumer* consumer = nullptr;
  if (entry.role == ProcessRole::kProducer) {
    producer = static_cast<const client::Producer*>(&process);
  } else if (entry.role == ProcessRole::kConsumer) {
    consumer = static_cast<const client::Consumer*>(&process);
  } else if (entry.role == ProcessRole::kApplication) {
    const auto& application = static_cast<const client::Application&>(process);
    producer = application.producer();
    consumer = application.consumer();
  }
  if (producer != nullptr) {
    producers_.push_back({.name = entry.name, .producer = producer, .crashed = crashed});
  }
  if (consumer != nullptr) consumers_.push_back({.name = entry.name, .consumer = consumer});
}

void Subject::FindServices(const broker::Broker& broker) {
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
}

Parts Subject::ChangedSince(const Subject& before) const {
  const Parts image = &before.cluster() == &cluster() ? 0 : kLogs;
  return kAnything | image | ChangedUnless(before.brokers_, brokers_, kLogs, HasTheSameReplicas) |
         ChangedUnless(before.coordinators_, coordinators_, kCoordinators,
                       IsTheSameService<RunningCoordinator>) |
         ChangedUnless(before.group_coordinators_, group_coordinators_, kGroupCoordinators,
                       IsTheSameService<RunningGroupCoordinator>) |
         ChangedUnless(before.producers_, producers_, kProducers, IsTheSame) |
         ChangedUnless(before.consumers_, consumers_, kConsumers, IsTheSameConsumer);
}

void Subject::FindLeaders(const Subject* before) {
  if ((changed_ & kLogs) == 0) {
    for (const LedPartition& was : before->led_) {
      const auto broker =
          std::find_if(brokers_.begin(), brokers_.end(),
                       [&](const broker::Broker* one) { return one->id() == was.broker().id(); });
      led_.emplace_back(**broker, was.replica()).TakeOver(was);
    }
    return;
  }
  for (const broker::Broker* broker : brokers_) {
    broker->ForEachReplica([&](const broker::Partition& replica) {
      const bool leads = replica.is_leader() && replica.log().log_end_offset() > broker::Offset(0);
      if (leads) led_.emplace_back(*broker, replica);
    });
  }
  // Of each partition the newest leader.
  std::sort(led_.begin(), led_.end(), [](const LedPartition& a, const LedPartition& b) {
    return std::tuple(a.id(), b.replica().leader_epoch(), b.broker().id()) <
           std::tuple(b.id(), a.replica().leader_epoch(), a.broker().id());
  });
  const auto same_partition = [](const LedPartition& a, const LedPartition& b) {
    return a.id() == b.id();
  };
  led_.erase(std::unique(led_.begin(), led_.end(), same_partition), led_.end());
  // One that was fenced while it slept or was cut off still believes that it leads.
  std::erase_if(led_, [&](const LedPartition& led) {
    const broker::PartitionImage* known = cluster().FindPartition(led.id());
    return known == nullptr || (known->leader_epoch > led.replica().leader_epoch() &&
                                !cluster().IsAlive(led.broker().id()));
  });
  if (before == nullptr) return;
  for (LedPartition& led : led_) {
    if (const LedPartition* was = before->FindLed(led.id())) led.TakeOver(*was);
  }
}

const broker::ClusterImage& Subject::cluster() const {
  const sim::ProcessId controller(static_cast<int32_t>(names_.topics->brokers.size()));
  return *static_cast<const broker::Controller&>(world().process(controller)).image();
}

bool Subject::IsEmpty(const broker::PartitionId& partition) const {
  return std::any_of(brokers_.begin(), brokers_.end(), [&](const broker::Broker* broker) {
    const broker::Partition* replica = broker->FindReplica(partition);
    return replica != nullptr && replica->is_leader() &&
           replica->log().log_end_offset() == broker::Offset(0);
  });
}

const LedPartition* Subject::FindLed(const broker::PartitionId& partition) const {
  const auto at = std::lower_bound(
      led_.begin(), led_.end(), partition,
      [](const LedPartition& led, const broker::PartitionId& wanted) { return led.id() < wanted; });
  return at == led_.end() || at->id() != partition ? nullptr : &*at;
}

}  // namespace kafkasim::scenarios

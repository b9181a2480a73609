#include "scenarios/group_snapshot.h"

#include <algorithm>
#include <utility>

#include "client/application.h"
#include "client/consumer.h"
#include "coordinator/group_view.h"
#include "scenarios/cluster_access.h"
#include "scenarios/snapshot.h"

namespace kafkasim::scenarios {
namespace {

std::optional<GroupSnapshot::Lag> LagFrom(const Moment& moment,
                                          const broker::PartitionId& partition,
                                          std::int64_t offset) {
  const std::optional<PartitionView> view = ViewPartition(moment, partition);
  if (!view.has_value() || !view->readable()) return std::nullopt;
  GroupSnapshot::Lag lag{.to_high_watermark = view->high_watermark - offset,
                         .to_last_stable_offset = view->last_stable_offset - offset};
  for (const std::size_t place : view->read_committed) {
    if (view->entries[place].offset >= offset) ++lag.records;
  }
  return lag;
}

GroupSnapshot SnapshotOf(const Moment& moment, const coordinator::GroupView& group,
                         broker::BrokerId coordinator) {
  const broker::ClusterImage& cluster = CurrentCluster(moment);
  GroupSnapshot snapshot{.group_id = group.group_id,
                         .partition = group.offsets_partition,
                         .coordinator = coordinator.value(),
                         .state = std::string(UpperName(group.state)),
                         .generation = group.generation_id,
                         .protocol = group.protocol_name};
  for (const coordinator::GroupMemberView& view : group.members) {
    const std::string actor = ActorOf(moment, view.member_id, view.client_id);
    GroupSnapshot::Member member{.client = actor,
                                 .member_id = view.member_id,
                                 .instance = view.group_instance_id.value_or("")};
    for (const broker::PartitionId& partition : view.assignment) {
      member.partitions.push_back(cluster.NameOf(partition));
    }
    if (view.member_id == group.leader) snapshot.leader = actor;
    snapshot.members.push_back(std::move(member));
  }
  for (const coordinator::CommittedOffsetView& view : group.offsets) {
    snapshot.committed.push_back({.partition = cluster.NameOf(view.partition),
                                  .offset = view.offset.value(),
                                  .lag = LagFrom(moment, view.partition, view.offset.value())});
  }
  for (const coordinator::PendingOffsetView& view : group.pending) {
    snapshot.pending.push_back({.partition = cluster.NameOf(view.partition),
                                .offset = view.offset.value(),
                                .producer_id = view.producer_id.value()});
  }
  return snapshot;
}

}  // namespace

std::string ActorOf(const Moment& moment, std::string_view member_id, std::string_view client_id) {
  for (std::size_t i = 0; i < moment.names.processes.size(); ++i) {
    const ProcessEntry& entry = moment.names.processes[i];
    const sim::Process& process = moment.world.process(sim::ProcessId(static_cast<int32_t>(i)));
    const client::Consumer* consumer = nullptr;
    if (entry.role == ProcessRole::kConsumer) {
      consumer = static_cast<const client::Consumer*>(&process);
    } else if (entry.role == ProcessRole::kApplication) {
      consumer = static_cast<const client::Application&>(process).consumer();
    }
    if (consumer != nullptr && consumer->config().group_id.has_value() &&
        consumer->group_metadata().member_id == member_id) {
      return entry.name;
    }
  }
  return std::string(client_id);
}

std::vector<GroupSnapshot> ViewGroups(const Moment& moment) {
  std::vector<GroupSnapshot> groups;
  for (const broker::BrokerId id : CurrentCluster(moment).brokers) {
    if (moment.world.life(broker::ProcessOf(id)) == sim::Life::kCrashed) continue;
    const broker::Broker& broker = BrokerAt(moment, id);
    const broker::Service* service = broker.FindService(broker::kConsumerOffsetsTopic);
    if (service == nullptr) continue;
    const coordinator::GroupCoordinator& coordinator = *coordinator::AsGroupCoordinator(*service);
    const auto replicated = [&](std::int32_t partition) {
      const broker::Partition* log =
          broker.FindReplica(coordinator.shards().TopicPartition(partition));
      return log == nullptr ? broker::Offset(0) : log->log().high_watermark();
    };
    for (const coordinator::GroupView& group : coordinator::ViewGroups(coordinator, replicated)) {
      groups.push_back(SnapshotOf(moment, group, id));
    }
  }
  std::sort(groups.begin(), groups.end(),
            [](const GroupSnapshot& a, const GroupSnapshot& b) { return a.group_id < b.group_id; });
  return groups;
}

std::optional<GroupSnapshot> ViewGroup(const Moment& moment, std::string_view group_id) {
  for (GroupSnapshot& group : ViewGroups(moment)) {
    if (group.group_id == group_id) return std::move(group);
  }
  return std::nullopt;
}

}  // namespace kafkasim::scenarios

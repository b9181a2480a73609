// What holds of group coordinators and of their log.
#include <absl/container/btree_map.h>
#include <fmt/format.h>

#include "coordinator/group_log_record.h"
#include "scenarios/invariants/invariant.h"

namespace kafkasim::scenarios {
namespace {

using coordinator::ClassicGroup;
using coordinator::GroupMember;
using coordinator::GroupShard;
using coordinator::GroupState;
using coordinator::OffsetStore;

// Calls visit(shard, led) for each partition of __consumer_offsets that is coordinated by the
// leader of its log.
template <typename Visitor>
void ForEachShard(const Subject& now, Visitor visit) {
  for (const RunningGroupCoordinator& running : now.group_coordinators()) {
    for (const auto& shard : running.coordinator->shards().all()) {
      if (shard->loading) continue;
      const broker::PartitionId id = running.coordinator->shards().TopicPartition(shard->index);
      const LedPartition* led = now.FindLed(id);
      const bool current = led != nullptr && led->broker().id() == running.broker->id() &&
                           led->replica().leader_epoch() == shard->epoch;
      if (current) visit(*shard, *led);
    }
  }
}

void PartitionHasOneOwner(const Subject& now, Findings& found) {
  ForEachShard(now, [&](const GroupShard& shard, const LedPartition&) {
    for (const auto& [group_id, group] : shard.groups) {
      if (!group->Is(GroupState::kStable)) continue;
      absl::btree_map<broker::PartitionId, const GroupMember*> owners;
      for (const GroupMember& member : group->members) {
        for (const broker::PartitionId& partition : member.assignment) {
          const auto [at, first] = owners.try_emplace(partition, &member);
          if (first) continue;
          found.Add(fmt::format("{} generation {}: {} is assigned to {} and to {}", group_id,
                                group->generation_id, now.NameOf(partition), at->second->member_id,
                                member.member_id));
        }
      }
    }
  });
}

bool HasTheSameOffsets(const OffsetStore::OfGroup* memory, const OffsetStore::OfGroup* log) {
  static const OffsetStore::OfGroup kNone;
  const OffsetStore::OfGroup& a = memory == nullptr ? kNone : *memory;
  const OffsetStore::OfGroup& b = log == nullptr ? kNone : *log;
  return a.committed == b.committed && a.pending == b.pending;
}

// Members that the log does not know have just taken the place of others (KIP-345).
bool HasTheSameAssignment(const ClassicGroup& memory, const ClassicGroup* log) {
  if (log == nullptr || log->generation_id != memory.generation_id) return false;
  for (const GroupMember& member : memory.members) {
    const GroupMember* written = log->FindMember(member.member_id);
    if (written != nullptr && written->assignment != member.assignment) return false;
  }
  return true;
}

void GroupIsItsLog(const Subject& now, Findings& found) {
  ForEachShard(now, [&](const GroupShard& shard, const LedPartition& led) {
    GroupShard loaded{.index = shard.index, .epoch = shard.epoch};
    loaded.Replay(led.log());
    const auto check = [&](const std::string& group_id) {
      if (HasTheSameOffsets(shard.offsets.Find(group_id), loaded.offsets.Find(group_id))) return;
      found.Add(fmt::format("{}: the coordinator on broker {} has other offsets than its log",
                            group_id, led.broker().id()));
    };
    shard.offsets.ForEachGroup([&](const std::string& group_id, const auto&) { check(group_id); });
    loaded.offsets.ForEachGroup([&](const std::string& group_id, const auto&) {
      if (shard.offsets.Find(group_id) == nullptr) check(group_id);
    });
    for (const auto& [group_id, group] : shard.groups) {
      if (!group->Is(GroupState::kStable)) continue;
      if (HasTheSameAssignment(*group, loaded.Find(group_id))) continue;
      found.Add(fmt::format("{} generation {}: its log has another assignment", group_id,
                            group->generation_id));
    }
  });
}

void PendingOffsetsAreOpen(const Subject& now, Findings& found) {
  ForEachShard(now, [&](const GroupShard& shard, const LedPartition& led) {
    shard.offsets.ForEachGroup([&](const std::string& group_id, const OffsetStore::OfGroup& group) {
      for (const auto& [producer_id, offsets] : group.pending) {
        if (led.reading().IsOpen(producer_id)) continue;
        found.Add(fmt::format("{}: offsets of producer {} are pending, its transaction is over",
                              group_id, producer_id));
      }
    });
  });
}

}  // namespace

std::vector<Invariant> GroupInvariants() {
  return {
      {.name = "partition_has_one_owner",
       .sentence = "In one generation no partition is assigned to two members.",
       .source = "KIP-429",
       .state = PartitionHasOneOwner,
       .reads = kLogs | kGroupCoordinators},
      {.name = "group_is_its_log",
       .sentence = "What a coordinator knows of the offsets and the assignment of a group is what "
                   "its log says.",
       .source = "KIP-98",
       .state = GroupIsItsLog,
       .reads = kLogs | kGroupCoordinators},
      {.name = "pending_offsets_are_open",
       .sentence = "An offset is pending only until the marker of its transaction is in the log.",
       .source = "KIP-447",
       .state = PendingOffsetsAreOpen,
       .reads = kLogs | kGroupCoordinators},
  };
}

}  // namespace kafkasim::scenarios

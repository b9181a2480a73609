#include "broker/partition_change.h"

#include <algorithm>

namespace kafkasim::broker {
namespace {

struct Elected {
  BrokerId leader = kNoBroker;
  bool unclean = false;
};

Elected ElectLeader(const PartitionImage& before, const std::vector<BrokerId>& isr,
                    Election election, const std::function<bool(BrokerId)>& is_acceptable) {
  const auto may_lead = [&](BrokerId replica) {
    return Contains(isr, replica) && is_acceptable(replica);
  };
  if (election == Election::kPreferred && may_lead(before.replicas.front())) {
    return {.leader = before.replicas.front()};
  }
  if (may_lead(before.leader)) return {.leader = before.leader};
  for (const BrokerId replica : before.replicas) {
    if (may_lead(replica)) return {.leader = replica};
  }
  if (election == Election::kUnclean) {
    for (const BrokerId replica : before.replicas) {
      if (is_acceptable(replica)) return {.leader = replica, .unclean = true};
    }
  }
  return {};
}

}  // namespace

std::optional<PartitionChange> ChangePartition(const PartitionImage& before,
                                               const std::vector<BrokerId>& isr, Election election,
                                               const std::function<bool(BrokerId)>& is_acceptable) {
  PartitionChange change{.after = before};
  PartitionImage& after = change.after;
  const Elected elected = ElectLeader(before, isr, election, is_acceptable);
  if (elected.leader != before.leader) {
    after.leader = elected.leader;
    change.leader_changed = true;
    change.unclean = elected.unclean;
    ++after.leader_epoch;
  }
  if (change.unclean) {
    after.isr = {after.leader};
  } else if (!isr.empty()) {
    after.isr = isr;
  }
  change.isr_changed = after.isr != before.isr;
  if (!change.leader_changed && !change.isr_changed) return std::nullopt;
  ++after.partition_epoch;
  return change;
}

PartitionChange ChangeLeader(const PartitionImage& before, BrokerId leader, bool unclean) {
  PartitionChange change{.after = before, .leader_changed = true, .unclean = unclean};
  change.after.leader = leader;
  if (unclean) change.after.isr = {leader};
  change.isr_changed = change.after.isr != before.isr;
  ++change.after.leader_epoch;
  ++change.after.partition_epoch;
  return change;
}

}  // namespace kafkasim::broker

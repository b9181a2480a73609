// How the controller changes a partition: the next leader and ISR from the present ones, and
// whether the epochs grow. Follows Kafka's PartitionChangeBuilder (Kafka 4.4 development line,
// without eligible leader replicas). Pure.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "broker/cluster_image.h"
#include "broker/ids.h"

namespace kafkasim::broker {

enum class Election : uint8_t {
  kPreferred,  // the first replica, if it is in the ISR; else as kOnline
  kOnline,     // the present leader, else the first replica in the ISR
  kUnclean,    // as kOnline; if that finds nobody, the first replica that is alive
};

struct PartitionChange {
  PartitionImage after{};
  bool leader_changed = false;
  bool isr_changed = false;
  bool unclean = false;  // a leader from outside the ISR: what it lacks is lost
};

// The change that makes `isr` the ISR and elects a leader if the present one may not stay; nullopt
// if nothing would change. A leader must be in the ISR and acceptable (alive). An empty `isr`
// leaves the ISR as it is. The leader epoch grows with the leader (also to -1), the partition epoch
// with any change.
[[nodiscard]] std::optional<PartitionChange> ChangePartition(
    const PartitionImage& before, const std::vector<BrokerId>& isr, Election election,
    const std::function<bool(BrokerId)>& is_acceptable);

// The change that makes `leader` the leader, from within the ISR or, unclean, alone in a new one.
[[nodiscard]] PartitionChange ChangeLeader(const PartitionImage& before, BrokerId leader,
                                           bool unclean);

}  // namespace kafkasim::broker

// The why-engine for consumer groups: why a group is in its state, who has a partition, and why the
// committed offset is what it is.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "broker/ids.h"
#include "scenarios/findings.h"
#include "scenarios/group_snapshot.h"
#include "scenarios/moment.h"
#include "sim/time.h"

namespace kafkasim::scenarios {

// Phrases without a full stop.
struct GroupPartitionAnswer {
  std::string partition{};
  std::string owner{};                 // who has it, or why nobody does
  std::string committed{};             // which record made the offset what it is, or why none did
  std::vector<std::string> pending{};  // why each pending offset does not count yet
};

struct GroupExplanation {
  std::string group_id{};
  sim::Time at{};
  std::optional<GroupSnapshot> group{};  // nullopt: no running coordinator knows it
  std::string sentence{};                // why it is in its state, with a full stop
  std::vector<GroupPartitionAnswer> partitions{};
  // Events behind it, oldest first: behind the partition's offsets if one was asked for, else
  // behind the group's state. Empty if the trace was not kept.
  std::vector<CauseLine> chain{};
};

// With a `partition` only that one; else all that are assigned, committed or pending. Deadlines and
// who is waited for come from the coordinator's memory, what went before from the trace.
[[nodiscard]] GroupExplanation ExplainGroup(
    const Moment& moment, std::string_view group_id,
    std::optional<broker::PartitionId> partition = std::nullopt);

}  // namespace kafkasim::scenarios

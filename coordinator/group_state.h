// The states of a consumer group at its coordinator in the classic protocol, and the legal steps
// between them (class ClassicGroupState, Kafka 4.4 development line).
//
//                    first member joins
//     +-------+     (initial delay begins)      +---------------------+
//     | Empty |-------------------------------->| PreparingRebalance  |<---------------.
//     +-------+<--------------------------------|  members send Join  |                |
//         no member is left when the join       +---------------------+                |
//         phase ends: the generation rises                | all joined, or the         |
//                                                         | rebalance timeout is over: |
//                                                         v the generation rises       |
//                                               +---------------------+  a member      |
//                                               | CompletingRebalance |--joins anew,---|
//                                               |  members send Sync  |  leaves, fails |
//                                               +---------------------+                |
//                                                         | the leader's assignment    |
//                                                         v is replicated              |
//                                                     +--------+                       |
//                                                     | Stable |-----------------------'
//                                                     +--------+
//   Dead: the group is gone, or has moved to another coordinator.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string_view>

namespace kafkasim::coordinator {

enum class GroupState : int8_t {
  kEmpty,                // no members; offsets may be committed by anybody
  kPreparingRebalance,   // members are asked to join again; the old generation still commits
  kCompletingRebalance,  // the new generation waits for its leader's assignment
  kStable,               // every member has its assignment
  kDead,
};

inline constexpr std::array kAllGroupStates = {GroupState::kEmpty, GroupState::kPreparingRebalance,
                                               GroupState::kCompletingRebalance,
                                               GroupState::kStable, GroupState::kDead};

// Kafka's validPreviousStates, the other way round.
[[nodiscard]] bool IsLegal(GroupState from, GroupState to);
// Whether a rebalance may begin (ClassicGroup.canRebalance).
[[nodiscard]] bool CanRebalance(GroupState state);

// As DescribeGroups prints it: "PreparingRebalance".
[[nodiscard]] std::string_view Name(GroupState state);
// As Kafka's sources write it: "PREPARING_REBALANCE".
[[nodiscard]] std::string_view UpperName(GroupState state);
// The state of either name; nullopt if there is none.
[[nodiscard]] std::optional<GroupState> GroupStateFromName(std::string_view name);

std::ostream& operator<<(std::ostream& out, GroupState state);

}  // namespace kafkasim::coordinator

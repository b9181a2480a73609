#include "coordinator/group_state.h"

#include <algorithm>

namespace kafkasim::coordinator {

namespace {

struct Step {
  GroupState from;
  GroupState to;
};

// clang-format off
constexpr std::array kGroupSteps = {
    Step{GroupState::kPreparingRebalance,  GroupState::kEmpty},
    Step{GroupState::kStable,              GroupState::kPreparingRebalance},
    Step{GroupState::kCompletingRebalance, GroupState::kPreparingRebalance},
    Step{GroupState::kEmpty,               GroupState::kPreparingRebalance},
    Step{GroupState::kPreparingRebalance,  GroupState::kCompletingRebalance},
    Step{GroupState::kCompletingRebalance, GroupState::kStable},
    Step{GroupState::kStable,              GroupState::kDead},
    Step{GroupState::kPreparingRebalance,  GroupState::kDead},
    Step{GroupState::kCompletingRebalance, GroupState::kDead},
    Step{GroupState::kEmpty,               GroupState::kDead},
    Step{GroupState::kDead,                GroupState::kDead},
};
// clang-format on

struct GroupStateNames {
  std::string_view name;
  std::string_view upper;
};

// In the order of the enumeration.
constexpr std::array kGroupNames = {
    GroupStateNames{"Empty", "EMPTY"},
    GroupStateNames{"PreparingRebalance", "PREPARING_REBALANCE"},
    GroupStateNames{"CompletingRebalance", "COMPLETING_REBALANCE"},
    GroupStateNames{"Stable", "STABLE"},
    GroupStateNames{"Dead", "DEAD"},
};

}  // namespace

bool IsLegal(GroupState from, GroupState to) {
  return std::any_of(kGroupSteps.begin(), kGroupSteps.end(),
                     [&](const Step& step) { return step.from == from && step.to == to; });
}

bool CanRebalance(GroupState state) { return IsLegal(state, GroupState::kPreparingRebalance); }

std::string_view Name(GroupState state) { return kGroupNames[static_cast<size_t>(state)].name; }
std::string_view UpperName(GroupState state) {
  return kGroupNames[static_cast<size_t>(state)].upper;
}

std::optional<GroupState> GroupStateFromName(std::string_view name) {
  for (const GroupState state : kAllGroupStates) {
    if (Name(state) == name || UpperName(state) == name) return state;
  }
  return std::nullopt;
}

std::ostream& operator<<(std::ostream& out, GroupState state) { return out << UpperName(state); }

}  // namespace kafkasim::coordinator

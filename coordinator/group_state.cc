#include "coordinator/group_state.h"

#include <algorithm>

namespace kafkasim::coordinator {

namespace {

using enum GroupState;

struct Step {
  GroupState from;
  GroupState to;
};

// clang-format off
constexpr std::array kGroupSteps = {
    Step{kPreparingRebalance,  kEmpty},
    Step{kStable,              kPreparingRebalance},
    Step{kCompletingRebalance, kPreparingRebalance},
    Step{kEmpty,               kPreparingRebalance},
    Step{kPreparingRebalance,  kCompletingRebalance},
    Step{kCompletingRebalance, kStable},
    Step{kStable,              kDead},
    Step{kPreparingRebalance,  kDead},
    Step{kCompletingRebalance, kDead},
    Step{kEmpty,               kDead},
    Step{kDead,                kDead},
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

bool CanRebalance(GroupState state) { return IsLegal(state, kPreparingRebalance); }

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

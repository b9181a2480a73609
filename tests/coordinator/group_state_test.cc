#include "coordinator/group_state.h"

#include <map>
#include <set>

#include <gtest/gtest.h>

namespace kafkasim::coordinator {
namespace {

TEST(GroupState, HasTheValidPreviousStatesOfKafka) {
  using enum GroupState;
  const std::map<GroupState, std::set<GroupState>> previous = {
      {kEmpty, {kPreparingRebalance}},
      {kPreparingRebalance, {kStable, kCompletingRebalance, kEmpty}},
      {kCompletingRebalance, {kPreparingRebalance}},
      {kStable, {kCompletingRebalance}},
      {kDead, {kStable, kPreparingRebalance, kCompletingRebalance, kEmpty, kDead}},
  };
  for (const GroupState from : kAllGroupStates) {
    for (const GroupState to : kAllGroupStates) {
      EXPECT_EQ(IsLegal(from, to), previous.at(to).contains(from)) << from << " to " << to;
    }
    EXPECT_EQ(CanRebalance(from), previous.at(kPreparingRebalance).contains(from)) << from;
  }
}

TEST(GroupState, IsReadUnderBothNames) {
  for (const GroupState state : kAllGroupStates) {
    EXPECT_EQ(GroupStateFromName(Name(state)), state);
    EXPECT_EQ(GroupStateFromName(UpperName(state)), state);
  }
  EXPECT_EQ(Name(GroupState::kCompletingRebalance), "CompletingRebalance");
  EXPECT_EQ(GroupStateFromName("AwaitingSync"), std::nullopt);
}

}  // namespace
}  // namespace kafkasim::coordinator

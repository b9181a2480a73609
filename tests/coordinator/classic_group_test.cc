#include "coordinator/classic_group.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kafkasim::coordinator {
namespace {

using broker::ErrorCode;
using broker::TopicId;
using ::testing::ElementsAre;

GroupMember Member(const std::string& id, const std::vector<std::string>& protocols,
                   std::vector<TopicId> topics = {}) {
  GroupMember member{.member_id = id, .rebalance_timeout_ms = 60'000, .session_timeout_ms = 10'000};
  for (const std::string& protocol : protocols) {
    member.protocols.push_back({.name = protocol, .subscription = {.topics = topics}});
  }
  return member;
}

ClassicGroup GroupWith(const std::vector<GroupMember>& members) {
  ClassicGroup group{.group_id = "g"};
  for (const GroupMember& member : members) group.Add(member, "consumer");
  return group;
}

TEST(ClassicGroup, ChoosesTheProtocolMostMembersLikeBest) {
  EXPECT_EQ(GroupWith({Member("a", {"range", "roundrobin"}), Member("b", {"range", "roundrobin"}),
                       Member("c", {"roundrobin", "range"})})
                .SelectProtocol(),
            "range");
  // Only what all support can be voted for.
  EXPECT_EQ(GroupWith({Member("a", {"range", "roundrobin"}), Member("b", {"range", "roundrobin"}),
                       Member("c", {"roundrobin"})})
                .SelectProtocol(),
            "roundrobin");
}

TEST(ClassicGroup, SupportsAMemberThatSharesAProtocolWithAllOthers) {
  ClassicGroup group =
      GroupWith({Member("a", {"range", "roundrobin"}), Member("b", {"roundrobin", "sticky"})});
  const auto protocols = [](const char* name) { return GroupProtocols{{.name = name}}; };
  // An empty group takes any.
  EXPECT_TRUE(group.Supports("connect", protocols("x")));
  EXPECT_FALSE(group.Supports("", protocols("x")));
  EXPECT_FALSE(group.Supports("consumer", {}));
  group.TransitionTo(GroupState::kPreparingRebalance, 5);
  EXPECT_TRUE(group.Supports("consumer", protocols("roundrobin")));
  EXPECT_FALSE(group.Supports("consumer", protocols("range"))) << "b does not support it";
  EXPECT_FALSE(group.Supports("connect", protocols("roundrobin")));
}

TEST(ClassicGroup, TheFirstMemberLeadsAndTheNextFollowsItsLeader) {
  ClassicGroup group = GroupWith({Member("a", {"range"}), Member("b", {"range"})});
  EXPECT_TRUE(group.IsLeader("a"));
  group.Remove("a");
  EXPECT_TRUE(group.IsLeader("b"));
  group.Remove("b");
  EXPECT_EQ(group.leader, std::nullopt);
}

TEST(ClassicGroup, ElectsALeaderThatHasJoined) {
  ClassicGroup group = GroupWith({Member("a", {"range"}), Member("b", {"range"})});
  EXPECT_FALSE(group.MaybeElectNewJoinedLeader()) << "nobody has joined";
  EXPECT_TRUE(group.IsLeader("a"));
  group.FindMember("b")->awaiting_join = sim::ReplyTo{};
  EXPECT_TRUE(group.MaybeElectNewJoinedLeader());
  EXPECT_TRUE(group.IsLeader("b"));
}

TEST(ClassicGroup, ValidatesInstanceAndMember) {
  ClassicGroup group = GroupWith({Member("a", {"range"})});
  GroupMember fixed = Member("s", {"range"});
  fixed.group_instance_id = "i";
  group.Add(fixed, "consumer");
  EXPECT_EQ(group.ValidateMember("a", std::nullopt), ErrorCode::kNone);
  EXPECT_EQ(group.ValidateMember("s", "i"), ErrorCode::kNone);
  EXPECT_EQ(group.ValidateMember("x", std::nullopt), ErrorCode::kUnknownMemberId);
  EXPECT_EQ(group.ValidateMember("a", "j"), ErrorCode::kUnknownMemberId) << "no such instance";
  EXPECT_EQ(group.ValidateMember("a", "i"), ErrorCode::kFencedInstanceId);
  EXPECT_EQ(group.ValidateMember("x", "i"), ErrorCode::kFencedInstanceId);
}

TEST(ClassicGroup, TheNextGenerationHasAProtocolAndTopicsOrIsEmpty) {
  ClassicGroup group = GroupWith(
      {Member("a", {"range"}, {TopicId(4), TopicId(2)}), Member("b", {"range"}, {TopicId(2)})});
  group.TransitionTo(GroupState::kPreparingRebalance, 5);
  group.InitNextGeneration(6);
  EXPECT_EQ(group.state, GroupState::kCompletingRebalance);
  EXPECT_EQ(group.generation_id, 1);
  EXPECT_EQ(group.protocol_name, "range");
  EXPECT_THAT(*group.subscribed_topics, ElementsAre(TopicId(2), TopicId(4)));
  EXPECT_EQ(group.state_timestamp_ms, 6);

  group.TransitionTo(GroupState::kPreparingRebalance, 7);
  group.Remove("a");
  group.Remove("b");
  group.InitNextGeneration(8);
  EXPECT_EQ(group.state, GroupState::kEmpty);
  EXPECT_EQ(group.generation_id, 2);
  EXPECT_EQ(group.protocol_name, std::nullopt);
  EXPECT_EQ(group.protocol_type, "consumer");
  EXPECT_TRUE(group.subscribed_topics->empty());
}

}  // namespace
}  // namespace kafkasim::coordinator

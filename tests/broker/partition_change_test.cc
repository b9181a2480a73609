// The controller's rules for leaders and ISRs, without a cluster.
#include "broker/partition_change.h"

#include <gmock/gmock.h>

namespace kafkasim::broker {
namespace {

using ::testing::ElementsAre;

const BrokerId kBroker0{0};
const BrokerId kBroker1{1};
const BrokerId kBroker2{2};

PartitionImage LedBy(BrokerId leader, std::vector<BrokerId> isr) {
  return {.leader = leader,
          .leader_epoch = LeaderEpoch(4),
          .partition_epoch = 9,
          .replicas = {kBroker0, kBroker1, kBroker2},
          .isr = std::move(isr)};
}

auto Alive(std::vector<BrokerId> brokers) {
  return [brokers](BrokerId broker) {
    return std::find(brokers.begin(), brokers.end(), broker) != brokers.end();
  };
}

TEST(PartitionChange, AnIsrAloneIsNoNewLeaderEpoch) {
  const auto change =
      ChangePartition(LedBy(kBroker0, {kBroker0, kBroker1, kBroker2}), {kBroker0, kBroker1},
                      Election::kOnline, Alive({kBroker0, kBroker1}));
  ASSERT_TRUE(change.has_value());
  EXPECT_EQ(change->after.leader, kBroker0);
  EXPECT_EQ(change->after.leader_epoch, LeaderEpoch(4));
  EXPECT_EQ(change->after.partition_epoch, 10);
  EXPECT_THAT(change->after.isr, ElementsAre(kBroker0, kBroker1));
}

TEST(PartitionChange, TheNextLeaderIsTheFirstReplicaInTheIsr) {
  const auto change =
      ChangePartition(LedBy(kBroker0, {kBroker0, kBroker1, kBroker2}), {kBroker1, kBroker2},
                      Election::kOnline, Alive({kBroker1, kBroker2}));
  EXPECT_EQ(change->after.leader, kBroker1);
  EXPECT_EQ(change->after.leader_epoch, LeaderEpoch(5));
  EXPECT_FALSE(change->unclean);
}

TEST(PartitionChange, TheLastMemberStaysInTheIsrOfALeaderlessPartition) {
  const auto change = ChangePartition(LedBy(kBroker0, {kBroker0}), {}, Election::kOnline,
                                      Alive({kBroker1, kBroker2}));
  EXPECT_EQ(change->after.leader, kNoBroker);
  EXPECT_EQ(change->after.leader_epoch, LeaderEpoch(5));
  EXPECT_THAT(change->after.isr, ElementsAre(kBroker0));
}

TEST(PartitionChange, AnUncleanLeaderIsAloneInItsIsr) {
  const auto change = ChangePartition(LedBy(kBroker0, {kBroker0}), {}, Election::kUnclean,
                                      Alive({kBroker1, kBroker2}));
  EXPECT_EQ(change->after.leader, kBroker1);
  EXPECT_TRUE(change->unclean);
  EXPECT_THAT(change->after.isr, ElementsAre(kBroker1));
}

TEST(PartitionChange, AnUncleanElectionPrefersTheIsr) {
  const auto change = ChangePartition(LedBy(kNoBroker, {kBroker2}), {kBroker2}, Election::kUnclean,
                                      Alive({kBroker0, kBroker1, kBroker2}));
  EXPECT_EQ(change->after.leader, kBroker2);
  EXPECT_FALSE(change->unclean);
}

TEST(PartitionChange, APreferredElectionReturnsToTheFirstReplica) {
  const PartitionImage before = LedBy(kBroker1, {kBroker0, kBroker1, kBroker2});
  EXPECT_EQ(ChangePartition(before, before.isr, Election::kPreferred,
                            Alive({kBroker0, kBroker1, kBroker2}))
                ->after.leader,
            kBroker0);
  EXPECT_FALSE(
      ChangePartition(before, before.isr, Election::kPreferred, Alive({kBroker1, kBroker2}))
          .has_value());
  EXPECT_FALSE(
      ChangePartition(before, before.isr, Election::kOnline, Alive({kBroker0, kBroker1, kBroker2}))
          .has_value())
      << "the present leader may stay";
}

}  // namespace
}  // namespace kafkasim::broker

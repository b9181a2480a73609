// The controller's rules for leaders and ISRs, without a cluster.
#include "broker/partition_change.h"

#include <gmock/gmock.h>

namespace kafkasim::broker {
namespace {

using ::testing::ElementsAre;

const BrokerId k0{0};
const BrokerId k1{1};
const BrokerId k2{2};

PartitionImage Partition(BrokerId leader, std::vector<BrokerId> isr) {
  return {.leader = leader,
          .leader_epoch = LeaderEpoch(4),
          .partition_epoch = 9,
          .replicas = {k0, k1, k2},
          .isr = std::move(isr)};
}

auto Alive(std::vector<BrokerId> brokers) {
  return [brokers](BrokerId broker) {
    return std::find(brokers.begin(), brokers.end(), broker) != brokers.end();
  };
}

TEST(PartitionChange, AnIsrAloneIsNoNewLeaderEpoch) {
  const auto change =
      ChangePartition(Partition(k0, {k0, k1, k2}), {k0, k1}, Election::kOnline, Alive({k0, k1}));
  ASSERT_TRUE(change.has_value());
  EXPECT_EQ(change->after.leader, k0);
  EXPECT_EQ(change->after.leader_epoch, LeaderEpoch(4));
  EXPECT_EQ(change->after.partition_epoch, 10);
  EXPECT_THAT(change->after.isr, ElementsAre(k0, k1));
}

TEST(PartitionChange, TheNextLeaderIsTheFirstReplicaInTheIsr) {
  const auto change =
      ChangePartition(Partition(k0, {k0, k1, k2}), {k1, k2}, Election::kOnline, Alive({k1, k2}));
  EXPECT_EQ(change->after.leader, k1);
  EXPECT_EQ(change->after.leader_epoch, LeaderEpoch(5));
  EXPECT_FALSE(change->unclean);
}

TEST(PartitionChange, TheLastMemberStaysInTheIsrOfALeaderlessPartition) {
  const auto change = ChangePartition(Partition(k0, {k0}), {}, Election::kOnline, Alive({k1, k2}));
  EXPECT_EQ(change->after.leader, kNoBroker);
  EXPECT_EQ(change->after.leader_epoch, LeaderEpoch(5));
  EXPECT_THAT(change->after.isr, ElementsAre(k0));
}

TEST(PartitionChange, AnUncleanLeaderIsAloneInItsIsr) {
  const auto change = ChangePartition(Partition(k0, {k0}), {}, Election::kUnclean, Alive({k1, k2}));
  EXPECT_EQ(change->after.leader, k1);
  EXPECT_TRUE(change->unclean);
  EXPECT_THAT(change->after.isr, ElementsAre(k1));
}

TEST(PartitionChange, AnUncleanElectionPrefersTheIsr) {
  const auto change =
      ChangePartition(Partition(kNoBroker, {k2}), {k2}, Election::kUnclean, Alive({k0, k1, k2}));
  EXPECT_EQ(change->after.leader, k2);
  EXPECT_FALSE(change->unclean);
}

TEST(PartitionChange, APreferredElectionReturnsToTheFirstReplica) {
  const PartitionImage before = Partition(k1, {k0, k1, k2});
  EXPECT_EQ(
      ChangePartition(before, before.isr, Election::kPreferred, Alive({k0, k1, k2}))->after.leader,
      k0);
  EXPECT_FALSE(
      ChangePartition(before, before.isr, Election::kPreferred, Alive({k1, k2})).has_value());
  EXPECT_FALSE(
      ChangePartition(before, before.isr, Election::kOnline, Alive({k0, k1, k2})).has_value())
      << "the present leader may stay";
}

}  // namespace
}  // namespace kafkasim::broker

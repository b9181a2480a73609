// A cluster is a value: copies of a world behave alike, down to the bytes of trace and fingerprint.
#include <gmock/gmock.h>

#include "tests/broker/test_cluster.h"

namespace kafkasim::broker {
namespace {

// Traffic with faults that leaves nothing of the broker untouched.
void Disturb(TestCluster& cluster) {
  cluster.Run(sim::Millis(10));
  for (int32_t i = 0; i < 5; ++i) {
    cluster.Produce(0, {.producer_id = ProducerId(7),
                        .epoch = ProducerEpoch(0),
                        .sequence = Sequence(i),
                        .transactional = true});
    cluster.Fetch(0, Offset(0), IsolationLevel::kReadCommitted, /*max_wait_ms=*/5'000);
  }
  cluster.Run(sim::Millis(2));
  cluster.Crash(2);
}

TEST(ClusterWorld, ACopyGoesOnAsTheOriginal) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  Disturb(cluster);
  sim::World copy = cluster.world();
  EXPECT_EQ(copy.fingerprint(), cluster.world().fingerprint());

  cluster.trace().Clear();
  TraceKeeper copied;
  cluster.Run(sim::Seconds(20));
  const sim::Time end = cluster.now();
  copy.RunUntil(end, &copied);
  EXPECT_EQ(copied.Lines(), cluster.trace().Lines());
  EXPECT_GT(copied.Lines().size(), 20u);
  EXPECT_EQ(copy.fingerprint(), cluster.world().fingerprint());
}

TEST(ClusterWorld, WatchingChangesNothing) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  Disturb(cluster);
  sim::World unwatched = cluster.world();
  cluster.Run(sim::Seconds(20));
  unwatched.RunUntil(cluster.now(), nullptr);
  EXPECT_EQ(unwatched.fingerprint(), cluster.world().fingerprint());
}

TEST(ClusterWorld, AStepOfACopyLeavesTheOriginalAlone) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  Disturb(cluster);
  const sim::Fingerprint before = cluster.world().fingerprint();
  sim::World copy = cluster.world();
  copy.RunUntil(cluster.now() + sim::Seconds(20), nullptr);
  EXPECT_EQ(cluster.world().fingerprint(), before);
  EXPECT_NE(copy.fingerprint(), before);
}

TEST(ClusterWorld, ExactBytesAndFingerprintsAgree) {
  TestCluster cluster(TestCluster::Orders(3, 2));
  Disturb(cluster);
  sim::World copy = cluster.world();
  const auto exact = [](const sim::World& world) {
    sim::CanonicalBytes bytes(sim::CanonicalBytes::Mode::kExact);
    world.AppendTo(bytes);
    return std::string(bytes.bytes());
  };
  EXPECT_EQ(exact(copy), exact(cluster.world()));
  copy.Step(nullptr);
  EXPECT_NE(exact(copy), exact(cluster.world()));
}

}  // namespace
}  // namespace kafkasim::broker

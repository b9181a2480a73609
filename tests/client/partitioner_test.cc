#include "client/partitioner.h"

#include <set>

#include <gtest/gtest.h>

#include "tests/client/client_world.h"

namespace kafkasim::client {
namespace {

// The vectors of Kafka's UtilsTest.
TEST(Partitioner, Murmur2GivesKafkasHashes) {
  EXPECT_EQ(Murmur2("21"), -973932308);
  EXPECT_EQ(Murmur2("foobar"), -790332482);
  EXPECT_EQ(Murmur2("a-little-bit-long-string"), -985981536);
  EXPECT_EQ(Murmur2("a-little-bit-longer-string"), -1486304829);
  EXPECT_EQ(Murmur2("lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8"), -58897971);
  EXPECT_EQ(Murmur2("abc"), 479470107);
}

TEST(Partitioner, AKeyGoesToItsHashWithoutSignModuloPartitions) {
  EXPECT_EQ(PartitionForRecordKey("foobar", 7), (-790332482 & 0x7fffffff) % 7);
  EXPECT_EQ(PartitionForRecordKey("abc", 5), 479470107 % 5);
  for (int32_t n : {1, 2, 3, 50}) {
    const int32_t partition = PartitionForRecordKey("42", n);
    EXPECT_GE(partition, 0);
    EXPECT_LT(partition, n);
  }
}

TEST(Partitioner, RecordsWithoutAKeyStickUntilABatchIsFull) {
  const auto image = TestImage();
  sim::Rng rng(1);
  StickyPartition sticky;
  const int32_t first = sticky.Current(*image, broker::TopicId(0), rng);
  sticky.OnAppended(600, 1'000, /*last_batch_full=*/false);
  EXPECT_EQ(sticky.Current(*image, broker::TopicId(0), rng), first);
  // Enough bytes, but the batch is not full: a switch now would send it half empty.
  sticky.OnAppended(600, 1'000, /*last_batch_full=*/false);
  EXPECT_EQ(sticky.Current(*image, broker::TopicId(0), rng), first);
  std::set<int32_t> seen;
  for (int i = 0; i < 20; ++i) {
    sticky.OnAppended(1'000, 1'000, /*last_batch_full=*/true);
    seen.insert(sticky.Current(*image, broker::TopicId(0), rng));
  }
  EXPECT_EQ(seen.size(), 2u);
}

TEST(Partitioner, APartitionWithoutALeaderIsNotChosen) {
  auto image = TestImage();
  image->topics[0].partitions[1].leader = broker::kNoBroker;
  sim::Rng rng(1);
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(StickyPartition().Current(*image, broker::TopicId(0), rng), 0);
  }
}

}  // namespace
}  // namespace kafkasim::client

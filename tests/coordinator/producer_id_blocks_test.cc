#include "coordinator/producer_id_blocks.h"

#include <gtest/gtest.h>

namespace kafkasim::coordinator {
namespace {

using broker::ProducerId;
using sim::Millis;
using sim::Time;

Time AtMillis(int64_t ms) { return Time{} + Millis(ms); }

TEST(ProducerIdBlocks, TheFirstRequestOnlyAsksForABlock) {
  ProducerIdBlocks blocks;
  const auto first = blocks.Generate(AtMillis(0));
  EXPECT_FALSE(first.id.has_value());
  EXPECT_TRUE(first.request_block);
  EXPECT_FALSE(blocks.Generate(AtMillis(1)).request_block) << "one request at a time";
  blocks.OnBlock(ProducerId(7), 1000, AtMillis(2));
  EXPECT_EQ(blocks.Generate(AtMillis(3)).id, ProducerId(7));
  EXPECT_EQ(blocks.Generate(AtMillis(3)).id, ProducerId(8));
}

TEST(ProducerIdBlocks, TheNextBlockIsAskedForAtNinetyPercent) {
  ProducerIdBlocks blocks;
  (void)blocks.Generate(AtMillis(0));
  blocks.OnBlock(ProducerId(0), 10, AtMillis(0));
  for (int64_t i = 0; i < 9; ++i) EXPECT_FALSE(blocks.Generate(AtMillis(1)).request_block) << i;
  const auto tenth = blocks.Generate(AtMillis(1));
  EXPECT_EQ(tenth.id, ProducerId(9));
  EXPECT_TRUE(tenth.request_block);
  blocks.OnBlock(ProducerId(50), 10, AtMillis(2));
  EXPECT_EQ(blocks.Generate(AtMillis(3)).id, ProducerId(50));
}

TEST(ProducerIdBlocks, RunOutWhileTheNextBlockIsOnItsWay) {
  ProducerIdBlocks blocks;
  (void)blocks.Generate(AtMillis(0));
  blocks.OnBlock(ProducerId(0), 10, AtMillis(0));
  for (int i = 0; i < 10; ++i) (void)blocks.Generate(AtMillis(1));
  const auto none = blocks.Generate(AtMillis(1));
  EXPECT_FALSE(none.id.has_value());
  EXPECT_FALSE(none.request_block) << "it was asked for already";
}

TEST(ProducerIdBlocks, AFailedRequestIsRepeatedAfterABackoff) {
  ProducerIdBlocks blocks;
  (void)blocks.Generate(AtMillis(0));
  blocks.OnFailure(AtMillis(10));
  EXPECT_FALSE(blocks.Generate(AtMillis(59)).request_block);
  EXPECT_TRUE(blocks.Generate(AtMillis(60)).request_block);
}

TEST(ProducerIdBlocks, ABlockBelowTheCurrentOneIsNoBlock) {
  ProducerIdBlocks blocks;
  (void)blocks.Generate(AtMillis(0));
  blocks.OnBlock(ProducerId(100), 1, AtMillis(0));
  EXPECT_EQ(blocks.Generate(AtMillis(0)).id, ProducerId(100));
  EXPECT_FALSE(blocks.Generate(AtMillis(0)).id.has_value());
  blocks.OnBlock(ProducerId(100), 10, AtMillis(1));
  EXPECT_FALSE(blocks.Generate(AtMillis(1)).id.has_value());
}

}  // namespace
}  // namespace kafkasim::coordinator

// What a client takes for the state of the cluster, and what it does not.
#include "client/client_metadata.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kafkasim::client {
namespace {

using broker::BrokerId;
using broker::ClusterImage;
using sim::Millis;
using sim::Time;
using ::testing::ElementsAre;

constexpr Backoff kPause{.initial = Millis(100), .maximum = Millis(1000)};

Time Moment(int64_t after_start) { return Time{} + Millis(after_start); }

// Brokers 0 and 1, of which `fenced` count as dead.
broker::ClusterImageRef Answer(int64_t version, std::vector<BrokerId> fenced) {
  return std::make_shared<const ClusterImage>(ClusterImage{
      .version = version, .brokers = {BrokerId(0), BrokerId(1)}, .fenced = std::move(fenced)});
}

// NetworkClient.handleCompletedMetadataResponse: an answer without brokers is a failed update.
TEST(ClientMetadataTest, AnAnswerWithoutLivingBrokersIsAFailure) {
  ClientMetadata metadata({BrokerId(0)}, kPause, Millis(300'000));
  ASSERT_TRUE(metadata.OnImage(Answer(1, {}), Moment(0)));
  ASSERT_THAT(metadata.nodes(), ElementsAre(BrokerId(0), BrokerId(1)));
  metadata.RequestUpdate();

  EXPECT_FALSE(metadata.OnImage(Answer(2, {BrokerId(0), BrokerId(1)}), Moment(1'000)));
  EXPECT_THAT(metadata.nodes(), ElementsAre(BrokerId(0), BrokerId(1)));
  EXPECT_TRUE(metadata.update_requested());
  EXPECT_EQ(metadata.NextUpdateAt(Moment(1'000)), Moment(1'100));

  // Failures in a row: the pause doubles.
  EXPECT_FALSE(metadata.OnImage(Answer(2, {BrokerId(0), BrokerId(1)}), Moment(1'100)));
  EXPECT_EQ(metadata.NextUpdateAt(Moment(1'100)), Moment(1'300));

  EXPECT_TRUE(metadata.OnImage(Answer(3, {BrokerId(0)}), Moment(1'300)));
  EXPECT_THAT(metadata.nodes(), ElementsAre(BrokerId(1)));
  EXPECT_EQ(metadata.NextUpdateAt(Moment(1'300)), std::nullopt);
}

TEST(ClientMetadataTest, AnEmptyFirstAnswerLeavesBootstrapServersToBeAsked) {
  ClientMetadata metadata({BrokerId(7)}, kPause, Millis(300'000));
  EXPECT_FALSE(metadata.OnImage(Answer(1, {BrokerId(0), BrokerId(1)}), Moment(0)));
  EXPECT_EQ(metadata.image(), nullptr);
  EXPECT_THAT(metadata.nodes(), ElementsAre(BrokerId(7)));
  EXPECT_EQ(metadata.NextUpdateAt(Moment(0)), Moment(100));
}

TEST(ClientMetadataTest, AnOlderAnswerIsNoNews) {
  ClientMetadata metadata({BrokerId(0)}, kPause, Millis(300'000));
  ASSERT_TRUE(metadata.OnImage(Answer(5, {}), Moment(0)));
  metadata.RequestUpdate();
  EXPECT_FALSE(metadata.OnImage(Answer(4, {BrokerId(1)}), Moment(500)));
  EXPECT_THAT(metadata.nodes(), ElementsAre(BrokerId(0), BrokerId(1)));
  EXPECT_FALSE(metadata.update_requested());
}

}  // namespace
}  // namespace kafkasim::client

#include "cli/option_checks.h"

#include <gtest/gtest.h>

namespace kafkasim::cli {
namespace {

TEST(TimeFromText, NeedsAUnit) {
  EXPECT_EQ(TimeFromText("0.412s"), sim::Time{412'000});
  EXPECT_EQ(TimeFromText("500ms"), sim::Time{500'000});
  EXPECT_EQ(TimeFromText("5"), std::nullopt);
  EXPECT_EQ(TimeFromText("-1s"), std::nullopt);
  EXPECT_EQ(TimeFromText(""), std::nullopt);
}

TEST(OffsetsFromText, AreTheFirstAndTheLast) {
  const auto range = OffsetsFromText("4500..4520");
  ASSERT_TRUE(range.has_value());
  EXPECT_EQ(range->first, 4500);
  EXPECT_EQ(range->last, 4520);
  for (const char* wrong : {"", "7", "7..", "..7", "9..2", "-1..2", "1...2", "a..b"}) {
    EXPECT_EQ(OffsetsFromText(wrong).has_value(), false) << wrong;
  }
}

TEST(PlaceFromText, IsAPartitionAndAnOffset) {
  const auto place = PlaceFromText("__transaction_state-21:3");
  ASSERT_TRUE(place.has_value());
  EXPECT_EQ(place->partition, "__transaction_state-21");
  EXPECT_EQ(place->offset, 3);
  for (const char* wrong : {"", "orders-0", ":4", "orders-0:", "orders-0:x", "orders-0:-1"}) {
    EXPECT_FALSE(PlaceFromText(wrong).has_value()) << wrong;
  }
}

TEST(SeedFromText, IsAny64BitNumber) {
  EXPECT_EQ(SeedFromText("18446744073709551615"), 18446744073709551615ULL);
  EXPECT_EQ(SeedFromText("18446744073709551616"), std::nullopt);
  EXPECT_EQ(SeedFromText("-1"), std::nullopt);
}

}  // namespace
}  // namespace kafkasim::cli

#include "scenarios/number_text.h"

#include <gtest/gtest.h>

namespace kafkasim::scenarios {
namespace {

TEST(Grouped, SetsThousandsApart) {
  EXPECT_EQ(Grouped(7), "7");
  EXPECT_EQ(Grouped(999), "999");
  EXPECT_EQ(Grouped(9000), "9,000");
  EXPECT_EQ(Grouped(1234567), "1,234,567");
  EXPECT_EQ(Grouped(-1234), "-1,234");
}

}  // namespace
}  // namespace kafkasim::scenarios

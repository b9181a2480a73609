// Amounts: scenarios/decimal.h.
#include "scenarios/decimal.h"

#include <gtest/gtest.h>

namespace kafkasim::scenarios {
namespace {

TEST(Decimal, AmountsAreExact) {
  EXPECT_EQ(ParseMillionths("15.00"), 15'000'000);
  EXPECT_EQ(ParseMillionths("0.1"), 100'000);
  EXPECT_EQ(ParseMillionths("-2.5"), -2'500'000);
  EXPECT_EQ(ParseMillionths("7"), 7'000'000);
}

TEST(Decimal, WhatIsNoAmountIsNone) {
  for (const char* text : {"", "-", ".", "1.", ".5", "1.2.3", "x", "1e3", "1.0000001", "+1"}) {
    EXPECT_EQ(ParseMillionths(text), std::nullopt) << text;
  }
}

TEST(Decimal, TextsHaveTwoDigitsUnlessWhole) {
  EXPECT_EQ(MillionthsText(15'000'000), "15");
  EXPECT_EQ(MillionthsText(15'500'000), "15.50");
  EXPECT_EQ(MillionthsText(-100'000), "-0.10");
  EXPECT_EQ(MillionthsText(1), "0.000001");
}

}  // namespace
}  // namespace kafkasim::scenarios

// Who comes first to a state: sim/search/claims.h.
#include "sim/search/claims.h"

#include <gtest/gtest.h>

namespace kafkasim::sim {
namespace {

constexpr Fingerprint kState{.high = 1, .low = 2};

TEST(Claims, WhoComesLaterGivesUp) {
  Claims claims;
  EXPECT_TRUE(claims.Claim(kState, 5));
  EXPECT_FALSE(claims.Claim(kState, 6));
  // The same one may ask again.
  EXPECT_TRUE(claims.Claim(kState, 5));
}

// A thread that is ahead does not keep out who comes before it in order.
TEST(Claims, ALowerNumberComesFirstWheneverItAsks) {
  Claims claims;
  EXPECT_TRUE(claims.Claim(kState, 6));
  EXPECT_TRUE(claims.Claim(kState, 5));
  EXPECT_FALSE(claims.Claim(kState, 6));
}

TEST(Claims, OfOtherStatesDoNotCount) {
  Claims claims;
  EXPECT_TRUE(claims.Claim(kState, 5));
  EXPECT_TRUE(claims.Claim({.high = 2, .low = 2}, 6));
  EXPECT_TRUE(claims.Claim({.high = 1, .low = 3}, 7));
}

}  // namespace
}  // namespace kafkasim::sim

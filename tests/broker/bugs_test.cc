#include "broker/bugs.h"

#include <set>
#include <string_view>

#include <gtest/gtest.h>

namespace kafkasim::broker {
namespace {

TEST(Bugs, AreListedInTheirOrderWithNamesOfTheirOwn) {
  std::set<std::string_view> names;
  int place = 0;
  for (const BugInfo& info : AllBugs()) {
    EXPECT_EQ(static_cast<int>(info.bug), place++) << info.name;
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_EQ(FindBug(info.name), info.bug);
    EXPECT_FALSE(info.rule.empty() || info.broken.empty()) << info.name;
  }
  EXPECT_EQ(FindBug("none"), std::nullopt);
}

TEST(Bugs, ASetHasWhatWasPutIn) {
  Bugs bugs{Bug::kInitKeepsEpoch};
  EXPECT_TRUE(bugs.Has(Bug::kInitKeepsEpoch));
  EXPECT_FALSE(bugs.Has(Bug::kLsoIsHighWatermark));
  bugs.Add(Bug::kLsoIsHighWatermark);
  EXPECT_TRUE(bugs.Has(Bug::kLsoIsHighWatermark));
  EXPECT_TRUE(Bugs().empty());
}

}  // namespace
}  // namespace kafkasim::broker

#include "cli/event_folding.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace kafkasim::cli {
namespace {

// A send and the append it leads to, `times` times in one step.
std::vector<FoldedEvent> Sends(int times) {
  std::vector<FoldedEvent> events;
  for (int i = 0; i < times; ++i) {
    events.push_back({.step = 1, .actor = "p2", .name = "send"});
    events.push_back({.step = 1, .actor = "broker-1", .name = "appended"});
  }
  return events;
}

TEST(ChooseTold, TellsAShortSeriesWhole) {
  const std::vector<bool> told = ChooseTold(Sends(8));
  EXPECT_EQ(std::count(told.begin(), told.end(), true), 16);
}

TEST(ChooseTold, TellsTheFirstOnesAndTheLastOneOfALongSeries) {
  const std::vector<bool> told = ChooseTold(Sends(100));
  EXPECT_EQ(std::count(told.begin(), told.end(), true), 2 * (3 + 1));
  EXPECT_TRUE(told[5]);
  EXPECT_FALSE(told[6]);
  EXPECT_TRUE(told[198]);
  EXPECT_TRUE(told[199]);
}

TEST(ChooseTold, StartsAnewInEachStep) {
  std::vector<FoldedEvent> events;
  for (std::size_t step = 1; step <= 3; ++step) {
    for (int i = 0; i < 5; ++i) events.push_back({.step = step, .actor = "p", .name = "send"});
  }
  const std::vector<bool> told = ChooseTold(events);
  EXPECT_EQ(std::count(told.begin(), told.end(), true), 15);
}

TEST(CountLeftOut, NamesAndCountsWhatIsLeftOut) {
  EXPECT_EQ(CountLeftOut(Sends(3000), 1, 6000), "5 999 more: appended 3 000, send 2 999");
}

}  // namespace
}  // namespace kafkasim::cli

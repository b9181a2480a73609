#include "cli/event_folding.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kafkasim::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

// A send and the append it leads to, `times` times in one step.
std::vector<FoldedEvent> Sends(int times) {
  std::vector<FoldedEvent> events;
  for (int i = 0; i < times; ++i) {
    events.push_back({.step = 1, .actor = "p2", .name = "send", .clock = "1s"});
    events.push_back({.step = 1, .actor = "broker-1", .name = "appended", .clock = "2s"});
  }
  return events;
}

// A coordinator that asks for a marker and a broker that refuses it, `times` times.
std::vector<FoldedEvent> Refusals(int times) {
  std::vector<FoldedEvent> events;
  for (int i = 0; i < times; ++i) {
    const std::string clock = std::to_string(i) + "s";
    events.push_back({.step = static_cast<std::size_t>(i),
                      .actor = "broker-1",
                      .clock = clock,
                      .repeats = true,
                      .what = "ask for COMMIT markers",
                      .result = "broker-0"});
    events.push_back({.step = static_cast<std::size_t>(i),
                      .actor = "broker-0",
                      .clock = clock,
                      .repeats = true,
                      .what = "refuse marker for t-0",
                      .result = "NOT_ENOUGH_REPLICAS"});
  }
  return events;
}

long CountTold(const Folding& folding) {
  return std::count(folding.told.begin(), folding.told.end(), true);
}

TEST(Folding, TellsAShortSeriesWhole) {
  const Folding folding = Fold(Sends(8));
  EXPECT_EQ(CountTold(folding), 16);
  EXPECT_THAT(folding.notes, IsEmpty());
}

TEST(Folding, TellsTheFirstOnesAndTheLastOneOfALongSeries) {
  const Folding folding = Fold(Sends(3000));
  EXPECT_EQ(CountTold(folding), 2 * (3 + 1));
  EXPECT_TRUE(folding.told[5]);
  EXPECT_FALSE(folding.told[6]);
  EXPECT_TRUE(folding.told[5998]);
  EXPECT_TRUE(folding.told[5999]);
  EXPECT_THAT(folding.notes,
              ElementsAre(Pair(6, ElementsAre("5,992 more, until 2s: send 2,996, appended "
                                              "2,996"))));
}

TEST(Folding, OfASeriesStartsAnewInEachStep) {
  std::vector<FoldedEvent> events;
  for (std::size_t step = 1; step <= 3; ++step) {
    for (int i = 0; i < 5; ++i) events.push_back({.step = step, .actor = "p", .name = "send"});
  }
  EXPECT_EQ(CountTold(Fold(events)), 15);
}

TEST(Folding, OfRepetitionsTellsTheFirstOneAndCountsTheOthersOnceOverAllSteps) {
  const Folding folding = Fold(Refusals(23));
  EXPECT_EQ(CountTold(folding), 2);
  EXPECT_THAT(folding.notes,
              ElementsAre(Pair(2, ElementsAre("ask for COMMIT markers: 22 more times, until 22s")),
                          Pair(3, ElementsAre("refuse marker for t-0: 22 more times, until 22s"))));
}

TEST(Folding, TellsARepetitionThatIsTheOnlyOne) { EXPECT_EQ(CountTold(Fold(Refusals(2))), 4); }

TEST(Folding, TellsWhatHasAnotherOrigin) {
  std::vector<FoldedEvent> events = Refusals(4);
  for (std::size_t i = 4; i < events.size(); ++i) events[i].origin = sim::EventId(9);
  EXPECT_EQ(CountTold(Fold(events)), 8);
}

}  // namespace
}  // namespace kafkasim::cli

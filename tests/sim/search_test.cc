// The exhaustive search: sim/search.
#include "sim/search/search.h"

#include <gmock/gmock.h>

#include "counter_world.h"

namespace kafkasim::sim {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// Each client adds exactly one.
class AddsUp final : public Judge {
 public:
  void CheckStep(const View& before, const View& now,
                 std::vector<Violation>& found) const override {
    if (CounterOf(now.world()) < CounterOf(before.world()))
      found.push_back({"falls", "the counter falls"});
  }
  Situations CheckState(const View& view, std::vector<Violation>& found) const override {
    const World& now = view.world();
    const auto clients = static_cast<int>(now.process_count()) - 1;
    if (CounterOf(now) > clients) found.push_back({"too many", std::to_string(CounterOf(now))});
    if (DoneIn(now) == clients && CounterOf(now) < clients) {
      found.push_back({"lost", std::to_string(CounterOf(now))});
    }
    return uint64_t{1} << CounterOf(now);
  }
  void CheckEnd(const View& view, std::vector<Violation>& found) const override {
    const World& end = view.world();
    const auto clients = static_cast<int>(end.process_count()) - 1;
    if (DoneIn(end) < clients) found.push_back({"stuck", std::to_string(DoneIn(end))});
  }
};

// Says nothing: for counts of states.
class Anything final : public Judge {
 public:
  Situations CheckState(const View&, std::vector<Violation>&) const override { return {}; }
};

SearchResult Explore(const World& world, const SearchSpace& space, const SearchLimits& limits = {},
                     const Judge& judge = AddsUp()) {
  return Search(world, space, judge, limits);
}

// Where the moves of a way lead, in words.
std::vector<std::string> TextsOf(const World& world, const SearchSpace& space,
                                 const SearchPath& path) {
  std::vector<std::string> texts;
  SearchState state{.world = world, .left = space.budget};
  for (const uint32_t number : path) {
    const Move move = MovesOf(state, space)[number];
    texts.push_back(TextOf(move, state, space));
    Make(state, space, move, nullptr);
  }
  return texts;
}

// By hand: each of two clients has its request under way, its answer under way, or is done, 3 x 3;
// atomic additions leave no trace of their order.
TEST(Search, VisitsEveryStateOnce) {
  const SearchResult result = Explore(CounterWorld(2, {.atomic = true}), {.reduce = false});
  EXPECT_EQ(result.states, 9u + 3u);  // the answers "1" and "2" are told apart while under way
  EXPECT_THAT(result.levels, ElementsAre(1, 2, 4, 4, 1));
  EXPECT_EQ(result.transitions, 16u);
  EXPECT_EQ(result.ends, 1u);
  EXPECT_EQ(result.depth, 4u);
  EXPECT_TRUE(result.exhausted());
  EXPECT_THAT(result.found, IsEmpty());
  // The counter is 0, 1 and 2 in so many states.
  EXPECT_EQ(result.situations[0], 1u);
  EXPECT_EQ(result.situations[1], 4u);
  EXPECT_EQ(result.situations[2], 7u);
}

TEST(Search, AnswersToThoseWhoWaitForNothingElseArriveAtOnce) {
  const SearchResult result = Explore(CounterWorld(2, {.atomic = true}), {.reduce = true});
  EXPECT_THAT(result.levels, ElementsAre(1, 2, 2, 2, 1));
  EXPECT_EQ(result.transitions, 8u);
  EXPECT_EQ(result.ends, 1u);
}

// Two readers read before either writes: read, read, answer, answer, write, write, answer, answer.
TEST(Search, FindsTheShortestWayToALostUpdate) {
  const World world = CounterWorld(2, {.atomic = false});
  for (const bool reduce : {false, true}) {
    const SearchSpace space{.reduce = reduce};
    const SearchResult result = Explore(world, space);
    ASSERT_THAT(result.found, SizeIs(1));
    EXPECT_EQ(result.found[0].violation, (Violation{"lost", "1"}));
    EXPECT_THAT(result.found[0].path, SizeIs(8));
    EXPECT_EQ(DoneIn(Follow(world, space, result.found[0].path, nullptr).world), 2);
  }
}

TEST(Search, StopsAfterTheLevelOfTheFirstViolationIfToldTo) {
  const SearchResult result =
      Explore(CounterWorld(3, {.atomic = false}), {}, {.stop_at_first = true});
  EXPECT_EQ(result.bound, SearchBound::kFirstViolation);
  EXPECT_THAT(result.found, testing::Not(IsEmpty()));
  EXPECT_FALSE(result.exhausted());
}

// A late request: the client gave it up, asked again, and was served twice.
TEST(Search, AHeldRequestIsServedAfterItsRetry) {
  const World world = CounterWorld(1, {.atomic = true, .timeout = Millis(10)});
  const SearchSpace space{
      .budget = {.holds = 1}, .struck = {{.answer = false}}, .until = Time{20'000}};
  const SearchResult result = Explore(world, space);
  ASSERT_THAT(result.found, SizeIs(1));
  EXPECT_EQ(result.found[0].violation, (Violation{"too many", "2"}));
  EXPECT_THAT(
      TextsOf(world, space, result.found[0].path),
      ElementsAre("hold Say from client-0 to server", "fire client-0 0.01s",
                  "deliver Say from client-0 to server", "release Say from client-0 to server",
                  "deliver Say from client-0 to server"));
}

TEST(Search, ALostRequestIsMissedByAClientThatDoesNotAskAgain) {
  const World world = CounterWorld(1, {.atomic = true});
  const SearchSpace space{.budget = {.losses = 1}};
  const SearchResult result = Explore(world, space);
  ASSERT_THAT(result.found, SizeIs(1));
  EXPECT_EQ(result.found[0].violation, (Violation{"stuck", "0"}));
  EXPECT_THAT(TextsOf(world, space, result.found[0].path),
              ElementsAre("lose Say from client-0 to server"));
}

TEST(Search, OnlyMessagesThatAreStruckAreHeldOrLost) {
  const SearchSpace space{.budget = {.losses = 1}, .struck = {{.api = "Other"}}};
  EXPECT_THAT(Explore(CounterWorld(1, {.atomic = true}), space).found, IsEmpty());
}

TEST(Search, TimersAreSlowerThanMessagesUnlessTheBudgetSaysOtherwise) {
  const World world = CounterWorld(1, {.atomic = true, .timeout = Millis(10)});
  EXPECT_THAT(Explore(world, {.until = Time{50'000}}).found, IsEmpty());
  const SearchResult early = Explore(world, {.budget = {.early_timers = 1}, .until = Time{50'000}});
  ASSERT_THAT(early.found, SizeIs(1));
  EXPECT_EQ(early.found[0].violation.name, "too many");
}

TEST(Search, ProcessesCrashAndComeBack) {
  const World world = CounterWorld(1, {.atomic = true, .timeout = Millis(10)});
  const SearchSpace space{
      .budget = {.crashes = 1}, .may_crash = {ProcessId(0)}, .until = Time{20'000}};
  const SearchResult result = Explore(world, space);
  // The answer dies with the server, and the client adds once more.
  ASSERT_THAT(result.found, SizeIs(1));
  EXPECT_EQ(result.found[0].violation.name, "too many");
  EXPECT_GT(result.moves[static_cast<size_t>(MoveKind::kRestart)], 0u);
  // Where time is up before the client has an answer, nothing can be said about the end.
  EXPECT_GT(result.out_of_time, 0u);
}

TEST(Search, APausedProcessLetsMessagesWait) {
  const World world = CounterWorld(1, {.atomic = true, .timeout = Millis(10)});
  const SearchSpace space{
      .budget = {.pauses = 1}, .may_pause = {ProcessId(0)}, .until = Time{20'000}};
  const SearchResult result = Explore(world, space);
  ASSERT_THAT(result.found, SizeIs(1));
  EXPECT_EQ(result.found[0].violation.name, "too many");
}

TEST(Search, OrdersAreGivenAtAnyTimeOnce) {
  const World world = CounterWorld(1, {.atomic = true});
  const SearchSpace space{
      .budget = {.orders = 1},
      .orders = {{.name = "add more", .to = ProcessId(1), .command = Order("add")}}};
  const SearchResult result = Explore(world, space);
  ASSERT_THAT(result.found, SizeIs(1));
  EXPECT_THAT(TextsOf(world, space, result.found[0].path), testing::Contains("order add more"));
}

TEST(Search, CountsAreTheSameForAnyNumberOfThreadsAndInExactMode) {
  const World world = CounterWorld(3, {.atomic = false});
  const SearchSpace space{.budget = {.holds = 1, .losses = 1}, .reduce = false};
  const SearchResult one = Explore(world, space);
  for (const SearchLimits& limits :
       {SearchLimits{.threads = 2}, SearchLimits{.threads = 7}, SearchLimits{.exact = true}}) {
    const SearchResult other = Explore(world, space, limits);
    EXPECT_EQ(other.states, one.states);
    EXPECT_EQ(other.transitions, one.transitions);
    EXPECT_EQ(other.levels, one.levels);
    EXPECT_EQ(other.ends, one.ends);
    ASSERT_EQ(other.found.size(), one.found.size());
    for (size_t i = 0; i < one.found.size(); ++i) {
      EXPECT_EQ(other.found[i].violation, one.found[i].violation);
      EXPECT_EQ(other.found[i].path, one.found[i].path);
    }
  }
}

// Lets a copy of each state run on and names how it went: in the order in which messages were sent,
// which no key tells.
class RunsOn final : public Judge {
 public:
  Situations CheckState(const View& view, std::vector<Violation>& found) const override {
    World copy = view.world();
    Listener listener;
    copy.RunUntil(copy.now() + Seconds(1), &listener);
    found.push_back({listener.heard, ""});
    return {};
  }

 private:
  struct Listener final : Observer {
    Reaction OnEvent(const TraceEvent& event) override {
      heard += std::to_string(event.actor.value());
      return Reaction::kGoOn;
    }
    std::string heard{};
  };
};

TEST(Search, WhatAJudgeSeesBeyondTheKeyDoesNotDependOnTheThreads) {
  const World world = CounterWorld(4, {.atomic = false});
  const SearchSpace space{.budget = {.holds = 1}};
  const SearchLimits small{.states = 3000};
  const SearchResult one = Explore(world, space, small, RunsOn());
  EXPECT_THAT(one.found, SizeIs(testing::Gt(100)));
  for (const bool exact : {false, true}) {
    for (const int32_t threads : {1, 2, 7}) {
      SearchLimits limits = small;
      limits.threads = threads;
      limits.exact = exact;
      const SearchResult other = Explore(world, space, limits, RunsOn());
      ASSERT_EQ(other.found.size(), one.found.size()) << threads << " threads";
      for (size_t i = 0; i < one.found.size(); ++i) {
        ASSERT_EQ(other.found[i].violation, one.found[i].violation) << threads << " threads";
        ASSERT_EQ(other.found[i].path, one.found[i].path) << threads << " threads";
      }
    }
  }
}

TEST(Search, DepthFirstVisitsTheSameStates) {
  const World world = CounterWorld(3, {.atomic = false});
  const SearchSpace space{.budget = {.holds = 1}, .reduce = false};
  const SearchResult wide = Explore(world, space);
  const SearchResult deep = Explore(world, space, {.depth_first = true});
  EXPECT_EQ(deep.states, wide.states);
  EXPECT_EQ(deep.transitions, wide.transitions);
  EXPECT_EQ(deep.ends, wide.ends);
  EXPECT_EQ(deep.found.size(), wide.found.size());
}

TEST(Search, TheReductionFindsTheSameViolations) {
  for (const bool atomic : {false, true}) {
    for (const Budget& budget : {Budget{}, Budget{.holds = 1}, Budget{.crashes = 1}}) {
      const World world = CounterWorld(3, {.atomic = atomic});
      SearchSpace space{.budget = budget, .may_crash = {ProcessId(0)}, .reduce = false};
      const SearchResult all = Explore(world, space);
      space.reduce = true;
      const SearchResult fewer = Explore(world, space);
      // Nobody asks a server again that has crashed, so that then there is nothing to leave out.
      if (budget.crashes == 0) {
        EXPECT_LT(fewer.states, all.states);
      }
      EXPECT_LE(fewer.states, all.states);
      EXPECT_EQ(fewer.ends, all.ends);
      EXPECT_EQ(fewer.found.size(), all.found.size());
    }
  }
}

// Whoever draws a random number shifts the draws of all others, so that orders differ after all.
TEST(Search, WhereNumbersAreDrawnNothingIsLeftOut) {
  const World world = CounterWorld(2, {.atomic = true, .draws = true});
  EXPECT_EQ(Explore(world, {.reduce = true}).states, Explore(world, {.reduce = false}).states);
}

TEST(Search, ABoundIsSaid) {
  const World world = CounterWorld(3, {.atomic = false});
  EXPECT_EQ(Explore(world, {}, {.states = 10}, Anything()).bound, SearchBound::kStates);
  EXPECT_EQ(Explore(world, {}, {.bytes = 20'000}, Anything()).bound, SearchBound::kBytes);
  EXPECT_EQ(Explore(world, {}, {.depth = 3}, Anything()).bound, SearchBound::kDepth);
  EXPECT_EQ(Explore(world, {}, {.depth = 3, .depth_first = true}, Anything()).bound,
            SearchBound::kDepth);
  EXPECT_EQ(Explore(world, {}, {}, Anything()).bound, SearchBound::kNone);
}

}  // namespace
}  // namespace kafkasim::sim

// Ways in words, walks at random, and how they are made shorter: sim/search/schedule.h,
// random_walk.h.
#include "sim/search/schedule.h"

#include <gmock/gmock.h>

#include "counter_world.h"
#include "sim/search/random_walk.h"

namespace kafkasim::sim {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class NeverMoreThanClients final : public Judge {
 public:
  Situations CheckState(const View& view, std::vector<Violation>& found) const override {
    const World& now = view.world();
    if (CounterOf(now) > static_cast<int>(now.process_count()) - 1) {
      found.push_back({"too many", std::to_string(CounterOf(now))});
    }
    return {};
  }
};

const NeverMoreThanClients kJudge;

World RetryingWorld(int clients) {
  return CounterWorld(clients, {.atomic = true, .timeout = Millis(10)});
}

SearchSpace HoldSpace() {
  return {.budget = {.holds = 1}, .struck = {{.answer = false}}, .until = Time{20'000}};
}

TEST(Schedule, AWayIsWrittenDownAndFollowedAgain) {
  const World world = RetryingWorld(1);
  const SearchSpace space = HoldSpace();
  const SearchResult result = Search(world, space, kJudge, {});
  ASSERT_THAT(result.found, SizeIs(1));
  const Schedule schedule = ScheduleOf(world, space, result.found[0].path);
  const Followed followed = Follow(world, space, kJudge, schedule, Following::kStrict, nullptr);
  EXPECT_EQ(followed.path, result.found[0].path);
  EXPECT_EQ(followed.made, schedule);
  EXPECT_THAT(followed.violations, ElementsAre(Violation{"too many", "2"}));
}

TEST(Schedule, AMoveThatIsNotPossibleStopsAStrictFollower) {
  const Followed followed = Follow(RetryingWorld(1), HoldSpace(), kJudge,
                                   {"deliver Say from client-0 to server", "crash server",
                                    "deliver Say answer from server to client-0"},
                                   Following::kStrict, nullptr);
  EXPECT_EQ(followed.stuck_at, 1u);
  EXPECT_THAT(followed.made, SizeIs(1));
}

TEST(Schedule, ALooseFollowerLeavesItOut) {
  const Followed followed = Follow(RetryingWorld(1), HoldSpace(), kJudge,
                                   {"deliver Say from client-0 to server", "crash server",
                                    "deliver Say answer from server to client-0"},
                                   Following::kLoose, nullptr);
  EXPECT_EQ(followed.stuck_at, std::nullopt);
  EXPECT_THAT(followed.made, SizeIs(2));
}

TEST(Schedule, ALooseFollowerTakesATimerWheneverItIsDue) {
  const Schedule schedule{"hold Say from client-0 to server", "fire client-0 7s"};
  const Followed loose =
      Follow(RetryingWorld(1), HoldSpace(), kJudge, schedule, Following::kLoose, nullptr);
  EXPECT_THAT(loose.made, ElementsAre("hold Say from client-0 to server", "fire client-0 0.01s"));
  const Followed strict =
      Follow(RetryingWorld(1), HoldSpace(), kJudge, schedule, Following::kStrict, nullptr);
  EXPECT_EQ(strict.stuck_at, 1u);
}

TEST(Schedule, MovesOfTheSameNameAreToldApart) {
  World world = RetryingWorld(1);
  // Two requests on two connections between the same two processes.
  SearchState state{.world = world, .left = {.holds = 1}};
  const SearchSpace space = HoldSpace();
  for (const char* text : {"hold Say from client-0 to server", "fire client-0 0.01s",
                           "release Say from client-0 to server"}) {
    const std::vector<Move> moves = MovesOf(state, space);
    const std::vector<std::string> texts = TextsOf(moves, state, space);
    const auto at = std::find(texts.begin(), texts.end(), text);
    ASSERT_NE(at, texts.end()) << text;
    Make(state, space, moves[static_cast<size_t>(at - texts.begin())], nullptr);
  }
  EXPECT_THAT(
      TextsOf(MovesOf(state, space), state, space),
      ElementsAre("deliver Say from client-0 to server", "deliver Say from client-0 to server #2"));
}

TEST(RandomWalk, TheSameSeedTakesTheSameWay) {
  const Walk one = WalkAtRandom(RetryingWorld(3), HoldSpace(), kJudge, {.seed = 5});
  const Walk two = WalkAtRandom(RetryingWorld(3), HoldSpace(), kJudge, {.seed = 5});
  EXPECT_EQ(one.path, two.path);
  const Walk other = WalkAtRandom(RetryingWorld(3), HoldSpace(), kJudge, {.seed = 6});
  EXPECT_NE(one.path, other.path);
}

TEST(RandomWalk, EndsWhereNothingMoreHappens) {
  const Walk walk = WalkAtRandom(CounterWorld(3, {.atomic = true}), {}, kJudge, {});
  EXPECT_TRUE(walk.ended);
  EXPECT_THAT(walk.violations, IsEmpty());
  EXPECT_THAT(walk.path, SizeIs(6));  // three requests, three answers
}

// Finds it by chance among three clients, and leaves what one of them needs for it.
TEST(Schedule, ShrinkingLeavesOnlyWhatTheViolationNeeds) {
  const World world = RetryingWorld(3);
  const SearchSpace space = HoldSpace();
  for (uint64_t seed = 1; seed < 200; ++seed) {
    const Walk walk =
        WalkAtRandom(world, space, kJudge, {.seed = seed, .disturbances_per_thousand = 200});
    if (walk.violations.empty()) continue;
    const Schedule schedule = ScheduleOf(world, space, walk.path);
    const Schedule shrunk = Shrink(world, space, kJudge, schedule, "too many");
    EXPECT_LE(shrunk.size(), schedule.size());
    const Followed followed = Follow(world, space, kJudge, shrunk, Following::kStrict, nullptr);
    EXPECT_THAT(followed.violations, ElementsAre(Violation{"too many", "4"}));
    for (size_t i = 0; i < shrunk.size(); ++i) {
      Schedule without = shrunk;
      without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
      EXPECT_THAT(Follow(world, space, kJudge, without, Following::kLoose, nullptr).violations,
                  IsEmpty())
          << shrunk[i];
    }
    return;
  }
  FAIL() << "no walk found it";
}

}  // namespace
}  // namespace kafkasim::sim

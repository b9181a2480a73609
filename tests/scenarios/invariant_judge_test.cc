// A judge that has seen the state before looks only at what a move has changed: it must miss
// nothing by that (Invariant::reads, Subject::changed).
#include "scenarios/invariants/invariant_judge.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "broker/bugs.h"
#include "scenarios/generated_walk.h"
#include "sim/rng.h"

namespace kafkasim::scenarios {
namespace {

constexpr int kMoves = 600;

bool HasAll(const std::vector<sim::Violation>& all, const std::vector<sim::Violation>& some) {
  return std::all_of(some.begin(), some.end(), [&](const sim::Violation& one) {
    return std::find(all.begin(), all.end(), one) != all.end();
  });
}

std::vector<sim::Violation> StateViolations(const sim::Judge& judge, const sim::View& view) {
  std::vector<sim::Violation> found;
  judge.CheckState(view, found);
  return found;
}

std::vector<sim::Violation> StepViolations(const sim::Judge& judge, const sim::View& before,
                                           const sim::View& now) {
  std::vector<sim::Violation> found;
  judge.CheckStep(before, now, found);
  return found;
}

struct Compared {
  int wrong = 0;    // states in which something was wrong
  int skipped = 0;  // in which the judge that knew the state before said less
};

// Walks at random, past whatever is found. Each state is looked at by two judges: one that knows
// the state before, and one that knows nothing.
Compared Walk(std::uint64_t seed, broker::Bug bug) {
  const GeneratedWalk generated = WalkGenerated(seed, {}, [&](Scenario scenario) {
    scenario.bugs.Add(bug);
    return scenario;
  });
  const sim::SearchSpace& space = generated.exploration.space;
  const InvariantJudge judge(generated.exploration.names);
  Compared compared;
  sim::Rng rng(seed);
  auto before = std::make_unique<sim::SearchState>(
      sim::SearchState{.world = generated.exploration.start, .left = space.budget});
  std::unique_ptr<sim::View> known = judge.Look(before->world, nullptr);
  for (int i = 0; i < kMoves; ++i) {
    const std::vector<sim::Move> moves = MovesOf(*before, space);
    if (moves.empty()) break;
    auto now = std::make_unique<sim::SearchState>(*before);
    // Deliveries and timers come first.
    const bool disturb = rng.Below(100) < 3;
    Make(*now, space, disturb ? moves[rng.Below(moves.size())] : moves.front(), nullptr);
    const std::unique_ptr<sim::View> whole_before = judge.Look(before->world, nullptr);
    const std::unique_ptr<sim::View> whole = judge.Look(now->world, nullptr);
    std::unique_ptr<sim::View> quick = judge.Look(now->world, known.get());
    EXPECT_EQ(StepViolations(judge, *known, *quick), StepViolations(judge, *whole_before, *whole));
    const std::vector<sim::Violation> was = StateViolations(judge, *whole_before);
    const std::vector<sim::Violation> all = StateViolations(judge, *whole);
    std::vector<sim::Violation> found = StateViolations(judge, *quick);
    EXPECT_TRUE(HasAll(all, found)) << "seed " << seed << ", move " << i;
    compared.wrong += all.empty() ? 0 : 1;
    compared.skipped += found.size() < all.size() ? 1 : 0;
    // What it left out was wrong before the move, in the same words.
    found.insert(found.end(), was.begin(), was.end());
    EXPECT_TRUE(HasAll(found, all)) << "seed " << seed << ", move " << i << ": " << all[0].name;
    before = std::move(now);
    known = std::move(quick);
  }
  return compared;
}

TEST(InvariantJudge, MissesNothingByKnowingTheStateBefore) {
  Compared sum;
  for (const broker::BugInfo& info : broker::AllBugs()) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const Compared one = Walk(seed, info.bug);
      sum.wrong += one.wrong;
      sum.skipped += one.skipped;
    }
  }
  // Else the walks show nothing.
  EXPECT_GT(sum.wrong, 200);
  EXPECT_GT(sum.skipped, 100);
}

}  // namespace
}  // namespace kafkasim::scenarios

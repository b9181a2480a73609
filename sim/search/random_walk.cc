#include "sim/search/random_walk.h"

#include <algorithm>
#include <utility>

#include "sim/rng.h"

namespace kafkasim::sim {
namespace {

bool HappensByItself(const Move& move) {
  return move.kind == MoveKind::kDeliver || move.kind == MoveKind::kFire;
}

}  // namespace

Walk WalkAtRandom(const World& start, const SearchSpace& space, const Judge& judge,
                  const WalkOptions& options) {
  constexpr uint64_t kThousand = 1000;
  Rng rng(options.seed);
  Walk walk;
  SearchState state{.world = start, .left = space.budget};
  judge.CheckState(state.world, walk.violations);
  while (walk.violations.empty() && walk.path.size() < options.max_moves) {
    const std::vector<Move> moves = MovesOf(state, space);
    const Standing standing = StandingOf(state, space, moves);
    walk.ended = standing == Standing::kEnd;
    walk.out_of_time = standing == Standing::kOutOfTime;
    if (walk.ended) judge.CheckEnd(state.world, walk.violations);
    if (standing != Standing::kGoesOn) break;
    std::vector<uint32_t> usual;
    std::vector<uint32_t> others;
    for (uint32_t i = 0; i < moves.size(); ++i) {
      (HappensByItself(moves[i]) ? usual : others).push_back(i);
    }
    const bool disturb =
        usual.empty() ||
        (!others.empty() && rng.Below(kThousand) < options.disturbances_per_thousand);
    const std::vector<uint32_t>& from = disturb ? others : usual;
    const uint32_t number = from[rng.Below(from.size())];
    const World before = state.world;
    Make(state, space, moves[number], nullptr);
    walk.path.push_back(number);
    judge.CheckStep(before, state.world, walk.violations);
    judge.CheckState(state.world, walk.violations);
  }
  walk.left = state.left;
  walk.end = std::move(state.world);
  return walk;
}

}  // namespace kafkasim::sim

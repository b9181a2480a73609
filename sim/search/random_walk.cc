#include "sim/search/random_walk.h"

#include <algorithm>

#include "sim/rng.h"
#include "sim/search/judged_way.h"

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
  JudgedWay way(start, space, judge);
  while (way.violations().empty() && walk.path.size() < options.max_moves) {
    const std::vector<Move> moves = MovesOf(way.state(), space);
    const Standing standing = StandingOf(way.state(), space, moves);
    walk.ended = standing == Standing::kEnd;
    walk.out_of_time = standing == Standing::kOutOfTime;
    if (walk.ended) way.CheckEnd();
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
    way.Go(moves[number], nullptr);
    walk.path.push_back(number);
  }
  walk.violations = way.violations();
  walk.left = way.state().left;
  walk.end = way.state().world;
  return walk;
}

}  // namespace kafkasim::sim

// One run of a space in which chance chooses every move: for fuzzing, where a space is too large to
// be searched.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/search/judge.h"
#include "sim/search/search.h"
#include "sim/search/space.h"

namespace kafkasim::sim {

struct WalkOptions {
  uint64_t seed = 1;
  uint32_t max_moves = 10'000;
  // Of a thousand moves, about so many are disturbances or healings while the budget lasts.
  uint32_t disturbances_per_thousand = 50;
};

struct Walk {
  SearchPath path{};
  std::vector<Violation> violations{};  // of the first state in which something is wrong
  Budget left{};
  std::optional<World> end{};  // where it stopped; always set
  bool ended = false;          // nothing more happens
  bool out_of_time = false;    // something would, after SearchSpace::until
};

[[nodiscard]] Walk WalkAtRandom(const World& start, const SearchSpace& space, const Judge& judge,
                                const WalkOptions& options);

}  // namespace kafkasim::sim

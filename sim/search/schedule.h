// A way through a space written down in words, so that it can be kept in a file, read by people,
// replayed after the code has changed, and shortened.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/search/judge.h"
#include "sim/search/search.h"
#include "sim/search/space.h"

namespace kafkasim::sim {

// Moves as TextOf writes them. Of several with the same text, all but the first that is possible
// carry their place among them: "deliver Fetch from broker-1 to broker-0 #2".
using Schedule = std::vector<std::string>;

[[nodiscard]] Schedule ScheduleOf(const World& start, const SearchSpace& space,
                                  const SearchPath& path);
// The texts of moves, in their order, told apart as above.
[[nodiscard]] std::vector<std::string> TextsOf(const std::vector<Move>& moves,
                                               const SearchState& state, const SearchSpace& space);

// What came of following a schedule.
struct Followed {
  SearchState state;
  SearchPath path{};                    // the moves that were made
  Schedule made{};                      // and their texts
  std::vector<Violation> violations{};  // of the step and of the state that showed the first ones
  // The first move that was not possible, if the schedule was to be followed to the letter.
  std::optional<size_t> stuck_at{};
};

enum class Following : uint8_t {
  kStrict,  // stops at a move that is not possible
  kLoose,   // leaves out moves that are not possible; a timer may fire at another time
};

// Goes on until the judge objects or the schedule ends.
[[nodiscard]] Followed Follow(const World& start, const SearchSpace& space, const Judge& judge,
                              const Schedule& schedule, Following following, Observer* observer);

// A shorter schedule that shows a violation of the same name; each move that is left is needed.
// Disturbances go first, then single moves; what happens by itself and is left out may happen
// later.
[[nodiscard]] Schedule Shrink(const World& start, const SearchSpace& space, const Judge& judge,
                              const Schedule& schedule, const std::string& violation);

}  // namespace kafkasim::sim

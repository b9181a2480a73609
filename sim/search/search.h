// The exhaustive search: visits every state that the moves of a space can reach from a world, each
// once, and asks a judge about it.
//
// Breadth first finds a shortest way to a violation of each name, level by level, with the same
// counts, ways and order for any number of threads. Depth first needs memory for one way only. A
// violation counts when its way, replayed from the start, ends in it again; the search does that
// itself. A result with a bound is no proof: `bound` says what cut the search.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/search/judge.h"
#include "sim/search/space.h"

namespace kafkasim::sim {

struct SearchLimits {
  uint64_t states = 10'000'000;
  uint64_t bytes = uint64_t{4} << 30;  // by the search's own account
  uint32_t depth = 100'000;            // moves
  int32_t threads = 1;                 // breadth first only
  bool exact = false;                  // compare whole states, not fingerprints
  bool depth_first = false;
  bool stop_at_first = false;  // breadth first: after the level of the first violation
};

// What cut a search.
enum class SearchBound : uint8_t { kNone, kStates, kBytes, kDepth, kFirstViolation };
[[nodiscard]] std::string_view Name(SearchBound bound);  // "none", "states", ...

// A way through a space: the number of each move among MovesOf of its state.
using SearchPath = std::vector<uint32_t>;

struct SearchFinding {
  Violation violation{};
  SearchPath path{};
};

struct SearchResult {
  static constexpr size_t kMoveKinds = 10;

  SearchBound bound = SearchBound::kNone;
  uint64_t states = 0;
  uint64_t transitions = 0;
  uint64_t ends = 0;                         // states in which nothing more happens
  uint64_t out_of_time = 0;                  // states after which something would, but time is up
  uint32_t depth = 0;                        // of the deepest state
  std::vector<uint64_t> levels{};            // breadth first: new states at each depth
  std::array<uint64_t, kMoveKinds> moves{};  // transitions by MoveKind
  uint64_t early_timers = 0;                 // of these: timers before a message on its way
  std::array<uint64_t, 64> situations{};     // states that show each (Judge::CheckState)
  uint64_t peak_bytes = 0;
  std::vector<SearchFinding> found{};  // the first of each name

  [[nodiscard]] bool exhausted() const { return bound == SearchBound::kNone; }
};

// Is told now and then how far a search has come, on the thread that called it.
class SearchWatcher {
 public:
  virtual ~SearchWatcher() = default;
  virtual void OnProgress(const SearchResult& so_far, uint64_t frontier) = 0;
};

// The start is a state, too: a world after Start(), perhaps some way on.
[[nodiscard]] SearchResult Search(const World& start, const SearchSpace& space, const Judge& judge,
                                  const SearchLimits& limits, SearchWatcher* watcher = nullptr);

// Goes a way from the start again; the moves are told to the observer.
[[nodiscard]] SearchState Follow(const World& start, const SearchSpace& space,
                                 const SearchPath& path, Observer* observer);

}  // namespace kafkasim::sim

#include "sim/search/search.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "sim/check.h"
#include "sim/search/expansion.h"

namespace kafkasim::sim {
namespace {

// Whether the last move of a way, made again, shows the violation again.
bool EndsIn(const World& start, const SearchSpace& space, const Judge& judge,
            const SearchFinding& finding) {
  std::vector<Violation> again;
  SearchPath before = finding.path;
  if (!before.empty()) before.pop_back();
  const SearchState from = Follow(start, space, before, nullptr);
  const SearchState state = Follow(start, space, finding.path, nullptr);
  const std::unique_ptr<View> was = judge.Look(from.world, nullptr);
  const std::unique_ptr<View> is = judge.Look(state.world, nullptr);
  judge.CheckStep(*was, *is, again);
  judge.CheckState(*is, again);
  judge.CheckEnd(*is, again);
  return std::find(again.begin(), again.end(), finding.violation) != again.end();
}

}  // namespace

std::string_view Name(SearchBound bound) {
  switch (bound) {
    case SearchBound::kNone:
      return "none";
    case SearchBound::kStates:
      return "states";
    case SearchBound::kBytes:
      return "bytes";
    case SearchBound::kDepth:
      return "depth";
    case SearchBound::kFirstViolation:
      return "first violation";
  }
  return "?";
}

SearchResult Search(const World& start, const SearchSpace& space, const Judge& judge,
                    const SearchLimits& limits, SearchWatcher* watcher) {
  PlacePtr first = std::make_unique<Place>(start, space, judge);
  SearchResult result = limits.depth_first
                            ? SearchDepthFirst(std::move(first), space, judge, limits, watcher)
                            : SearchBreadthFirst(std::move(first), space, judge, limits, watcher);
  for (const SearchFinding& finding : result.found) {
    KAFKASIM_CHECK(EndsIn(start, space, judge, finding), "a way replayed ends in what it showed");
  }
  return result;
}

SearchState Follow(const World& start, const SearchSpace& space, const SearchPath& path,
                   Observer* observer) {
  SearchState state{.world = start, .left = space.budget};
  for (const uint32_t number : path) {
    const std::vector<Move> moves = MovesOf(state, space);
    KAFKASIM_CHECK(number < moves.size(), "a way is followed in the space that it was found in");
    Make(state, space, moves[number], observer);
  }
  return state;
}

}  // namespace kafkasim::sim

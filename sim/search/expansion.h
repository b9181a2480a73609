// How a search goes on from one state. Private to the sources of the search.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/search/claims.h"
#include "sim/search/judge.h"
#include "sim/search/place.h"
#include "sim/search/search.h"
#include "sim/search/space.h"
#include "sim/search/state_table.h"

namespace kafkasim::sim {

// A state that one move leads to. `fresh`: it was not in the table when it was made.
struct Successor {
  PlacePtr place{};
  StateKey key{};
  uint32_t move = 0;
  bool fresh = false;
  std::vector<Violation> of_step{};
  // Of a fresh state. Two states with one key differ in what no choice depends on, such as the
  // order in which two messages were sent; a judge may see that. Only the first one counts.
  Situations situations{};
  std::vector<Violation> of_state{};
};

struct Expansion {
  std::vector<Successor> successors{};  // those that are fresh or in which something is wrong
  std::array<uint64_t, SearchResult::kMoveKinds> moves{};
  uint64_t early_timers = 0;
  bool is_end = false;
  bool is_out_of_time = false;
  std::vector<Violation> violations{};  // of the state as an end

  // Adds the counts to those of the whole search.
  void CountInto(SearchResult& result) const;
};

// Makes each possible move from a place. From any thread, as long as nothing is inserted into the
// table.
class Expander {
 public:
  // All must outlive it. `claims` are shared by those that expand at the same time; null if nobody
  // does.
  Expander(const SearchSpace& space, const Judge& judge, const StateTable& table, Claims* claims)
      : space_(space), judge_(judge), table_(table), claims_(claims) {}

  // `number` is higher for a place whose successors are taken later.
  [[nodiscard]] Expansion Expand(const Place& from, uint32_t number) const;

 private:
  // Whether the move drew a random number.
  bool Try(const Place& from, uint32_t number, const Move& move, uint32_t move_number,
           Expansion& expansion) const;
  // Whether it is in the table by now, or will be before its turn comes.
  [[nodiscard]] bool IsKnown(const StateKey& key, uint32_t number, uint32_t move_number) const;

  const SearchSpace& space_;
  const Judge& judge_;
  const StateTable& table_;
  Claims* claims_;
};

// Notes violations whose names are new; `path` leads to the state in which they show.
void NoteFindings(const std::vector<Violation>& violations, const SearchPath& path,
                  SearchResult& result);

// Counts a state that is new.
void CountState(const Situations& shown, SearchResult& result);

// Adds what the judge says of the start to the result, and the start to the table.
void Begin(const Place& start, const Judge& judge, StateTable& table, SearchResult& result);

[[nodiscard]] SearchResult SearchBreadthFirst(PlacePtr start, const SearchSpace& space,
                                              const Judge& judge, const SearchLimits& limits,
                                              SearchWatcher* watcher);
[[nodiscard]] SearchResult SearchDepthFirst(PlacePtr start, const SearchSpace& space,
                                            const Judge& judge, const SearchLimits& limits,
                                            SearchWatcher* watcher);

}  // namespace kafkasim::sim

// A state on the way of a search, and what the judge sees in it. Private to the sources of the
// search.
#pragma once

#include <memory>

#include "sim/search/judge.h"
#include "sim/search/space.h"

namespace kafkasim::sim {

// Stays where it is, as a view refers to its world.
class Place {
 public:
  // The start of all ways.
  Place(const World& start, const SearchSpace& space, const Judge& judge)
      : state_{.world = start, .left = space.budget}, view_(judge.Look(state_.world, nullptr)) {}
  // Where `move` leads from another place.
  Place(const Place& from, const SearchSpace& space, const Judge& judge, const Move& move,
        Observer* observer)
      : state_(from.state_) {
    Make(state_, space, move, observer);
    view_ = judge.Look(state_.world, from.view_.get());
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  [[nodiscard]] const SearchState& state() const { return state_; }
  [[nodiscard]] const View& view() const { return *view_; }

 private:
  SearchState state_;
  std::unique_ptr<View> view_;
};

using PlacePtr = std::unique_ptr<const Place>;

}  // namespace kafkasim::sim

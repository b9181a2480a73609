// One way through a space, and what a judge says of each state on it. Private to the sources of the
// search.
#pragma once

#include <vector>

#include "sim/search/judge.h"
#include "sim/search/place.h"
#include "sim/search/space.h"

namespace kafkasim::sim {

class JudgedWay {
 public:
  // `space` and `judge` must outlive it. The judge is asked about the start at once.
  JudgedWay(const World& start, const SearchSpace& space, const Judge& judge);

  [[nodiscard]] const SearchState& state() const { return now_->state(); }
  // All that the judge has found so far.
  [[nodiscard]] const std::vector<Violation>& violations() const { return violations_; }
  void Go(const Move& move, Observer* observer);
  // Asks about the state as one in which nothing more happens.
  void CheckEnd() { judge_.CheckEnd(now_->view(), violations_); }

 private:
  const SearchSpace& space_;
  const Judge& judge_;
  PlacePtr now_;
  std::vector<Violation> violations_;
};

}  // namespace kafkasim::sim

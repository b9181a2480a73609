#include "sim/search/judged_way.h"

#include <memory>
#include <utility>

namespace kafkasim::sim {

JudgedWay::JudgedWay(const World& start, const SearchSpace& space, const Judge& judge)
    : space_(space), judge_(judge), now_(std::make_unique<Place>(start, space, judge)) {
  judge_.CheckState(now_->view(), violations_);
}

void JudgedWay::Go(const Move& move, Observer* observer) {
  PlacePtr next = std::make_unique<Place>(*now_, space_, judge_, move, observer);
  judge_.CheckStep(now_->view(), next->view(), violations_);
  judge_.CheckState(next->view(), violations_);
  now_ = std::move(next);
}

}  // namespace kafkasim::sim

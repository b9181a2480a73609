#include <algorithm>
#include <utility>

#include "sim/search/expansion.h"

namespace kafkasim::sim {
namespace {

// A state on the way that is being tried, with what is still to be tried from it.
struct Step {
  std::vector<Successor> successors{};
  size_t next = 0;
};

class DepthFirst {
 public:
  DepthFirst(const SearchSpace& space, const Judge& judge, const SearchLimits& limits)
      : judge_(judge),
        limits_(limits),
        table_(limits.exact),
        expander_(space, judge, table_, nullptr) {}

  SearchResult Run(PlacePtr start, SearchWatcher* watcher) {
    Begin(*start, judge_, table_, result_);
    Enter(std::move(start));
    while (!way_.empty() && !IsCut()) {
      Step& step = way_.back();
      if (step.next == step.successors.size()) {
        way_.pop_back();
        if (!path_.empty()) path_.pop_back();
        continue;
      }
      Successor successor = std::move(step.successors[step.next++]);
      path_.push_back(successor.move);
      NoteFindings(successor.of_step, path_, result_);
      // What was fresh when it was made may have been reached another way since.
      if (!successor.fresh || !table_.Insert(successor.key)) {
        path_.pop_back();
        continue;
      }
      NoteFindings(successor.of_state, path_, result_);
      CountState(successor.situations, result_);
      result_.depth = std::max(result_.depth, static_cast<uint32_t>(path_.size()));
      if (watcher != nullptr && result_.states % kTellEvery == 0) {
        watcher->OnProgress(result_, way_.size());
      }
      Enter(std::move(successor.place));
    }
    return std::move(result_);
  }

 private:
  static constexpr uint64_t kTellEvery = 4096;

  // Looks at all that can follow a state, unless it is too deep.
  void Enter(PlacePtr place) {
    if (path_.size() >= limits_.depth) {
      deep_ = true;
      way_.emplace_back();
      return;
    }
    Expansion expansion = expander_.Expand(*place, 0);
    expansion.CountInto(result_);
    NoteFindings(expansion.violations, path_, result_);
    way_.push_back({.successors = std::move(expansion.successors)});
  }

  [[nodiscard]] bool IsCut() {
    if (limits_.stop_at_first && !result_.found.empty()) {
      result_.bound = SearchBound::kFirstViolation;
    } else if (result_.states >= limits_.states) {
      result_.bound = SearchBound::kStates;
    } else if (table_.bytes() > limits_.bytes) {
      result_.bound = SearchBound::kBytes;
    } else if (deep_) {
      result_.bound = SearchBound::kDepth;
      return false;  // what is not so deep is looked at all the same
    }
    result_.peak_bytes = std::max(result_.peak_bytes, table_.bytes());
    return result_.bound != SearchBound::kNone;
  }

  const Judge& judge_;
  const SearchLimits& limits_;
  StateTable table_;
  Expander expander_;
  SearchResult result_;
  std::vector<Step> way_;
  SearchPath path_;
  bool deep_ = false;
};

}  // namespace

SearchResult SearchDepthFirst(PlacePtr start, const SearchSpace& space, const Judge& judge,
                              const SearchLimits& limits, SearchWatcher* watcher) {
  return DepthFirst(space, judge, limits).Run(std::move(start), watcher);
}

}  // namespace kafkasim::sim

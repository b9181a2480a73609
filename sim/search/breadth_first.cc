// Breadth first, a window of the level at a time: threads expand the states of a window, then one
// thread takes their successors in order. So nothing depends on the number of threads.
#include <algorithm>
#include <utility>

#include "sim/search/expansion.h"
#include "sim/search/workers.h"

namespace kafkasim::sim {
namespace {

constexpr size_t kWindow = 2048;
constexpr size_t kChunk = 64;
// About what a state of the frontier costs beyond the parts that it shares with others, with what
// the judge sees in it: as measured in worlds of one broker and two producers.
constexpr uint64_t kFrontierBytes = 8'500;

// How a state was reached first.
struct Node {
  uint32_t parent = 0;
  uint32_t move = 0;
};

struct Reached {
  uint32_t node = 0;
  PlacePtr place{};
};

class BreadthFirst {
 public:
  BreadthFirst(const SearchSpace& space, const Judge& judge, const SearchLimits& limits)
      : judge_(judge),
        limits_(limits),
        table_(limits.exact),
        expander_(space, judge, table_, &claims_),
        workers_(limits.threads, kChunk) {}

  SearchResult Run(PlacePtr start, SearchWatcher* watcher) {
    Begin(*start, judge_, table_, result_);
    result_.levels.push_back(1);
    nodes_.push_back({});
    level_.push_back({.node = 0, .place = std::move(start)});
    while (!level_.empty() && !IsCut()) {
      next_.clear();
      for (size_t begin = 0; begin < level_.size() && result_.bound == SearchBound::kNone;
           begin += kWindow) {
        TakeWindow(begin, std::min(begin + kWindow, level_.size()));
        if (watcher != nullptr) watcher->OnProgress(result_, next_.size() + level_.size() - begin);
      }
      level_ = std::exchange(next_, {});
      if (level_.empty()) break;
      result_.levels.push_back(level_.size());
      ++result_.depth;
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool IsCut() {
    if (result_.bound != SearchBound::kNone) return true;
    if (limits_.stop_at_first && !result_.found.empty()) {
      result_.bound = SearchBound::kFirstViolation;
    } else if (result_.depth >= limits_.depth) {
      result_.bound = SearchBound::kDepth;
    }
    return result_.bound != SearchBound::kNone;
  }

  void TakeWindow(size_t begin, size_t end) {
    std::vector<Expansion> expansions(end - begin);
    workers_.ForEachIndex(end - begin, [&](size_t i) {
      // Nobody needs the place any more.
      Reached& reached = level_[begin + i];
      const PlacePtr from = std::move(reached.place);
      expansions[i] = expander_.Expand(*from, reached.node);
    });
    for (size_t i = 0; i < expansions.size(); ++i) {
      Expansion& expansion = expansions[i];
      const uint32_t parent = level_[begin + i].node;
      expansion.CountInto(result_);
      if (!expansion.violations.empty()) Note(expansion.violations, parent, nullptr);
      for (Successor& successor : expansion.successors) TakeSuccessor(parent, successor);
    }
    const uint64_t frontier = level_.size() - begin + next_.size();
    const uint64_t bytes =
        table_.bytes() + nodes_.size() * sizeof(Node) + frontier * kFrontierBytes;
    result_.peak_bytes = std::max(result_.peak_bytes, bytes);
    if (bytes > limits_.bytes) result_.bound = SearchBound::kBytes;
    if (result_.states >= limits_.states) result_.bound = SearchBound::kStates;
  }

  void TakeSuccessor(uint32_t parent, Successor& successor) {
    if (!successor.of_step.empty()) Note(successor.of_step, parent, &successor.move);
    if (!successor.fresh || !table_.Insert(successor.key)) return;
    if (!successor.of_state.empty()) Note(successor.of_state, parent, &successor.move);
    CountState(successor.situations, result_);
    nodes_.push_back({.parent = parent, .move = successor.move});
    next_.push_back(
        {.node = static_cast<uint32_t>(nodes_.size() - 1), .place = std::move(successor.place)});
  }

  void Note(const std::vector<Violation>& violations, uint32_t node, const uint32_t* last_move) {
    SearchPath path;
    if (last_move != nullptr) path.push_back(*last_move);
    for (; node != 0; node = nodes_[node].parent) path.push_back(nodes_[node].move);
    std::reverse(path.begin(), path.end());
    NoteFindings(violations, path, result_);
  }

  const Judge& judge_;
  const SearchLimits& limits_;
  StateTable table_;
  Claims claims_;
  Expander expander_;
  Workers workers_;
  SearchResult result_;
  std::vector<Node> nodes_;  // the start, then each state in the order in which it was reached
  std::vector<Reached> level_;
  std::vector<Reached> next_;
};

}  // namespace

SearchResult SearchBreadthFirst(PlacePtr start, const SearchSpace& space, const Judge& judge,
                                const SearchLimits& limits, SearchWatcher* watcher) {
  return BreadthFirst(space, judge, limits).Run(std::move(start), watcher);
}

}  // namespace kafkasim::sim

#include "scenarios/reduction.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "scenarios/calmer_schedule.h"
#include "scenarios/counterexample.h"
#include "scenarios/smaller_scenarios.h"
#include "scenarios/source.h"
#include "scenarios/yaml_text.h"
#include "scenarios/yaml_tree.h"
#include "sim/search/random_walk.h"

namespace kafkasim::scenarios {
namespace {

class Reducer {
 public:
  Reducer(ScheduleFile file, const ReductionOptions& options)
      : best_(std::move(file)), options_(options) {}

  ScheduleFile Do() {
    FewerFaults();
    WriteFaults();
    // What the author claims is said of the scenario as it is.
    const bool claimed = best_.breaks == kAlwaysBroken || best_.breaks == kFinallyBroken;
    if (!claimed) SmallerScenario();
    FewerFaults();
    WriteFaults();
    FewerChoices();
    return std::move(best_);
  }

 private:
  static constexpr std::uint32_t kDisturbances = 200;

  // A walk much longer than the way that is known makes nothing smaller.
  static std::uint32_t MostMoves(const sim::Schedule& known) {
    return static_cast<std::uint32_t>(2 * known.size() + 100);
  }

  // Takes `candidate` if its invariant still breaks: on the way that it knows, or on another one.
  bool Try(ScheduleFile candidate) {
    const PreparedSchedule prepared = Prepare(candidate);
    if (!prepared.exploration.has_value()) return false;
    const Exploration& exploration = *prepared.exploration;
    const ExploreJudge all = JudgeOf(exploration);
    const sim::OneName judge(all, candidate.breaks);
    sim::Followed followed = sim::Follow(exploration.start, exploration.space, judge,
                                         candidate.moves, sim::Following::kLoose, nullptr);
    if (Take(candidate, followed.violations, std::move(followed.made),
             UsedOf(exploration.space.budget, followed.state.left))) {
      return true;
    }
    for (std::uint64_t seed = 1; seed <= options_.walks; ++seed) {
      const sim::Walk walk = sim::WalkAtRandom(exploration.start, exploration.space, judge,
                                               {.seed = seed,
                                                .max_moves = MostMoves(candidate.moves),
                                                .disturbances_per_thousand = kDisturbances});
      if (FindViolation(walk.violations, candidate.breaks) == nullptr) continue;
      return Take(candidate, walk.violations,
                  sim::ScheduleOf(exploration.start, exploration.space, walk.path),
                  UsedOf(exploration.space.budget, walk.left));
    }
    return false;
  }

  bool Take(ScheduleFile& candidate, const std::vector<sim::Violation>& violations,
            sim::Schedule moves, const FaultCounts& used) {
    const sim::Violation* violation = FindViolation(violations, candidate.breaks);
    if (violation == nullptr) return false;
    candidate.what = violation->what;
    candidate.moves = std::move(moves);
    candidate.faults = used;
    best_ = std::move(candidate);
    return true;
  }

  // The text allows what the way needs, and no more.
  void WriteFaults() {
    const YamlResult yaml = ReadYaml(Source(best_.scenario, best_.text));
    ScheduleFile candidate = best_;
    candidate.text = YamlText(WithFaultCounts(*yaml.root, best_.faults));
    if (candidate.text != YamlText(*yaml.root)) Try(std::move(candidate));
  }

  void FewerFaults() {
    for (const FaultCountKind& kind : FaultCountKinds()) {
      while (best_.faults.*kind.count > 0) {
        ScheduleFile candidate = best_;
        --(candidate.faults.*kind.count);
        if (!Try(std::move(candidate))) break;
      }
    }
  }

  // Until none of the smaller scenarios will do.
  void SmallerScenario() {
    for (std::size_t failed = 0, next = 0;;) {
      const YamlResult yaml = ReadYaml(Source(best_.scenario, best_.text));
      const std::vector<Node> smaller = SmallerScenarios(*yaml.root);
      if (failed >= smaller.size()) return;
      next %= smaller.size();
      ScheduleFile candidate = best_;
      candidate.text = YamlText(smaller[next]);
      if (Try(std::move(candidate))) {
        failed = 0;
      } else {
        ++failed;
        ++next;
      }
    }
  }

  // The shortest way of all if the scenario is small enough, or one of which nothing can be left
  // out.
  void FewerChoices() {
    const PreparedSchedule prepared = Prepare(best_);
    const Exploration& exploration = *prepared.exploration;
    const sim::SearchResult search =
        Explore(exploration, {.states = options_.states, .stop_at_first = true});
    const ExploreJudge all = JudgeOf(exploration);
    const sim::OneName judge(all, best_.breaks);
    const auto shortest = std::find_if(
        search.found.begin(), search.found.end(),
        [&](const sim::SearchFinding& finding) { return finding.violation.name == best_.breaks; });
    const sim::Schedule moves =
        shortest != search.found.end()
            ? sim::ScheduleOf(exploration.start, exploration.space, shortest->path)
            : sim::Shrink(exploration.start, exploration.space, judge, best_.moves, best_.breaks);
    best_.moves = Calmer(exploration, moves, best_.breaks);
    const sim::Followed followed = sim::Follow(exploration.start, exploration.space, judge,
                                               best_.moves, sim::Following::kStrict, nullptr);
    best_.what = FindViolation(followed.violations, best_.breaks)->what;
  }

  ScheduleFile best_;
  ReductionOptions options_;
};

}  // namespace

ScheduleFile Reduce(const ScheduleFile& file, const ReductionOptions& options) {
  return Reducer(file, options).Do();
}

}  // namespace kafkasim::scenarios

// The exhaustive search of a scenario: every state that its cluster and its programs can reach,
// held against all invariants.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/exploration.h"
#include "scenarios/explore_judge.h"
#include "scenarios/moment.h"
#include "scenarios/name_table.h"
#include "scenarios/scenario.h"
#include "scenarios/source.h"
#include "sim/search/schedule.h"
#include "sim/search/search.h"
#include "sim/search/state_table.h"

namespace kafkasim::scenarios {

struct ExploreOptions {
  std::int32_t threads = 1;
  std::optional<std::uint64_t> states{};  // default: the scenario's
  std::uint64_t bytes = std::uint64_t{4} << 30;
  bool exact = false;
  bool depth_first = false;
  bool reduce = true;
  bool stop_at_first = false;
  std::optional<std::uint64_t> seed{};
};

// What a search is made in; its parts point to each other, so it stays where it is.
struct Exploration {
  sim::World start;  // the programs have begun
  NameTable names{};
  sim::SearchSpace space{};
  ExploreSpec spec{};
};

struct ExplorationResult {
  std::optional<Exploration> exploration{};
  std::vector<Diagnostic> errors{};  // empty exactly if there is one
};

// Of one variant (ForVariant). Without `explore:` nothing is disturbed: every order of messages.
[[nodiscard]] ExplorationResult PrepareExploration(const Scenario& scenario,
                                                   const ExploreOptions& options);

// What is asked of its states. Must not outlive it.
[[nodiscard]] inline ExploreJudge JudgeOf(const Exploration& exploration) {
  return {exploration.spec, exploration.space, exploration.names};
}

[[nodiscard]] sim::SearchResult Explore(const Exploration& exploration,
                                        const ExploreOptions& options,
                                        sim::SearchWatcher* watcher = nullptr);

// What the search was to come across and never did: kinds of disturbances that the space allows
// ("held messages"), situations of `reach`. Then nothing can be said, nor where nothing happened.
[[nodiscard]] std::vector<std::string> NeverMade(const Exploration& exploration,
                                                 const sim::SearchResult& result);

// Whether a search that stops at the first violation has found what `explore: {breaks: ...}` says:
// one of those invariants broken; or, where none is named, nothing, with all states visited and an
// occasion for each kind of disturbance.
[[nodiscard]] bool IsAsDeclared(const Exploration& exploration, const sim::SearchResult& result);

// The moment to which a schedule leads, with the trace of all that happened. It ends where this
// violation shows, or any one if none is named.
struct Replayed {
  Moment end;
  sim::Followed followed;
};
[[nodiscard]] Replayed Replay(const Exploration& exploration, const sim::Schedule& schedule,
                              const std::string& violation = "");

// From the end of a replayed way on, with nothing more going wrong, as `drain` asks. The trace goes
// on where the way's ended.
[[nodiscard]] Moment ReplayDrain(const Exploration& exploration, const Moment& from);

}  // namespace kafkasim::scenarios

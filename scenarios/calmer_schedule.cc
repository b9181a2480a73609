#include "scenarios/calmer_schedule.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "scenarios/counterexample.h"

namespace kafkasim::scenarios {
namespace {

// What a run would do instead of the move that has this text; "" if it is that one, or if the move
// is a disturbance.
std::string UsualInstead(const std::vector<sim::Move>& moves, const std::vector<std::string>& texts,
                         const sim::SearchState& state, const std::string& chosen) {
  if (!chosen.starts_with("deliver ") && !chosen.starts_with("fire ")) return "";
  const std::vector<sim::Choice> choices = state.world.Choices();
  for (const sim::Choice& choice : choices) {
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const bool happens =
          moves[i].kind == sim::MoveKind::kDeliver || moves[i].kind == sim::MoveKind::kFire;
      if (!happens || moves[i].choice.sequence != choice.sequence) continue;
      return texts[i] == chosen ? "" : texts[i];
    }
  }
  return "";
}

// `schedule` with `usual` in front of number `index`, and so no longer behind it.
sim::Schedule WithUsual(const sim::Schedule& schedule, std::size_t index,
                        const std::string& usual) {
  sim::Schedule changed = schedule;
  const auto later =
      std::find(changed.begin() + static_cast<std::ptrdiff_t>(index), changed.end(), usual);
  if (later != changed.end()) changed.erase(later);
  changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(index), usual);
  return changed;
}

}  // namespace

sim::Schedule Calmer(const Exploration& exploration, const sim::Schedule& schedule,
                     const std::string& invariant) {
  const ExploreJudge judge = JudgeOf(exploration);
  sim::Schedule best = schedule;
  sim::SearchState state{.world = exploration.start, .left = exploration.space.budget};
  for (std::size_t i = 0; i < best.size(); ++i) {
    const std::vector<sim::Move> moves = sim::MovesOf(state, exploration.space);
    const std::vector<std::string> texts = sim::TextsOf(moves, state, exploration.space);
    const std::string usual = UsualInstead(moves, texts, state, best[i]);
    if (!usual.empty()) {
      sim::Followed followed =
          sim::Follow(exploration.start, exploration.space, judge, WithUsual(best, i, usual),
                      sim::Following::kLoose, nullptr);
      if (FindViolation(followed.violations, invariant) != nullptr &&
          followed.made.size() <= best.size()) {
        best = std::move(followed.made);
      }
    }
    const auto at = std::find(texts.begin(), texts.end(), best[i]);
    sim::Make(state, exploration.space, moves[static_cast<std::size_t>(at - texts.begin())],
              nullptr);
  }
  return best;
}

}  // namespace kafkasim::scenarios

#include "sim/search/expansion.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace kafkasim::sim {

void Expansion::CountInto(SearchResult& result) const {
  for (size_t kind = 0; kind < moves.size(); ++kind) {
    result.moves[kind] += moves[kind];
    result.transitions += moves[kind];
  }
  result.early_timers += early_timers;
  if (is_end) ++result.ends;
  if (is_out_of_time) ++result.out_of_time;
}

bool Expander::IsKnown(const StateKey& key, uint32_t number, uint32_t move_number) const {
  if (table_.Contains(key)) return true;
  // Whole states are compared by their bytes, of which no claim knows.
  if (claims_ == nullptr || !key.bytes.empty()) return false;
  return !claims_->Claim(key.fingerprint, uint64_t{number} << 32 | move_number);
}

bool Expander::Try(const Place& from, uint32_t number, const Move& move, uint32_t move_number,
                   Expansion& expansion) const {
  Successor successor{.place = std::make_unique<Place>(from, space_, judge_, move, nullptr),
                      .move = move_number};
  const Place& place = *successor.place;
  ++expansion.moves[static_cast<size_t>(move.kind)];
  if (place.state().left.early_timers < from.state().left.early_timers) ++expansion.early_timers;
  const bool draws = place.state().world.NextDraw() != from.state().world.NextDraw();
  judge_.CheckStep(from.view(), place.view(), successor.of_step);
  successor.key = table_.KeyOf(place.state());
  successor.fresh = !IsKnown(successor.key, number, move_number);
  if (successor.fresh) {
    successor.situations = judge_.CheckState(place.view(), successor.of_state);
  }
  if (successor.fresh || !successor.of_step.empty()) {
    expansion.successors.push_back(std::move(successor));
  }
  return draws;
}

Expansion Expander::Expand(const Place& from, uint32_t number) const {
  Expansion expansion;
  const SearchState& state = from.state();
  const std::vector<Move> moves = MovesOf(state, space_);
  const Standing standing = StandingOf(state, space_, moves);
  expansion.is_out_of_time = standing == Standing::kOutOfTime;
  expansion.is_end = standing == Standing::kEnd;
  if (expansion.is_end) judge_.CheckEnd(from.view(), expansion.violations);
  if (const std::vector<uint32_t> only = OnlyMoves(state, space_, moves); !only.empty()) {
    Expansion fewer;
    bool draws = false;
    for (const uint32_t i : only) draws = Try(from, number, moves[i], i, fewer) || draws;
    // Draws of one process shift those of all others: then the order counts after all.
    if (!draws) return fewer;
  }
  for (uint32_t i = 0; i < moves.size(); ++i) Try(from, number, moves[i], i, expansion);
  return expansion;
}

void CountState(const Situations& shown, SearchResult& result) {
  ++result.states;
  for (size_t i = 0; i < shown.size(); ++i) result.situations[i] += shown[i] ? 1 : 0;
}

void NoteFindings(const std::vector<Violation>& violations, const SearchPath& path,
                  SearchResult& result) {
  for (const Violation& violation : violations) {
    const bool known = std::any_of(
        result.found.begin(), result.found.end(),
        [&](const SearchFinding& finding) { return finding.violation.name == violation.name; });
    if (!known) result.found.push_back({.violation = violation, .path = path});
  }
}

void Begin(const Place& start, const Judge& judge, StateTable& table, SearchResult& result) {
  table.Insert(table.KeyOf(start.state()));
  std::vector<Violation> violations;
  CountState(judge.CheckState(start.view(), violations), result);
  NoteFindings(violations, {}, result);
}

}  // namespace kafkasim::sim

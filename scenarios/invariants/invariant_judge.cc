#include "scenarios/invariants/invariant_judge.h"

#include <utility>

namespace kafkasim::scenarios {

InvariantJudge::InvariantJudge(const NameTable& names, std::vector<Invariant> invariants)
    : names_(names) {
  for (const Invariant& invariant : invariants) {
    if (invariant.step != nullptr) of_steps_.push_back(invariant);
    if (invariant.state != nullptr) of_states_.push_back(invariant);
    if (invariant.rest != nullptr) at_rest_.push_back(invariant);
  }
}

void InvariantJudge::CheckStep(const sim::World& before, const sim::World& now,
                               std::vector<sim::Violation>& found) const {
  if (of_steps_.empty()) return;
  const Subject was(before, names_);
  const Subject is(now, names_);
  for (const Invariant& invariant : of_steps_) {
    Findings findings(invariant.name, found);
    invariant.step(was, is, findings);
  }
}

sim::Situations InvariantJudge::CheckState(const sim::World& now,
                                           std::vector<sim::Violation>& found) const {
  const Subject subject(now, names_);
  for (const Invariant& invariant : of_states_) {
    Findings findings(invariant.name, found);
    invariant.state(subject, findings);
  }
  return {};
}

void InvariantJudge::CheckEnd(const sim::World& end, std::vector<sim::Violation>& found) const {
  const Subject subject(end, names_);
  for (const Invariant& invariant : at_rest_) {
    Findings findings(invariant.name, found);
    invariant.rest(subject, findings);
  }
}

}  // namespace kafkasim::scenarios

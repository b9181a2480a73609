#include "scenarios/invariants/invariant_judge.h"

#include <utility>

namespace kafkasim::scenarios {
namespace {

const Subject* AsSubject(const sim::View* view) { return static_cast<const Subject*>(view); }

}  // namespace

InvariantJudge::InvariantJudge(const NameTable& names, std::vector<Invariant> invariants)
    : names_(names) {
  for (const Invariant& invariant : invariants) {
    if (invariant.step != nullptr) of_steps_.push_back(invariant);
    if (invariant.HoldsAlways()) of_states_.push_back(invariant);
    if (invariant.rest != nullptr) at_rest_.push_back(invariant);
  }
}

std::unique_ptr<sim::View> InvariantJudge::Look(const sim::World& world,
                                                const sim::View* before) const {
  return std::make_unique<Subject>(world, names_, AsSubject(before));
}

void InvariantJudge::CheckStep(const sim::View& before, const sim::View& now,
                               std::vector<sim::Violation>& found) const {
  const Subject& was = *AsSubject(&before);
  const Subject& is = *AsSubject(&now);
  for (const Invariant& invariant : of_steps_) {
    if ((is.changed() & invariant.reads) == 0) continue;
    Findings findings(invariant.name, found);
    invariant.step(was, is, findings);
  }
}

sim::Situations InvariantJudge::CheckState(const sim::View& now,
                                           std::vector<sim::Violation>& found) const {
  const Subject& subject = *AsSubject(&now);
  for (const Invariant& invariant : of_states_) {
    Findings findings(invariant.name, found);
    if (invariant.state != nullptr && (subject.changed() & invariant.reads) != 0) {
      invariant.state(subject, findings);
    }
    if (invariant.partition == nullptr) continue;
    for (const LedPartition& led : subject.led()) {
      if (led.changed()) invariant.partition(subject, led, findings);
    }
  }
  return {};
}

void InvariantJudge::CheckEnd(const sim::View& end, std::vector<sim::Violation>& found) const {
  for (const Invariant& invariant : at_rest_) {
    Findings findings(invariant.name, found);
    invariant.rest(*AsSubject(&end), findings);
  }
}

}  // namespace kafkasim::scenarios

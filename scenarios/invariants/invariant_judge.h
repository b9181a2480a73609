// Holds the invariants against the states of a search or of a run.
#pragma once

#include <memory>
#include <vector>

#include "scenarios/invariants/invariant.h"
#include "scenarios/name_table.h"
#include "sim/search/judge.h"
#include "sim/world.h"

namespace kafkasim::scenarios {

class InvariantJudge final : public sim::Judge {
 public:
  // `names` must outlive it.
  InvariantJudge(const NameTable& names, std::vector<Invariant> invariants);
  explicit InvariantJudge(const NameTable& names) : InvariantJudge(names, Invariants()) {}

  // Views are subjects.
  [[nodiscard]] std::unique_ptr<sim::View> Look(const sim::World& world,
                                                const sim::View* before) const override;
  void CheckStep(const sim::View& before, const sim::View& now,
                 std::vector<sim::Violation>& found) const override;
  sim::Situations CheckState(const sim::View& now,
                             std::vector<sim::Violation>& found) const override;
  void CheckEnd(const sim::View& end, std::vector<sim::Violation>& found) const override;

 private:
  const NameTable& names_;
  std::vector<Invariant> of_steps_;
  std::vector<Invariant> of_states_;
  std::vector<Invariant> at_rest_;
};

}  // namespace kafkasim::scenarios

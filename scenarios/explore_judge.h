// What an exhaustive search asks of every state: the invariants, the claims that the author makes
// in `explore:`, and that everything ends (drain.h).
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/drain.h"
#include "scenarios/exploration.h"
#include "scenarios/invariants/invariant_judge.h"
#include "scenarios/name_table.h"
#include "sim/search/judge.h"
#include "sim/search/space.h"

namespace kafkasim::scenarios {

// Names of violations beside those of the invariants.
inline constexpr std::string_view kAlwaysBroken = "always";
inline constexpr std::string_view kFinallyBroken = "finally";
inline constexpr std::string_view kDrainBroken = "drains";
inline constexpr std::string_view kOperatorNeeded = "drains_by_itself";

// Whether a violation shows in a drain, not in the state from which it begins.
[[nodiscard]] constexpr bool IsOfDrain(std::string_view violation) {
  return violation == kFinallyBroken || violation == kDrainBroken || violation == kOperatorNeeded;
}

// All names that a violation can have: the invariants, then those above.
[[nodiscard]] std::vector<std::string> ViolationNames();
// What holds where the violation of this name shows that it does not; "" if there is none.
[[nodiscard]] std::string_view SentenceOf(std::string_view violation);

class ExploreJudge final : public sim::Judge {
 public:
  // The situations: those of `reach` in their order, and from here on one for each Recovery.
  static constexpr std::size_t kRecoveries = kMostSituations;

  // All must outlive it.
  ExploreJudge(const ExploreSpec& spec, const sim::SearchSpace& space, const NameTable& names);

  [[nodiscard]] std::unique_ptr<sim::View> Look(const sim::World& world,
                                                const sim::View* before) const override;
  void CheckStep(const sim::View& before, const sim::View& now,
                 std::vector<sim::Violation>& found) const override;
  sim::Situations CheckState(const sim::View& now,
                             std::vector<sim::Violation>& found) const override;
  void CheckEnd(const sim::View& end, std::vector<sim::Violation>& found) const override;

 private:
  void CheckDrain(const sim::World& now, std::vector<sim::Violation>& found,
                  sim::Situations& shown) const;

  const ExploreSpec& spec_;
  const sim::SearchSpace& space_;
  const NameTable& names_;
  InvariantJudge invariants_;
};

}  // namespace kafkasim::scenarios

#include "scenarios/explore_judge.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "scenarios/claim_check.h"

namespace kafkasim::scenarios {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kOwnViolations = {{
    {kAlwaysBroken, "What the file claims under `always` holds in each state."},
    {kFinallyBroken, "What the file claims under `finally` comes to hold from each state."},
    {kDrainBroken, "Everything that is open in a state ends once nothing more goes wrong."},
    {kOperatorNeeded, "Everything that is open in a state ends without an administrator."},
}};

// How a violation of the author's claims reads: "orders-0 last_stable_offset: 3 expected, 1 found".
std::string MismatchText(const Mismatch& mismatch) {
  return fmt::format("{}: expected {}, found {}", mismatch.what, mismatch.expected,
                     mismatch.actual);
}

std::vector<Mismatch> Check(const Expectations& claims, const Moment& moment) {
  return CheckClaims(claims, moment, {}, /*reasons=*/false);
}

void Check(const std::optional<Expectations>& claims, const Moment& moment, std::string_view name,
           std::vector<sim::Violation>& found) {
  if (!claims.has_value()) return;
  const std::vector<Mismatch> mismatches = Check(*claims, moment);
  if (mismatches.empty()) return;
  found.push_back({.name = std::string(name), .what = MismatchText(mismatches.front())});
}

}  // namespace

std::vector<std::string> ViolationNames() {
  std::vector<std::string> names;
  for (const Invariant& invariant : Invariants()) names.emplace_back(invariant.name);
  for (const auto& [name, sentence] : kOwnViolations) names.emplace_back(name);
  return names;
}

std::string_view SentenceOf(std::string_view violation) {
  if (const Invariant* invariant = FindInvariant(violation)) return invariant->sentence;
  for (const auto& [name, sentence] : kOwnViolations) {
    if (name == violation) return sentence;
  }
  return "";
}

ExploreJudge::ExploreJudge(const ExploreSpec& spec, const sim::SearchSpace& space,
                           const NameTable& names)
    : spec_(spec), space_(space), names_(names), invariants_(names) {}

std::unique_ptr<sim::View> ExploreJudge::Look(const sim::World& world,
                                              const sim::View* before) const {
  return invariants_.Look(world, before);
}

void ExploreJudge::CheckStep(const sim::View& before, const sim::View& now,
                             std::vector<sim::Violation>& found) const {
  invariants_.CheckStep(before, now, found);
}

sim::Situations ExploreJudge::CheckState(const sim::View& now,
                                         std::vector<sim::Violation>& found) const {
  sim::Situations shown = invariants_.CheckState(now, found);
  if (spec_.always.has_value() || !spec_.reach.empty()) {
    const Moment moment{.world = now.world(), .names = names_, .history = {}};
    Check(spec_.always, moment, kAlwaysBroken, found);
    for (std::size_t i = 0; i < spec_.reach.size(); ++i) {
      if (Check(spec_.reach[i].claims, moment).empty()) shown.set(i);
    }
  }
  if (spec_.drain_us.has_value()) CheckDrain(now.world(), found, shown);
  return shown;
}

void ExploreJudge::CheckEnd(const sim::View& end, std::vector<sim::Violation>& found) const {
  invariants_.CheckEnd(end, found);
}

void ExploreJudge::CheckDrain(const sim::World& now, std::vector<sim::Violation>& found,
                              sim::Situations& shown) const {
  Drained drained = Drain(now, space_, names_, sim::Micros(*spec_.drain_us));
  shown.set(kRecoveries + static_cast<std::size_t>(drained.recovery));
  if (drained.recovery == Recovery::kNotInTime) {
    found.push_back({.name = std::string(kDrainBroken), .what = drained.unfinished});
  } else if (drained.recovery == Recovery::kByOperator) {
    found.push_back({.name = std::string(kOperatorNeeded), .what = drained.unfinished});
  }
  if (!spec_.finally.has_value()) return;
  const Moment end{.world = std::move(drained.end), .names = names_, .history = {}};
  Check(spec_.finally, end, kFinallyBroken, found);
}

}  // namespace kafkasim::scenarios

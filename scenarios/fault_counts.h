// How many disturbances of each kind a run of a search may have, set apart from whom they strike:
// for `--faults holds=1,crashes=2`, which changes what a scenario's `explore:` says, and for files
// of schedules.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "scenarios/form.h"
#include "scenarios/scenario.h"
#include "sim/search/space.h"

namespace kafkasim::scenarios {

struct FaultCounts {
  std::int64_t holds = 0;
  std::int64_t losses = 0;
  std::int64_t crashes = 0;
  std::int64_t pauses = 0;
  std::int64_t elections = 0;
  std::int64_t early_timers = 0;

  FaultCounts& operator+=(const FaultCounts& other);
  friend bool operator==(const FaultCounts&, const FaultCounts&) = default;
};

// The kinds, in the order of the language.
struct FaultCountKind {
  std::string_view name{};  // "holds"
  std::string_view one{};   // "held message"
  std::string_view many{};  // "held messages"
  std::int64_t FaultCounts::*count = nullptr;
  std::int64_t ExploreSpec::*spec = nullptr;
};
[[nodiscard]] const std::vector<FaultCountKind>& FaultCountKinds();

// What a scenario's `explore:` allows.
[[nodiscard]] FaultCounts FaultCountsOf(const Scenario& scenario);
// What of `allowed` has been used up when `left` is left.
[[nodiscard]] FaultCounts UsedOf(const sim::Budget& allowed, const sim::Budget& left);

// Allows `counts` instead. Crashes and pauses of a scenario that names no victims may strike every
// broker and application, elections every partition.
void SetFaultCounts(const FaultCounts& counts, Scenario& scenario);

// "1 held message, 2 crashes"; "no disturbance".
[[nodiscard]] std::string TextOf(const FaultCounts& counts);

// `{holds: 1, crashes: 2}`; what is left out is 0.
[[nodiscard]] Form<FaultCounts> FaultCountsForm();

// `holds=1,crashes=2` changes `counts`; "" or what is wrong with it.
[[nodiscard]] std::string ReadFaultCounts(std::string_view text, FaultCounts& counts);

}  // namespace kafkasim::scenarios

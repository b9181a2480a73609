// What an exhaustive search may do with a scenario: `explore:`. Programs run from its start, in
// every order of messages; disturbances are counted.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "scenarios/break.h"
#include "scenarios/expectations.h"
#include "scenarios/mark.h"
#include "scenarios/patterns.h"
#include "scenarios/references.h"

namespace kafkasim::scenarios {

// A situation that a search has to come across, or it has shown nothing.
struct Situation {
  Name name;
  Expectations claims;
};
inline constexpr std::size_t kMostSituations = 32;

struct ExploreSpec {
  // How many disturbances of each kind there may be in one run. See sim/search/space.h.
  std::int64_t holds = 0;         // messages that get stuck, and perhaps go on later
  std::int64_t losses = 0;        // messages that never arrive
  std::int64_t crashes = 0;       // of those in `crash`, which may come back
  std::int64_t pauses = 0;        // of those in `pause`, which may go on
  std::int64_t elections = 0;     // of partitions in `elect`, to any of their replicas
  std::int64_t early_timers = 0;  // timers that are faster than a message on its way

  std::vector<MessagePattern> strike;  // what may be held or lost; empty = any message
  std::vector<ProcessName> crash;
  std::vector<ProcessName> pause;
  std::vector<PartitionName> elect;
  std::int64_t until_us = 120'000'000;  // virtual time ends here
  std::optional<std::int64_t> states;   // a search that needs more gives no verdict
  std::vector<Break> breaks;            // what it is to find; empty = nothing, to the last state

  // The author's claims: of each state, and of the state that each leads to once nothing more goes
  // wrong for `drain_us`. In that time all that is open has to end, too.
  std::optional<Expectations> always;
  std::optional<Expectations> finally;
  std::optional<std::int64_t> drain_us;
  std::vector<Situation> reach;
  Mark mark{};
};

}  // namespace kafkasim::scenarios

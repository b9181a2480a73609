// What a run found wrong, as data: a claim of the script that did not hold, or the reason why
// nothing can be said.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scenarios/mark.h"
#include "sim/ids.h"
#include "sim/time.h"

namespace kafkasim::scenarios {

// One event of a chain of causes, as a sentence.
struct CauseLine {
  sim::EventId event = sim::kNoEvent;
  sim::Time at{};
  std::string actor{};
  std::string sentence{};
};

// A claim that did not hold.
struct FailedClaim {
  Mark mark{};           // of the claim
  std::size_t step = 0;  // index of the step that checked it
  sim::Time at{};
  std::string what{};      // "enriched_orders-0 last_stable_offset", "old commit_transaction"
  std::string expected{};  // "6"
  std::string actual{};    // "4"
  std::string reason{};    // why it is so, one sentence; "" if nothing is known
  std::string because{};   // the author's own reason, "" if none was written
  std::vector<CauseLine> chain{};  // events behind the reason, oldest first
};

// An invariant that did not hold, where that was seen first.
struct BrokenInvariant {
  std::string name{};
  std::string what{};    // what is wrong, with the values
  std::size_t step = 0;  // index of the step after which it showed
  sim::Time at{};
  bool declared = false;  // by the scenario
};

// Something that the author may have overlooked; it changes no verdict.
struct Remark {
  Mark mark{};
  std::string what{};
};

// A reason why the run gives no verdict: a fault that never fired, a limit that was reached.
struct Inconclusive {
  Mark mark{};
  std::size_t step = 0;
  std::string what{};
};

}  // namespace kafkasim::scenarios

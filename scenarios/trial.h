// One line from the text of a scenario to what is wrong with it, for tests that write scenarios
// themselves: load, run every variant, hold it against its claims and all invariants.
#pragma once

#include <string>

#include "scenarios/run.h"

namespace kafkasim::scenarios {

struct Trial {
  // Everything that was claimed holds, in every variant, no invariant was broken, and there is a
  // verdict: something was claimed, every fault that is not optional has fired.
  bool holds = false;
  // "" if it holds. Otherwise each failure in a line, and below the text of the scenario, with its
  // lines as the failures name them: saved as a file, `kafkasim run` takes it.
  std::string report{};
};

// Runs the scenario in `text`. Rules of Kafka that its `bugs:` switch off are off, and what fails
// for that reason fails. A text that is no scenario does not hold; the report has its errors.
[[nodiscard]] Trial TryScenario(const std::string& text, const RunOptions& options = {});

}  // namespace kafkasim::scenarios

// A counterexample as a scenario file: the actors as they were, its choices as steps, the broken
// invariant as `breaks:`. What comes out has been run and breaks the same invariant.

#pragma once

#include <string>

#include "scenarios/schedule_file.h"

namespace kafkasim::scenarios {

struct ExportedSchedule {
  std::string text{};  // of the scenario; empty if there is none
  std::string why{};   // then: what the language cannot say
};

// `file` has to be one that prepares and can be followed to its end.
[[nodiscard]] ExportedSchedule ExportScenario(const ScheduleFile& file);

}  // namespace kafkasim::scenarios

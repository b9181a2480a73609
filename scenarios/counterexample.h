// A schedule made ready to be followed, and what comes of it.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/explore.h"
#include "scenarios/scenario.h"
#include "scenarios/schedule_file.h"
#include "scenarios/source.h"

namespace kafkasim::scenarios {

struct PreparedSchedule {
  std::shared_ptr<const Source> source{};  // of the scenario in it
  // Both are set, unless there are errors.
  std::optional<Scenario> scenario{};  // of the schedule's variant, with its faults and bugs
  std::optional<Exploration> exploration{};
  std::vector<Diagnostic> errors{};
};

// Loads the scenario in `file` and starts its programs. Errors: those of the scenario, a variant
// that it does not have, no program.
[[nodiscard]] PreparedSchedule Prepare(const ScheduleFile& file);

// The schedule of a way that a search or a walk has found in a variant of a scenario. Its version
// and its seed are for the caller to add.
[[nodiscard]] ScheduleFile ScheduleFileOf(const Scenario& scenario, const Exploration& exploration,
                                          const sim::SearchPath& path,
                                          const sim::Violation& violation);

// Why a schedule cannot be followed to its end: the move in its file, and what was possible
// instead. Needs a replay that is stuck.
[[nodiscard]] Diagnostic StuckAt(const ScheduleFile& file, const Exploration& exploration,
                                 const sim::Followed& followed);

// Whether `violations` has one of this name.
[[nodiscard]] const sim::Violation* FindViolation(const std::vector<sim::Violation>& violations,
                                                  const std::string& name);

}  // namespace kafkasim::scenarios

// Where `replay` and `export` get their schedule from. Whatever is wrong is printed on the way; the
// caller then ends with ExitCode::kUsage.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli/command.h"

#include "scenarios/counterexample.h"
#include "scenarios/schedule_file.h"
#include "scenarios/source.h"

namespace kafkasim::cli {

struct LoadedSchedule {
  std::shared_ptr<const scenarios::Source> source{};  // of the schedule
  scenarios::ScheduleFile file{};
  scenarios::PreparedSchedule prepared{};  // without errors
};

// Loads and prepares a schedule; that on standard input for "-". `scenario`, if not empty, names a
// scenario to follow it in; else a scenario file that has changed since is told.
[[nodiscard]] std::optional<LoadedSchedule> LoadSchedule(const std::string& name,
                                                         const std::string& scenario,
                                                         Screen& screen);

// Whether a file begins as a schedule does.
[[nodiscard]] bool IsSchedule(const std::string& path);

// Whether a schedule may be written there; false, with a message, if that would destroy a file that
// is none, or if there is no such folder.
[[nodiscard]] bool MayHoldSchedule(const std::string& path, Screen& screen);
// Writes a schedule; false, with a message, if that is not possible.
[[nodiscard]] bool SaveSchedule(const std::string& path, const scenarios::ScheduleFile& schedule,
                                Screen& screen);

}  // namespace kafkasim::cli

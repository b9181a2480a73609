#include "cli/schedule_input.h"

#include <filesystem>
#include <fstream>
#include <ios>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/examples.h"
#include "cli/line.h"
#include "cli/output_file.h"
#include "cli/scenario_input.h"
#include "cli/shell_word.h"
#include <fmt/format.h>

#include "scenarios/loader.h"
#include "scenarios/source_file.h"

namespace kafkasim::cli {
namespace {

// The text that a scenario of that name has now; nullopt if there is none.
std::optional<std::string> TextNow(const std::string& name) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(name, ignored)) {
    scenarios::SourceFile file = scenarios::ReadSourceFile(name, "a scenario");
    if (!file.error.has_value()) return file.source->text();
  }
  if (const Example* example = FindExample(name)) return std::string(example->text);
  return std::nullopt;
}

void TellIfChanged(const scenarios::ScheduleFile& file, Screen& screen) {
  const std::optional<std::string> now = TextNow(file.scenario);
  if (!now.has_value() || scenarios::ScenarioTextOf(*now) == file.text) return;
  screen.err << Line(screen.err_look,
                     fmt::format("kafkasim: {} has changed since; this follows its text of then "
                                 "(--scenario {} follows the new one)",
                                 file.scenario, ShellWord(file.scenario)))
                    .Wrap(screen.err_look.width, 2);
}

}  // namespace

std::optional<LoadedSchedule> LoadSchedule(const std::string& name, const std::string& scenario,
                                           Screen& screen) {
  if (name.empty()) {
    PrintError("the name of the schedule is empty", "", screen);
    return std::nullopt;
  }
  scenarios::ScheduleResult read =
      name == "-" ? scenarios::LoadScheduleText("<stdin>", ReadStandardInput("schedule", screen))
                  : scenarios::LoadScheduleFile(name);
  if (!read.file.has_value()) {
    if (scenarios::LoadScenarioText(name, read.source->text()).scenario.has_value()) {
      PrintError(fmt::format("{} is a scenario, not a schedule", name),
                 "kafkasim run " + ShellWord(name), screen);
      return std::nullopt;
    }
    PrintReport(ReportOf(*read.source, read.errors), screen);
    return std::nullopt;
  }
  LoadedSchedule loaded{.source = std::move(read.source), .file = std::move(*read.file)};
  if (scenario.empty()) {
    TellIfChanged(loaded.file, screen);
  } else {
    const std::optional<std::string> text = TextNow(scenario);
    if (!text.has_value()) {
      PrintReport(scenario + ": error: there is no such file\n", screen);
      PrintExampleHint(scenario, screen);
      return std::nullopt;
    }
    loaded.file.scenario = scenario;
    loaded.file.text = scenarios::ScenarioTextOf(*text);
  }
  loaded.prepared = Prepare(loaded.file);
  if (loaded.prepared.exploration.has_value()) return loaded;
  PrintErrors(*loaded.prepared.source, loaded.prepared.errors, screen);
  // It is in a file of its own, which the errors name.
  if (!scenario.empty()) return std::nullopt;
  screen.err << Line(screen.err_look,
                     fmt::format("  in the scenario that {} holds", loaded.source->name()));
  return std::nullopt;
}

bool IsSchedule(const std::string& path) {
  constexpr std::string_view kBegin = "kafkasim: ";
  std::string begin(kBegin.size(), '\0');
  std::ifstream in(path);
  return in.read(begin.data(), static_cast<std::streamsize>(begin.size())) && begin == kBegin;
}

bool MayHoldSchedule(const std::string& path, Screen& screen) {
  if (path == "-") {
    PrintError("a way is kept in a file: '-' is the place of what is told", "", screen);
    return false;
  }
  if (!HasPlace(path, screen)) return false;
  std::error_code ignored;
  const bool holds_something = std::filesystem::is_regular_file(path, ignored) &&
                               std::filesystem::file_size(path, ignored) > 0;
  if (holds_something && !IsSchedule(path)) {
    PrintError(fmt::format("'{}' is a file that is no schedule; it stays as it is", path), "",
               screen);
    return false;
  }
  return true;
}

bool SaveSchedule(const std::string& path, const scenarios::ScheduleFile& schedule,
                  Screen& screen) {
  return MayHoldSchedule(path, screen) && WriteText(path, WriteSchedule(schedule), screen);
}

}  // namespace kafkasim::cli

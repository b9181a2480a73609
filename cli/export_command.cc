// kafkasim export: a saved counterexample in another form.

#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include "cli/command.h"
#include "cli/line.h"
#include "cli/option_checks.h"
#include "cli/output_file.h"
#include "cli/scenario_input.h"
#include "cli/schedule_input.h"
#include "cli/shell_word.h"
#include <CLI/App.hpp>
#include <fmt/format.h>

#include "scenarios/counterexample.h"
#include "scenarios/export_schedule.h"

namespace kafkasim::cli {
namespace {

struct ExportArguments {
  std::string file{};
  std::string scenario = "-";  // where to
};

ExitCode ExportFile(const ExportArguments& arguments, Screen& screen) {
  std::error_code ignored;
  if (std::filesystem::equivalent(arguments.file, arguments.scenario, ignored)) {
    PrintError(fmt::format("the scenario would replace the schedule '{}'", arguments.file), "",
               screen);
    return ExitCode::kUsage;
  }
  const std::optional<LoadedSchedule> loaded = LoadSchedule(arguments.file, "", screen);
  if (!loaded.has_value()) return ExitCode::kUsage;
  const scenarios::Replayed replayed =
      scenarios::Replay(*loaded->prepared.exploration, loaded->file.moves, loaded->file.breaks);
  if (replayed.followed.stuck_at.has_value()) {
    PrintErrors(*loaded->source,
                {StuckAt(loaded->file, *loaded->prepared.exploration, replayed.followed)}, screen);
    return ExitCode::kUsage;
  }
  // What comes behind the violation is of no interest.
  scenarios::ScheduleFile file = loaded->file;
  file.moves = replayed.followed.made;
  if (replayed.followed.violations.empty()) {
    PrintError(fmt::format("{}: nothing breaks on this way", arguments.file), "", screen);
    return ExitCode::kNoVerdict;
  }
  const scenarios::ExportedSchedule exported = ExportScenario(file);
  if (exported.text.empty()) {
    PrintError(fmt::format("{} cannot be written as a scenario: {}", arguments.file, exported.why),
               "", screen);
    screen.err << Line(screen.err_look, "  it can be seen with: ")
                      .Add("kafkasim replay " + ShellWord(arguments.file), Role::kStrong);
    return ExitCode::kNoVerdict;
  }
  return WriteText(arguments.scenario, exported.text, screen) ? ExitCode::kHolds : ExitCode::kUsage;
}

Action DeclareExport(CLI::App& app) {
  auto arguments = std::make_shared<ExportArguments>();
  app.add_option("file", arguments->file,
                 "A schedule, as explore and fuzz save it, or - for standard input.")
      ->type_name("FILE")
      ->required();
  app.add_option("--scenario", arguments->scenario,
                 "The file to write the scenario to. Default: -, standard output.")
      ->type_name("FILE")
      ->check(NotEmpty());
  return [arguments](Screen& screen) { return ExportFile(*arguments, screen); };
}

}  // namespace

Command ExportCommand() {
  return {.name = "export",
          .summary = "Write a saved counterexample as a scenario",
          .about =
              "The choices become steps: messages are held and released, processes crash and come "
              "back. What is written has been run and breaks the same invariant. Not every order "
              "of events can be said in the language; then it says why, and `replay` shows it.",
          .examples = {{"kafkasim export way.yaml --scenario torn.yaml", "for `kafkasim run`"}},
          .declare = DeclareExport};
}

}  // namespace kafkasim::cli

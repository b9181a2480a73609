// kafkasim replay: follows a schedule that was saved, choice by choice.

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cli/command.h"
#include "cli/counterexample_view.h"
#include "cli/option_checks.h"
#include "cli/output_file.h"
#include "cli/scenario_input.h"
#include "cli/schedule_input.h"
#include "cli/text_table.h"
#include "cli/version.h"
#include <CLI/App.hpp>
#include <fmt/format.h>

#include "scenarios/counterexample.h"
#include "scenarios/fault_counts.h"
#include "scenarios/trace_log.h"

namespace kafkasim::cli {
namespace {

struct ReplayArguments {
  std::string file{};
  std::string scenario{};  // instead of the one in the file; empty: not asked for
  std::string ndjson{};    // where to; empty: not asked for
  bool verbose = false;
  bool quiet = false;

  bool json_on_screen() const { return ndjson == "-"; }
};

void PrintHead(const scenarios::ScheduleFile& file, Screen& screen) {
  const Look& look = screen.out_look;
  TextTable table(look, {{}, {.least = 30}});
  const auto add = [&](std::string_view word, const std::string& text) {
    if (!text.empty()) table.AddRow({Line(look, word, Role::kFaint), Line(look, text)});
  };
  add("scenario", file.scenario);
  add("variant", file.variant);
  std::string bugs;
  for (const broker::BugInfo& info : broker::AllBugs()) {
    if (!file.bugs.Has(info.bug)) continue;
    bugs += fmt::format("{}{}", bugs.empty() ? "" : ", ", info.name);
  }
  add("switched off", bugs);
  add("disturbances", fmt::format("at most {}", TextOf(file.faults)));
  screen.out << table.Lines(look.width);
}

// What came of it, with its exit code.
ExitCode Conclude(const LoadedSchedule& loaded, const scenarios::RunResult& told,
                  const std::vector<sim::Violation>& violations, const ReplayArguments& arguments,
                  Screen& screen) {
  const scenarios::ScheduleFile& file = loaded.file;
  if (violations.empty()) {
    screen.out << '\n' << Line(screen.out_look, fmt::format("{} holds on this way", file.breaks));
    return ExitCode::kHolds;
  }
  for (const sim::Violation& violation : violations) PrintBroken(violation, screen);
  if (!arguments.quiet) {
    PrintLastEvents(told, violations.front().what, screen);
    PrintDrain(*loaded.prepared.exploration, told, violations.front().name, screen);
  }
  if (scenarios::FindViolation(violations, file.breaks) == nullptr) {
    screen.err << Line(
        screen.err_look,
        fmt::format("kafkasim: it was {} that broke when the file was written", file.breaks));
  }
  return ExitCode::kFails;
}

ExitCode ReplayFile(const ReplayArguments& arguments, Screen& screen) {
  std::optional<LoadedSchedule> loaded = LoadSchedule(arguments.file, arguments.scenario, screen);
  if (!loaded.has_value() || !MayBeWritten(arguments.ndjson, screen)) return ExitCode::kUsage;
  const scenarios::ScheduleFile& file = loaded->file;
  scenarios::Replayed replayed =
      scenarios::Replay(*loaded->prepared.exploration, file.moves, file.breaks);
  // It may be another one by now.
  if (replayed.followed.violations.empty()) {
    replayed = scenarios::Replay(*loaded->prepared.exploration, file.moves);
  }
  if (replayed.followed.stuck_at.has_value()) {
    PrintErrors(*loaded->source, {StuckAt(file, *loaded->prepared.exploration, replayed.followed)},
                screen);
    return ExitCode::kUsage;
  }
  const std::vector<sim::Violation> violations = replayed.followed.violations;
  const scenarios::RunResult told = AsRun(*loaded->prepared.scenario, std::move(replayed));
  if (!arguments.ndjson.empty()) {
    OutputFile trace;
    const bool opened = trace.Open(arguments.ndjson, screen);
    if (opened) WriteTrace(trace.out(), *loaded->prepared.scenario, told, kVersion);
    if (!opened || !trace.Finish()) {
      PrintError(fmt::format("cannot write '{}'", arguments.ndjson), "", screen);
      return ExitCode::kUsage;
    }
    if (arguments.json_on_screen()) {
      return violations.empty() ? ExitCode::kHolds : ExitCode::kFails;
    }
  }
  PrintHead(file, screen);
  if (!arguments.quiet) {
    PrintMoves(file.moves, screen);
    PrintStory(told, {.verbose = arguments.verbose}, screen);
  }
  return Conclude(*loaded, told, violations, arguments, screen);
}

Action DeclareReplay(CLI::App& app) {
  auto arguments = std::make_shared<ReplayArguments>();
  app.add_option("file", arguments->file,
                 "A schedule, as explore and fuzz save it, or - for standard input.")
      ->type_name("FILE")
      ->required();
  app.add_option("--scenario", arguments->scenario,
                 "Follow it in this scenario instead of the text in the file.")
      ->type_name("FILE")
      ->check(NotEmpty());
  app.add_flag("-v,--verbose", arguments->verbose, "Every message, every step of replication.");
  app.add_flag("-q,--quiet", arguments->quiet, "Only what is broken.")->excludes("--verbose");
  app.add_flag("--ndjson{-}", arguments->ndjson,
               "The whole trace, one JSON document a line, to standard output or a file.")
      ->type_name("FILE");
  return [arguments](Screen& screen) { return ReplayFile(*arguments, screen); };
}

}  // namespace

Command ReplayCommand() {
  return {.name = "replay",
          .summary = "Follow a saved counterexample, choice by choice",
          .about =
              "The file holds the scenario and every choice: no seed, no chance. The trace is the "
              "same bytes every time. Ends with 1 if the invariant breaks again, with 0 if it does "
              "not; a move that is not possible is an error that names those that are.",
          .examples = {{"kafkasim replay way.yaml", "the whole story"},
                       {"kafkasim replay way.yaml --scenario new.yaml", "in a changed scenario"}},
          .declare = DeclareReplay};
}

}  // namespace kafkasim::cli

// kafkasim run: runs a scenario and tells what happens.

#include <memory>
#include <optional>
#include <utility>

#include "cli/cluster_tables.h"
#include "cli/command.h"
#include "cli/glyphs.h"
#include "cli/group_tables.h"
#include "cli/option_checks.h"
#include "cli/output_file.h"
#include "cli/outside_tables.h"
#include "cli/partition_picture.h"
#include "cli/result_json.h"
#include "cli/scenario_input.h"
#include "cli/story.h"
#include "cli/verdict_view.h"
#include "cli/version.h"
#include <CLI/App.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "broker/bugs.h"
#include "scenarios/snapshot.h"
#include "scenarios/trace_log.h"

namespace kafkasim::cli {
namespace {

using scenarios::RunResult;
using scenarios::Scenario;
using scenarios::Verdict;

struct RunArguments {
  ScenarioArguments scenario{};
  std::string until{};
  std::string json{};    // where to; "-" standard output; empty: not asked for
  std::string ndjson{};  // the same
  bool verbose = false;
  bool quiet = false;

  bool json_on_screen() const { return json == "-" || ndjson == "-"; }
};

ExitCode CodeOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHolds:
      return ExitCode::kHolds;
    case Verdict::kFails:
      return ExitCode::kFails;
    case Verdict::kNoVerdict:
      return ExitCode::kNoVerdict;
  }
  return ExitCode::kBug;
}

void PrintBlock(const std::vector<Line>& lines, Screen& screen) {
  if (lines.empty()) return;
  screen.out << lines << '\n';
}

void PrintTitle(const Scenario& scenario, Screen& screen) {
  const Look& look = screen.out_look;
  std::vector<Line> lines = Line(look, scenario.title, Role::kStrong).Wrap(look.width);
  for (Line& part : Line(look, scenario.about).Wrap(look.width)) lines.push_back(std::move(part));
  std::string facts = scenario.source->name();
  if (!scenario.shows.empty()) {
    facts += fmt::format(" {} shows {}", GlyphsOf(look).dot, fmt::join(scenario.shows, " "));
  }
  for (Line& part : Line(look, facts, Role::kFaint).Wrap(look.width)) {
    lines.push_back(std::move(part));
  }
  for (const broker::BugInfo& info : broker::AllBugs()) {
    if (!scenario.bugs.Has(info.bug)) continue;
    Line line(look, fmt::format("switched off ({}): ", info.name), Role::kDoubt);
    for (Line& part : line.Add(std::string(info.rule)).Wrap(look.width, 2)) {
      lines.push_back(std::move(part));
    }
  }
  PrintBlock(lines, screen);
}

void PrintEnd(const RunResult& result, Screen& screen) {
  const Look& look = screen.out_look;
  const scenarios::Snapshot snapshot = scenarios::TakeSnapshot(*result.end);
  screen.out << '\n' << DrawRule("At the end, t=" + sim::FormatTime(snapshot.at), look) << '\n';
  for (const scenarios::PartitionView& view : snapshot.partitions) {
    PrintBlock(DrawPartition(view, snapshot.at, look), screen);
  }
  PrintBlock(DrawReaders(snapshot, look), screen);
  PrintBlock(DrawPrograms(snapshot, look), screen);
  PrintBlock(DrawProducers(snapshot, look), screen);
  PrintBlock(DrawTransactions(snapshot, look), screen);
  PrintBlock(DrawGroups(snapshot, look), screen);
  PrintBlock(DrawOutside(snapshot, look), screen);
  PrintBlock(DrawBrokers(snapshot, look), screen);
  if (!snapshot.partitions.empty()) PrintBlock(PictureLegend(look), screen);
}

// The whole run for people, or its verdict alone.
void PrintRun(const Scenario& scenario, const RunResult& result, const RunArguments& arguments,
              Screen& screen) {
  if (!arguments.quiet) {
    TellStory(screen.out, result, screen.out_look, {.verbose = arguments.verbose});
    PrintEnd(result, screen);
    screen.out << DrawRule("Verdict", screen.out_look) << '\n';
  }
  screen.out << DrawVerdict(scenario, result, screen.out_look);
}

class RunAction {
 public:
  explicit RunAction(const RunArguments& arguments) : arguments_(arguments) {}

  ExitCode Do(Screen& screen) {
    if (arguments_.json == "-" && arguments_.ndjson == "-") {
      PrintError("--json and --ndjson cannot both go to standard output", "", screen);
      return ExitCode::kUsage;
    }
    std::optional<Scenario> scenario = LoadScenario(arguments_.scenario.file, screen);
    if (!scenario) return ExitCode::kUsage;
    const auto variants = ChooseVariants(*scenario, arguments_.scenario.variant, screen);
    if (!variants) return ExitCode::kUsage;
    if (!MayBeWritten(arguments_.json, screen) || !MayBeWritten(arguments_.ndjson, screen) ||
        !OpenTrace(screen)) {
      return ExitCode::kUsage;
    }
    const bool told = !arguments_.json_on_screen();
    if (told && !arguments_.quiet) PrintTitle(*scenario, screen);
    ExitCode worst = ExitCode::kHolds;
    for (std::size_t i = 0; i < variants->size(); ++i) {
      if (told && variants->size() > 1) PrintVariant((*variants)[i], i, variants->size(), screen);
      worst = WorseOf(worst, RunOne((*variants)[i], screen));
    }
    if (worst == ExitCode::kUsage) return worst;
    return WriteFiles(*scenario, worst, screen) ? worst : ExitCode::kUsage;
  }

 private:
  bool OpenTrace(Screen& screen) {
    if (arguments_.ndjson.empty() || trace_.Open(arguments_.ndjson, screen)) return true;
    PrintError(fmt::format("cannot write '{}'", arguments_.ndjson), "", screen);
    return false;
  }

  static void PrintVariant(const Scenario& variant, std::size_t index, std::size_t count,
                           Screen& screen) {
    if (index > 0) screen.out << '\n';
    const std::string name = variant.variants.front().name;
    screen.out << DrawRule(fmt::format("Variant {} ({} of {})", name, index + 1, count),
                           screen.out_look)
               << '\n';
  }

  ExitCode RunOne(const Scenario& scenario, Screen& screen) {
    const std::optional<sim::Time> until =
        arguments_.until.empty() ? std::nullopt : TimeFromText(arguments_.until);
    RunResult result = scenarios::Run(
        scenario,
        {.seed = SeedFromText(arguments_.scenario.seed), .until = until, .keep_trace = true});
    if (!result.errors.empty()) {
      PrintErrors(*scenario.source, result.errors, screen);
      return ExitCode::kUsage;
    }
    if (!arguments_.json_on_screen()) PrintRun(scenario, result, arguments_, screen);
    if (!arguments_.ndjson.empty()) {
      scenarios::WriteTrace(trace_.out(), scenario, result, kVersion);
    }
    const ExitCode code = CodeOf(scenarios::JudgeFile(scenario, result));
    if (!arguments_.json.empty()) results_.push_back(std::move(result));
    return code;
  }

  bool WriteFiles(const Scenario& scenario, ExitCode code, Screen& screen) {
    if (!arguments_.ndjson.empty() && !trace_.Finish()) {
      PrintError(fmt::format("cannot write '{}'", arguments_.ndjson), "", screen);
      return false;
    }
    if (arguments_.json.empty()) return true;
    return WriteText(arguments_.json, ResultJson(scenario, results_, code), screen);
  }

  const RunArguments& arguments_;
  OutputFile trace_;
  std::vector<RunResult> results_;
};

Action DeclareRun(CLI::App& app) {
  auto arguments = std::make_shared<RunArguments>();
  AddScenarioArguments(app, arguments->scenario);
  app.add_option("--until", arguments->until,
                 "Stop at this virtual time, as 0.5s; nothing later is judged.")
      ->type_name("T")
      ->check(VirtualTime());
  app.add_flag("-v,--verbose", arguments->verbose,
               "Every message, every step of replication, nothing summed up.");
  app.add_flag("-q,--quiet", arguments->quiet, "Only the verdict.")->excludes("--verbose");
  app.add_flag("--json{-}", arguments->json,
               "The result as one JSON document (`kafkasim schema result`), to standard output or "
               "a file.")
      ->type_name("FILE");
  app.add_flag("--ndjson{-}", arguments->ndjson,
               "The whole trace, a line of JSON an event (`kafkasim schema trace`), to standard "
               "output or a file.")
      ->type_name("FILE");
  return [arguments](Screen& screen) { return RunAction(*arguments).Do(screen); };
}

}  // namespace

Command RunCommand() {
  return {.name = "run",
          .summary = "Run a scenario and watch what happens",
          .about =
              "One line for each event that matters, what the script says to the class, every "
              "expectation and whether it held; then the partitions as drawn, what each reader "
              "was given, the transactions, and the verdict. Of a scenario with a matrix all "
              "variants run, one after the other. The same file and seed give the same run, byte "
              "for byte.",
          .examples = {{"kafkasim run zombie.yaml", "watch a file of your own"},
                       {"kafkasim run lecture/13-lso-6-with-t2-open", "or an example by its name"},
                       {"kafkasim run zombie.yaml --variant TV2", "only under TV2"},
                       {"kafkasim run zombie.yaml -v | less -R", "with every message"},
                       {"kafkasim run zombie.yaml --ndjson=trace.ndjson", "keep the trace as well"},
                       {"kafkasim run - < zombie.yaml", "from standard input"}},
          .declare = DeclareRun};
}

}  // namespace kafkasim::cli

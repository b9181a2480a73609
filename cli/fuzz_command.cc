// kafkasim fuzz: random walks, a seed each, through scenarios or generated workloads.

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/counterexample_view.h"
#include "cli/fuzz_input.h"
#include "cli/fuzz_json.h"
#include "cli/fuzz_view.h"
#include "cli/output_file.h"
#include "cli/scenario_input.h"
#include "cli/schedule_input.h"
#include "cli/shell_word.h"
#include "cli/stopwatch.h"
#include "cli/terminal_text.h"
#include "cli/version.h"
#include <CLI/App.hpp>
#include <fmt/format.h>

#include "scenarios/counterexample.h"
#include "scenarios/fuzz_sweep.h"
#include "scenarios/generated_walk.h"
#include "scenarios/number_text.h"
#include "scenarios/reduction.h"
#include "scenarios/source_file.h"
#include "scenarios/trace_digest.h"
#include "sim/check.h"

namespace kafkasim::cli {
namespace {

using scenarios::FuzzSweep;
using scenarios::Scenario;

// A name that every file system takes.
std::string FileNameOf(const scenarios::ScheduleFile& file) {
  std::string name = std::filesystem::path(file.scenario).stem().string();
  if (!file.variant.empty()) name += '-' + file.variant;
  name += '-' + file.breaks;
  for (char& c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!plain && c != '.' && c != '_') c = '-';
  }
  return name + ".yaml";
}

class FuzzAction {
 public:
  FuzzAction(const FuzzArguments& arguments, Screen& screen)
      : arguments_(arguments), screen_(screen) {}

  ExitCode Do() {
    if (!ReadArguments()) return ExitCode::kUsage;
    if (arguments_.print) {
      screen_.out << MakeWorkload(range_.from, arguments_.shape);
      return ExitCode::kHolds;
    }
    ExitCode code = ExitCode::kHolds;
    if (!arguments_.merge.empty()) {
      code = Merge();
    } else if (arguments_.scenarios.empty()) {
      code = SweepGenerated();
    } else {
      for (const std::string& name : arguments_.scenarios) code = WorseOf(code, SweepFile(name));
    }
    if (code == ExitCode::kUsage || arguments_.json.empty()) return code;
    return WriteText(arguments_.json, SweepsJson(sweeps_), screen_) ? code : ExitCode::kUsage;
  }

 private:
  [[nodiscard]] bool told() const { return arguments_.json != "-"; }

  // Why the options do not belong together; "" if they do.
  std::string Contradiction() const {
    const bool generates =
        arguments_.generate || arguments_.print || !arguments_.shape.Text().empty();
    const bool changes = !arguments_.faults.empty() || !arguments_.bugs.empty();
    if (!arguments_.merge.empty()) {
      const bool walks = generates || changes || !arguments_.scenarios.empty() ||
                         !arguments_.save.empty() || !arguments_.shard.empty() ||
                         arguments_.seeds != FuzzArguments{}.seeds;
      return walks ? "--merge adds up what has been walked, and walks nothing itself" : "";
    }
    if (generates && !arguments_.scenarios.empty()) {
      return "a workload is generated instead of a scenario, not from one";
    }
    if (!arguments_.variant.empty() && arguments_.scenarios.empty()) {
      return "--variant is one of a scenario; there is none";
    }
    if (arguments_.print && changes) {
      return "--faults and --bugs change how a workload is walked through, not its text, which "
             "--print shows";
    }
    return "";
  }

  bool ReadArguments() {
    range_ = *SeedsFromText(arguments_.seeds, arguments_.shard);
    bugs_ = *BugsFromText(arguments_.bugs);
    if (const std::string contradiction = Contradiction(); !contradiction.empty()) {
      PrintError(contradiction, "", screen_);
      return false;
    }
    std::error_code ignored;
    if (!arguments_.save.empty() && !std::filesystem::is_directory(arguments_.save, ignored)) {
      PrintError(fmt::format("there is no folder '{}'", arguments_.save), "", screen_);
      return false;
    }
    return MayBeWritten(arguments_.json, screen_);
  }

  // Adds up the documents of earlier sweeps.
  ExitCode Merge() {
    for (const std::string& name : arguments_.merge) {
      const scenarios::SourceFile file =
          scenarios::ReadSourceFile(name, "a document of `kafkasim fuzz --json`");
      if (file.error.has_value()) {
        PrintErrors(*file.source, {*file.error}, screen_);
        return ExitCode::kUsage;
      }
      std::vector<FuzzSweep> sweeps;
      std::string problem = ReadSweepsJson(file.source->text(), sweeps);
      for (const FuzzSweep& sweep : sweeps) {
        if (problem.empty()) problem = WhatIsWrongWith(sweep);
        if (problem.empty()) problem = AddSweep(sweep, sweeps_);
      }
      if (problem.empty()) continue;
      PrintReport(fmt::format("{}: error: {}\n", name, problem), screen_);
      return ExitCode::kUsage;
    }
    ExitCode worst = ExitCode::kHolds;
    for (const FuzzSweep& sweep : sweeps_) {
      if (told()) PrintSweep(sweep, screen_);
      if (told()) screen_.out << '\n';
      worst = WorseOf(worst, JudgeSweep(sweep, screen_));
    }
    return worst;
  }

  ExitCode SweepFile(const std::string& name) {
    const auto scenario = LoadScenario(name, screen_);
    if (!scenario) return ExitCode::kUsage;
    const auto variants = ChooseVariants(*scenario, arguments_.variant, screen_);
    if (!variants) return ExitCode::kUsage;
    ExitCode worst = ExitCode::kHolds;
    for (const Scenario& variant : *variants) worst = WorseOf(worst, SweepVariant(variant));
    return worst;
  }

  // What --faults says, which has been checked: the whole mix.
  scenarios::FaultCounts Faults() const {
    scenarios::FaultCounts counts;
    const std::string problem = ReadFaultCounts(arguments_.faults, counts);
    KAFKASIM_CHECK(problem.empty(), "the arguments have been checked");
    return counts;
  }

  // The scenario with what the arguments change in it.
  Scenario Changed(Scenario scenario) const {
    if (!arguments_.faults.empty()) SetFaultCounts(Faults(), scenario);
    for (const broker::BugInfo& info : broker::AllBugs()) {
      if (bugs_.Has(info.bug)) scenario.bugs.Add(info.bug);
    }
    return scenario;
  }

  ExitCode SweepVariant(const Scenario& variant) {
    const Scenario scenario = Changed(variant);
    const scenarios::ExplorationResult prepared = scenarios::PrepareExploration(scenario, {});
    if (!prepared.exploration.has_value()) {
      PrintErrors(*scenario.source, prepared.errors, screen_);
      return ExitCode::kUsage;
    }
    const scenarios::Exploration& exploration = *prepared.exploration;
    FuzzSweep sweep{
        .scenario = scenario.source->name(),
        .digest = scenarios::ContentDigest(scenario.source->text()),
        .variant = scenario.variants.empty() ? "" : scenario.variants.front().name,
        .bugs = scenario.bugs,
        .faults = scenarios::FaultCountsOf(scenario),
        .has_transactions = scenarios::HasTransactions(exploration.names),
        .seeds = {range_},
        .tally = Tally([&](std::uint64_t seed) { return FuzzSeed(exploration, seed).tally; })};
    return Conclude(sweep, [&](const scenarios::Anomaly& anomaly) {
      const sim::Walk walk = FuzzSeed(exploration, anomaly.seed).walk;
      return ScheduleFileOf(scenario, exploration, walk.path,
                            *scenarios::FindViolation(walk.violations, anomaly.invariant));
    });
  }

  ExitCode SweepGenerated() {
    const auto walk = [&](std::uint64_t seed) {
      return scenarios::WalkGenerated(
          seed, arguments_.shape, [&](Scenario scenario) { return Changed(std::move(scenario)); });
    };
    std::string name = "generated workloads";
    if (const std::string shape = arguments_.shape.Text(); !shape.empty()) name += " " + shape;
    if (!arguments_.faults.empty()) name += fmt::format(" with {}", TextOf(Faults()));
    FuzzSweep sweep{.scenario = name,
                    .digest = scenarios::ContentDigest(name),
                    .bugs = bugs_,
                    .faults = Faults(),
                    .has_transactions = true,
                    .seeds = {range_},
                    .tally = Tally([&](std::uint64_t seed) { return walk(seed).run.tally; })};
    return Conclude(sweep, [&](const scenarios::Anomaly& anomaly) {
      const scenarios::GeneratedWalk found = walk(anomaly.seed);
      return ScheduleFileOf(
          found.scenario, found.exploration, found.run.walk.path,
          *scenarios::FindViolation(found.run.walk.violations, anomaly.invariant));
    });
  }

  template <typename WalkOfSeed>
  scenarios::FuzzTally Tally(WalkOfSeed walk) {
    constexpr double kEvery = 10;  // seconds
    const Stopwatch stopwatch;
    double next = kEvery;
    const scenarios::FuzzTally tally = scenarios::FuzzRange(
        {.seeds = range_, .threads = arguments_.threads}, walk, [&](std::uint64_t walks) {
          const double seconds = stopwatch.Seconds();
          if (seconds < next) return;
          next = seconds + kEvery;
          PrintSpeed(walks, seconds);
        });
    PrintSpeed(tally.reached.walks, stopwatch.Seconds());
    return tally;
  }

  // On standard error: it is no part of the result.
  void PrintSpeed(std::uint64_t walks, double seconds) {
    if (arguments_.quiet) return;
    const auto rate = static_cast<long long>(static_cast<double>(walks) / std::max(seconds, 1e-6));
    screen_.err << fmt::format("kafkasim: {} in {:.1f} s, {} a second\n", Counted(walks, "seed"),
                               seconds, scenarios::Grouped(rate));
  }

  // Prints a sweep, and each of its anomalies; `schedule_of` walks the first seed of one again.
  template <typename ScheduleOfAnomaly>
  ExitCode Conclude(const FuzzSweep& sweep, ScheduleOfAnomaly schedule_of) {
    const std::string problem = AddSweep(sweep, sweeps_);
    if (!problem.empty()) {
      PrintError(problem, "", screen_);
      return ExitCode::kUsage;
    }
    if (told()) PrintSweep(sweep, screen_);
    for (const scenarios::Anomaly& anomaly : sweep.tally.anomalies) {
      if (!told() && arguments_.save.empty()) continue;
      if (!TellAnomaly(schedule_of(anomaly), anomaly)) return ExitCode::kUsage;
    }
    if (told()) screen_.out << '\n';
    return JudgeSweep(sweep, screen_);
  }

  // False if it was to be saved and could not be.
  bool TellAnomaly(scenarios::ScheduleFile found, const scenarios::Anomaly& anomaly) {
    found.version = kVersion;
    if (!arguments_.no_shrink && !arguments_.quiet) {
      screen_.err << fmt::format("kafkasim: seed {} breaks {}; making its way shorter\n",
                                 anomaly.seed, found.breaks);
    }
    const scenarios::ScheduleFile file = arguments_.no_shrink ? found : Reduce(found);
    std::string command = FuzzAgain(found, anomaly);
    if (!arguments_.save.empty()) {
      const std::string path = (std::filesystem::path(arguments_.save) / FileNameOf(file)).string();
      if (!SaveSchedule(path, file, screen_)) return false;
      command = "kafkasim replay " + ShellWord(path);
    }
    if (!told()) return true;
    const scenarios::PreparedSchedule prepared = Prepare(file);
    const scenarios::RunResult run = AsRun(
        *prepared.scenario, scenarios::Replay(*prepared.exploration, file.moves, file.breaks));
    PrintBroken({.name = file.breaks, .what = file.what}, screen_);
    std::string lengths =
        fmt::format("seed {}: {}", anomaly.seed, Counted(found.moves.size(), "move"));
    if (!arguments_.no_shrink) {
      lengths +=
          fmt::format("; {} after shrinking, with {}", file.moves.size(), TextOf(file.faults));
    }
    screen_.out << Line(screen_.out_look, lengths, Role::kFaint).Wrap(screen_.out_look.width, 2);
    if (!arguments_.quiet) {
      PrintMoves(file.moves, screen_);
      PrintLastEvents(run, file.what, screen_);
    }
    PrintHowToReplay(command, screen_);
    return true;
  }

  // The command that finds one anomaly again.
  std::string FuzzAgain(const scenarios::ScheduleFile& found, const scenarios::Anomaly& anomaly) {
    std::string command = "kafkasim fuzz";
    if (!arguments_.scenarios.empty()) command += ' ' + found.scenario;
    if (arguments_.scenarios.empty() && !arguments_.shape.Text().empty()) {
      command += ' ' + arguments_.shape.Text();
    }
    if (!found.variant.empty()) command += fmt::format(" --variant '{}'", found.variant);
    if (!arguments_.faults.empty()) command += " --faults " + arguments_.faults;
    if (!arguments_.bugs.empty()) command += " --bugs " + arguments_.bugs;
    return command + fmt::format(" --seeds {}", anomaly.seed);
  }

  const FuzzArguments& arguments_;
  Screen& screen_;
  scenarios::SeedRange range_{};
  broker::Bugs bugs_{};
  std::vector<FuzzSweep> sweeps_{};
};

void AddWorkloadOptions(CLI::App& app, FuzzArguments& arguments) {
  const auto number = [&](const char* name, std::optional<std::int64_t>& value, std::int64_t least,
                          std::int64_t most, const char* what) {
    app.add_option_function<std::int64_t>(
           name, [&value](const std::int64_t& given) { value = given; }, what)
        ->type_name("N")
        ->check(NumberBetween(least, most))
        ->group("Generated workloads");
  };
  app.add_flag("--generate", arguments.generate,
               "Generate a workload from each seed; so it is without a scenario.")
      ->group("Generated workloads");
  app.add_flag("--print", arguments.print, "Print the scenario of the first seed, and no more.")
      ->group("Generated workloads");
  number("--brokers", arguments.shape.brokers, 1, 3, "Brokers. Default: drawn, as the others.");
  number("--partitions", arguments.shape.partitions, 1, 3, "Partitions of each topic.");
  number("--producers", arguments.shape.producers, 1, 4, "Applications that write.");
  number("--services", arguments.shape.services, 0, 4,
         "Applications that consume, transform and produce.");
  number("--consumers", arguments.shape.consumers, 0, 4, "Applications that read.");
}

Action DeclareFuzz(CLI::App& app) {
  auto arguments = std::make_shared<FuzzArguments>();
  app.add_option("scenario", arguments->scenarios, "Scenario files, or names of examples.")
      ->type_name("FILE");
  app.add_option("--variant", arguments->variant, "Only this variant of the matrix.")
      ->type_name("NAME");
  app.add_option("--seeds", arguments->seeds, "The seeds, as 1..1000 or 7. Default: 1..100.")
      ->type_name("RANGE")
      ->check(Seeds());
  app.add_option("--shard", arguments->shard, "Only a part of them: 2/8 is the second of eight.")
      ->type_name("I/N")
      ->check(Shard());
  app.add_option("--threads", arguments->threads, "How many threads. The result is the same.")
      ->type_name("N")
      ->check(NumberBetween(1, 64));
  app.add_option(
         "--faults", arguments->faults,
         "Numbers of disturbances in one walk, all of them, instead of the scenario's: holds, "
         "losses, crashes, pauses, elections, early_timers.")
      ->type_name("holds=1,crashes=2")
      ->check(NotEmpty())
      ->check(FaultNumbers());
  app.add_option("--bugs", arguments->bugs, "Rules of Kafka to switch off: `kafkasim bugs`.")
      ->type_name("NAME,...")
      ->check(NotEmpty())
      ->check(BugNames());
  app.add_option("--save", arguments->save,
                 "Write the way to each broken invariant into this folder, for `kafkasim replay`.")
      ->type_name("FOLDER")
      ->check(NotEmpty());
  app.add_flag("--no-shrink", arguments->no_shrink, "Show ways as they were found.");
  app.add_option("--merge", arguments->merge, "Add up documents of earlier sweeps instead.")
      ->type_name("FILE");
  app.add_flag("--json{-}", arguments->json,
               "The sweep as one JSON document, to standard output or a file.")
      ->type_name("FILE");
  app.add_flag("-q,--quiet", arguments->quiet, "Only the counts and what is broken.");
  AddWorkloadOptions(app, *arguments);
  return [arguments](Screen& screen) { return FuzzAction(*arguments, screen).Do(); };
}

}  // namespace

Command FuzzCommand() {
  return {
      .name = "fuzz",
      .summary = "Walk at random through scenarios or generated workloads",
      .about =
          "One walk a seed: chance orders the messages and places the disturbances that "
          "`explore:` or --faults allows. Every state is held against all invariants; what breaks "
          "one is made as small as possible. Not a proof: see `explore`.",
      .examples = {{"kafkasim fuzz ladder/late-end --seeds 1..1000", "a scenario"},
                   {"kafkasim fuzz --seeds 1..500 --bugs init_keeps_epoch",
                    "workloads that are made up, without a rule of Kafka"},
                   {"kafkasim fuzz --seeds 1..9000 --shard 1/3 --json=1.json",
                    "a third of a sweep"},
                   {"kafkasim fuzz --merge 1.json 2.json 3.json", "the whole of it"}},
      .declare = DeclareFuzz};
}

}  // namespace kafkasim::cli

// kafkasim explain: why a reader is given the record at an offset, or not.

#include <memory>
#include <optional>
#include <string_view>

#include "cli/command.h"
#include "cli/explanation_view.h"
#include "cli/option_checks.h"
#include "cli/partition_names.h"
#include "cli/scenario_input.h"
#include <CLI/App.hpp>

#include "scenarios/explain.h"
#include "scenarios/snapshot.h"

namespace kafkasim::cli {
namespace {

struct ExplainArguments {
  ScenarioArguments scenario{};
  std::string at{};
  std::string offset{};
  std::string isolation = "read_committed";
};

ExitCode PrintExplanation(const ExplainArguments& arguments, Screen& screen) {
  const std::optional<sim::Time> at =
      arguments.at.empty() ? std::nullopt : TimeFromText(arguments.at);
  const OffsetPlace place = PlaceFromText(arguments.offset).value_or(OffsetPlace{});
  const std::optional<OneRun> run = RunForPicture(arguments.scenario, at, screen);
  if (!run) return ExitCode::kUsage;
  const scenarios::Moment& moment = *run->result.end;
  const auto partitions = FindPartitions({place.partition}, moment.names, screen);
  if (!partitions) return ExitCode::kUsage;
  const auto view = scenarios::ViewPartition(moment, partitions->front());
  if (!view) {
    PrintError("no broker has a replica of " + place.partition, "", screen);
    return ExitCode::kUsage;
  }
  const auto level = arguments.isolation == "read_committed"
                         ? broker::IsolationLevel::kReadCommitted
                         : broker::IsolationLevel::kReadUncommitted;
  scenarios::Explanation explanation =
      scenarios::Explain(moment, partitions->front(), place.offset, level);
  if (at) explanation.at = *at;
  screen.out << DrawExplanation(explanation, *view, screen.out_look);
  return ExitCode::kHolds;
}

Action Declare(CLI::App& app) {
  auto arguments = std::make_shared<ExplainArguments>();
  AddScenarioArguments(app, arguments->scenario);
  app.add_option("--offset", arguments->offset, "The partition and the offset: orders-0:4.")
      ->type_name("PARTITION:OFFSET")
      ->required()
      ->check(PartitionAndOffset());
  app.add_option("--isolation", arguments->isolation,
                 "Of the reader: read_committed (default) or read_uncommitted.")
      ->type_name("LEVEL")
      ->check(OneOf({"read_committed", "read_uncommitted"}));
  app.add_option("--at", arguments->at, "The moment, in virtual time: 0.412s. Default: the end.")
      ->type_name("T")
      ->check(VirtualTime());
  return [arguments](Screen& screen) { return PrintExplanation(*arguments, screen); };
}

}  // namespace

Command ExplainCommand() {
  return {
      .name = "explain",
      .summary = "Say why a reader is given the record at an offset, or not",
      .about =
          "The answer is one of: visible; not readable now, as no leader is up; beyond the high "
          "watermark; held by the last "
          "stable offset, and by which transaction; aborted, and by which marker; a "
          "control record; gone; not written yet. Below it stand the events that led to "
          "it, with their numbers in the trace.",
      .examples = {{"kafkasim explain 13 --offset enriched_orders-0:6", "at the end of the run"},
                   {"kafkasim explain zombie.yaml --offset orders-0:4 --at 0.412s", "at a moment"},
                   {"kafkasim explain zombie.yaml --offset orders-0:4 --isolation "
                    "read_uncommitted",
                    "for the other reader"}},
      .declare = Declare};
}

}  // namespace kafkasim::cli

// kafkasim explain: why a reader is given the record at an offset, or not, and why a consumer group
// is as it is.

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/command.h"
#include "cli/explanation_view.h"
#include "cli/option_checks.h"
#include "cli/partition_names.h"
#include "cli/scenario_input.h"
#include <CLI/App.hpp>

#include "scenarios/explain.h"
#include "scenarios/explain_group.h"
#include "scenarios/group_records.h"
#include "scenarios/snapshot.h"

namespace kafkasim::cli {
namespace {

struct ExplainArguments {
  ScenarioArguments scenario{};
  std::string at{};
  std::string offset{};
  std::string group{};
  std::string partition{};
  std::string isolation = "read_committed";
};

ExitCode ExplainOffset(const ExplainArguments& arguments, const scenarios::Moment& moment,
                       std::optional<sim::Time> at, Screen& screen) {
  const OffsetPlace place = PlaceFromText(arguments.offset).value_or(OffsetPlace{});
  const auto partitions = FindPartitions({place.partition}, moment.names, screen);
  if (!partitions) return ExitCode::kUsage;
  auto view = scenarios::ViewPartition(moment, partitions->front());
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
  if (scenarios::IsOffsetsLog(*view)) view = WithGroupTexts(std::move(*view), moment.names);
  screen.out << DrawExplanation(explanation, *view, screen.out_look);
  return ExitCode::kHolds;
}

ExitCode ExplainOneGroup(const ExplainArguments& arguments, const scenarios::Moment& moment,
                         std::optional<sim::Time> at, Screen& screen) {
  std::optional<broker::PartitionId> partition;
  if (!arguments.partition.empty()) {
    const auto found = FindPartitions({arguments.partition}, moment.names, screen);
    if (!found) return ExitCode::kUsage;
    partition = found->front();
  }
  scenarios::GroupExplanation explanation =
      scenarios::ExplainGroup(moment, arguments.group, partition);
  if (at) explanation.at = *at;
  screen.out << DrawExplanation(explanation, screen.out_look);
  return ExitCode::kHolds;
}

ExitCode PrintExplanation(const ExplainArguments& arguments, Screen& screen) {
  const std::optional<sim::Time> at =
      arguments.at.empty() ? std::nullopt : TimeFromText(arguments.at);
  if (arguments.offset.empty() && arguments.group.empty()) {
    PrintError("say what to explain: --offset PARTITION:OFFSET or --group GROUP", "", screen);
    return ExitCode::kUsage;
  }
  const std::optional<OneRun> run = RunForPicture(arguments.scenario, at, screen);
  if (!run) return ExitCode::kUsage;
  const scenarios::Moment& moment = *run->result.end;
  return arguments.group.empty() ? ExplainOffset(arguments, moment, at, screen)
                                 : ExplainOneGroup(arguments, moment, at, screen);
}

Action DeclareExplain(CLI::App& app) {
  auto arguments = std::make_shared<ExplainArguments>();
  AddScenarioArguments(app, arguments->scenario);
  auto* offset =
      app.add_option("--offset", arguments->offset, "The partition and the offset: orders-0:4.")
          ->type_name("PARTITION:OFFSET")
          ->check(PartitionAndOffset());
  auto* group =
      app.add_option("--group", arguments->group, "A consumer group: its state, and its offsets.")
          ->type_name("GROUP")
          ->excludes(offset);
  app.add_option("--partition", arguments->partition,
                 "Of a group: only its offset of this partition, and the events behind it.")
      ->type_name("PARTITION")
      ->needs(group);
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
      .summary = "Say why a reader is given a record or not, and why a group is as it is",
      .about =
          "The answer is one of: visible; not readable now, as no leader is up; beyond the high "
          "watermark; held by the last "
          "stable offset, and by which transaction; aborted, and by which marker; a "
          "control record; gone; not written yet. Of a group it says why it is in its state, who "
          "has each partition, which record made the committed offset what it is, and why others "
          "are pending. Below it stand the events that led to it, with their numbers in the trace.",
      .examples = {{"kafkasim explain 13 --offset enriched_orders-0:6", "at the end of the run"},
                   {"kafkasim explain zombie.yaml --offset orders-0:4 --at 0.412s", "at a moment"},
                   {"kafkasim explain zombie.yaml --offset orders-0:4 --isolation "
                    "read_uncommitted",
                    "for the other reader"},
                   {"kafkasim explain zombie.yaml --group my-group --partition orders-0",
                    "who has a partition, and where its offset comes from"}},
      .declare = DeclareExplain};
}

}  // namespace kafkasim::cli

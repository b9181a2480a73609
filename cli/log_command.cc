// kafkasim log: draws partitions at any moment of a run.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/dump_log.h"
#include "cli/offsets_log_view.h"
#include "cli/option_checks.h"
#include "cli/partition_names.h"
#include "cli/partition_picture.h"
#include "cli/scenario_input.h"
#include "cli/terminal_text.h"
#include "cli/transaction_log_view.h"
#include <CLI/App.hpp>
#include <fmt/format.h>

#include "scenarios/cluster_access.h"
#include "scenarios/group_records.h"
#include "scenarios/snapshot.h"

namespace kafkasim::cli {
namespace {

struct LogArguments {
  ScenarioArguments scenario{};
  std::vector<std::string> partitions{};
  std::string at{};
  std::string offsets{};
  std::string group{};
  int broker = -1;
  bool dump = false;
};

ExitCode Dump(const LogArguments& arguments, const scenarios::Moment& moment,
              const std::vector<broker::PartitionId>& partitions, Screen& screen) {
  for (const broker::PartitionId& partition : partitions) {
    const std::string name = moment.names.NameOf(partition);
    broker::BrokerId broker(arguments.broker);
    if (arguments.broker < 0) broker = scenarios::LeaderOf(moment, partition);
    const broker::PartitionLog* log =
        broker == broker::kNoBroker ? nullptr : scenarios::FindLog(moment, broker, partition);
    if (log == nullptr) {
      PrintError(fmt::format("{} has no leader at this moment", name), "--on BROKER", screen);
      return ExitCode::kUsage;
    }
    for (const std::string& line : DumpLog(*log, name, *moment.names.topics)) {
      screen.out << SafeText(line, screen.out_look.unicode) << '\n';
    }
  }
  return ExitCode::kHolds;
}

// The partitions asked for; of a group the one with its records.
std::optional<std::vector<broker::PartitionId>> ChoosePartitions(const LogArguments& arguments,
                                                                 const scenarios::Moment& moment,
                                                                 Screen& screen) {
  if (arguments.group.empty()) return FindPartitions(arguments.partitions, moment.names, screen);
  const auto partition = scenarios::GroupPartition(moment, arguments.group);
  if (partition.has_value()) return std::vector{*partition};
  PrintError("this cluster has no __consumer_offsets", "", screen);
  return std::nullopt;
}

void DrawOne(const LogArguments& arguments, const scenarios::PartitionView& view,
             const scenarios::NameTable& names, sim::Time now, Screen& screen) {
  const PictureOptions options{.range = OffsetsFromText(arguments.offsets)};
  const Look& look = screen.out_look;
  if (IsTransactionLog(view)) {
    screen.out << DrawPartition(WithStates(view), now, look, options)
               << DrawTransactionLog(view, names, look) << '\n';
  } else if (scenarios::IsOffsetsLog(view)) {
    screen.out << DrawPartition(WithGroups(view, names), now, look, options)
               << DrawOffsetsLog(view, names, arguments.group, look) << '\n';
  } else {
    screen.out << DrawPartition(view, now, look, options) << '\n';
  }
}

ExitCode DrawLogs(const LogArguments& arguments, Screen& screen) {
  const std::optional<sim::Time> at =
      arguments.at.empty() ? std::nullopt : TimeFromText(arguments.at);
  const std::optional<OneRun> run = RunForPicture(arguments.scenario, at, screen);
  if (!run) return ExitCode::kUsage;
  const scenarios::Moment& moment = *run->result.end;
  const auto partitions = ChoosePartitions(arguments, moment, screen);
  if (!partitions) return ExitCode::kUsage;
  if (arguments.dump) return Dump(arguments, moment, *partitions, screen);
  const std::optional<std::int32_t> broker =
      arguments.broker < 0 ? std::nullopt : std::optional(arguments.broker);
  const sim::Time now = at.value_or(moment.world.now());
  for (const broker::PartitionId& partition : *partitions) {
    const auto view = scenarios::ViewPartition(moment, partition, broker);
    if (!view) {
      PrintError(fmt::format("broker {} has no replica of {}", arguments.broker,
                             moment.names.NameOf(partition)),
                 "", screen);
      return ExitCode::kUsage;
    }
    DrawOne(arguments, *view, moment.names, now, screen);
  }
  screen.out << PictureLegend(screen.out_look);
  return ExitCode::kHolds;
}

Action DeclareLog(CLI::App& app) {
  auto arguments = std::make_shared<LogArguments>();
  AddScenarioArguments(app, arguments->scenario);
  auto* partitions =
      app.add_option("partition", arguments->partitions,
                     "Partitions, as orders-0; also internal ones, as __transaction_state-21. "
                     "Default: all of the scenario's topics.")
          ->type_name("PARTITION");
  app.add_option(
         "--group", arguments->group,
         "Draw the partition of __consumer_offsets that holds this group, and list only the "
         "group's records.")
      ->type_name("GROUP")
      ->excludes(partitions);
  app.add_option("--at", arguments->at, "The moment, in virtual time: 0.412s. Default: the end.")
      ->type_name("T")
      ->check(VirtualTime());
  app.add_option("--offsets", arguments->offsets,
                 "Draw only these offsets, first and last: 4500..4520.")
      ->type_name("A..B")
      ->check(Offsets());
  app.add_option("--on", arguments->broker, "Draw the replica of this broker, not the leader's.")
      ->type_name("BROKER")
      ->check(NumberBetween(0, 1'000'000));
  app.add_flag("--dump", arguments->dump,
               "Batch by batch, as Kafka's own kafka-dump-log.sh prints a log.");
  return [arguments](Screen& screen) { return DrawLogs(*arguments, screen); };
}

}  // namespace

Command LogCommand() {
  return {
      .name = "log",
      .summary = "Draw partitions at any moment of a run",
      .about =
          "[a] is decided, (a) undecided, ~a~ aborted. Each flag points at the next "
          "offset: read_committed reads to the LSO, read_uncommitted to the high "
          "watermark, the next record goes to the log end offset. Of a log that is too "
          "long the picture shows its ends, its markers and its flags, and says how many "
          "records it leaves out.",
      .examples = {{"kafkasim log zombie.yaml --at 0.412s", "all partitions at that moment"},
                   {"kafkasim log zombie.yaml orders-0", "one, at the end"},
                   {"kafkasim log zombie.yaml __transaction_state-21",
                    "what the transaction coordinator has written"},
                   {"kafkasim log zombie.yaml --group my-group",
                    "what the group coordinator has written"},
                   {"kafkasim log hung.yaml orders-0 --offsets 4500..4520", "a part of a long one"},
                   {"kafkasim log zombie.yaml orders-0 --on 2", "as broker 2 has it"}},
      .declare = DeclareLog};
}

}  // namespace kafkasim::cli

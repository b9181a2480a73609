// kafkasim txns: what kafka-transactions.sh would print at a moment of a run.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "cli/option_checks.h"
#include "cli/partition_names.h"
#include "cli/scenario_input.h"
#include "cli/text_table.h"
#include <CLI/App.hpp>
#include <fmt/format.h>

#include "scenarios/transaction_admin.h"

namespace kafkasim::cli {
namespace {

struct TxnsArguments {
  ScenarioArguments scenario{};
  std::string at{};
  std::string transactional_id{};
  std::vector<std::string> partitions{};
  std::string max_timeout{};  // minutes
};

// A table with Kafka's column names, as wide as it must be; each row has a text a column.
class AdminTable {
 public:
  AdminTable(const Look& look, const std::vector<std::string>& headings)
      : look_(look), table_(look, Columns(headings)) {}

  void AddRow(const std::vector<std::string>& texts) {
    std::vector<Line> cells;
    cells.reserve(texts.size());
    for (const std::string& text : texts) cells.emplace_back(look_, text);
    table_.AddRow(std::move(cells));
  }
  void Print(Screen& screen) const { screen.out << table_.Lines(look_.width); }

 private:
  static std::vector<TextTable::Column> Columns(const std::vector<std::string>& headings) {
    std::vector<TextTable::Column> columns;
    for (const std::string& heading : headings) columns.push_back({.heading = heading});
    return columns;
  }

  Look look_;
  TextTable table_;
};

std::string Number(std::int64_t number) { return fmt::format("{}", number); }

std::optional<scenarios::Moment> MomentOf(const TxnsArguments& arguments, Screen& screen) {
  const std::optional<sim::Time> at =
      arguments.at.empty() ? std::nullopt : TimeFromText(arguments.at);
  std::optional<OneRun> run = RunForPicture(arguments.scenario, at, screen);
  if (!run) return std::nullopt;
  return std::move(run->result.end);
}

ExitCode ListTransactions(const TxnsArguments& arguments, Screen& screen) {
  const auto moment = MomentOf(arguments, screen);
  if (!moment) return ExitCode::kUsage;
  AdminTable table(screen.out_look,
                   {"TransactionalId", "Coordinator", "ProducerId", "TransactionState"});
  for (const scenarios::ListedTransaction& listed : scenarios::TransactionsAt(*moment)) {
    const coordinator::TransactionView& transaction = listed.transaction;
    table.AddRow({transaction.transactional_id, Number(listed.coordinator),
                  Number(transaction.value.producer_id.value()),
                  std::string(Name(transaction.value.state))});
  }
  table.Print(screen);
  return ExitCode::kHolds;
}

ExitCode Describe(const TxnsArguments& arguments, Screen& screen) {
  const auto moment = MomentOf(arguments, screen);
  if (!moment) return ExitCode::kUsage;
  for (const scenarios::ListedTransaction& listed : scenarios::TransactionsAt(*moment)) {
    if (listed.transaction.transactional_id != arguments.transactional_id) continue;
    const coordinator::TransactionValue& value = listed.transaction.value;
    const bool open = value.start_timestamp_ms >= 0 && !IsComplete(value.state);
    std::string partitions;
    for (const broker::PartitionId& partition : value.partitions) {
      partitions += (partitions.empty() ? "" : ",") + moment->names.NameOf(partition);
    }
    AdminTable table(screen.out_look,
                     {"CoordinatorId", "TransactionalId", "ProducerId", "ProducerEpoch",
                      "TransactionState", "TransactionTimeoutMs", "CurrentTransactionStartTimeMs",
                      "TransactionDurationMs", "TopicPartitions"});
    table.AddRow({Number(listed.coordinator), listed.transaction.transactional_id,
                  Number(value.producer_id.value()), Number(value.producer_epoch.value()),
                  std::string(Name(value.state)), Number(value.timeout_ms),
                  open ? Number(value.start_timestamp_ms) : "None",
                  open ? Number(moment->world.now().millis() - value.start_timestamp_ms) : "None",
                  partitions});
    table.Print(screen);
    return ExitCode::kHolds;
  }
  PrintError(
      fmt::format("no coordinator knows the transactional id '{}'", arguments.transactional_id), "",
      screen);
  return ExitCode::kFails;
}

ExitCode DescribeProducers(const TxnsArguments& arguments, Screen& screen) {
  const auto moment = MomentOf(arguments, screen);
  if (!moment) return ExitCode::kUsage;
  const auto partitions = FindPartitions(arguments.partitions, moment->names, screen);
  if (!partitions) return ExitCode::kUsage;
  AdminTable table(screen.out_look,
                   {"TopicPartition", "ProducerId", "ProducerEpoch", "LatestCoordinatorEpoch",
                    "LastSequence", "LastTimestamp", "CurrentTransactionStartOffset"});
  for (const broker::PartitionId& partition : *partitions) {
    for (const auto& producer : scenarios::ProducersAt(*moment, partition)) {
      table.AddRow({moment->names.NameOf(partition), Number(producer.producer_id),
                    Number(producer.epoch), Number(producer.coordinator_epoch),
                    Number(producer.last_sequence), Number(producer.last_timestamp_ms),
                    producer.transaction_start_offset.has_value()
                        ? Number(*producer.transaction_start_offset)
                        : "None"});
    }
  }
  table.Print(screen);
  return ExitCode::kHolds;
}

ExitCode FindHanging(const TxnsArguments& arguments, Screen& screen) {
  constexpr std::int64_t kMinuteMs = 60'000;
  const auto moment = MomentOf(arguments, screen);
  if (!moment) return ExitCode::kUsage;
  AdminTable table(screen.out_look,
                   {"Topic", "Partition", "ProducerId", "ProducerEpoch", "CoordinatorEpoch",
                    "StartOffset", "LastTimestamp", "Duration(min)"});
  const std::int64_t max_timeout_ms = std::stoll(arguments.max_timeout) * kMinuteMs;
  for (const auto& producer : scenarios::HangingAt(*moment, max_timeout_ms)) {
    const std::string name = moment->names.NameOf(producer.partition);
    const std::int64_t age_ms = moment->world.now().millis() - producer.last_timestamp_ms;
    table.AddRow({name.substr(0, name.rfind('-')), Number(producer.partition.index),
                  Number(producer.producer_id), Number(producer.epoch),
                  Number(producer.coordinator_epoch), Number(*producer.transaction_start_offset),
                  Number(producer.last_timestamp_ms), Number(age_ms / kMinuteMs)});
  }
  table.Print(screen);
  return ExitCode::kHolds;
}

using Run = ExitCode (*)(const TxnsArguments&, Screen&);
using Declare = void (*)(CLI::App&, TxnsArguments&);

// A command on one moment of a run, with arguments of its own.
Command Part(std::string name, std::string summary, Run run, Declare declare) {
  return {.name = std::move(name),
          .summary = std::move(summary),
          .declare = [run, declare](CLI::App& app) -> Action {
            auto arguments = std::make_shared<TxnsArguments>();
            AddScenarioArguments(app, arguments->scenario);
            app.add_option("--at", arguments->at,
                           "The moment, in virtual time: 0.412s. Default: the end.")
                ->type_name("T")
                ->check(VirtualTime());
            declare(app, *arguments);
            return [arguments, run](Screen& screen) { return run(*arguments, screen); };
          }};
}

}  // namespace

Command TxnsCommand() {
  const Declare nothing = [](CLI::App&, TxnsArguments&) {};
  return {
      .name = "txns",
      .summary = "Print what kafka-transactions.sh would at any moment of a run",
      .about = "The columns are those of Kafka's own tool; times are milliseconds of virtual time.",
      .examples = {{"kafkasim txns list zombie.yaml --at 5s", "all transactional ids"},
                   {"kafkasim txns describe zombie.yaml pay-1", "one of them"},
                   {"kafkasim txns describe-producers zombie.yaml orders-0",
                    "what the leader knows of its producers"},
                   {"kafkasim txns find-hanging hung.yaml --max-transaction-timeout 1",
                    "transactions that nobody will end"}},
      .declare = [](CLI::App&) -> Action {
        return [](Screen& screen) {
          PrintError("txns needs a command",
                     "txns list, describe, describe-producers or find-hanging", screen);
          return ExitCode::kUsage;
        };
      },
      .parts = {
          Part("list", "List the transactional ids of all coordinators", ListTransactions, nothing),
          Part("describe", "Describe one transactional id", Describe,
               [](CLI::App& app, TxnsArguments& arguments) {
                 app.add_option("transactional_id", arguments.transactional_id,
                                "The transactional id.")
                     ->type_name("ID")
                     ->required();
               }),
          Part("describe-producers", "List the producers that a partition's leader knows",
               DescribeProducers,
               [](CLI::App& app, TxnsArguments& arguments) {
                 app.add_option("partition", arguments.partitions,
                                "Partitions, as orders-0. Default: all of the scenario's topics.")
                     ->type_name("PARTITION");
               }),
          Part("find-hanging", "Find open transactions that no coordinator knows", FindHanging,
               [](CLI::App& app, TxnsArguments& arguments) {
                 arguments.max_timeout = "15";
                 app.add_option("--max-transaction-timeout", arguments.max_timeout,
                                "Only those whose last record is older than so many minutes. "
                                "Default: 15.")
                     ->type_name("MINUTES")
                     ->check(NumberBetween(0, 1'000'000));
               })}};
}

}  // namespace kafkasim::cli

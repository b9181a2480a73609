#include "cli/transaction_log_view.h"

#include <optional>
#include <string>
#include <utility>

#include "cli/glyphs.h"
#include "cli/text_table.h"
#include <fmt/format.h>

#include "coordinator/transaction_log_record.h"
#include "coordinator/transaction_state.h"

namespace kafkasim::cli {
namespace {

using coordinator::TransactionLogRecord;

std::optional<TransactionLogRecord> Decode(const scenarios::EntryView& entry) {
  if (!entry.is_record()) return std::nullopt;
  broker::Record record;
  record.key = entry.key;
  record.value = entry.value;
  return coordinator::DecodeTransaction(record);
}

std::string StateOf(const TransactionLogRecord& record) {
  if (!record.value.has_value()) return "TOMBSTONE";
  return std::string(coordinator::UpperName(record.value->state));
}

std::string Partitions(const coordinator::TransactionValue& value,
                       const scenarios::NameTable& names) {
  std::string text;
  for (const broker::PartitionId& partition : value.partitions) {
    text += (text.empty() ? "" : " ") + names.NameOf(partition);
  }
  return text;
}

}  // namespace

bool IsTransactionLog(const scenarios::PartitionView& view) {
  return view.name.starts_with("__transaction_state-");
}

scenarios::PartitionView WithStates(scenarios::PartitionView view) {
  for (scenarios::EntryView& entry : view.entries) {
    const std::optional<TransactionLogRecord> record = Decode(entry);
    if (!record.has_value()) continue;
    entry.key.reset();
    entry.value = StateOf(*record);
    entry.actor = record->transactional_id;
  }
  return view;
}

std::vector<Line> DrawTransactionLog(const scenarios::PartitionView& view,
                                     const scenarios::NameTable& names, const Look& look) {
  TextTable table(look, {{.heading = "offset", .right = true},
                         {.heading = "written", .right = true},
                         {.heading = "transactional id"},
                         {.heading = "state"},
                         {.heading = "producer id", .right = true},
                         {.heading = "epoch", .right = true}});
  bool any = false;
  for (const scenarios::EntryView& entry : view.entries) {
    const std::optional<TransactionLogRecord> record = Decode(entry);
    if (!record.has_value()) continue;
    any = true;
    const std::string written =
        record->value.has_value()
            ? sim::FormatTime(sim::Time{} + sim::Millis(record->value->last_update_timestamp_ms))
            : "";
    std::vector<Line> cells{Line(look, fmt::format("{}", entry.offset)),
                            Line(look, written, Role::kFaint),
                            Line(look, record->transactional_id, Role::kStrong),
                            Line(look, StateOf(*record), Role::kTransaction)};
    if (record->value.has_value()) {
      const coordinator::TransactionValue& value = *record->value;
      cells.emplace_back(look, fmt::format("{}", value.producer_id));
      cells.emplace_back(look, fmt::format("{}", value.producer_epoch));
    }
    table.AddRow(std::move(cells));
    if (!record->value.has_value() || record->value->partitions.empty()) continue;
    table.AddNote(Line(look, "partitions " + Partitions(*record->value, names), Role::kFaint));
  }
  if (!any) return {};
  return table.Lines(look.width, 1);
}

}  // namespace kafkasim::cli

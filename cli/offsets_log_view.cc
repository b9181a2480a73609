#include "cli/offsets_log_view.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "cli/glyphs.h"
#include "cli/text_table.h"
#include <absl/container/btree_set.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/group_records.h"
#include "scenarios/why_offsets.h"

namespace kafkasim::cli {
namespace {

using scenarios::EntryView;
using scenarios::GroupRecordView;
using Fate = GroupRecordView::Fate;

std::string TransactionOf(const EntryView& entry) {
  return scenarios::TransactionText(entry.transactional_id, entry.actor, entry.producer_id,
                                    entry.epoch);
}

// "leader epoch 0, metadata 'x'"
std::string OffsetDetails(const GroupRecordView& record) {
  std::string text;
  if (record.leader_epoch >= 0) text += fmt::format(", leader epoch {}", record.leader_epoch);
  if (!record.metadata.empty()) text += fmt::format(", metadata '{}'", record.metadata);
  return text;
}

std::string GroupDetails(const GroupRecordView& record) {
  if (record.members.empty()) return ", no members";
  return fmt::format(", {}, {} leads", record.protocol, record.leader);
}

// "first-0-1 (static instance-1): in-0 in-1"
std::string MemberText(const scenarios::MemberOfGroup& member) {
  std::string text = member.member_id;
  if (!member.instance.empty()) text += fmt::format(" (static {})", member.instance);
  if (member.partitions.empty()) return text + ": nothing";
  return text + fmt::format(": {}", fmt::join(member.partitions, " "));
}

std::string FateText(const GroupRecordView& record) {
  switch (record.fate) {
    case Fate::kCounts:
      return fmt::format("counts since the COMMIT marker at {}", record.decided_at);
    case Fate::kPending:
      return "pending until its marker";
    case Fate::kAborted:
      return fmt::format("dropped by the ABORT marker at {}", record.decided_at);
    case Fate::kOvertaken:
      return fmt::format("never counts: overtaken, as was clear at {}", record.decided_at);
  }
  return "";
}

class Table {
 public:
  explicit Table(const Look& look)
      : look_(look),
        table_(look, {{.heading = "offset", .right = true},
                      {.heading = "written", .right = true},
                      {.heading = "group"},
                      {.heading = "record", .least = 30}}) {}

  void AddRecord(const EntryView& entry, const GroupRecordView& record) {
    std::string text = record.ShortText();
    if (!record.tombstone) {
      text += record.partition.empty() ? GroupDetails(record) : OffsetDetails(record);
    }
    AddRow(entry, record.group_id, text, Role::kPlain);
    for (const auto& member : record.members) AddNote(MemberText(member));
    if (record.producer_id >= 0) AddNote(TransactionOf(entry) + ": " + FateText(record));
  }

  void AddMarker(const EntryView& entry) {
    const bool commit = entry.kind == scenarios::EntryKind::kCommit;
    AddRow(entry, "", commit ? "COMMIT marker" : "ABORT marker",
           commit ? Role::kCommitMarker : Role::kAbortMarker);
    AddNote(TransactionOf(entry));
  }

  [[nodiscard]] std::vector<Line> Lines() const { return table_.Lines(look_.width, 1); }

 private:
  void AddRow(const EntryView& entry, std::string_view group, std::string_view text, Role role) {
    const bool seen = entry.appended.event != sim::kNoEvent;
    table_.AddRow({Line(look_, fmt::format("{}", entry.offset)),
                   Line(look_, seen ? sim::FormatTime(entry.appended.at) : "", Role::kFaint),
                   Line(look_, group, Role::kStrong), Line(look_, text, role)});
  }
  void AddNote(std::string_view text) { table_.AddNote(Line(look_, text, Role::kFaint)); }

  Look look_;
  TextTable table_;
};

}  // namespace

scenarios::PartitionView WithGroups(scenarios::PartitionView view,
                                    const scenarios::NameTable& names) {
  for (EntryView& entry : view.entries) {
    const std::optional<GroupRecordView> record = scenarios::DecodeGroupEntry(entry, names);
    if (!record.has_value()) continue;
    entry.key.reset();
    entry.value = record->ShortText();
    entry.actor = record->group_id;
  }
  return view;
}

std::vector<Line> DrawOffsetsLog(const scenarios::PartitionView& view,
                                 const scenarios::NameTable& names, std::string_view group_id,
                                 const Look& look) {
  const std::vector<GroupRecordView> records = scenarios::GroupRecords(view, names, group_id);
  if (records.empty()) {
    if (group_id.empty()) return {};
    return {Line(look, fmt::format(" no record of group {}", group_id), Role::kFaint)};
  }
  Table table(look);
  absl::btree_set<std::int64_t> decisive;
  for (const GroupRecordView& record : records) decisive.insert(record.decided_at);
  auto record = records.begin();
  for (const EntryView& entry : view.entries) {
    if (record != records.end() && record->offset == entry.offset) {
      table.AddRecord(entry, *record++);
      continue;
    }
    if (!entry.is_record() && (group_id.empty() || decisive.contains(entry.offset)))
      table.AddMarker(entry);
  }
  return table.Lines();
}

}  // namespace kafkasim::cli

#include "scenarios/group_records.h"

#include <cstddef>
#include <utility>
#include <variant>

#include <absl/container/btree_map.h>
#include <fmt/format.h>

#include "coordinator/group_log_record.h"
#include "scenarios/snapshot.h"

namespace kafkasim::scenarios {
namespace {

using RecordFate = GroupRecordView::Fate;

void TakeGroup(const coordinator::GroupMetadataRecord& record, const NameTable& names,
               GroupRecordView& view) {
  view.group_id = record.group_id;
  view.tombstone = !record.value.has_value();
  if (view.tombstone) return;
  view.timestamp_ms = record.value->state_timestamp_ms;
  view.generation = record.value->generation;
  view.protocol = record.value->protocol.value_or("");
  view.leader = record.value->leader.value_or("");
  for (const auto& stored : record.value->members) {
    MemberOfGroup member{.client = stored.client_id,
                         .member_id = stored.member_id,
                         .instance = stored.group_instance_id.value_or("")};
    for (const broker::PartitionId& partition : stored.assignment) {
      member.partitions.push_back(names.NameOf(partition));
    }
    view.members.push_back(std::move(member));
  }
}

void TakeOffset(const coordinator::OffsetCommitRecord& record, const NameTable& names,
                GroupRecordView& view) {
  view.group_id = record.group_id;
  view.partition = names.NameOf(record.partition);
  view.tombstone = !record.value.has_value();
  if (view.tombstone) return;
  view.timestamp_ms = record.value->commit_timestamp_ms;
  view.committed = record.value->offset.value();
  view.leader_epoch = record.value->leader_epoch.value();
  view.metadata = record.value->metadata;
}

// Goes through a log and finds what has become of each offset, by the rules of OffsetStore: of two
// commits the later record wins, and a tombstone takes the pending ones along.
class FateFinder {
 public:
  explicit FateFinder(std::vector<GroupRecordView>& records) : records_(records) {}

  void AddRecord(std::size_t index) {
    GroupRecordView& record = records_[index];
    if (record.partition.empty()) return;
    Slot& slot = slots_[{record.group_id, record.partition}];
    if (record.fate == RecordFate::kPending) {
      const auto [at, first] = slot.pending.try_emplace(record.producer_id, index);
      if (!first) Decide(std::exchange(at->second, index), RecordFate::kOvertaken, record.offset);
      return;
    }
    slot.committed_by = record.tombstone ? -1 : record.offset;
    if (!record.tombstone) return;
    for (const auto& [producer_id, pending] : slot.pending) {
      Decide(pending, RecordFate::kOvertaken, record.offset);
    }
    slot.pending.clear();
  }

  void AddMarker(const EntryView& marker) {
    for (auto& [key, slot] : slots_) {
      const auto at = slot.pending.find(marker.producer_id);
      if (at == slot.pending.end()) continue;
      RecordFate fate = RecordFate::kAborted;
      if (marker.kind == EntryKind::kCommit) {
        const bool later = records_[at->second].offset > slot.committed_by;
        fate = later ? RecordFate::kCounts : RecordFate::kOvertaken;
        if (later) slot.committed_by = records_[at->second].offset;
      }
      Decide(at->second, fate, marker.offset);
      slot.pending.erase(at);
    }
  }

 private:
  // The offset of one partition for one group.
  struct Slot {
    std::int64_t committed_by = -1;                        // record offset
    absl::btree_map<std::int64_t, std::size_t> pending{};  // records, by producer id
  };

  void Decide(std::size_t index, RecordFate fate, std::int64_t by) {
    records_[index].fate = fate;
    records_[index].decided_at = by;
  }

  std::vector<GroupRecordView>& records_;
  absl::btree_map<std::pair<std::string, std::string>, Slot> slots_;
};

}  // namespace

std::string GroupRecordView::ShortText() const {
  if (partition.empty()) return tombstone ? "tombstone" : fmt::format("generation {}", generation);
  return tombstone ? partition + " tombstone" : fmt::format("{} → {}", partition, committed);
}

std::string_view FateName(RecordFate fate) {
  switch (fate) {
    case RecordFate::kCounts:
      return "counts";
    case RecordFate::kPending:
      return "pending";
    case RecordFate::kAborted:
      return "aborted";
    case RecordFate::kOvertaken:
      return "overtaken";
  }
  return "";
}

std::optional<GroupRecordView> DecodeGroupEntry(const EntryView& entry, const NameTable& names) {
  if (!entry.is_record()) return std::nullopt;
  broker::Record record;
  record.key = entry.key;
  record.value = entry.value;
  const std::optional<coordinator::GroupLogRecord> read = coordinator::DecodeGroupRecord(record);
  if (!read.has_value()) return std::nullopt;
  GroupRecordView view{.offset = entry.offset};
  if (const auto* group = std::get_if<coordinator::GroupMetadataRecord>(&*read)) {
    TakeGroup(*group, names, view);
  } else {
    TakeOffset(std::get<coordinator::OffsetCommitRecord>(*read), names, view);
  }
  if (entry.transactional) {
    view.fate = RecordFate::kPending;
    view.producer_id = entry.producer_id;
  }
  return view;
}

std::vector<GroupRecordView> GroupRecords(const PartitionView& view, const NameTable& names,
                                          std::string_view group_id) {
  std::vector<GroupRecordView> records;
  FateFinder fates(records);
  for (const EntryView& entry : view.entries) {
    if (!entry.is_record()) {
      fates.AddMarker(entry);
      continue;
    }
    std::optional<GroupRecordView> record = DecodeGroupEntry(entry, names);
    if (!record.has_value()) continue;
    if (!group_id.empty() && record->group_id != group_id) continue;
    records.push_back(std::move(*record));
    fates.AddRecord(records.size() - 1);
  }
  return records;
}

PartitionView WithGroupTexts(PartitionView view, const NameTable& names) {
  for (EntryView& entry : view.entries) {
    const std::optional<GroupRecordView> record = DecodeGroupEntry(entry, names);
    if (!record.has_value()) continue;
    entry.key.reset();
    entry.value = fmt::format("{} {}", record->group_id, record->ShortText());
  }
  return view;
}

bool IsOffsetsLog(const PartitionView& view) {
  return view.name.starts_with("__consumer_offsets-");
}

}  // namespace kafkasim::scenarios

// What a partition of __consumer_offsets says of its groups: each record decoded, and what has
// become of the offsets that were committed inside transactions.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/entry_view.h"
#include "scenarios/history.h"
#include "scenarios/name_table.h"

namespace kafkasim::scenarios {

struct PartitionView;

// A member, as the records of its group and its coordinator have it.
struct MemberOfGroup {
  std::string client{};  // client.id: the actor's name unless it is set otherwise
  std::string member_id{};
  std::string instance{};                 // group.instance.id; "" for a dynamic member
  std::vector<std::string> partitions{};  // assigned to it
};

// One record. Of a group as a whole `partition` is empty; else it is the partition whose offset is
// committed.
struct GroupRecordView {
  // What an offset of a transaction has come to. An offset outside of transactions counts at once.
  enum class Fate {
    kCounts,    // it became the committed offset
    kPending,   // its transaction is open
    kAborted,   // its transaction was aborted
    kOvertaken  // its transaction was committed, but a later record had been there before
  };

  std::int64_t offset = 0;  // of the record
  std::string group_id{};
  std::string partition{};
  bool tombstone = false;          // the fields below have no meaning then
  std::int64_t timestamp_ms = -1;  // of the commit, or of the group's last change of state

  // Of a committed offset.
  std::int64_t committed = -1;
  std::int32_t leader_epoch = -1;
  std::string metadata{};
  Fate fate = Fate::kCounts;
  std::int64_t producer_id = -1;  // of its transaction; -1 for none
  std::int64_t decided_at = -1;   // the marker, or the record that overtook it; -1 for none

  // Of a group.
  std::int32_t generation = -1;
  std::string protocol{};  // the assignor; "" for none
  std::string leader{};    // the id of the member that assigns; "" for none
  std::vector<MemberOfGroup> members{};

  // As the picture of a log shows it: "in-0 → 5", "generation 2", "in-0 tombstone", "tombstone".
  [[nodiscard]] std::string ShortText() const;
};

[[nodiscard]] std::string_view FateName(GroupRecordView::Fate fate);  // "counts", "pending"

// The record behind an entry; nullopt for a marker and for what a coordinator skips. Its fate is
// kPending if it is one of a transaction.
[[nodiscard]] std::optional<GroupRecordView> DecodeGroupEntry(const EntryView& entry,
                                                              const NameTable& names);

// All records of the view, oldest first, of one group if `group_id` is not empty.
[[nodiscard]] std::vector<GroupRecordView> GroupRecords(const PartitionView& view,
                                                        const NameTable& names,
                                                        std::string_view group_id = "");

// The view with each record of a group as what it says, in place of its key and value.
[[nodiscard]] PartitionView WithGroupTexts(PartitionView view, const NameTable& names);

// Whether the view is one of __consumer_offsets.
[[nodiscard]] bool IsOffsetsLog(const PartitionView& view);

}  // namespace kafkasim::scenarios

// One entry of a log, or one record that a reader was given, with every name looked up.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "broker/ids.h"
#include "scenarios/history.h"
#include "scenarios/name_table.h"
#include "sim/ids.h"

namespace kafkasim::scenarios {

enum class EntryKind { kRecord, kCommit, kAbort };

// What has become of an entry's transaction. Markers themselves, and records outside of
// transactions, are kPlain.
enum class EntryState { kPlain, kUndecided, kCommitted, kAborted };

struct EntryView {
  std::int64_t offset = 0;
  EntryKind kind = EntryKind::kRecord;
  EntryState state = EntryState::kPlain;
  std::optional<std::string> key{};
  std::optional<std::string> value{};
  std::string actor{};             // who wrote it, or whose transaction it ends; "" if unknown
  std::string transactional_id{};  // "" if none
  std::int64_t producer_id = -1;
  std::int32_t epoch = -1;
  std::int32_t sequence = -1;           // -1 for markers and plain producers
  std::int32_t coordinator_epoch = -1;  // markers only
  bool transactional = false;
  std::int32_t leader_epoch = -1;
  std::int64_t marker_offset = -1;  // of the marker that decided its transaction; -1 = none yet
  Happening appended{};             // event 0 if it was not seen

  bool is_record() const { return kind == EntryKind::kRecord; }
};

// The entry in the notation of the language: `old:42=paid`, `COMMIT`; a tombstone is `42=null`.
// With `with_actor` false the actor is left out: `42=paid`.
std::string EntryText(const EntryView& entry, bool with_actor = true);

// `[a, b, COMMIT]`; a long list is cut in the middle: `[a, b, … 8990 more …, z]`.
std::string EntriesText(const std::vector<EntryView>& entries, bool with_actor = true);
// The same for anything that is a text already.
std::string ListText(const std::vector<std::string>& texts);

// A delivered record as an entry.
EntryView ViewDelivered(const DeliveredRecord& record, const History& history);

}  // namespace kafkasim::scenarios

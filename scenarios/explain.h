// The why-engine: for a moment, a partition, an offset and an isolation level, whether a reader
// gets what is there, and why. The one place that decides it: pictures, failed expectations and
// exercises ask here.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "broker/ids.h"
#include "broker/messages_data.h"
#include "scenarios/findings.h"
#include "scenarios/moment.h"
#include "scenarios/snapshot.h"

namespace kafkasim::scenarios {

enum class Visibility {
  kVisible,                 // a reader that comes here is given the record
  kUnreadable,              // there is no leader that could answer anybody
  kBeyondHighWatermark,     // not on all in-sync replicas yet
  kHeldByLastStableOffset,  // replicated, but behind an undecided transaction
  kAborted,                 // the client leaves it out: its transaction was aborted
  kControlRecord,           // a marker; no client is ever given one
  kGone,                    // before the log start offset
  kBeyondLogEnd,            // nothing has been written there yet
};
std::string_view VisibilityName(
    Visibility visibility);  // "visible", "held by the last stable offset"

struct Explanation {
  broker::PartitionId partition{};
  std::string partition_name{};
  std::int64_t offset = 0;
  broker::IsolationLevel isolation_level = broker::IsolationLevel::kReadCommitted;
  sim::Time at{};

  Visibility visibility = Visibility::kVisible;
  std::string sentence{};  // the whole answer for people, with a full stop

  // What it rests on.
  std::int64_t log_end_offset = 0;
  std::int64_t high_watermark = 0;
  std::int64_t last_stable_offset = 0;
  std::optional<EntryView> entry{};             // what is at the offset
  std::optional<OpenTransactionView> pinned{};  // kHeldByLastStableOffset: who holds it
  std::int64_t marker_offset = -1;              // kAborted: where the ABORT marker stands
  std::vector<std::int32_t> lagging{};          // kBeyondHighWatermark: in-sync replicas without it
  // Events behind it, oldest first: how the entry was written, and what decided its fate.
  std::vector<CauseLine> chain{};
};

[[nodiscard]] Explanation Explain(const Moment& moment, const broker::PartitionId& partition,
                                  std::int64_t offset, broker::IsolationLevel isolation_level);

// What led to an event, as sentences, oldest first; the event itself is the last one. Empty if the
// trace was not kept.
[[nodiscard]] std::vector<CauseLine> ChainTo(const Moment& moment, sim::EventId event);

}  // namespace kafkasim::scenarios

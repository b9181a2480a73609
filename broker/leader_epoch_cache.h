// At which offset each leader epoch of a log began: how two replicas find out where their logs part
// (KIP-101, KIP-279). Follows Kafka's LeaderEpochFileCache, Kafka 4.4 development line. Durable: it
// is flushed at every assignment, and cut to the log when that is loaded.
#pragma once

#include <ostream>
#include <span>

#include <absl/container/inlined_vector.h>

#include "broker/ids.h"
#include "sim/fingerprint.h"

namespace kafkasim::broker {

struct EpochEntry {
  LeaderEpoch epoch{0};
  Offset start_offset{0};

  friend constexpr bool operator==(const EpochEntry&, const EpochEntry&) = default;
  void AppendTo(sim::CanonicalBytes& out) const;
};
std::ostream& operator<<(std::ostream& out, const EpochEntry& entry);

// Where an epoch ends: the answer to OffsetForLeaderEpoch.
struct EpochEndOffset {
  LeaderEpoch epoch = kNoLeaderEpoch;  // the largest known one that is not above the asked one
  Offset end_offset = kNoOffset;       // exclusive

  friend constexpr bool operator==(const EpochEndOffset&, const EpochEndOffset&) = default;
};
std::ostream& operator<<(std::ostream& out, const EpochEndOffset& end);

class LeaderEpochCache {
 public:
  // `epoch` begins at `start_offset`, unless it is the latest one already and began before. Entries
  // that contradict it (an epoch or an offset that is not lower) are dropped.
  void Assign(LeaderEpoch epoch, Offset start_offset);
  // The end of `epoch` in a log that ends at `log_end_offset`: the start of the next known epoch.
  // An epoch older than all known ones ends where the first of them starts. (-1, -1) for an epoch
  // newer than all known ones, and for -1.
  [[nodiscard]] EpochEndOffset EndOffsetFor(LeaderEpoch epoch, Offset log_end_offset) const;
  // -1 if there is none.
  [[nodiscard]] LeaderEpoch latest_epoch() const;
  // The epoch of the record at `offset`; -1 if it is before the first entry.
  [[nodiscard]] LeaderEpoch EpochForOffset(Offset offset) const;

  // The log now ends at `end_offset`: drops epochs that begin there or later.
  void TruncateFromEnd(Offset end_offset);
  // The log now starts at `start_offset`: the epoch in force there begins there, older ones go.
  void TruncateFromStart(Offset start_offset);
  void Clear() { entries_.clear(); }

  [[nodiscard]] std::span<const EpochEntry> entries() const { return entries_; }

  friend bool operator==(const LeaderEpochCache&, const LeaderEpochCache&) = default;
  void AppendTo(sim::CanonicalBytes& out) const { out.AddAll(entries_); }

 private:
  absl::InlinedVector<EpochEntry, 4> entries_;  // by epoch, and so by start offset
};

}  // namespace kafkasim::broker

#include "broker/leader_epoch_cache.h"

#include <algorithm>

#include "sim/check.h"

namespace kafkasim::broker {

void EpochEntry::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(epoch);
  out.Add(start_offset);
}

std::ostream& operator<<(std::ostream& out, const EpochEntry& entry) {
  return out << "epoch " << entry.epoch << " from " << entry.start_offset;
}

std::ostream& operator<<(std::ostream& out, const EpochEndOffset& end) {
  return out << "epoch " << end.epoch << " to " << end.end_offset;
}

void LeaderEpochCache::Assign(LeaderEpoch epoch, Offset start_offset) {
  if (!entries_.empty()) {
    const EpochEntry& latest = entries_.back();
    if (latest.epoch == epoch && latest.start_offset <= start_offset) return;
  }
  KAFKASIM_CHECK(epoch >= LeaderEpoch(0), "a leader has an epoch");
  while (!entries_.empty() &&
         (entries_.back().epoch >= epoch || entries_.back().start_offset >= start_offset)) {
    entries_.pop_back();
  }
  entries_.push_back({epoch, start_offset});
}

EpochEndOffset LeaderEpochCache::EndOffsetFor(LeaderEpoch epoch, Offset log_end_offset) const {
  if (epoch == kNoLeaderEpoch || epoch > latest_epoch()) return {};
  if (epoch == latest_epoch()) return {epoch, log_end_offset};
  const auto higher = std::ranges::upper_bound(entries_, epoch, {}, &EpochEntry::epoch);
  if (higher == entries_.begin()) return {epoch, higher->start_offset};
  return {std::prev(higher)->epoch, higher->start_offset};
}

LeaderEpoch LeaderEpochCache::latest_epoch() const {
  return entries_.empty() ? kNoLeaderEpoch : entries_.back().epoch;
}

LeaderEpoch LeaderEpochCache::EpochForOffset(Offset offset) const {
  const auto higher = std::ranges::upper_bound(entries_, offset, {}, &EpochEntry::start_offset);
  return higher == entries_.begin() ? kNoLeaderEpoch : std::prev(higher)->epoch;
}

void LeaderEpochCache::TruncateFromEnd(Offset end_offset) {
  while (!entries_.empty() && entries_.back().start_offset >= end_offset) entries_.pop_back();
}

void LeaderEpochCache::TruncateFromStart(Offset start_offset) {
  const auto later =
      std::ranges::upper_bound(entries_, start_offset, {}, &EpochEntry::start_offset);
  if (later == entries_.begin()) return;
  const auto in_force = std::prev(later);
  in_force->start_offset = start_offset;
  entries_.erase(entries_.begin(), in_force);
}

}  // namespace kafkasim::broker

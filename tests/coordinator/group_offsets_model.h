// The offsets of one simple group as a coordinator has to treat them, for tests that hold the real
// one against it: the records and markers of __consumer_offsets in their order, and every answer
// read off them. TV2: each transaction ends with a marker of the next epoch.
//
// A transactional offset counts from its COMMIT marker on, unless a record written after it has
// been committed before (the later record wins); until then the partition is unstable (KIP-447).
// Seven days after it was written an offset is forgotten at the next check, which comes every ten
// minutes from the coordinator's start on, unless a transaction is open for its partition.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "broker/error_code.h"

namespace kafkasim::coordinator {

class GroupOffsetsModel {
 public:
  static constexpr std::int64_t kPlain = -1;  // a producer id: of a commit outside transactions
  static constexpr std::int64_t kRetentionMs = 7LL * 86'400'000;
  static constexpr std::int64_t kCheckMs = 600'000;

  [[nodiscard]] std::int64_t now_ms() const { return now_ms_; }
  [[nodiscard]] std::int64_t EpochOf(std::int64_t producer_id) const {
    const auto at = epochs_.find(producer_id);
    return at == epochs_.end() ? 0 : at->second;
  }

  void Commit(std::int32_t partition, std::int64_t offset) {
    entries_.push_back({Kind::kOffset, kPlain, partition, offset, now_ms_});
  }

  broker::ErrorCode CommitInTransaction(std::int64_t producer_id, std::int64_t epoch,
                                        std::int32_t partition, std::int64_t offset) {
    if (epoch < EpochOf(producer_id)) return broker::ErrorCode::kInvalidProducerEpoch;
    entries_.push_back({Kind::kOffset, producer_id, partition, offset, now_ms_});
    return broker::ErrorCode::kNone;
  }

  // A marker of the current epoch is one that comes again, if nothing is open.
  broker::ErrorCode Mark(std::int64_t producer_id, std::int64_t epoch, bool commit) {
    const bool repeated = epoch == EpochOf(producer_id) && !HasOpen(producer_id);
    if (epoch <= EpochOf(producer_id) && !repeated) {
      return broker::ErrorCode::kInvalidProducerEpoch;
    }
    epochs_[producer_id] = epoch;
    entries_.push_back(
        {commit ? Kind::kCommitMarker : Kind::kAbortMarker, producer_id, -1, -1, now_ms_});
    return broker::ErrorCode::kNone;
  }

  void Wait(std::int64_t ms) {
    now_ms_ += ms;
    const std::int64_t last_check = loaded_ms_ + (now_ms_ - loaded_ms_) / kCheckMs * kCheckMs;
    if (last_check <= now_ms_ - ms) return;
    for (std::int32_t partition = 0; partition < 3; ++partition) {
      const State state = StateOf(partition);
      if (!state.committed.has_value() || !state.pending.empty()) continue;
      if (state.committed->written_ms + kRetentionMs > last_check) continue;
      entries_.push_back({Kind::kTombstone, kPlain, partition, -1, last_check});
    }
  }

  // Another coordinator reads the log.
  void Failover() { loaded_ms_ = now_ms_; }

  // -1: none.
  [[nodiscard]] std::int64_t Committed(std::int32_t partition) const {
    const State state = StateOf(partition);
    return state.committed.has_value() ? state.committed->offset : -1;
  }
  [[nodiscard]] bool IsStable(std::int32_t partition) const {
    return StateOf(partition).pending.empty();
  }

 private:
  enum class Kind : std::uint8_t { kOffset, kCommitMarker, kAbortMarker, kTombstone };
  struct Entry {
    Kind kind = Kind::kOffset;
    std::int64_t producer_id = kPlain;
    std::int32_t partition = -1;
    std::int64_t offset = -1;
    std::int64_t written_ms = 0;
  };
  // What a reader of the log knows of one partition.
  struct State {
    std::optional<Entry> committed{};
    std::size_t committed_at = 0;                   // index of its entry
    std::map<std::int64_t, std::size_t> pending{};  // by producer: index of its last entry
  };

  [[nodiscard]] State StateOf(std::int32_t partition) const {
    State state;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const Entry& entry = entries_[i];
      const auto decided = state.pending.find(entry.producer_id);
      if (entry.kind == Kind::kCommitMarker && decided != state.pending.end()) {
        const bool later = !state.committed.has_value() || decided->second > state.committed_at;
        if (later) state.committed = entries_[state.committed_at = decided->second];
      }
      if (entry.kind == Kind::kCommitMarker || entry.kind == Kind::kAbortMarker) {
        state.pending.erase(entry.producer_id);
      }
      if (entry.partition != partition) continue;
      if (entry.kind == Kind::kTombstone) state.committed.reset();
      if (entry.kind != Kind::kOffset) continue;
      if (entry.producer_id == kPlain) {
        state.committed = entries_[state.committed_at = i];
      } else {
        state.pending[entry.producer_id] = i;
      }
    }
    return state;
  }

  [[nodiscard]] bool HasOpen(std::int64_t producer_id) const {
    bool open = false;
    for (const Entry& entry : entries_) {
      if (entry.producer_id == producer_id) open = entry.kind == Kind::kOffset;
    }
    return open;
  }

  std::vector<Entry> entries_;
  std::map<std::int64_t, std::int64_t> epochs_;
  std::int64_t now_ms_ = 0;
  std::int64_t loaded_ms_ = 0;
};

}  // namespace kafkasim::coordinator

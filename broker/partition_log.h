// The log of one replica of one partition: batches in offset order, the state of their producers,
// the high watermark and the last stable offset. Follows Kafka's UnifiedLog with LocalLog,
// LogLoader and ReplicaManager's checkpoints (KIP-98, KIP-101, KIP-890), Kafka 4.4 development
// line.
//
// A value: it knows neither its partition's name nor time nor other replicas. `now_ms` is the
// caller's clock. Offsets called "end" and the high watermark are exclusive. What is durable: the
// batches (after a crash of the machine only the flushed ones), snapshots, leader epochs,
// checkpoints.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <span>
#include <vector>

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include "broker/ids.h"
#include "broker/leader_epoch_cache.h"
#include "broker/log_append.h"
#include "broker/log_chunk.h"
#include "broker/log_config.h"
#include "broker/producer_state_manager.h"
#include "broker/record_batch.h"
#include "broker/transaction_index.h"
#include "broker/verification_state.h"
#include "sim/cow.h"
#include "sim/fingerprint.h"
#include "sim/process.h"

namespace kafkasim::broker {

// How far a reader sees (Kafka's FetchIsolation): a follower, or a consumer that debugs, to the end
// of the log; read_uncommitted to the high watermark; read_committed to the last stable offset.
enum class FetchIsolation : uint8_t { kLogEnd, kHighWatermark, kTxnCommitted };

struct ReadOptions {
  FetchIsolation isolation = FetchIsolation::kHighWatermark;
  int64_t max_bytes = 1'048'576;
  // The first batch is returned even if it is larger than max_bytes.
  bool min_one_message = true;
};

struct ReadResult {
  RecordBatches batches{};  // whole ones, of one segment
  int64_t bytes = 0;
  // The aborted transactions that overlap what was read, perhaps some beyond it: for kTxnCommitted.
  std::vector<AbortedTxn> aborted{};
};

// The answer to a timestamp query; offset -1: there is no such record.
struct TimestampAndOffset {
  int64_t timestamp_ms = -1;
  Offset offset = kNoOffset;
  LeaderEpoch leader_epoch = kNoLeaderEpoch;

  friend constexpr bool operator==(const TimestampAndOffset&, const TimestampAndOffset&) = default;
};
std::ostream& operator<<(std::ostream& out, const TimestampAndOffset& found);

struct CleanedBatches;

// A segment, as retention and the cleaner look at it. `base_offset` may be below its first batch.
struct LogSegment {
  Offset base_offset{0};
  Offset upper_bound{0};  // where the next one begins, or the log ends
  size_t first_chunk = 0;
  size_t chunks = 0;
  int64_t size_bytes = 0;
  int64_t first_timestamp_ms = -1;    // of its first batch
  int64_t largest_timestamp_ms = -1;  // what its age counts from
  bool active = false;
};

// What the cleaner would do with a log (Kafka's LogToClean).
struct LogToClean {
  Offset first_dirty{0};        // what is below has been cleaned
  Offset first_uncleanable{0};  // begins a segment
  int64_t clean_bytes = 0;
  int64_t cleanable_bytes = 0;
  bool must = false;  // max.compaction.lag.ms has passed

  // Whether it is dirty enough: the share of dirty bytes is above min.cleanable.dirty.ratio.
  [[nodiscard]] bool IsDue(const Ratio& min_ratio) const;
};
// Whether `a` has the larger share of dirty bytes.
[[nodiscard]] bool IsFilthier(const LogToClean& a, const LogToClean& b);

// What a pass of the cleaner did.
struct CleaningResult {
  Offset from{0};  // the dirty part that was cleaned; none if both are equal
  Offset to{0};
  int64_t records_removed = 0;
  int64_t markers_removed = 0;

  [[nodiscard]] bool nothing() const { return from == to; }
};

class PartitionLog {
 public:
  explicit PartitionLog(const LogConfig& config = {}) : config_(config) {}

  [[nodiscard]] const LogConfig& config() const { return config_; }
  void set_config(const LogConfig& config) { config_ = config; }

  // ---- Offsets ----
  [[nodiscard]] Offset log_start_offset() const { return log_start_offset_; }
  [[nodiscard]] Offset log_end_offset() const { return log_end_offset_; }
  [[nodiscard]] Offset high_watermark() const { return high_watermark_; }
  // min(high watermark, first unstable offset).
  [[nodiscard]] Offset last_stable_offset() const;
  // First offset of a transaction that is open, or ended by a marker that is not below the high
  // watermark; not below the log start offset. nullopt if there is none.
  [[nodiscard]] std::optional<Offset> first_unstable_offset() const;
  // Where `isolation` ends.
  [[nodiscard]] Offset ReadBound(FetchIsolation isolation) const;
  // Up to here the disk has the log for good (Kafka's recovery point).
  [[nodiscard]] Offset flushed_offset() const { return flushed_offset_; }
  [[nodiscard]] const LeaderEpochCache& leader_epochs() const { return leader_epochs_; }
  // The end of `epoch` here; see LeaderEpochCache::EndOffsetFor.
  [[nodiscard]] EpochEndOffset EndOffsetFor(LeaderEpoch epoch) const {
    return leader_epochs_.EndOffsetFor(epoch, log_end_offset_);
  }

  // ---- Writing ----
  // Takes the leader's epoch: it begins at the end of the log.
  void StartLeaderEpoch(LeaderEpoch epoch) { leader_epochs_.Assign(epoch, log_end_offset_); }
  // Appends a batch as the leader of `epoch`, which assigns its offsets. Origin client or
  // coordinator. A duplicate is answered with its first append's offsets. Changes nothing on error:
  //   INVALID_RECORD                  see CheckRecords
  //   MESSAGE_TOO_LARGE               larger than max.message.bytes
  //   RECORD_LIST_TOO_LARGE           larger than segment.bytes
  //   INVALID_PRODUCER_EPOCH, INVALID_TXN_STATE, OUT_OF_ORDER_SEQUENCE_NUMBER,
  //   TRANSACTION_COORDINATOR_FENCED  see CheckAppend
  [[nodiscard]] absl::StatusOr<AppendInfo> AppendAsLeader(const RecordBatch& batch,
                                                          LeaderEpoch epoch,
                                                          const AppendOptions& options);
  // Appends what a follower of `epoch` fetched, offsets as they are; gaps are fine. Batches from
  // the first one of a higher epoch on are left out (KAFKA-18723). An empty log that starts inside
  // the first batch starts again at that batch's base offset. Changes nothing on error:
  //   UNKNOWN_SERVER_ERROR  a batch begins below the log end offset (UnexpectedAppendOffset)
  [[nodiscard]] absl::Status AppendAsFollower(std::span<const RecordBatchRef> batches,
                                              LeaderEpoch epoch);

  // ---- Verification (KIP-890) ----
  // Before the first batch of a transaction: the guard to append with, after the coordinator has
  // confirmed the transaction. kNoVerificationGuard if the transaction is open here already, so
  // that the coordinator need not be asked.
  //   INVALID_PRODUCER_EPOCH  `epoch` is older than the last seen one
  [[nodiscard]] absl::StatusOr<VerificationGuard> MaybeStartTransactionVerification(
      ProducerId producer_id, Sequence sequence, ProducerEpoch epoch, bool supports_epoch_bump,
      int64_t now_ms);
  // Whether a transaction of exactly this epoch is open here.
  [[nodiscard]] bool HasOngoingTransaction(ProducerId producer_id, ProducerEpoch epoch) const;

  // ---- High watermark and log start ----
  // For a leader: raises it; false if it is not higher. Beyond the log end is a bug.
  bool MaybeIncrementHighWatermark(Offset high_watermark);
  // For a follower, and for a new leader: sets it, within [log start, log end]; may lower it.
  // Returns the value set.
  Offset SetHighWatermark(Offset high_watermark);
  // DeleteRecords, or a follower learning of it: true if it is higher than before. Segments are
  // deleted by DeleteOldSegments only.
  //   OFFSET_OUT_OF_RANGE  above the high watermark
  [[nodiscard]] absl::StatusOr<bool> MaybeIncrementLogStartOffset(Offset offset);
  // Forgets idle producers and stale verifications (producer.id.expiration.ms).
  void RemoveExpiredProducers(int64_t now_ms);

  // ---- Retention (partition_log_retention.cc) ----
  // Deletes the oldest segments that are wholly below the log start offset and, if cleanup.policy
  // has delete, those by which the log is larger than retention.bytes, and those whose youngest
  // record is older than retention.ms; a full active segment is rolled first. Nothing at or above
  // the high watermark goes. The log start offset follows; producers stay. How many?
  int DeleteOldSegments(int64_t now_ms);
  // From when on DeleteOldSegments would find something, if the high watermark allows it; nullopt
  // if never, as things stand.
  [[nodiscard]] std::optional<int64_t> NextDeletionMs() const;

  // Until when retention.ms keeps a segment whose youngest record is that old; nullopt = for ever.
  [[nodiscard]] std::optional<int64_t> RetainedUntilMs(int64_t timestamp_ms) const;

  // ---- Compaction (partition_log_clean.cc) ----
  // What can be cleaned: neither the active segment, nor what is at or above the last stable
  // offset, nor what is younger than min.compaction.lag.ms.
  [[nodiscard]] LogToClean WhatToClean(int64_t now_ms) const;
  // From when on the log is due; nullopt if never, as things stand.
  [[nodiscard]] std::optional<int64_t> NextCleaningMs(int64_t now_ms) const;
  // One pass (cleaner.h) over all segments below what is not cleanable; small ones are joined, up
  // to segment.bytes. The index of aborted transactions and the snapshots follow. Does nothing if
  // nothing is both dirty and cleanable.
  CleaningResult CleanNow(int64_t now_ms);
  // Up to here the log has been cleaned (cleaner-offset-checkpoint).
  [[nodiscard]] Offset cleaner_checkpoint() const { return cleaner_checkpoint_; }
  // Whether there is a segment beside the active one.
  [[nodiscard]] bool HasInactiveSegment() const {
    return !chunks_.empty() &&
           (active_segment_is_empty_ ||
            chunks_.front()->segment_base_offset() != chunks_.back()->segment_base_offset());
  }
  // By offset; the active one, which may be empty, comes last.
  [[nodiscard]] std::vector<LogSegment> Segments() const;

  // ---- Reading ----
  // Batches from the one that holds `from` on, of one segment, below the isolation's bound. Nothing
  // at or beyond the bound, which is no error up to the log end.
  //   OFFSET_OUT_OF_RANGE  below the log start or above the log end
  [[nodiscard]] absl::StatusOr<ReadResult> Read(Offset from, const ReadOptions& options) const;
  // The aborted transactions that overlap [from, upper_bound), in the order of their markers.
  [[nodiscard]] std::vector<AbortedTxn> CollectAbortedTxns(Offset from, Offset upper_bound) const;
  // ListOffsets. `timestamp_ms` is a time, or -1 latest, -2 earliest, -3 the latest timestamp. The
  // first record at or after the time is found only below the isolation's bound.
  //   OFFSET_NOT_AVAILABLE  a consumer asks for the latest, or for a time whose record is not below
  //                         the bound, while the high watermark has not reached
  //                         `leader_epoch_start` after an election
  [[nodiscard]] absl::StatusOr<TimestampAndOffset> ListOffsets(int64_t timestamp_ms,
                                                               FetchIsolation isolation,
                                                               Offset leader_epoch_start) const;
  // The batch that holds `offset`, or the first one after it; null if there is none.
  [[nodiscard]] const RecordBatch* FindBatch(Offset offset) const;
  // Calls visit(const RecordBatchRef&) for each batch that ends at or after `from`, in order.
  template <typename Visitor>
  void ForEachBatch(Offset from, Visitor visit) const;

  // Whether it is the log `earlier` with perhaps more at its end: from the same start the very same
  // batches, which both share. False proves nothing.
  [[nodiscard]] bool Extends(const PartitionLog& earlier) const;

  // ---- Truncation ----
  // Ends the log at `target`; at or above the log end only the leader epochs are cut. Producer
  // state comes from the newest snapshot that is left and a replay of the log. False if nothing was
  // cut.
  bool TruncateTo(Offset target, int64_t now_ms);
  // Forgets everything and starts at `offset`.
  void TruncateFullyAndStartAt(Offset offset);

  // ---- Durability ----
  // fsync of everything. Kafka's default never does it; a segment is flushed when it is rolled.
  void Flush() { flushed_offset_ = log_end_offset_; }
  // Starts a new segment: snapshot of the producers, flush of what is before.
  void Roll();
  // replication-offset-checkpoint (every replica.high.watermark.checkpoint.interval.ms) and
  // log-start-offset-checkpoint (every log.flush.start.offset.checkpoint.interval.ms).
  void CheckpointHighWatermark() { high_watermark_checkpoint_ = high_watermark_; }
  void CheckpointLogStartOffset() { log_start_offset_checkpoint_ = log_start_offset_; }
  // A clean shutdown: flush, snapshot, both checkpoints.
  void CloseCleanly();
  // A crash: memory is gone, and with the machine what is not flushed, and with the disk
  // everything. Until Recover() only batches, offsets and snapshots may be looked at.
  void Crash(sim::CrashKind kind);
  // Loads the log after a crash or a shutdown (LogLoader): producer state as a snapshot at the log
  // end gives it, hence one batch a producer; the high watermark from its checkpoint.
  void Recover(int64_t now_ms);

  // ---- For views and expectations ----
  [[nodiscard]] const ProducerStateManager& producers() const { return producers_; }
  [[nodiscard]] const VerificationStates& verifications() const { return verifications_; }
  [[nodiscard]] const std::vector<sim::Cow<LogChunk>>& chunks() const { return chunks_; }
  // For Bug::kOpenTransactionsForgotten.
  void ForgetOpenTransactions() { producers_.ForgetOpenTransactions(); }
  // Whether `offset` lies in an older segment than `bound`.
  [[nodiscard]] bool OnOlderSegment(Offset offset, Offset bound) const;
  // Base offsets of the segments; an empty active segment is not among them.
  [[nodiscard]] std::vector<Offset> segment_base_offsets() const;
  [[nodiscard]] std::vector<AbortedTxn> aborted_txns() const;
  [[nodiscard]] int64_t size_bytes() const;

  void AppendTo(sim::CanonicalBytes& out) const;

 private:
  [[nodiscard]] absl::Status CheckForLeader(const RecordBatch& batch, int64_t size,
                                            AppendOrigin origin) const;
  // Puts a batch with its final offsets into the log and publishes its effects.
  ProducerStateManager::Outcome Publish(RecordBatchRef batch, int64_t size);
  // The chunk that takes the next batch, of `size` bytes; starts a segment if this one is full.
  LogChunk& ChunkForAppend(const RecordBatch& batch, int64_t size);
  void StartSegment(Offset base_offset);

  // Deletes segments from the oldest one on while `deletable(segment)` holds.
  template <typename Predicate>
  int DeleteSegmentsWhile(Predicate deletable);
  void SetFirstTimestampOfActiveSegment();
  // Puts what the cleaner left in the place of `old`, the first segments of the log.
  void ReplaceSegments(const std::vector<LogSegment>& old, const CleanedBatches& cleaned);

  // Index of the chunk with the first batch that ends at or after `offset`.
  [[nodiscard]] size_t FindChunk(Offset offset) const;
  // Where the offset index places the end of a read of bytes up to `end_position` in `chunk`.
  [[nodiscard]] Offset FetchUpperBound(size_t chunk, int64_t end_position) const;
  [[nodiscard]] std::optional<TimestampAndOffset> SearchTimestamp(int64_t timestamp_ms) const;
  [[nodiscard]] std::optional<TimestampAndOffset> MaxTimestamp() const;

  // Base offsets of all segments, an empty active one included.
  [[nodiscard]] std::vector<Offset> AllSegmentBases() const;
  [[nodiscard]] Offset FirstSegmentBase() const;
  // Drops the batches that end at or after `end`, and ends the log there.
  void CutBatches(Offset end);
  void RebuildProducerState(int64_t now_ms);
  void Replay(const RecordBatch& batch);
  void RemoveStraySnapshots();

  LogConfig config_;
  Offset log_start_offset_{0};
  Offset log_end_offset_{0};
  Offset high_watermark_{0};
  Offset flushed_offset_{0};
  Offset high_watermark_checkpoint_{0};
  Offset log_start_offset_checkpoint_{0};
  Offset last_abort_offset_ = kNoOffset;  // of the last ABORT marker that ended a transaction
  // The active segment has no chunk while it is empty, only a base offset.
  Offset active_segment_base_{0};
  bool active_segment_is_empty_ = true;
  int64_t active_segment_first_timestamp_ms_ = -1;  // no state: of its first batch
  bool closed_cleanly_ = false;
  Offset cleaner_checkpoint_{0};
  std::vector<sim::Cow<LogChunk>> chunks_;  // by offset; none is empty
  ProducerStateManager producers_;
  VerificationStates verifications_;
  LeaderEpochCache leader_epochs_;
};

template <typename Visitor>
void PartitionLog::ForEachBatch(Offset from, Visitor visit) const {
  for (size_t c = FindChunk(from); c < chunks_.size(); ++c) {
    const LogChunk& chunk = *chunks_[c];
    for (size_t i = chunk.LowerBound(from); i < chunk.size(); ++i) visit(chunk.entries()[i].batch);
  }
}

}  // namespace kafkasim::broker

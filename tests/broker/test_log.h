// Short words for batches, and a leader's log to send them to.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "broker/error_code.h"
#include "broker/partition_log.h"

namespace kafkasim::broker::testing {

inline RecordBatch Plain(int records = 1, int64_t timestamp_ms = 0) {
  std::vector<Record> made;
  for (int i = 0; i < records; ++i) {
    made.push_back({.key = "k", .value = "value", .timestamp_ms = timestamp_ms});
  }
  return MakeBatch(std::move(made));
}

inline RecordBatch Idempotent(int64_t producer_id, int16_t epoch, int32_t sequence, int records = 1,
                              int64_t timestamp_ms = 0) {
  RecordBatch batch = Plain(records, timestamp_ms);
  batch.producer_id = ProducerId(producer_id);
  batch.producer_epoch = ProducerEpoch(epoch);
  batch.base_sequence = Sequence(sequence);
  return batch;
}

inline RecordBatch Transactional(int64_t producer_id, int16_t epoch, int32_t sequence,
                                 int records = 1, int64_t timestamp_ms = 0) {
  RecordBatch batch = Idempotent(producer_id, epoch, sequence, records, timestamp_ms);
  batch.transactional = true;
  return batch;
}

inline RecordBatch Marker(ControlType type, int64_t producer_id, int16_t epoch,
                          int32_t coordinator_epoch = 0, int64_t timestamp_ms = 0) {
  return MakeMarkerBatch(ProducerId(producer_id), ProducerEpoch(epoch),
                         {.type = type, .coordinator_epoch = CoordinatorEpoch(coordinator_epoch)},
                         timestamp_ms);
}
inline RecordBatch Commit(int64_t producer_id, int16_t epoch, int32_t coordinator_epoch = 0) {
  return Marker(ControlType::kCommit, producer_id, epoch, coordinator_epoch);
}
inline RecordBatch Abort(int64_t producer_id, int16_t epoch, int32_t coordinator_epoch = 0) {
  return Marker(ControlType::kAbort, producer_id, epoch, coordinator_epoch);
}

// As a follower gets it: with its offset.
inline RecordBatchRef At(int64_t offset, RecordBatch batch, int32_t leader_epoch = 0) {
  batch.base_offset = Offset(offset);
  batch.partition_leader_epoch = LeaderEpoch(leader_epoch);
  return std::make_shared<const RecordBatch>(std::move(batch));
}

// A leader's log of leader epoch 0. Transactions are not verified unless a test switches it on.
struct TestLog {
  PartitionLog log{LogConfig{.transaction_partition_verification_enable = false}};
  int16_t marker_version = 1;  // transaction.version of the markers

  absl::StatusOr<AppendInfo> Append(const RecordBatch& batch,
                                    VerificationGuard guard = kNoVerificationGuard) {
    const AppendOptions options{
        .origin = batch.is_control() ? AppendOrigin::kCoordinator : AppendOrigin::kClient,
        .guard = guard,
        .transaction_version = batch.is_control() ? marker_version : kUnknownTransactionVersion};
    return log.AppendAsLeader(batch, LeaderEpoch(0), options);
  }
  // The error of an append.
  ErrorCode Try(const RecordBatch& batch, VerificationGuard guard = kNoVerificationGuard) {
    return CodeOf(Append(batch, guard).status());
  }
  // An append that must succeed; its first offset.
  int64_t Send(const RecordBatch& batch) {
    const auto info = Append(batch);
    EXPECT_TRUE(info.ok()) << info.status();
    return info.ok() ? info->first_offset.value() : -1;
  }
  // All replicas have everything / everything below `end`.
  void Replicate() { log.MaybeIncrementHighWatermark(log.log_end_offset()); }
  void ReplicateTo(int64_t end) { log.MaybeIncrementHighWatermark(Offset(end)); }

  [[nodiscard]] int64_t lso() const { return log.last_stable_offset().value(); }
  [[nodiscard]] int64_t end() const { return log.log_end_offset().value(); }
  [[nodiscard]] const ProducerStateEntry* producer(int64_t id) const {
    return log.producers().Find(ProducerId(id));
  }
  [[nodiscard]] ReadResult Read(int64_t from, FetchIsolation isolation) const {
    auto result = log.Read(Offset(from), {.isolation = isolation});
    EXPECT_TRUE(result.ok()) << result.status();
    return result.ok() ? *std::move(result) : ReadResult{};
  }
};

// The same log on a follower: what `leader` has, fetched.
inline PartitionLog FollowerOf(const PartitionLog& leader) {
  std::vector<RecordBatchRef> batches;
  leader.ForEachBatch(Offset(0), [&](const RecordBatchRef& batch) { batches.push_back(batch); });
  PartitionLog follower(leader.config());
  EXPECT_TRUE(follower.AppendAsFollower(batches, LeaderEpoch(100)).ok());
  return follower;
}

}  // namespace kafkasim::broker::testing

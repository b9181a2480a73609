// The answer to a fetch of one partition, from which polls take their records: class
// CompletedFetch, Kafka 4.4 development line.
//
// The broker sends everything up to the bound of the isolation level; the CLIENT leaves out what a
// reader must not see. Under read_committed these are the batches of aborted transactions, which
// it knows from the list that comes with the data: a producer id is in the set of aborted ones from
// the transaction's first offset until its ABORT marker. Control records are never delivered, under
// either isolation level. The position runs over all that is left out.
#pragma once

#include <cstdint>
#include <vector>

#include <absl/container/inlined_vector.h>

#include "broker/bugs.h"
#include "broker/ids.h"
#include "broker/messages_data.h"
#include "broker/record_batch.h"
#include "client/call_result.h"
#include "sim/fingerprint.h"

namespace kafkasim::client {

class CompletedFetch {
 public:
  // `fetch_offset` is the position for which it was asked.
  CompletedFetch(const broker::FetchResponse::PartitionResult& result, broker::Offset fetch_offset);

  // A batch that was passed over without delivering a record of it.
  struct Skipped {
    broker::Offset first_offset{0};
    broker::Offset last_offset{0};
    broker::ProducerId producer_id = broker::kNoProducerId;
    bool control = false;  // else: of an aborted transaction
  };
  // What a reader leaves out.
  struct Filter {
    broker::IsolationLevel isolation_level = broker::IsolationLevel::kReadUncommitted;
    broker::Bugs bugs{};
  };
  // Adds up to `most` records, in offset order, and what was skipped on the way to them.
  void Take(const Filter& filter, int32_t most, std::vector<ConsumedRecord>& records,
            std::vector<Skipped>& skipped);
  // Nothing more is to be taken from it.
  void Drain() { consumed_ = true; }

  [[nodiscard]] const broker::PartitionId& partition() const { return partition_; }
  [[nodiscard]] broker::ErrorCode error() const { return error_; }
  // The offset after the last record taken or skipped: the position that goes with it.
  [[nodiscard]] broker::Offset next_fetch_offset() const { return next_fetch_offset_; }
  // The leader epoch of the batch before it; -1 before the first.
  [[nodiscard]] broker::LeaderEpoch last_epoch() const { return last_epoch_; }
  [[nodiscard]] bool exhausted() const { return exhausted_; }
  [[nodiscard]] bool consumed() const { return consumed_; }
  [[nodiscard]] broker::Offset high_watermark() const { return high_watermark_; }
  [[nodiscard]] broker::Offset last_stable_offset() const { return last_stable_offset_; }
  [[nodiscard]] broker::Offset log_start_offset() const { return log_start_offset_; }
  // Set once its watermarks have been taken over.
  bool initialized = false;

  void AppendTo(sim::CanonicalBytes& out) const;

 private:
  [[nodiscard]] bool IsAborted(const broker::RecordBatch& batch) const;
  // Takes note of the transactions that have begun by this offset.
  void ConsumeAbortedUpTo(broker::Offset offset);
  // Steps to the next record to deliver; false at the end of the data.
  bool Advance(const Filter& filter, std::vector<Skipped>& skipped);
  // Steps into the next batch, unless all of it is skipped; false at the end of the data.
  bool EnterBatch(const Filter& filter, std::vector<Skipped>& skipped);

  broker::PartitionId partition_;
  broker::ErrorCode error_;
  broker::Offset high_watermark_;
  broker::Offset last_stable_offset_;
  broker::Offset log_start_offset_;
  broker::RecordBatches batches_;
  std::vector<broker::FetchResponse::AbortedTransaction> aborted_;  // by first offset
  size_t next_aborted_ = 0;                                         // those before are in the set
  absl::InlinedVector<broker::ProducerId, 2> aborted_producers_;

  broker::Offset next_fetch_offset_;
  broker::LeaderEpoch last_epoch_ = broker::kNoLeaderEpoch;
  size_t batch_ = 0;   // the current one, once in_batch_
  size_t record_ = 0;  // the next one of it
  bool in_batch_ = false;
  bool exhausted_ = false;
  bool consumed_ = false;
};

}  // namespace kafkasim::client

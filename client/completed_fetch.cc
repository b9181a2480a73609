#include "client/completed_fetch.h"

#include <algorithm>

namespace kafkasim::client {

using broker::IsolationLevel;
using broker::Offset;

CompletedFetch::CompletedFetch(const broker::FetchResponse::PartitionResult& result,
                               Offset fetch_offset)
    : partition_(result.partition),
      error_(result.error),
      high_watermark_(result.high_watermark),
      last_stable_offset_(result.last_stable_offset),
      log_start_offset_(result.log_start_offset),
      batches_(result.batches),
      next_fetch_offset_(fetch_offset) {
  if (!result.aborted_transactions.has_value()) return;
  aborted_ = *result.aborted_transactions;
  std::stable_sort(aborted_.begin(), aborted_.end(),
                   [](const auto& a, const auto& b) { return a.first_offset < b.first_offset; });
}

bool CompletedFetch::IsAborted(const broker::RecordBatch& batch) const {
  return batch.transactional && std::find(aborted_producers_.begin(), aborted_producers_.end(),
                                          batch.producer_id) != aborted_producers_.end();
}

void CompletedFetch::ConsumeAbortedUpTo(Offset offset) {
  while (next_aborted_ < aborted_.size() && aborted_[next_aborted_].first_offset <= offset) {
    const broker::ProducerId producer = aborted_[next_aborted_++].producer_id;
    if (std::find(aborted_producers_.begin(), aborted_producers_.end(), producer) ==
        aborted_producers_.end()) {
      aborted_producers_.push_back(producer);
    }
  }
}

bool CompletedFetch::EnterBatch(const Filter& filter, std::vector<Skipped>& skipped) {
  while (batch_ < batches_.size()) {
    const broker::RecordBatch& batch = *batches_[batch_];
    record_ = 0;
    last_epoch_ = batch.partition_leader_epoch;
    if (filter.isolation_level == IsolationLevel::kReadCommitted && batch.has_producer_id()) {
      ConsumeAbortedUpTo(batch.last_offset());
      if (batch.is_marker(broker::ControlType::kAbort)) {
        // The aborted transaction ends here; the next one of this producer is another.
        const auto gone =
            std::find(aborted_producers_.begin(), aborted_producers_.end(), batch.producer_id);
        const bool forgets = filter.bugs.Has(broker::Bug::kReaderForgetsRanges);
        if (gone != aborted_producers_.end() && !forgets) aborted_producers_.erase(gone);
      } else if (IsAborted(batch) && !filter.bugs.Has(broker::Bug::kReaderIgnoresAborts)) {
        skipped.push_back({batch.base_offset, batch.last_offset(), batch.producer_id, false});
        next_fetch_offset_ = batch.next_offset();
        ++batch_;
        continue;
      }
    }
    in_batch_ = true;
    return true;
  }
  return false;
}

bool CompletedFetch::Advance(const Filter& filter, std::vector<Skipped>& skipped) {
  for (;;) {
    if (!in_batch_ && !EnterBatch(filter, skipped)) {
      // The last batch may reach further than its last record.
      if (!batches_.empty()) next_fetch_offset_ = batches_.back()->next_offset();
      exhausted_ = true;
      return false;
    }
    const broker::RecordBatch& batch = *batches_[batch_];
    if (batch.marker.has_value()) {
      // Its one record is passed over, once it is not before the position anyway.
      if (batch.base_offset >= next_fetch_offset_) {
        skipped.push_back({batch.base_offset, batch.last_offset(), batch.producer_id, true});
        next_fetch_offset_ = batch.base_offset + 1;
      }
    } else {
      while (record_ < batch.records->size()) {
        const Offset offset = batch.base_offset + (*batch.records)[record_].offset_delta;
        if (offset >= next_fetch_offset_) return true;
        ++record_;
      }
    }
    in_batch_ = false;
    ++batch_;
  }
}

void CompletedFetch::Take(const Filter& filter, int32_t most, std::vector<ConsumedRecord>& records,
                          std::vector<Skipped>& skipped) {
  if (consumed_) return;
  for (int32_t i = 0; i < most; ++i) {
    if (!Advance(filter, skipped)) return;
    const broker::RecordBatch& batch = *batches_[batch_];
    const broker::Record& record = (*batch.records)[record_++];
    const Offset offset = batch.base_offset + record.offset_delta;
    records.push_back({.partition = partition_,
                       .offset = offset,
                       .key = record.key,
                       .value = record.value,
                       .timestamp_ms = record.timestamp_ms,
                       .producer_id = batch.producer_id,
                       .producer_epoch = batch.producer_epoch,
                       .transactional = batch.transactional});
    next_fetch_offset_ = offset + 1;
  }
}

void CompletedFetch::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(partition_);
  out.Add(error_);
  out.Add(high_watermark_);
  out.Add(last_stable_offset_);
  out.Add(log_start_offset_);
  out.Add(static_cast<uint32_t>(batches_.size()));
  for (const broker::RecordBatchRef& batch : batches_) out.Add(*batch);
  out.Add(static_cast<uint32_t>(aborted_.size()));
  for (const auto& aborted : aborted_) {
    out.Add(aborted.producer_id);
    out.Add(aborted.first_offset);
  }
  out.Add(static_cast<uint64_t>(next_aborted_));
  out.AddAll(aborted_producers_);
  out.Add(next_fetch_offset_);
  out.Add(last_epoch_);
  out.Add(static_cast<uint64_t>(batch_));
  out.Add(static_cast<uint64_t>(record_));
  out.Add(in_batch_);
  out.Add(exhausted_);
  out.Add(consumed_);
  out.Add(initialized);
}

}  // namespace kafkasim::client

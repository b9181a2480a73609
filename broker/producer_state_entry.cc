#include "broker/producer_state_entry.h"

#include <algorithm>
#include <limits>

namespace kafkasim::broker {

Sequence BatchMetadata::first_sequence() const {
  if (last_sequence == kNoSequence) return kNoSequence;
  if (last_sequence.value() >= offset_delta) return last_sequence - offset_delta;
  // The batch began before the wrap from 2147483647 to 0.
  constexpr int32_t kLast = std::numeric_limits<int32_t>::max();
  return Sequence(kLast - (offset_delta - last_sequence.value()) + 1);
}

void BatchMetadata::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(last_sequence);
  out.Add(offset_delta);
  out.Add(last_offset);
  out.Add(timestamp_ms);
}

Sequence ProducerStateEntry::last_sequence() const {
  return count_ == 0 ? kNoSequence : batches_[count_ - 1].last_sequence;
}

Offset ProducerStateEntry::last_data_offset() const {
  return count_ == 0 ? kNoOffset : batches_[count_ - 1].last_offset;
}

const BatchMetadata* ProducerStateEntry::FindDuplicate(const RecordBatch& batch) const {
  if (batch.producer_epoch != producer_epoch_) return nullptr;
  const Sequence last = batch.last_sequence();
  for (const BatchMetadata& known : batches()) {
    if (known.last_sequence == last && known.first_sequence() == batch.base_sequence) return &known;
  }
  return nullptr;
}

void ProducerStateEntry::UpdateEpoch(ProducerEpoch epoch) {
  if (producer_epoch_ == epoch) return;
  producer_epoch_ = epoch;
  count_ = 0;
}

bool ProducerStateEntry::AddBatch(const RecordBatch& batch) {
  UpdateEpoch(batch.producer_epoch);
  if (count_ == kNumBatchesToRetain) {
    std::move(batches_.begin() + 1, batches_.end(), batches_.begin());
    --count_;
  }
  batches_[count_++] = BatchMetadata{.last_sequence = batch.last_sequence(),
                                     .offset_delta = batch.last_offset_delta,
                                     .last_offset = batch.last_offset(),
                                     .timestamp_ms = batch.max_timestamp_ms};
  last_timestamp_ms_ = batch.max_timestamp_ms;
  if (in_txn_ || !batch.transactional) return false;
  in_txn_ = true;
  current_txn_first_offset_ = batch.base_offset;
  return true;
}

std::optional<CompletedTxn> ProducerStateEntry::AddMarker(const RecordBatch& batch) {
  std::optional<CompletedTxn> completed;
  if (in_txn_) {
    completed = CompletedTxn{.producer_id = producer_id_,
                             .first_offset = current_txn_first_offset_,
                             .last_offset = batch.base_offset,
                             .aborted = batch.marker->type == ControlType::kAbort};
  }
  UpdateEpoch(batch.producer_epoch);
  coordinator_epoch_ = batch.marker->coordinator_epoch;
  last_timestamp_ms_ = batch.max_timestamp_ms;
  ForgetTransaction();
  return completed;
}

void ProducerStateEntry::ForgetTransaction() {
  in_txn_ = false;
  current_txn_first_offset_ = kNoOffset;
}

ProducerStateEntry ProducerStateEntry::ForSnapshot() const {
  ProducerStateEntry entry = *this;
  if (count_ > 1) {
    entry.batches_[0] = batches_[count_ - 1];
    entry.count_ = 1;
  }
  return entry;
}

bool operator==(const ProducerStateEntry& a, const ProducerStateEntry& b) {
  return a.producer_id_ == b.producer_id_ && a.producer_epoch_ == b.producer_epoch_ &&
         a.coordinator_epoch_ == b.coordinator_epoch_ &&
         a.last_timestamp_ms_ == b.last_timestamp_ms_ &&
         a.current_txn_first_offset() == b.current_txn_first_offset() &&
         std::ranges::equal(a.batches(), b.batches());
}

std::ostream& operator<<(std::ostream& out, const BatchMetadata& batch) {
  return out << "sequences " << batch.first_sequence() << ".." << batch.last_sequence << " at "
             << batch.first_offset() << ".." << batch.last_offset;
}

std::ostream& operator<<(std::ostream& out, const ProducerStateEntry& entry) {
  out << "producer " << entry.producer_id() << " epoch " << entry.producer_epoch()
      << " coordinator epoch " << entry.coordinator_epoch();
  if (const auto first = entry.current_txn_first_offset(); first.has_value()) {
    out << " in a transaction from " << *first;
  }
  for (const BatchMetadata& batch : entry.batches()) out << ", " << batch;
  return out;
}

void ProducerStateEntry::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(producer_id_);
  out.Add(producer_epoch_);
  out.Add(coordinator_epoch_);
  out.Add(last_timestamp_ms_);
  out.Add(in_txn_);
  if (in_txn_) out.Add(current_txn_first_offset_);
  out.AddAll(batches());
}

}  // namespace kafkasim::broker

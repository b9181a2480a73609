#include "client/partition_queue.h"

#include <algorithm>
#include <utility>

#include "sim/check.h"

namespace kafkasim::client {

using broker::Sequence;

void RecordsOf::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(call);
  out.Add(first);
  out.Add(count);
}

void ProducerBatch::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(id);
  out.AddAll(records == nullptr ? open_records : *records);
  out.AddAll(owners);
  out.Add(closed);
  out.Add(identity.producer_id);
  out.Add(identity.epoch);
  out.Add(base_sequence);
  out.Add(sequence_was_reset);
  out.Add(created);
  out.Add(last_attempt);
  out.Add(last_append);
  out.Add(attempts);
  out.Add(in_retry);
  out.Add(request);
  out.Add(done);
  out.Add(leader_epoch);
  out.Add(attempts_at_leader_change);
}

void PartitionSequences::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(identity.producer_id);
  out.Add(identity.epoch);
  out.Add(next);
  out.Add(last_acked);
  out.Add(last_acked_offset);
  out.Add(unresolved);
  out.Add(rewrite);
}

const ProducerBatch* PartitionQueue::FirstQueued() const {
  for (const ProducerBatch& batch : batches_) {
    if (batch.queued()) return &batch;
  }
  return nullptr;
}

ProducerBatch* PartitionQueue::FirstQueued() {
  return const_cast<ProducerBatch*>(std::as_const(*this).FirstQueued());
}

ProducerBatch* PartitionQueue::LastQueued() {
  for (auto batch = batches_.rbegin(); batch != batches_.rend(); ++batch) {
    if (batch->queued()) return &*batch;
  }
  return nullptr;
}

int32_t PartitionQueue::queued_count() const {
  return static_cast<int32_t>(std::count_if(
      batches_.begin(), batches_.end(), [](const ProducerBatch& batch) { return batch.queued(); }));
}

ProducerBatch* PartitionQueue::FindByRequest(uint64_t request) {
  for (ProducerBatch& batch : batches_) {
    if (batch.request == request) return &batch;
  }
  return nullptr;
}

bool PartitionQueue::HasIncomplete() const {
  return std::any_of(batches_.begin(), batches_.end(),
                     [](const ProducerBatch& batch) { return !batch.done; });
}

bool PartitionQueue::HasTracked() const { return FirstTrackedSequence() != broker::kNoSequence; }

Sequence PartitionQueue::FirstTrackedSequence() const {
  for (const ProducerBatch& batch : batches_) {
    if (batch.has_sequence() && !batch.done) return batch.base_sequence;
  }
  return broker::kNoSequence;
}

void PartitionQueue::PutBack(ProducerBatch& batch, sim::Time now, bool sequenced) {
  ++batch.attempts;
  batch.last_attempt = std::max(batch.last_append, now);
  batch.last_append = batch.last_attempt;
  batch.in_retry = true;
  if (sequenced) {
    batch.request = 0;
    return;
  }
  ProducerBatch moved = std::move(batch);
  batches_.erase(batches_.begin() + (&batch - batches_.data()));
  const auto front = std::find_if(batches_.begin(), batches_.end(),
                                  [](const ProducerBatch& other) { return other.queued(); });
  moved.request = 0;
  batches_.insert(front, std::move(moved));
}

void PartitionQueue::RemoveFinished() {
  std::erase_if(batches_,
                [](const ProducerBatch& batch) { return batch.done && batch.request == 0; });
}

void PartitionQueue::StartSequencesAtBeginning(const ProducerIdentity& identity) {
  Sequence sequence{0};
  for (ProducerBatch& batch : batches_) {
    if (!batch.has_sequence() || batch.done) continue;
    batch.identity = identity;
    batch.base_sequence = sequence;
    batch.sequence_was_reset = true;
    sequence = broker::AddToSequence(sequence, batch.record_count());
  }
  sequences.identity = identity;
  sequences.next = sequence;
  sequences.last_acked = broker::kNoSequence;
}

void PartitionQueue::CloseSequenceGap(const ProducerBatch& failed) {
  const int32_t gap = failed.record_count();
  if (sequences.next.value() < gap) return;  // the numbering was begun anew meanwhile
  sequences.next = sequences.next - gap;
  for (ProducerBatch& batch : batches_) {
    if (!batch.has_sequence() || batch.done || batch.base_sequence < failed.base_sequence) continue;
    KAFKASIM_CHECK(batch.base_sequence.value() >= gap, "a sequence number never becomes negative");
    batch.base_sequence = batch.base_sequence - gap;
    batch.sequence_was_reset = true;
  }
}

void PartitionQueue::OnAcknowledged(Sequence last_sequence, broker::Offset last_offset) {
  sequences.last_acked = std::max(sequences.last_acked, last_sequence);
  sequences.last_acked_offset = std::max(sequences.last_acked_offset, last_offset);
}

void PartitionQueue::MarkUnresolved(const ProducerBatch& expired) {
  // Kafka adds 1 without wrapping round.
  const Sequence next = expired.last_sequence() + 1;
  sequences.unresolved = std::max(sequences.unresolved.value_or(next), next);
}

void PartitionQueue::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(partition_);
  out.Add(sequences);
  out.Add(muted);
  out.AddAll(batches_);
}

}  // namespace kafkasim::client

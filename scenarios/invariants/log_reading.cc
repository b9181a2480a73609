#include "scenarios/invariants/log_reading.h"

#include <algorithm>
#include <iterator>

namespace kafkasim::scenarios {

LogReading::LogReading(const broker::PartitionLog& log) : log_(&log) {
  absl::btree_map<broker::ProducerId, broker::Offset> open;
  log.ForEachBatch(log.log_start_offset(), [&](const broker::RecordBatchRef& batch) {
    // A control batch that the cleaner has emptied says nothing any more.
    if (batch->is_control() ? !batch->marker.has_value() : !batch->transactional) return;
    if (!batch->is_control()) {
      open.try_emplace(batch->producer_id, batch->base_offset);
      return;
    }
    markers_.push_back({.offset = batch->base_offset,
                        .producer_id = batch->producer_id,
                        .epoch = batch->producer_epoch,
                        .type = batch->marker->type});
    const auto ended = open.find(batch->producer_id);
    if (ended == open.end()) return;
    transactions_.push_back({.producer_id = batch->producer_id,
                             .first_offset = ended->second,
                             .marker = batch->base_offset,
                             .type = batch->marker->type});
    open.erase(ended);
  });
  for (const auto& [producer_id, first_offset] : open) {
    transactions_.push_back({.producer_id = producer_id, .first_offset = first_offset});
  }
  for (const ReadTransaction& transaction : transactions_) {
    by_producer_[transaction.producer_id].push_back(transaction);
  }
}

Fate LogReading::FateOf(const broker::RecordBatch& batch) const {
  if (batch.is_control()) return Fate::kControl;
  if (!batch.transactional) return Fate::kPlain;
  const auto producer = by_producer_.find(batch.producer_id);
  if (producer == by_producer_.end()) return Fate::kNone;
  // The last one that began at or before the batch; those of one producer do not overlap.
  const std::vector<ReadTransaction>& own = producer->second;
  const auto after = std::upper_bound(
      own.begin(), own.end(), batch.base_offset,
      [](broker::Offset offset, const ReadTransaction& one) { return offset < one.first_offset; });
  if (after == own.begin()) return Fate::kNone;
  const ReadTransaction& transaction = *std::prev(after);
  if (transaction.marker == broker::kNoOffset) return Fate::kOpen;
  if (batch.base_offset >= transaction.marker) return Fate::kNone;
  return transaction.type == broker::ControlType::kCommit ? Fate::kCommitted : Fate::kAborted;
}

Fate LogReading::FateOf(broker::Offset offset) const {
  if (log_ == nullptr || offset < log_->log_start_offset()) return Fate::kNone;
  const broker::RecordBatch* batch = log_->FindBatch(offset);
  if (batch == nullptr || batch->base_offset > offset) return Fate::kNone;
  return FateOf(*batch);
}

bool LogReading::IsOpen(broker::ProducerId producer_id) const {
  const auto producer = by_producer_.find(producer_id);
  return producer != by_producer_.end() && producer->second.back().marker == broker::kNoOffset;
}

std::optional<broker::Offset> LogReading::FirstUnstable(broker::Offset high_watermark) const {
  std::optional<broker::Offset> first;
  for (const ReadTransaction& transaction : transactions_) {
    const bool stable =
        transaction.marker != broker::kNoOffset && transaction.marker < high_watermark;
    if (stable || (first.has_value() && *first <= transaction.first_offset)) continue;
    first = transaction.first_offset;
  }
  return first;
}

std::optional<broker::Offset> LogReading::FirstVisible(broker::Offset from,
                                                       broker::Offset to) const {
  if (log_ == nullptr) return std::nullopt;
  for (broker::Offset at = from; at < to;) {
    const broker::RecordBatch* batch = log_->FindBatch(at);
    if (batch == nullptr) break;
    const Fate fate = FateOf(*batch);
    if (fate == Fate::kPlain || fate == Fate::kCommitted) {
      for (const broker::Record& record : *batch->records) {
        const broker::Offset offset = batch->base_offset + record.offset_delta;
        if (offset >= from && offset < to) return offset;
      }
    }
    at = batch->next_offset();
  }
  return std::nullopt;
}

}  // namespace kafkasim::scenarios

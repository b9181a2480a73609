#include "scenarios/invariants/log_reading.h"

#include <algorithm>

#include <absl/container/btree_map.h>

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
}

Fate LogReading::FateOf(const broker::RecordBatch& batch) const {
  if (batch.is_control()) return Fate::kControl;
  if (!batch.transactional) return Fate::kPlain;
  for (const ReadTransaction& transaction : transactions_) {
    const bool inside =
        transaction.producer_id == batch.producer_id &&
        transaction.first_offset <= batch.base_offset &&
        (transaction.marker == broker::kNoOffset || batch.base_offset < transaction.marker);
    if (!inside) continue;
    if (transaction.marker == broker::kNoOffset) return Fate::kOpen;
    return transaction.type == broker::ControlType::kCommit ? Fate::kCommitted : Fate::kAborted;
  }
  return Fate::kNone;
}

Fate LogReading::FateOf(broker::Offset offset) const {
  if (log_ == nullptr || offset < log_->log_start_offset()) return Fate::kNone;
  const broker::RecordBatch* batch = log_->FindBatch(offset);
  if (batch == nullptr || batch->base_offset > offset) return Fate::kNone;
  return FateOf(*batch);
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
  std::optional<broker::Offset> visible;
  log_->ForEachBatch(from, [&](const broker::RecordBatchRef& batch) {
    if (visible.has_value() || batch->base_offset >= to) return;
    const Fate fate = FateOf(*batch);
    if (fate != Fate::kPlain && fate != Fate::kCommitted) return;
    for (const broker::Record& record : *batch->records) {
      const broker::Offset offset = batch->base_offset + record.offset_delta;
      if (offset < from || offset >= to) continue;
      visible = offset;
      return;
    }
  });
  return visible;
}

}  // namespace kafkasim::scenarios

#include "broker/record_batch.h"

#include <algorithm>
#include <utility>

namespace kafkasim::broker {
namespace {

constexpr int64_t kBatchHeaderBytes = 61;
constexpr int64_t kMarkerRecordBytes = 17;
constexpr int64_t kRecordOverheadBytes = 7;

}  // namespace

void Record::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(key);
  out.Add(value);
  out.Add(timestamp_ms);
  out.Add(offset_delta);
}

std::string_view Name(ControlType type) {
  return type == ControlType::kCommit ? "COMMIT" : "ABORT";
}

int64_t RecordBatch::size_bytes() const {
  if (marker.has_value()) return kBatchHeaderBytes + kMarkerRecordBytes;
  int64_t bytes = kBatchHeaderBytes;
  for (const Record& record : *records) {
    bytes += kRecordOverheadBytes;
    if (record.key.has_value()) bytes += static_cast<int64_t>(record.key->size());
    if (record.value.has_value()) bytes += static_cast<int64_t>(record.value->size());
  }
  return bytes;
}

void RecordBatch::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(base_offset);
  out.Add(partition_leader_epoch);
  out.Add(producer_id);
  out.Add(producer_epoch);
  out.Add(base_sequence);
  out.Add(last_offset_delta);
  out.Add(transactional);
  out.Add(max_timestamp_ms);
  out.Add(marker.has_value());
  if (marker.has_value()) {
    out.Add(marker->type);
    out.Add(marker->coordinator_epoch);
  }
  out.Add(marker_removed);
  out.Add(delete_horizon_ms);
  out.AddAll(*records);
}

void AddBatch(sim::CanonicalBytes& out, const RecordBatchRef& batch) {
  if (out.exact()) {
    out.Add(*batch);
  } else {
    out.Add(batch->fingerprint.cache().Get(*batch));
  }
}

RecordBatch MakeBatch(std::vector<Record> records) {
  RecordBatch batch;
  batch.last_offset_delta = records.empty() ? 0 : static_cast<int32_t>(records.size()) - 1;
  int32_t delta = 0;
  for (Record& record : records) {
    record.offset_delta = delta++;
    batch.max_timestamp_ms = std::max(batch.max_timestamp_ms, record.timestamp_ms);
  }
  batch.records = std::make_shared<const std::vector<Record>>(std::move(records));
  return batch;
}

RecordBatch MakeMarkerBatch(ProducerId producer_id, ProducerEpoch epoch,
                            const EndTransactionMarker& marker, int64_t timestamp_ms) {
  RecordBatch batch;
  batch.producer_id = producer_id;
  batch.producer_epoch = epoch;
  batch.transactional = true;
  batch.max_timestamp_ms = timestamp_ms;
  batch.marker = marker;
  // All markers share one empty list, without a count that threads would contend for.
  static const std::vector<Record> none;
  batch.records = std::shared_ptr<const std::vector<Record>>(std::shared_ptr<void>(), &none);
  return batch;
}

}  // namespace kafkasim::broker

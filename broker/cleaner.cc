#include "broker/cleaner.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <absl/container/btree_map.h>

#include "broker/cleaned_transactions.h"

namespace kafkasim::broker {
namespace {

// What becomes of a batch whose records are all gone.
enum class Emptied : uint8_t { kGoes, kStaysAsHeader };

class Pass {
 public:
  explicit Pass(const CleanerInput& input) : input_(input), transactions_(input.aborted) {
    FindLatestOffsets();
  }

  CleanedBatches Run() {
    for (const RecordBatchRef& batch : input_.batches) {
      if (batch->is_control()) {
        CleanControl(batch);
      } else {
        CleanData(batch);
      }
    }
    cleaned_.aborted = transactions_.retained();
    return std::move(cleaned_);
  }

 private:
  // The dirty part decides which record of a key is the latest.
  void FindLatestOffsets() {
    // A transaction that was aborted before the dirty part begins says nothing about it
    // (Cleaner.buildOffsetMap asks the index from there on).
    std::vector<AbortedTxn> aborted;
    for (const AbortedTxn& txn : input_.aborted) {
      if (txn.last_offset >= input_.first_dirty) aborted.push_back(txn);
    }
    CleanedTransactions transactions(std::move(aborted));
    for (const RecordBatchRef& batch : input_.batches) {
      if (batch->next_offset() <= input_.first_dirty) continue;
      if (batch->is_control()) {
        transactions.OnControlBatch(*batch);
        if (batch->marker.has_value()) last_marker_[batch->marker->type] = batch->base_offset;
        continue;
      }
      if (transactions.OnBatch(*batch)) continue;
      for (const Record& record : *batch->records) {
        const Offset offset = batch->base_offset + record.offset_delta;
        if (record.key.has_value() && offset >= input_.first_dirty) latest_[*record.key] = offset;
      }
    }
  }

  [[nodiscard]] bool HorizonPassed(const RecordBatch& batch) const {
    return batch.delete_horizon_ms.has_value() && *batch.delete_horizon_ms <= input_.now_ms;
  }

  [[nodiscard]] Emptied WhenEmptied(const RecordBatch& batch) const {
    if (batch.next_offset() == input_.end) return Emptied::kStaysAsHeader;
    if (!batch.has_producer_id()) return Emptied::kGoes;
    const auto producer = std::ranges::lower_bound(input_.producers, batch.producer_id, {},
                                                   &ProducerStateEntry::producer_id);
    if (producer == input_.producers.end() || producer->producer_id() != batch.producer_id) {
      return Emptied::kGoes;
    }
    const bool last =
        producer->last_data_offset() != kNoOffset
            ? batch.last_offset() == producer->last_data_offset()
            : batch.is_control() && batch.producer_epoch == producer->producer_epoch();
    return last ? Emptied::kStaysAsHeader : Emptied::kGoes;
  }

  void CleanControl(const RecordBatchRef& batch) {
    bool may_go = transactions_.OnControlBatch(*batch);
    bool goes = may_go && HorizonPassed(*batch);
    if (input_.bugs.Has(Bug::kMarkersCompactedByKey) && batch->marker.has_value()) {
      const auto last = last_marker_.find(batch->marker->type);
      goes = last != last_marker_.end() && last->second > batch->base_offset;
      may_go = goes;
    }
    if (batch->marker.has_value() && !goes) {
      if (!may_go || batch->delete_horizon_ms.has_value()) {
        Keep(batch);
      } else {
        RecordBatch stamped = *batch;
        stamped.delete_horizon_ms = input_.now_ms + input_.delete_retention_ms;
        Put(std::move(stamped));
      }
      return;
    }
    if (batch->marker.has_value()) ++cleaned_.markers_removed;
    if (WhenEmptied(*batch) == Emptied::kGoes) {
      cleaned_.changed = true;
    } else if (batch->marker_removed) {
      Keep(batch);
    } else {
      RecordBatch header = *batch;
      header.marker.reset();
      header.marker_removed = true;
      header.delete_horizon_ms.reset();
      Put(std::move(header));
    }
  }

  [[nodiscard]] bool Retains(const RecordBatch& batch, const Record& record) const {
    if (!record.key.has_value()) return false;
    const auto latest = latest_.find(*record.key);
    if (latest != latest_.end() && batch.base_offset + record.offset_delta < latest->second) {
      return false;
    }
    return record.value.has_value() || !HorizonPassed(batch);
  }

  void CleanData(const RecordBatchRef& batch) {
    const bool aborted = transactions_.OnBatch(*batch);
    std::vector<Record> retained;
    bool has_tombstones = false;
    for (const Record& record : *batch->records) {
      if (aborted || !Retains(*batch, record)) continue;
      retained.push_back(record);
      has_tombstones = has_tombstones || !record.value.has_value();
    }
    const size_t removed = batch->records->size() - retained.size();
    cleaned_.records_removed += static_cast<int64_t>(removed);
    const bool stamps = has_tombstones && !batch->delete_horizon_ms.has_value();
    if (retained.empty()) {
      PutEmptied(batch);
    } else if (removed == 0 && !stamps) {
      Keep(batch);
    } else {
      RecordBatch shorter = *batch;
      shorter.max_timestamp_ms = std::ranges::max(retained, {}, &Record::timestamp_ms).timestamp_ms;
      if (stamps) shorter.delete_horizon_ms = input_.now_ms + input_.delete_retention_ms;
      shorter.records = std::make_shared<const std::vector<Record>>(std::move(retained));
      Put(std::move(shorter));
    }
  }

  void PutEmptied(const RecordBatchRef& batch) {
    if (WhenEmptied(*batch) == Emptied::kGoes) {
      cleaned_.changed = true;
    } else if (batch->records->empty()) {
      Keep(batch);
    } else {
      RecordBatch header = *batch;
      header.records = std::make_shared<const std::vector<Record>>();
      header.delete_horizon_ms.reset();
      Put(std::move(header));
    }
  }

  void Keep(const RecordBatchRef& batch) { cleaned_.batches.push_back(batch); }
  void Put(RecordBatch batch) {
    cleaned_.changed = true;
    cleaned_.batches.push_back(std::make_shared<const RecordBatch>(std::move(batch)));
  }

  const CleanerInput& input_;
  CleanedTransactions transactions_;
  absl::btree_map<std::string, Offset> latest_;
  absl::btree_map<ControlType, Offset> last_marker_;  // for Bug::kMarkersCompactedByKey
  CleanedBatches cleaned_;
};

}  // namespace

CleanedBatches Clean(const CleanerInput& input) { return Pass(input).Run(); }

}  // namespace kafkasim::broker

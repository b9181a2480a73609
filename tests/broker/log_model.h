// A partition log as the protocol describes it, for tests that hold the real one against it: a list
// of batches, and every answer read off that list. Nothing is kept that could be derived, so it is
// slow and has no bookkeeping to get wrong. Transactions are not verified.
//
// Rules: duplicates among the last five batches of an epoch, sequences and epochs of KIP-98 and
// KIP-360, markers of TV1 and TV2 (KIP-1228), LSO = min(high watermark, first transaction whose
// marker is not below the high watermark).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <ostream>
#include <set>
#include <vector>

#include "broker/error_code.h"
#include "broker/record_batch.h"

namespace kafkasim::broker::testing {

struct ModelBatch {
  int64_t offset = 0;
  int64_t count = 1;
  int64_t producer_id = 1;
  int64_t epoch = 0;
  int64_t sequence = 0;  // of the first record; data only
  bool transactional = true;
  std::optional<ControlType> marker{};
  int64_t coordinator_epoch = 0;  // of a marker
  // Whether a repetition of it would be known: after a restart only the newest batch of a producer
  // is, and after a truncation that depends on where snapshots are.
  enum class Memory : uint8_t { kYes, kNo, kUnknown } memory = Memory::kYes;

  [[nodiscard]] int64_t next_offset() const { return offset + count; }
  // 2147483647 is followed by 0.
  [[nodiscard]] int64_t last_sequence() const { return (sequence + count - 1) % kSequences; }
  static constexpr int64_t kSequences = int64_t{1} << 31;
};

inline std::ostream& operator<<(std::ostream& out, const ModelBatch& batch) {
  out << "producer " << batch.producer_id << " epoch " << batch.epoch;
  if (batch.marker.has_value()) {
    return out << " " << Name(*batch.marker) << " coordinator epoch " << batch.coordinator_epoch;
  }
  return out << " sequence " << batch.sequence << " x" << batch.count
             << (batch.transactional ? " transactional" : "");
}

// What the log knows of a producer.
struct ModelProducer {
  int64_t epoch = -1;
  int64_t coordinator_epoch = -1;
  std::vector<ModelBatch> batches{};  // of this epoch
  std::optional<int64_t> open_since{};
};

struct ModelAnswer {
  ErrorCode error = ErrorCode::kNone;
  int64_t offset = -1;  // of the first record
  bool duplicate = false;
};

class LogModel {
 public:
  explicit LogModel(int64_t transaction_version = 1) : version_(transaction_version) {}

  [[nodiscard]] int64_t end() const { return batches_.empty() ? 0 : batches_.back().next_offset(); }
  [[nodiscard]] int64_t start() const { return start_; }
  [[nodiscard]] int64_t high_watermark() const { return high_watermark_; }
  [[nodiscard]] const std::vector<ModelBatch>& batches() const { return batches_; }

  [[nodiscard]] ModelProducer Producer(int64_t id) const {
    ModelProducer producer;
    for (const ModelBatch& batch : batches_) {
      if (batch.producer_id != id) continue;
      if (batch.epoch != producer.epoch) producer.batches.clear();
      producer.epoch = batch.epoch;
      if (batch.marker.has_value()) {
        producer.coordinator_epoch = batch.coordinator_epoch;
        producer.open_since.reset();
        continue;
      }
      producer.batches.push_back(batch);
      if (batch.transactional && !producer.open_since) producer.open_since = batch.offset;
    }
    return producer;
  }

  // What the log says to `batch`. nullopt if that is not determined here: see Memory.
  [[nodiscard]] std::optional<ModelAnswer> Ask(const ModelBatch& batch) const {
    const ModelProducer producer = Producer(batch.producer_id);
    if (batch.marker.has_value()) return ModelAnswer{MarkerError(batch, producer), end()};
    if (batch.epoch == producer.epoch) {
      const size_t known = std::min<size_t>(producer.batches.size(), 5);
      for (auto old = producer.batches.end() - known; old != producer.batches.end(); ++old) {
        if (old->sequence != batch.sequence || old->count != batch.count) continue;
        if (old->memory == ModelBatch::Memory::kUnknown) return std::nullopt;
        if (old->memory == ModelBatch::Memory::kNo) continue;
        return ModelAnswer{.offset = old->offset, .duplicate = true};
      }
    }
    return ModelAnswer{DataError(batch, producer), end()};
  }

  void Append(ModelBatch batch) {
    batch.offset = end();
    batches_.push_back(batch);
  }
  void ReplicateTo(int64_t offset) { high_watermark_ = std::max(high_watermark_, offset); }
  void DeleteRecordsBefore(int64_t offset) { start_ = std::max(start_, offset); }
  void TruncateTo(int64_t offset) {
    std::erase_if(batches_, [&](const ModelBatch& batch) { return batch.next_offset() > offset; });
    high_watermark_ = std::min(high_watermark_, end());
    RememberNewest(ModelBatch::Memory::kUnknown);
  }
  void Restart() { RememberNewest(ModelBatch::Memory::kNo); }

  [[nodiscard]] int64_t last_stable_offset() const {
    int64_t stable = high_watermark_;
    for (const ModelBatch& batch : batches_) {
      if (batch.marker.has_value() || !batch.transactional) continue;
      const ModelBatch* end = EndOf(batch);
      if (end != nullptr && end->offset < high_watermark_) continue;
      stable = std::min(stable, std::max(batch.offset, start_));
    }
    return stable;
  }

  // The offsets that a reader from the start on is given.
  [[nodiscard]] std::set<int64_t> Visible(bool committed_only) const {
    const int64_t bound = committed_only ? last_stable_offset() : high_watermark_;
    std::set<int64_t> visible;
    for (const ModelBatch& batch : batches_) {
      if (batch.marker.has_value()) continue;
      const ModelBatch* end = batch.transactional ? EndOf(batch) : nullptr;
      if (committed_only && end != nullptr && end->marker == ControlType::kAbort) continue;
      for (int64_t o = batch.offset; o < batch.next_offset(); ++o) {
        if (o >= start_ && o < bound) visible.insert(o);
      }
    }
    return visible;
  }

 private:
  [[nodiscard]] ErrorCode MarkerError(const ModelBatch& marker, const ModelProducer& known) const {
    const bool repeats = marker.epoch == known.epoch && !known.open_since.has_value();
    const bool old =
        marker.epoch < known.epoch || (version_ == 2 && marker.epoch == known.epoch && !repeats);
    if (old) return ErrorCode::kInvalidProducerEpoch;
    if (marker.coordinator_epoch < known.coordinator_epoch) {
      return ErrorCode::kTransactionCoordinatorFenced;
    }
    return ErrorCode::kNone;
  }

  [[nodiscard]] static ErrorCode DataError(const ModelBatch& batch, const ModelProducer& known) {
    if (batch.epoch < known.epoch) return ErrorCode::kInvalidProducerEpoch;
    if (known.epoch != -1) {
      const bool follows = batch.epoch == known.epoch && !known.batches.empty();
      const int64_t next =
          follows ? (known.batches.back().last_sequence() + 1) % ModelBatch::kSequences : 0;
      if (batch.sequence != next) return ErrorCode::kOutOfOrderSequenceNumber;
    }
    if (!batch.transactional && known.open_since) return ErrorCode::kInvalidTxnState;
    return ErrorCode::kNone;
  }

  // The marker that ends the transaction of a batch; null while it is open.
  [[nodiscard]] const ModelBatch* EndOf(const ModelBatch& batch) const {
    for (const ModelBatch& later : batches_) {
      const bool ends = later.offset > batch.offset && later.marker.has_value() &&
                        later.producer_id == batch.producer_id;
      if (ends) return &later;
    }
    return nullptr;
  }

  // What becomes of the memory of all batches that are not a producer's last one.
  void RememberNewest(ModelBatch::Memory others) {
    std::set<int64_t> seen;
    for (auto batch = batches_.rbegin(); batch != batches_.rend(); ++batch) {
      if (batch->marker.has_value()) continue;
      batch->memory = seen.insert(batch->producer_id).second ? ModelBatch::Memory::kYes : others;
    }
  }

  int64_t version_;
  std::vector<ModelBatch> batches_;
  int64_t start_ = 0;
  int64_t high_watermark_ = 0;
};

}  // namespace kafkasim::broker::testing

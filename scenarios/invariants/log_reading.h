// What a partition log says of the transactions in it, read from its batches alone: the invariants'
// own account, to be held against what the partition keeps beside the log.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <absl/container/btree_map.h>

#include "broker/ids.h"
#include "broker/partition_log.h"
#include "broker/record_batch.h"

namespace kafkasim::scenarios {

// A transaction of a producer on one partition, and how it ended there.
struct ReadTransaction {
  broker::ProducerId producer_id = broker::kNoProducerId;
  broker::Offset first_offset{0};
  broker::Offset marker = broker::kNoOffset;  // -1: it is open
  broker::ControlType type = broker::ControlType::kAbort;
};

// A marker, whether it ended something here or not.
struct ReadMarker {
  broker::Offset offset{0};
  broker::ProducerId producer_id = broker::kNoProducerId;
  broker::ProducerEpoch epoch = broker::kNoProducerEpoch;
  broker::ControlType type = broker::ControlType::kAbort;
};

// What has become of a record.
enum class Fate : uint8_t { kNone, kPlain, kOpen, kCommitted, kAborted, kControl };

class LogReading {
 public:
  LogReading() = default;
  explicit LogReading(const broker::PartitionLog& log);

  // In the order of their ends, open ones last.
  [[nodiscard]] const std::vector<ReadTransaction>& transactions() const { return transactions_; }
  [[nodiscard]] const std::vector<ReadMarker>& markers() const { return markers_; }
  // kNone: nothing is there (any more).
  [[nodiscard]] Fate FateOf(broker::Offset offset) const;
  // Whether a transaction of the producer is open.
  [[nodiscard]] bool IsOpen(broker::ProducerId producer_id) const;
  // The first offset of a transaction that is open, or whose marker is at `high_watermark` or
  // above.
  [[nodiscard]] std::optional<broker::Offset> FirstUnstable(broker::Offset high_watermark) const;
  // Whether a reader of read_committed is to be given a record in [from, to).
  [[nodiscard]] std::optional<broker::Offset> FirstVisible(broker::Offset from,
                                                           broker::Offset to) const;

 private:
  [[nodiscard]] Fate FateOf(const broker::RecordBatch& batch) const;

  const broker::PartitionLog* log_ = nullptr;
  std::vector<ReadTransaction> transactions_;
  // The same by producer, in the order of their beginnings.
  absl::btree_map<broker::ProducerId, std::vector<ReadTransaction>> by_producer_;
  std::vector<ReadMarker> markers_;
};

}  // namespace kafkasim::scenarios

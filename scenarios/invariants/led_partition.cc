#include "scenarios/invariants/led_partition.h"

#include <algorithm>
#include <utility>

namespace kafkasim::scenarios {
namespace {

// After the last batch: what ends a log may be gone from it, and its end higher.
broker::Offset EndOfBatches(const broker::PartitionLog& log) {
  return log.chunks().empty() ? broker::Offset(0) : log.chunks().back()->next_offset();
}

}  // namespace

const LogReading& LedPartition::reading() const {
  if (reading_ == nullptr) reading_ = std::make_shared<const LogReading>(log());
  return *reading_;
}

const std::vector<coordinator::TransactionLogEntry>& LedPartition::transactions() const {
  if (transactions_ == nullptr) {
    std::vector<coordinator::TransactionLogEntry> all;
    if (earlier_ != nullptr) all = *earlier_;
    coordinator::DecodeTransactionLog(log(), std::max(log().log_start_offset(), earlier_end_), all);
    transactions_ =
        std::make_shared<const std::vector<coordinator::TransactionLogEntry>>(std::move(all));
  }
  return *transactions_;
}

void LedPartition::TakeOver(const LedPartition& before) {
  if (replica_ == before.replica_) {
    changed_ = false;
    reading_ = before.reading_;
    transactions_ = before.transactions_;
    earlier_ = before.earlier_;
    earlier_end_ = before.earlier_end_;
  } else if (log().Extends(before.log())) {
    // Not the reading: it points into the log that it was made of.
    const bool known = before.transactions_ != nullptr;
    earlier_ = known ? before.transactions_ : before.earlier_;
    earlier_end_ = known ? EndOfBatches(before.log()) : before.earlier_end_;
  }
}

}  // namespace kafkasim::scenarios

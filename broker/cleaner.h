// One pass of the log cleaner over the segments of a compacted log: which records are obsolete, and
// what is left of their batches. Follows Kafka's Cleaner and the filter of MemoryRecords (KIP-58,
// KIP-354, KIP-534), Kafka 4.4 development line. Pure.
//
//   a record           goes if a later one below the pass's end has its key; what was aborted goes,
//                      and makes nothing obsolete; what is not dirty is no reason either way
//   a tombstone        that is the latest of its key goes once its batch's delete horizon has
//   passed a marker           goes once a pass has met no batch of its transaction and the delete
//   horizon,
//                      set by the first such pass, has passed
//   a batch            stays as an empty header while it holds the last sequence of a producer that
//                      is known here (or, as a marker, the last epoch), and at the pass's end
// Offsets never change: they leave gaps. Kafka's map of keys has a limit; here one pass knows all.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "broker/bugs.h"
#include "broker/ids.h"
#include "broker/producer_state_entry.h"
#include "broker/record_batch.h"
#include "broker/transaction_index.h"

namespace kafkasim::broker {

struct CleanerInput {
  std::vector<RecordBatchRef> batches{};  // of all segments below `end`, clean ones too
  std::vector<AbortedTxn> aborted{};      // of the whole log
  std::span<const ProducerStateEntry> producers{};
  Offset first_dirty{0};  // keys count from here on
  Offset end{0};          // the first offset that is not cleaned
  int64_t now_ms = 0;
  int64_t delete_retention_ms = 0;
  Bugs bugs{};
};

struct CleanedBatches {
  std::vector<RecordBatchRef> batches{};  // what was not changed is the same object
  std::vector<AbortedTxn> aborted{};      // for the index, by marker
  int64_t records_removed = 0;            // without markers
  int64_t markers_removed = 0;

  bool changed = false;
};

[[nodiscard]] CleanedBatches Clean(const CleanerInput& input);

}  // namespace kafkasim::broker

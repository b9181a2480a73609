// The batches of one partition and its sequence numbers: a queue of Kafka's RecordAccumulator and
// the partition's TxnPartitionEntry (KIP-98, KIP-360), Kafka 4.4 development line.
//
// Batches stand in the order in which they are to be written. One that is under way keeps its
// place, so that a retry goes before what came after it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "broker/ids.h"
#include "client/call_result.h"
#include "client/producer_batch.h"
#include "sim/fingerprint.h"

namespace kafkasim::client {

// Where the numbering of a partition's batches stands.
struct PartitionSequences {
  ProducerIdentity identity{};  // for which the numbers count; none before the first batch
  broker::Sequence next{0};
  broker::Sequence last_acked = broker::kNoSequence;
  broker::Offset last_acked_offset = broker::kNoOffset;
  // A batch that had been sent expired: nobody knows whether it was written. The sequence after it.
  std::optional<broker::Sequence> unresolved{};
  // An idempotent producer is about to bump its epoch because of this partition.
  bool rewrite = false;

  [[nodiscard]] bool IsNext(broker::Sequence sequence) const {
    return int64_t{sequence.value()} - last_acked.value() == 1;
  }
  void AppendTo(sim::CanonicalBytes& out) const;
};

class PartitionQueue {
 public:
  explicit PartitionQueue(broker::PartitionId id) : partition_(id) {}

  [[nodiscard]] const broker::PartitionId& partition() const { return partition_; }
  [[nodiscard]] const std::vector<ProducerBatch>& batches() const { return batches_; }
  [[nodiscard]] std::vector<ProducerBatch>& batches() { return batches_; }
  PartitionSequences sequences{};
  bool muted = false;  // with one request in flight: a batch is under way

  // The next batch to drain; null if all are under way.
  [[nodiscard]] ProducerBatch* FirstQueued();
  [[nodiscard]] const ProducerBatch* FirstQueued() const;
  [[nodiscard]] ProducerBatch* LastQueued();
  [[nodiscard]] int32_t queued_count() const;
  // The batch that this request carries; null if it is gone.
  [[nodiscard]] ProducerBatch* FindByRequest(uint64_t request);
  [[nodiscard]] bool HasIncomplete() const;

  // Of batches that have a sequence and are not done, whether under way or put back.
  [[nodiscard]] bool HasTracked() const;
  [[nodiscard]] broker::Sequence FirstTrackedSequence() const;  // -1 if there is none

  // Puts a batch that failed back, at its place by sequence; without sequences to the front of the
  // queue, which is how a plain producer with several requests in flight reorders records.
  void PutBack(ProducerBatch& batch, sim::Time now, bool sequenced);
  // Forgets batches that are done and not under way any more.
  void RemoveFinished();

  // Numbers all tracked batches anew from 0 for this identity.
  void StartSequencesAtBeginning(const ProducerIdentity& identity);
  // The leader has refused this batch for good: those after it move up.
  void CloseSequenceGap(const ProducerBatch& failed);
  void OnAcknowledged(broker::Sequence last_sequence, broker::Offset last_offset);
  void MarkUnresolved(const ProducerBatch& expired);

  void AppendTo(sim::CanonicalBytes& out) const;

 private:
  broker::PartitionId partition_;
  std::vector<ProducerBatch> batches_;
};

}  // namespace kafkasim::client

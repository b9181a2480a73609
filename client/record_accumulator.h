// Records that wait to be sent or acknowledged, in batches a partition: class RecordAccumulator,
// Kafka 4.4 development line. Memory is not limited here (buffer.memory), and brokers are served in
// the order of their ids, partitions in theirs (Kafka rotates, for fairness under
// max.request.size).
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "broker/ids.h"
#include "client/backoff.h"
#include "client/call.h"
#include "client/client_metadata.h"
#include "client/partition_queue.h"
#include "client/partitioner.h"
#include "client/producer_batch.h"
#include "sim/fingerprint.h"
#include "sim/time.h"

namespace kafkasim::client {

struct AccumulatorConfig {
  int64_t batch_size = 16'384;
  sim::Duration linger = sim::Millis(5);
  sim::Duration delivery_timeout = sim::Seconds(120);
  Backoff retry_backoff{sim::Millis(100), sim::Millis(1'000)};
};

class RecordAccumulator {
 public:
  explicit RecordAccumulator(const AccumulatorConfig& config) : config_(config) {}

  [[nodiscard]] const AccumulatorConfig& config() const { return config_; }
  [[nodiscard]] const std::vector<PartitionQueue>& queues() const { return queues_; }
  [[nodiscard]] std::vector<PartitionQueue>& queues() { return queues_; }
  PartitionQueue& QueueOf(const broker::PartitionId& partition);

  struct Appended {
    bool new_batch = false;
    bool full = false;  // something can be sent at once
    int64_t bytes = 0;  // what the record added
  };
  // Adds the record with this index of this call to the partition's last batch, or to a new one.
  Appended Append(const broker::PartitionId& partition, broker::Record record, CallId call,
                  int32_t index, sim::Time now);
  // The last record appended to the partition belongs to nobody: its send has thrown.
  void DisownLast(const broker::PartitionId& partition);
  // The sticky partition of the topic, for records without a key.
  [[nodiscard]] StickyPartition& StickyOf(broker::TopicId topic);

  [[nodiscard]] bool HasIncomplete() const;
  [[nodiscard]] bool HasUndrained() const;
  // The id of the newest batch; a flush waits for all up to it.
  [[nodiscard]] uint64_t newest_batch() const { return next_batch_ - 1; }
  [[nodiscard]] bool HasIncompleteUpTo(uint64_t batch) const;

  struct ReadyBrokers {
    std::vector<broker::BrokerId> brokers{};  // sorted
    sim::Time next_check = sim::kEndOfTime;
    bool leader_unknown = false;  // of a partition that has something to send
  };
  // RecordAccumulator.ready: whose partitions have a batch that is full or has lingered and is not
  // backing off. With `send_all` (a flush, a close, the end of a transaction) nothing lingers.
  [[nodiscard]] ReadyBrokers Ready(const ClientMetadata& metadata, sim::Time now, bool send_all);
  [[nodiscard]] bool IsBackingOff(const ProducerBatch& batch, sim::Time now) const;

  // When the next batch reaches its delivery timeout.
  [[nodiscard]] sim::Time NextExpiry() const;

  void AppendTo(sim::CanonicalBytes& out) const;

 private:
  AccumulatorConfig config_;
  std::vector<PartitionQueue> queues_;  // sorted by partition
  std::vector<std::pair<broker::TopicId, StickyPartition>> sticky_;
  uint64_t next_batch_ = 1;
};

}  // namespace kafkasim::client

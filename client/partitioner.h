// How a record finds its partition: DefaultPartitioner's murmur2 of the key, and the uniform sticky
// partitioner for records without one (BuiltInPartitioner, KIP-794), Kafka 4.4 development line.
//
// Simplified on purpose: the sticky partitioner draws uniformly among the partitions that have a
// leader; Kafka weighs them by the length of their queues when those differ
// (partitioner.adaptive.partitioning.enable).
#pragma once

#include <cstdint>
#include <string_view>

#include "broker/cluster_image.h"
#include "broker/ids.h"
#include "sim/fingerprint.h"
#include "sim/rng.h"

namespace kafkasim::client {

// Utils.murmur2: Austin Appleby's MurmurHash2, 32 bits, seed 0x9747b28c.
[[nodiscard]] int32_t Murmur2(std::string_view bytes);

// The partition of a key: the hash without its sign, modulo the number of partitions.
[[nodiscard]] int32_t PartitionForRecordKey(std::string_view key, int32_t partitions);

// The partition for records without a key, kept until about batch.size bytes went there.
class StickyPartition {
 public:
  // The current one, drawn from `rng` if there is none. `topic` must exist in `image`.
  [[nodiscard]] int32_t Current(const broker::ClusterImage& image, broker::TopicId topic,
                                sim::Rng& rng);
  // `bytes` went to the current partition. Moves on when `batch_size` bytes have gone there and its
  // last batch is full, or twice as many anyway, so that batches are not sent half empty.
  void OnAppended(int64_t bytes, int64_t batch_size, bool last_batch_full);

  void AppendTo(sim::CanonicalBytes& out) const;

 private:
  int32_t partition_ = -1;
  int64_t bytes_ = 0;
};

}  // namespace kafkasim::client

#include "client/partitioner.h"

#include <vector>

namespace kafkasim::client {

int32_t Murmur2(std::string_view bytes) {
  constexpr uint32_t kMultiplier = 0x5bd1e995;
  const auto byte = [bytes](size_t i) {
    return static_cast<uint32_t>(static_cast<unsigned char>(bytes[i]));
  };
  uint32_t hash = 0x9747b28cu ^ static_cast<uint32_t>(bytes.size());
  size_t i = 0;
  for (; i + 4 <= bytes.size(); i += 4) {
    uint32_t block = byte(i) | byte(i + 1) << 8 | byte(i + 2) << 16 | byte(i + 3) << 24;
    block *= kMultiplier;
    block ^= block >> 24;
    block *= kMultiplier;
    hash = (hash * kMultiplier) ^ block;
  }
  if (i < bytes.size()) {
    for (size_t rest = bytes.size(); rest > i; --rest)
      hash ^= byte(rest - 1) << (8 * (rest - 1 - i));
    hash *= kMultiplier;
  }
  hash ^= hash >> 13;
  hash *= kMultiplier;
  hash ^= hash >> 15;
  return static_cast<int32_t>(hash);
}

int32_t PartitionForRecordKey(std::string_view key, int32_t partitions) {
  return (Murmur2(key) & 0x7fffffff) % partitions;
}

int32_t StickyPartition::Current(const broker::ClusterImage& image, broker::TopicId topic,
                                 sim::Rng& rng) {
  if (partition_ >= 0) return partition_;
  const std::vector<broker::PartitionImage>& partitions = image.FindTopic(topic)->partitions;
  std::vector<int32_t> available;
  for (size_t i = 0; i < partitions.size(); ++i) {
    if (partitions[i].leader != broker::kNoBroker) available.push_back(static_cast<int32_t>(i));
  }
  partition_ = available.empty() ? static_cast<int32_t>(rng.Below(partitions.size()))
                                 : available[rng.Below(available.size())];
  return partition_;
}

void StickyPartition::OnAppended(int64_t bytes, int64_t batch_size, bool last_batch_full) {
  bytes_ += bytes;
  if ((bytes_ >= batch_size && last_batch_full) || bytes_ >= 2 * batch_size) {
    partition_ = -1;
    bytes_ = 0;
  }
}

void StickyPartition::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(partition_);
  out.Add(bytes_);
}

}  // namespace kafkasim::client

#include "broker/cluster_image.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include <fmt/format.h>

namespace kafkasim::broker {

void PartitionImage::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(leader);
  out.Add(leader_epoch);
  out.Add(partition_epoch);
  out.AddAll(replicas);
  out.AddAll(isr);
}

void TopicImage::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(name);
  out.Add(config);
  out.Add(deleted);
  out.AddAll(partitions);
}

const TopicImage* ClusterImage::FindTopic(TopicId topic) const {
  if (topic.value() < 0 || static_cast<size_t>(topic.value()) >= topics.size()) return nullptr;
  const TopicImage& image = topics[static_cast<size_t>(topic.value())];
  return image.deleted ? nullptr : &image;
}

const PartitionImage* ClusterImage::FindPartition(const PartitionId& partition) const {
  const TopicImage* topic = FindTopic(partition.topic);
  if (topic == nullptr || partition.index < 0 ||
      static_cast<size_t>(partition.index) >= topic->partitions.size()) {
    return nullptr;
  }
  return &topic->partitions[static_cast<size_t>(partition.index)];
}

std::optional<TopicId> ClusterImage::FindTopicId(std::string_view name) const {
  for (size_t i = 0; i < topics.size(); ++i) {
    if (!topics[i].deleted && topics[i].name == name) return TopicId(static_cast<int32_t>(i));
  }
  return std::nullopt;
}

bool ClusterImage::IsAlive(BrokerId broker) const {
  return std::find(brokers.begin(), brokers.end(), broker) != brokers.end() &&
         !std::binary_search(fenced.begin(), fenced.end(), broker);
}

int64_t ClusterImage::BrokerEpoch(BrokerId broker) const {
  const auto found = std::find(brokers.begin(), brokers.end(), broker);
  if (found == brokers.end()) return -1;
  const auto index = static_cast<size_t>(found - brokers.begin());
  return index < broker_epochs.size() ? broker_epochs[index] : 0;
}

std::string ClusterImage::NameOf(const PartitionId& partition) const {
  const auto index = static_cast<size_t>(partition.topic.value());
  const bool known = partition.topic.value() >= 0 && index < topics.size();
  return fmt::format("{}-{}", known ? topics[index].name : "?", partition.index);
}

std::optional<PartitionId> ClusterImage::Parse(std::string_view partition_name) const {
  const size_t dash = partition_name.rfind('-');
  if (dash == std::string_view::npos) return std::nullopt;
  PartitionId partition;
  const std::string_view digits = partition_name.substr(dash + 1);
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), partition.index);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  const std::optional<TopicId> topic = FindTopicId(partition_name.substr(0, dash));
  if (!topic.has_value()) return std::nullopt;
  partition.topic = *topic;
  if (FindPartition(partition) == nullptr) return std::nullopt;
  return partition;
}

std::optional<PartitionId> ClusterImage::PartitionForKey(std::string_view internal_topic,
                                                         std::string_view key) const {
  const std::optional<TopicId> topic = FindTopicId(internal_topic);
  if (!topic.has_value()) return std::nullopt;
  const auto count = static_cast<int32_t>(FindTopic(*topic)->partitions.size());
  return PartitionId{.topic = *topic, .index = PartitionForHash(JavaStringHash(key), count)};
}

void ClusterImage::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(version);
  out.AddAll(brokers);
  out.AddAll(broker_epochs);
  out.AddAll(fenced);
  out.AddAll(topics);
}

namespace {

// The code point at the front of `text`, which is cut off. Broken UTF-8 counts as U+FFFD.
uint32_t TakeCodePoint(std::string_view& text) {
  const auto lead = static_cast<unsigned char>(text.front());
  size_t length = 1;
  uint32_t code = lead;
  if (lead >= 0xf0 && lead < 0xf8) {
    length = 4;
    code = lead & 0x07u;
  } else if (lead >= 0xe0) {
    length = 3;
    code = lead & 0x0fu;
  } else if (lead >= 0xc0) {
    length = 2;
    code = lead & 0x1fu;
  }
  if ((lead >= 0x80 && lead < 0xc0) || lead >= 0xf8 || length > text.size()) {
    text.remove_prefix(1);
    return 0xfffd;
  }
  for (size_t i = 1; i < length; ++i) {
    code = (code << 6) | (static_cast<unsigned char>(text[i]) & 0x3fu);
  }
  text.remove_prefix(length);
  return code;
}

}  // namespace

int32_t JavaStringHash(std::string_view text) {
  uint32_t hash = 0;
  while (!text.empty()) {
    const uint32_t code = TakeCodePoint(text);
    if (code < 0x10000) {
      hash = hash * 31 + code;
    } else {  // a surrogate pair
      hash = hash * 31 + (0xd800 + ((code - 0x10000) >> 10));
      hash = hash * 31 + (0xdc00 + ((code - 0x10000) & 0x3ff));
    }
  }
  return static_cast<int32_t>(hash);
}

int32_t PartitionForHash(int32_t hash, int32_t partitions) {
  const int32_t magnitude =
      hash == std::numeric_limits<int32_t>::min() ? 0 : (hash < 0 ? -hash : hash);
  return magnitude % partitions;
}

}  // namespace kafkasim::broker

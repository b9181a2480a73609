// The metadata of the cluster as the controller knows it: brokers, topics, leaders, ISRs. KRaft's
// MetadataImage; here one immutable value, published whole at each change. Brokers and clients hold
// whichever version reached them last, so that stale metadata is possible.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "broker/config.h"
#include "broker/ids.h"
#include "sim/fingerprint.h"

namespace kafkasim::broker {

inline constexpr std::string_view kTransactionStateTopic = "__transaction_state";
inline constexpr std::string_view kConsumerOffsetsTopic = "__consumer_offsets";

// Written by coordinators only.
[[nodiscard]] constexpr bool IsInternalTopic(std::string_view name) {
  return name == kTransactionStateTopic || name == kConsumerOffsetsTopic;
}

struct PartitionImage {
  BrokerId leader = kNoBroker;
  LeaderEpoch leader_epoch{0};
  int32_t partition_epoch = 0;       // grows with every change of leader or ISR (KIP-497)
  std::vector<BrokerId> replicas{};  // in order of preference
  std::vector<BrokerId> isr{};       // sorted

  friend bool operator==(const PartitionImage&, const PartitionImage&) = default;
  void AppendTo(sim::CanonicalBytes& out) const;
};

struct TopicImage {
  std::string name{};
  TopicConfig config{};
  bool deleted = false;  // its number is never reused
  std::vector<PartitionImage> partitions{};

  void AppendTo(sim::CanonicalBytes& out) const;
};

struct ClusterImage {
  int64_t version = 0;              // grows with every change
  std::vector<BrokerId> brokers{};  // all that are registered
  // Of each of them: which of its lives is registered (KIP-903). Empty: all in their first, 0.
  std::vector<int64_t> broker_epochs{};
  std::vector<BrokerId> fenced{};    // those whose session has ended; sorted
  std::vector<TopicImage> topics{};  // index = TopicId

  [[nodiscard]] const TopicImage* FindTopic(TopicId topic) const;  // null if none or deleted
  [[nodiscard]] const PartitionImage* FindPartition(const PartitionId& partition) const;
  [[nodiscard]] std::optional<TopicId> FindTopicId(std::string_view name) const;
  [[nodiscard]] bool IsAlive(BrokerId broker) const;
  // -1 if the broker is not registered.
  [[nodiscard]] int64_t BrokerEpoch(BrokerId broker) const;
  // "orders-0"; "?-0" for a topic that this image does not know.
  [[nodiscard]] std::string NameOf(const PartitionId& partition) const;
  // The other way round; nullopt if this image knows no such partition.
  [[nodiscard]] std::optional<PartitionId> Parse(std::string_view partition_name) const;
  // The partition of an internal topic that `key` (transactional id or group id) belongs to;
  // nullopt while the topic does not exist. Kafka: abs(hash) mod partitions.
  [[nodiscard]] std::optional<PartitionId> PartitionForKey(std::string_view internal_topic,
                                                           std::string_view key) const;

  void AppendTo(sim::CanonicalBytes& out) const;
};

// Whether a list of replicas or an ISR has this broker.
template <typename Brokers>
[[nodiscard]] bool Contains(const Brokers& brokers, BrokerId broker) {
  return std::find(brokers.begin(), brokers.end(), broker) != brokers.end();
}

using ClusterImageRef = std::shared_ptr<const ClusterImage>;

// java.lang.String.hashCode over the UTF-16 units of a UTF-8 text.
[[nodiscard]] int32_t JavaStringHash(std::string_view text);
// Utils.abs(hash) % partitions: the absolute value, with -2147483648 taken as 0.
[[nodiscard]] int32_t PartitionForHash(int32_t hash, int32_t partitions);

}  // namespace kafkasim::broker

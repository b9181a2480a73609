// How a consumer gets its records: classes Fetcher, FetchBuffer and FetchCollector, Kafka 4.4
// development line. One fetch is under way a broker; answers are buffered until a poll takes them,
// and count only if they are for the position that is current then.
//
// Simplified on purpose: every fetch names all its partitions (no fetch sessions); after an error a
// partition is left alone for retry.backoff.ms (Kafka asks again at once).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "broker/ids.h"
#include "client/call_result.h"
#include "client/cluster_connection.h"
#include "client/completed_fetch.h"
#include "client/consumer_config.h"
#include "client/exception.h"
#include "client/subscription_state.h"
#include "sim/context.h"
#include "sim/fingerprint.h"

namespace kafkasim::client {

class Fetcher {
 public:
  // Fetches for every partition that has a valid position and nothing buffered, from its leader,
  // unless a fetch from there is under way. `number` counts requests. Returns how many were sent.
  int32_t SendFetches(sim::Context& context, const ConsumerConfig& config,
                      ClusterConnection& connection, SubscriptionState& subscriptions,
                      uint64_t& number);
  // Takes an answer (or the news that there will be none); false if it is not of a fetch.
  bool OnCompleted(sim::Context& context, const ConsumerConfig& config, const Completed& completed,
                   SubscriptionState& subscriptions);

  struct Collected {
    std::vector<ConsumedRecord> records{};
    bool position_advanced = false;
    ApiError error{};  // with records, it will come again with the next poll

    [[nodiscard]] bool empty() const { return records.empty() && !position_advanced; }
  };
  // What is buffered, up to `most` records, and moves the positions over it. Errors:
  //   OffsetOutOfRangeException   the position is outside the log and auto.offset.reset=none
  //   KafkaException              an error that a consumer does not know
  [[nodiscard]] Collected Collect(sim::Context& context, const ConsumerConfig& config,
                                  ClientMetadata& metadata, SubscriptionState& subscriptions,
                                  int32_t most);

  // Throws away what is buffered of topics that are not among these (sorted): the subscription has
  // changed (clearBufferedDataForUnassignedPartitions).
  void DropOtherTopics(const std::vector<broker::TopicId>& topics);

  [[nodiscard]] bool has_buffered() const { return !buffer_.empty(); }
  // When a partition that is being left alone can be fetched again, or a broker connected to.
  [[nodiscard]] sim::Time NextWake(sim::Time now, const ClusterConnection& connection,
                                   const SubscriptionState& subscriptions) const;

  void AppendTo(sim::CanonicalBytes& out) const;

 private:
  struct Asked {
    broker::PartitionId partition{};
    broker::Offset offset{0};
  };
  struct UnderWay {
    uint64_t number = 0;
    broker::BrokerId broker = broker::kNoBroker;
    std::vector<Asked> partitions{};
  };

  [[nodiscard]] bool IsFetchable(const AssignedPartition& partition, sim::Time now) const;
  [[nodiscard]] bool IsAsking(broker::BrokerId broker) const;
  // Takes over the watermarks of an answer, or deals with its error; false if it is not to be used.
  [[nodiscard]] bool Initialize(sim::Context& context, const ConsumerConfig& config,
                                ClientMetadata& metadata, SubscriptionState& subscriptions,
                                CompletedFetch& fetch, ApiError& error);
  void OnFetchError(sim::Context& context, const ConsumerConfig& config, ClientMetadata& metadata,
                    SubscriptionState& subscriptions, AssignedPartition& partition,
                    const CompletedFetch& fetch, ApiError& error);
  void TakeRecords(sim::Context& context, const ConsumerConfig& config,
                   const ClientMetadata& metadata, SubscriptionState& subscriptions, int32_t most,
                   Collected& collected);

  std::vector<UnderWay> under_way_;
  std::vector<CompletedFetch> buffer_;  // in order of arrival; polls take from the front
};

}  // namespace kafkasim::client

// How a consumer asks for offsets, with ListOffsets: for positions that wait for a reset, and for
// the calls beginning_offsets, end_offsets and offsets_for_times. Class OffsetFetcher, Kafka 4.4
// development line. The answers follow the isolation level: "latest" is the LSO under
// read_committed.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "broker/ids.h"
#include "broker/messages_data.h"
#include "client/call_result.h"
#include "client/cluster_connection.h"
#include "client/consumer_config.h"
#include "client/subscription_state.h"
#include "sim/context.h"
#include "sim/fingerprint.h"

namespace kafkasim::client {

class OffsetFetcher {
 public:
  // Asks for the offsets of all partitions that wait for a reset and are not being asked about.
  // `number` counts requests. Returns how many were sent.
  int32_t ResetPositions(sim::Context& context, const ConsumerConfig& config,
                         ClusterConnection& connection, SubscriptionState& subscriptions,
                         uint64_t& number);

  // Begins a call: the offsets of these partitions for a timestamp, as in ListOffsets.
  void Begin(const std::vector<broker::PartitionId>& partitions, int64_t timestamp);
  // Asks for what the call does not know yet. Returns how many requests were sent.
  int32_t Continue(sim::Context& context, const ConsumerConfig& config,
                   ClusterConnection& connection, uint64_t& number);
  // The answer to the call, once it is complete.
  [[nodiscard]] std::optional<PartitionOffsets> Answer() const;
  void End() { wanted_.clear(); }

  // Takes an answer (or the news that there will be none); false if it is not of ListOffsets.
  bool OnCompleted(sim::Context& context, const ConsumerConfig& config, const Completed& completed,
                   ClientMetadata& metadata, SubscriptionState& subscriptions);

  [[nodiscard]] sim::Time NextWake(sim::Time now, const ClusterConnection& connection,
                                   const SubscriptionState& subscriptions) const;
  void AppendTo(sim::CanonicalBytes& out) const;

 private:
  struct Query {
    broker::PartitionId partition{};
    int64_t timestamp = broker::kLatestTimestamp;
    bool for_call = false;  // else for a reset
  };
  struct UnderWay {
    uint64_t number = 0;
    std::vector<Query> queries{};
  };
  // What the open call wants to know.
  struct Wanted {
    Query query{};
    std::optional<broker::Offset> offset{};
    sim::Time retry_at{};
  };

  [[nodiscard]] bool IsAsking(const Query& query) const;
  // Sends the queries, one request a leader; those that cannot be sent now are left out.
  int32_t Send(sim::Context& context, const ConsumerConfig& config, ClusterConnection& connection,
               const std::vector<Query>& queries, uint64_t& number);
  void OnAnswer(const Query& query, broker::Offset offset, SubscriptionState& subscriptions);
  void OnFailure(const Query& query, sim::Time retry_at, SubscriptionState& subscriptions);

  std::vector<UnderWay> under_way_;
  std::vector<Wanted> wanted_;
};

}  // namespace kafkasim::client

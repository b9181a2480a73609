// How a consumer finds out whether what it has read is still in the log after a change of leader:
// it asks the new leader where the epoch of the last record that it read ends (KIP-320; classes
// OffsetsForLeaderEpochClient, OffsetFetcherUtils and SubscriptionState, Kafka 4.4 development
// line). If that is before the position, the log was truncated: the position goes back to there, or
// the application is told, if auto.offset.reset is none.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "broker/ids.h"
#include "broker/messages_leader_epoch.h"
#include "client/cluster_connection.h"
#include "client/consumer_config.h"
#include "client/exception.h"
#include "client/subscription_state.h"
#include "sim/context.h"
#include "sim/fingerprint.h"

namespace kafkasim::client {

class PositionValidator {
 public:
  // Takes note of new leaders, and asks about the positions that they put in doubt. `number` counts
  // requests. Returns how many were sent.
  int32_t ValidatePositions(sim::Context& context, const ConsumerConfig& config,
                            ClusterConnection& connection, SubscriptionState& subscriptions,
                            uint64_t& number);
  // Takes an answer (or the news that there will be none); false if it is not of such a request.
  bool OnCompleted(sim::Context& context, const ConsumerConfig& config, const Completed& completed,
                   ClientMetadata& metadata, SubscriptionState& subscriptions);
  // LogTruncationException, once, if an answer told of a truncation and nothing says where to go
  // on.
  [[nodiscard]] ApiError TakeError();

  [[nodiscard]] sim::Time NextWake(sim::Time now, const ClusterConnection& connection,
                                   const SubscriptionState& subscriptions) const;
  void AppendTo(sim::CanonicalBytes& out) const;

 private:
  struct UnderWay {
    uint64_t number = 0;
    std::vector<AssignedPartition> asked{};  // as they were then
  };

  [[nodiscard]] bool IsAsking(const broker::PartitionId& partition) const;
  void OnEndOffset(sim::Context& context, const ConsumerConfig& config,
                   const ClientMetadata& metadata, SubscriptionState& subscriptions,
                   AssignedPartition& partition,
                   const broker::OffsetForLeaderEpochResponse::PartitionResult& end);

  std::vector<UnderWay> under_way_;
  std::optional<ApiError> error_;
};

}  // namespace kafkasim::client

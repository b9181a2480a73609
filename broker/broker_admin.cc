// What a broker tells about its replicas: DescribeProducers (KafkaApis, ReplicaManager
// .activeProducerState) and OffsetForLeaderEpoch (ReplicaManager.lastOffsetForLeaderEpoch). And
// ElectLeaders, which it hands on to the controller (ForwardingManager, KIP-590).
#include <utility>

#include "broker/broker.h"
#include "broker/broker_timers.h"
#include "broker/channels.h"
#include "broker/messages_admin.h"
#include "broker/messages_leader_epoch.h"

namespace kafkasim::broker {

void Broker::HandleDescribeProducers(sim::Context& context, const sim::RequestIn& in) {
  DescribeProducersResponse response;
  for (const PartitionId& id : BodyOf<DescribeProducersRequest>(*in.payload).partitions) {
    DescribeProducersResponse::PartitionResult& result = response.partitions.emplace_back(
        DescribeProducersResponse::PartitionResult{.partition = id});
    const Partition* replica = FindReplica(id);
    if (replica == nullptr) {
      result.error = ErrorForMissing(id);
      continue;
    }
    for (const ProducerStateEntry& entry : replica->ProducersAt(context.now(), *config_)) {
      result.active_producers.push_back(
          {.producer_id = entry.producer_id(),
           .producer_epoch = entry.producer_epoch(),
           .last_sequence = entry.last_sequence(),
           .last_timestamp_ms = entry.last_timestamp_ms(),
           .coordinator_epoch = entry.coordinator_epoch(),
           .current_txn_start_offset = entry.current_txn_first_offset().value_or(kNoOffset)});
    }
  }
  context.Reply(in.reply_to, MakeMessage(std::move(response)));
}

void Broker::HandleOffsetForLeaderEpoch(sim::Context& context, const sim::RequestIn& in) {
  OffsetForLeaderEpochResponse response;
  for (const auto& query : BodyOf<OffsetForLeaderEpochRequest>(*in.payload).partitions) {
    const Partition* replica = FindReplica(query.partition);
    response.partitions.push_back(
        replica == nullptr
            ? OffsetForLeaderEpochResponse::PartitionResult{.partition = query.partition,
                                                            .error =
                                                                ErrorForMissing(query.partition)}
            : replica->LastOffsetForLeaderEpoch(query));
  }
  context.Reply(in.reply_to, MakeMessage(std::move(response)));
}

}  // namespace kafkasim::broker

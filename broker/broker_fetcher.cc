// A follower's side of replication (AbstractFetcherThread, ReplicaFetcherThread).
#include <algorithm>
#include <utility>

#include "broker/broker.h"
#include "broker/broker_timers.h"
#include "broker/channels.h"
#include "broker/events.h"

namespace kafkasim::broker {
namespace {

constexpr int32_t kReplicaFetchMinBytes = 1;                   // replica.fetch.min.bytes
constexpr int32_t kReplicaFetchResponseMaxBytes = 10'485'760;  // replica.fetch.response.max.bytes

}  // namespace

void Broker::SendFetch(sim::Context& context, BrokerId leader) {
  ReplicaFetcher& fetcher = fetchers_.Mutable().Of(leader);
  if (fetcher.in_flight.has_value() || fetcher.backing_off) return;
  const auto fetched_from_leader = [&](const PartitionId&, const sim::Cow<Partition>& replica) {
    return replica->fetching() == Partition::Fetching::kYes && replica->leader() == leader;
  };
  FetchRequest request{.replica = id_,
                       .replica_epoch = broker_epoch_,
                       .max_wait_ms = static_cast<int32_t>(config_->replica_fetch_wait_max_ms),
                       .min_bytes = kReplicaFetchMinBytes,
                       .max_bytes = kReplicaFetchResponseMaxBytes,
                       .session_epoch = fetcher.session_epoch};
  if (fetcher.session_epoch == 0) {
    fetcher.changed.Clear();
    fetcher.forgotten.Clear();
    for (const PartitionId& id : replicas_.KeysIf(fetched_from_leader)) {
      fetcher.changed.Insert(id);
    }
    if (fetcher.changed.empty()) return;
  }
  for (const PartitionId& id : std::exchange(fetcher.changed, {})) {
    sim::Cow<Partition>* replica = replicas_.FindMutable(id);
    if (replica == nullptr || !fetched_from_leader(id, *replica)) continue;
    request.partitions.push_back(replica->Mutable().NextFetch());
    fetcher.forgotten.Erase(id);
  }
  if (!fetcher.forgotten.empty()) {
    request.forgotten.assign(fetcher.forgotten.begin(), fetcher.forgotten.end());
    fetcher.forgotten.Clear();
    if (request.partitions.empty() && replicas_.KeysIf(fetched_from_leader).empty()) {
      // Nothing is left to fetch. The next fetch from this leader opens a new session.
      fetcher.session_epoch = 0;
      return;
    }
  }
  ++fetcher.session_epoch;
  fetcher.in_flight =
      context.SendRequest(ProcessOf(leader), kReplicaChannel, MakeMessage(std::move(request)));
}

void Broker::HandleFetchResponse(sim::Context& context, BrokerId leader,
                                 const FetchResponse& response) {
  ReplicaFetcher& fetcher = fetchers_.Mutable().Of(leader);
  fetcher.in_flight.reset();
  if (response.error != ErrorCode::kNone) {
    fetcher.session_epoch = 0;  // all over again
  }
  for (const FetchResponse::PartitionResult& result : response.partitions) {
    TakeFetched(context, leader, result);
    if (!context.alive()) return;
  }
  SendFetch(context, leader);
}

void Broker::TakeFetched(sim::Context& context, BrokerId leader,
                         const FetchResponse::PartitionResult& result) {
  const PartitionId& id = result.partition;
  const Partition* known = FindReplica(id);
  if (known == nullptr || known->leader() != leader || !known->ExpectsAnswer()) return;
  Partition& partition = replicas_.FindMutable(id)->Mutable();
  switch (result.error) {
    case ErrorCode::kNone:
      break;
    case ErrorCode::kFencedLeaderEpoch:  // its own epoch is old: newer metadata must come
      FailFetching(leader, id);
      return;
    default:
      DelayFetching(context, leader, id);
      return;
  }
  const Offset end = partition.log().log_end_offset();
  if (result.diverging_epoch.has_value()) {
    const bool cut =
        partition.TruncateOnFetchResponse(*result.diverging_epoch, Surroundings(context));
    fetchers_.Mutable().Of(leader).changed.Insert(id);
    if (cut && context.tracing()) {
      context.Emit(events::kTruncated,
                   {{"partition", image().NameOf(id)},
                    {"from", end.value()},
                    {"to", partition.log().log_end_offset().value()},
                    {"leader_epoch", int64_t{partition.leader_epoch().value()}}});
    }
    return;
  }
  if (!partition.AppendAsFollower(result, Surroundings(context)).ok()) {
    FailFetching(leader, id);
    return;
  }
  if (partition.log().log_end_offset() == end) return;
  fetchers_.Mutable().Of(leader).changed.Insert(id);
  if (!context.tracing()) return;
  context.Emit(events::kReplicated, {{"partition", image().NameOf(id)},
                                     {"leader", int64_t{leader.value()}},
                                     {"leader_epoch", int64_t{partition.leader_epoch().value()}},
                                     {"base_offset", result.batches.front()->base_offset.value()},
                                     {"log_end_offset", partition.log().log_end_offset().value()}});
}

void Broker::FailFetching(BrokerId leader, const PartitionId& id) {
  replicas_.FindMutable(id)->Mutable().set_fetching(Partition::Fetching::kFailed);
  fetchers_.Mutable().Stop(leader, id);
}

void Broker::DelayFetching(sim::Context& context, BrokerId leader, const PartitionId& id) {
  replicas_.FindMutable(id)->Mutable().set_fetching(Partition::Fetching::kDelayed);
  fetchers_.Mutable().Stop(leader, id);
  ReplicaFetcher& fetcher = fetchers_.Mutable().Of(leader);
  fetcher.delays.push_back(
      {.partition = id, .until = context.now() + sim::Millis(config_->replica_fetch_backoff_ms)});
  ArmFetcher(context, fetcher);
}

void Broker::ArmFetcher(sim::Context& context, ReplicaFetcher& fetcher) {
  if (fetcher.timer.sequence != 0) return;
  sim::Duration delay = sim::Millis(config_->replica_fetch_backoff_ms);
  if (!fetcher.backing_off) delay = fetcher.delays.front().until - context.now();
  fetcher.timer = context.SetTimer(delay, static_cast<uint32_t>(BrokerTimer::kFetcher),
                                   static_cast<uint64_t>(fetcher.leader.value()));
}

void Broker::WakeFetcher(sim::Context& context, BrokerId leader) {
  ReplicaFetcher& fetcher = fetchers_.Mutable().Of(leader);
  fetcher.timer = {};
  fetcher.backing_off = false;
  // All delays are equally long, so that the first to come is the first to end.
  while (!fetcher.delays.empty() && fetcher.delays.front().until <= context.now()) {
    const PartitionId id = fetcher.delays.front().partition;
    fetcher.delays.erase(fetcher.delays.begin());
    sim::Cow<Partition>* replica = replicas_.FindMutable(id);
    if (replica == nullptr || (*replica)->fetching() != Partition::Fetching::kDelayed) continue;
    replica->Mutable().set_fetching(Partition::Fetching::kYes);
    fetcher.changed.Insert(id);
  }
  if (!fetcher.delays.empty()) ArmFetcher(context, fetcher);
  SendFetch(context, leader);
}

void Broker::LoseLeader(sim::Context& context, BrokerId leader) {
  if (fetchers_->Find(leader) == nullptr) return;
  ReplicaFetcher& fetcher = fetchers_.Mutable().Of(leader);
  if (!fetcher.in_flight.has_value()) return;
  fetcher.in_flight.reset();
  fetcher.session_epoch = 0;
  fetcher.backing_off = true;
  if (fetcher.timer.sequence != 0) context.CancelTimer(std::exchange(fetcher.timer, {}));
  ArmFetcher(context, fetcher);
}

}  // namespace kafkasim::broker

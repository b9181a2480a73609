// A follower's side of replication (AbstractFetcherThread with fetchOffsetAndTruncate,
// ReplicaFetcherThread).
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

void Broker::SendFetch(sim::Context& context, ReplicaFetcher& fetcher) {
  if (fetcher.in_flight.has_value() || fetcher.backing_off) return;
  if (!fetcher.out_of_range.empty()) {
    AskLeadersOffsets(context, fetcher);
    return;
  }
  const auto fetched_from_leader = [&](const PartitionId&, const sim::Cow<Partition>& replica) {
    return replica->fetching() == Partition::Fetching::kYes && replica->leader() == fetcher.leader;
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
  fetcher.in_flight = context.SendRequest(ProcessOf(fetcher.leader), kReplicaChannel,
                                          MakeMessage(std::move(request)));
}

void Broker::HandleFetchResponse(sim::Context& context, BrokerId leader,
                                 const FetchResponse& response) {
  ReplicaFetcher& fetcher = fetchers_.Mutable().Of(leader);
  fetcher.in_flight.reset();
  if (response.error != ErrorCode::kNone) {
    fetcher.session_epoch = 0;  // all over again
  }
  for (const FetchResponse::PartitionResult& result : response.partitions) {
    TakeFetched(context, fetcher, result);
    if (!context.alive()) return;
  }
  SendFetch(context, fetcher);
}

void Broker::TakeFetched(sim::Context& context, ReplicaFetcher& fetcher,
                         const FetchResponse::PartitionResult& result) {
  const PartitionId& id = result.partition;
  const BrokerId leader = fetcher.leader;
  sim::Cow<Partition>* replica = replicas_.FindMutable(id);
  if (replica == nullptr || (*replica)->leader() != leader || !(*replica)->ExpectsAnswer()) return;
  Partition& partition = replica->Mutable();
  switch (result.error) {
    case ErrorCode::kNone:
      break;
    case ErrorCode::kFencedLeaderEpoch:  // its own epoch is old: newer metadata must come
      FailFetching(leader, id);
      return;
    case ErrorCode::kOffsetOutOfRange:
      partition.set_fetching(Partition::Fetching::kOutOfRange);
      fetcher.changed.Erase(id);
      fetcher.out_of_range.push_back({.partition = id});
      return;
    default:
      DelayFetching(context, leader, id);
      return;
  }
  const Offset end = partition.log().log_end_offset();
  if (result.diverging_epoch.has_value()) {
    const bool cut =
        partition.TruncateOnFetchResponse(*result.diverging_epoch, Surroundings(context));
    fetcher.changed.Insert(id);
    if (cut) TraceTruncated(context, partition, end);
    return;
  }
  const Watermarks before = Watermarks::Of(partition, /*tracing=*/false);
  const Offset start = partition.log().log_start_offset();
  if (!partition.AppendAsFollower(result, Surroundings(context)).ok()) {
    FailFetching(leader, id);
    return;
  }
  if (partition.log().log_start_offset() != start) {
    AfterLogStart(context, partition, before, start, "the leader's log starts there");
    if (!context.alive()) return;
  }
  if (partition.log().log_end_offset() == end) {
    WatchStable(context, partition.log());
    return;
  }
  fetcher.changed.Insert(id);
  WatchAppended(context, partition.log(), *result.batches.back());
  if (!context.tracing()) return;
  context.Emit(events::kReplicated, {{"partition", image().NameOf(id)},
                                     {"leader", int64_t{leader.value()}},
                                     {"leader_epoch", int64_t{partition.leader_epoch().value()}},
                                     {"base_offset", result.batches.front()->base_offset.value()},
                                     {"log_end_offset", partition.log().log_end_offset().value()}});
}

void Broker::TraceTruncated(sim::Context& context, const Partition& partition, Offset from) {
  if (!context.tracing()) return;
  context.Emit(events::kTruncated, {{"partition", image().NameOf(partition.id())},
                                    {"from", from.value()},
                                    {"to", partition.log().log_end_offset().value()},
                                    {"leader_epoch", int64_t{partition.leader_epoch().value()}}});
}

void Broker::AskLeadersOffsets(sim::Context& context, ReplicaFetcher& fetcher) {
  const ReplicaFetcher::OutOfRange& lost = fetcher.out_of_range.front();
  ListOffsetsRequest request{.replica = id_};
  request.partitions.push_back(
      {.partition = lost.partition,
       .timestamp = lost.knows_end ? kEarliestTimestamp : kLatestTimestamp,
       .current_leader_epoch = FindReplica(lost.partition)->leader_epoch()});
  fetcher.in_flight = context.SendRequest(ProcessOf(fetcher.leader), kReplicaChannel,
                                          MakeMessage(std::move(request)));
}

void Broker::TakeLeadersOffset(sim::Context& context, BrokerId leader,
                               const ListOffsetsResponse& response) {
  ReplicaFetcher& fetcher = fetchers_.Mutable().Of(leader);
  fetcher.in_flight.reset();
  const ListOffsetsResponse::PartitionResult& result = response.partitions.front();
  const PartitionId id = result.partition;
  if (fetcher.out_of_range.empty() || fetcher.out_of_range.front().partition != id) {
    SendFetch(context, fetcher);  // another leader was elected meanwhile
    return;
  }
  if (result.error == ErrorCode::kFencedLeaderEpoch) {
    FailFetching(leader, id);
  } else if (result.error != ErrorCode::kNone) {
    DelayFetching(context, leader, id);
  } else {
    Partition& partition = replicas_.FindMutable(id)->Mutable();
    const Offset end = partition.log().log_end_offset();
    const bool knew_end = fetcher.out_of_range.front().knows_end;
    const bool cut = knew_end
                         ? partition.RestartAtLeadersStart(result.offset, Surroundings(context))
                         : partition.TruncateToLeadersEnd(result.offset, Surroundings(context));
    fetcher.out_of_range.front().knows_end = true;
    if (cut || knew_end) {
      fetcher.out_of_range.erase(fetcher.out_of_range.begin());
      partition.set_fetching(Partition::Fetching::kYes);
      fetcher.changed.Insert(id);
    }
    if (cut) TraceTruncated(context, partition, end);
    if (!context.alive()) return;
  }
  SendFetch(context, fetchers_.Mutable().Of(leader));
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
  SendFetch(context, fetcher);
}

void Broker::LoseLeader(sim::Context& context, BrokerId leader) {
  if (fetchers_->Find(leader) == nullptr) return;
  ReplicaFetcher& fetcher = fetchers_.Mutable().Of(leader);
  if (!fetcher.in_flight.has_value()) return;
  fetcher.in_flight.reset();
  for (const ReplicaFetcher::OutOfRange& lost : std::exchange(fetcher.out_of_range, {})) {
    DelayFetching(context, leader, lost.partition);
  }
  fetcher.session_epoch = 0;
  fetcher.backing_off = true;
  if (fetcher.timer.sequence != 0) context.CancelTimer(std::exchange(fetcher.timer, {}));
  ArmFetcher(context, fetcher);
}

}  // namespace kafkasim::broker

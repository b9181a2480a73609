// Changes of the ISR that this broker asks the controller for (AlterPartitionManager,
// ReplicaManager.maybeShrinkIsr).
#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "broker/broker.h"
#include "broker/broker_timers.h"
#include "broker/channels.h"

namespace kafkasim::broker {
namespace {

constexpr sim::Duration kControllerSocketTimeout =
    sim::Seconds(30);  // controller.socket.timeout.ms

}  // namespace

void Broker::SendAlterPartition(sim::Context& context, const AlterPartitionRequest& request) {
  const sim::CorrelationId correlation =
      context.SendRequest(controller_, kControllerChannel, MakeMessage(request));
  calls_.Mutable().all.push_back(
      {.correlation = correlation,
       .to = controller_,
       .channel = kControllerChannel,
       .partition = request.partition,
       .timer =
           context.SetTimer(GivenUpAfter(kControllerSocketTimeout),
                            static_cast<uint32_t>(BrokerTimer::kCallExpiry), correlation.value())});
}

void Broker::HandleAlterPartitionResponse(sim::Context& context,
                                          const AlterPartitionResponse& response) {
  sim::Cow<Partition>* replica = replicas_.FindMutable(response.partition);
  if (replica == nullptr) return;
  Partition& partition = replica->Mutable();
  const Watermarks before = Watermarks::Of(partition, context.tracing());
  const std::optional<AlterPartitionRequest> again =
      partition.OnAlterPartitionResponse(response, Surroundings(context));
  if (again.has_value()) SendAlterPartition(context, *again);
  AfterChange(context, response.partition, before);
  if (!context.alive()) return;
  ExpandIsrs(context, response.partition);
  TrackLag(context, response.partition);
}

void Broker::RepeatAlterPartition(sim::Context& context, const PartitionId& id) {
  const Partition* partition = FindReplica(id);
  if (partition == nullptr || !partition->is_leader()) return;
  if (const std::optional<AlterPartitionRequest> request = partition->PendingIsrRequest()) {
    SendAlterPartition(context, *request);
  }
}

// In Kafka the next fetch of a follower that could not join yet does this.
void Broker::ExpandIsrs(sim::Context& context, const PartitionId& id) {
  if (FindReplica(id)->isr_change_pending()) return;
  absl::InlinedVector<BrokerId, 4> waiting;
  for (const FollowerProgress& follower : FindReplica(id)->followers()) {
    const FollowerSession* session = sessions_->Find(follower.broker);
    if (follower.in_session && session != nullptr && session->IsWaiting()) {
      waiting.push_back(follower.broker);
    }
  }
  for (const BrokerId follower : waiting) {
    const BrokerList& isr = FindReplica(id)->isr();
    if (std::find(isr.begin(), isr.end(), follower) != isr.end()) continue;
    const std::optional<AlterPartitionRequest> request =
        replicas_.FindMutable(id)->Mutable().MaybeExpandIsr(follower, Surroundings(context));
    if (request.has_value()) {
      SendAlterPartition(context, *request);
      return;
    }
  }
}

void Broker::TrackLag(sim::Context& context, const PartitionId& id) {
  const Partition* partition = FindReplica(id);
  const bool lags = partition != nullptr && partition->NextLag(*config_).has_value();
  if (lags == lag_->lagging.Contains(id)) return;
  LagWatch& watch = lag_.Mutable();
  if (lags) {
    watch.lagging.Insert(id);
  } else {
    watch.lagging.Erase(id);
  }
  ArmLagCheck(context);
}

void Broker::ArmLagCheck(sim::Context& context) {
  LagWatch& watch = lag_.Mutable();
  std::optional<sim::Time> first;
  for (const PartitionId& id : watch.lagging) {
    const std::optional<sim::Time> lags = FindReplica(id)->NextLag(*config_);
    if (lags.has_value() && (!first.has_value() || *lags < *first)) first = lags;
  }
  if (!first.has_value()) {
    context.CancelTimer(std::exchange(watch.timer, {}));
    return;
  }
  const sim::Duration interval = sim::Millis(config_->replica_lag_time_max_ms / 2);
  const int64_t soonest = std::max(first->us, context.now().us + 1);
  const sim::Time check_at{(soonest + interval.us - 1) / interval.us * interval.us};
  if (watch.timer.sequence != 0 && watch.check_at == check_at) return;
  context.CancelTimer(watch.timer);
  watch.check_at = check_at;
  watch.timer =
      context.SetTimer(check_at - context.now(), static_cast<uint32_t>(BrokerTimer::kLagCheck));
}

void Broker::CheckLag(sim::Context& context) {
  lag_.Mutable().timer = {};
  const PartitionSet lagging = lag_->lagging;
  for (const PartitionId& id : lagging) {
    const std::optional<AlterPartitionRequest> request =
        replicas_.FindMutable(id)->Mutable().MaybeShrinkIsr(Surroundings(context));
    if (request.has_value()) SendAlterPartition(context, *request);
    TrackLag(context, id);
  }
  ArmLagCheck(context);
}

}  // namespace kafkasim::broker

// Appends of a partition leader and what follows from them: watermarks, waiting writers, readers
// and followers (ReplicaManager.appendRecords, DelayedProduce).
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "broker/broker.h"
#include "broker/broker_timers.h"

namespace kafkasim::broker {

absl::StatusOr<AppendInfo> Broker::Append(sim::Context& context, const PartitionId& id,
                                          const RecordBatch& batch, const AppendOptions& options,
                                          int16_t acks, std::optional<PointEffect> appended) {
  const auto refuse = [&](const absl::Status& status) {
    if (context.tracing()) TraceRefusal(context, id, batch, status, image());
    return status;
  };
  sim::Cow<Partition>* replica = replicas_.FindMutable(id);
  if (replica == nullptr) {
    return refuse(
        KafkaError(ErrorCode::kNotLeaderOrFollower, "the broker has no replica of the partition"));
  }
  Partition& partition = replica->Mutable();
  NoteWaitingFollowers(context.now(), partition);
  const Watermarks before = Watermarks::Of(partition, context.tracing());
  absl::StatusOr<AppendInfo> info =
      partition.AppendAsLeader(batch, options, acks, Surroundings(context));
  if (!info.ok()) return refuse(info.status());
  if (context.tracing()) {
    TraceAppend(context, id, partition.leader_epoch(), batch, *info, image());
    if (appended.has_value() && context.alive()) {
      context.Emit(*appended->kind, std::move(appended->fields));
    }
  }
  if (info->duplicate || !context.alive()) return info;
  AfterChange(context, partition, before);
  if (!context.alive()) return info;
  WakeFollowers(context, partition);
  TrackLag(context, partition);
  return info;
}

void Broker::AfterChange(sim::Context& context, const Partition& partition,
                         const Watermarks& before) {
  const bool higher = partition.log().high_watermark() != before.high_watermark;
  if (!higher && partition.log().last_stable_offset() == before.last_stable_offset) return;
  if (context.tracing()) {
    TraceWatermarks(context, partition, before, image());
    if (!context.alive()) return;
  }
  if (higher) {
    for (const FollowerProgress& follower : partition.followers()) {
      if (!follower.in_session) continue;
      FollowerSession& session = sessions_.Mutable().Of(follower.broker);
      NoteNews(session, partition);
      ArmSessionExpiry(context, session);
    }
    FinishWrites(context, partition.id(), &partition);
  }
  TryWaitingFetches(context, partition.id());
}

void Broker::WaitForReplication(sim::Context& context, PendingWrite write, sim::Duration timeout) {
  for (size_t i = 0; i < write.waits.size();) {
    const PendingWrite::Wait wait = write.waits[i];
    const Partition* partition = FindReplica(wait.partition);
    const Partition::AckState state =
        partition == nullptr ? Partition::AckState{.error = ErrorCode::kNotLeaderOrFollower}
                             : partition->CheckEnoughReplicasReachOffset(wait.required);
    if (!state.enough && state.error == ErrorCode::kNone) {
      ++i;
      continue;
    }
    write.Settle(wait, state);
    write.waits.erase(write.waits.begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (write.waits.empty()) {
    CompleteWrite(context, std::move(write));
    return;
  }
  const bool of_service = std::any_of(write.waits.begin(), write.waits.end(),
                                      [](const auto& wait) { return wait.of_service; });
  PendingWrite& waiting = writes_.Mutable().Add(std::move(write));
  if (of_service) {
    waiting.service_timer =
        context.SetTimer(sim::Millis(config_->offsets_commit_timeout_ms),
                         static_cast<uint32_t>(BrokerTimer::kMarkerExpiry), waiting.id);
  }
  waiting.timer =
      context.SetTimer(timeout, static_cast<uint32_t>(BrokerTimer::kWriteExpiry), waiting.id);
}

void Broker::FinishWrites(sim::Context& context, const PartitionId& id, const Partition* replica) {
  if (!writes_->WaitsOn(id)) return;
  PendingWrites::Finished finished = writes_.Mutable().TakeFinished(id, [&](Offset required) {
    return replica == nullptr ? Partition::AckState{.error = ErrorCode::kNotLeaderOrFollower}
                              : replica->CheckEnoughReplicasReachOffset(required);
  });
  for (PendingWrite& write : finished) {
    context.CancelTimer(write.timer);
    context.CancelTimer(write.service_timer);
    CompleteWrite(context, std::move(write));
  }
}

void Broker::CompleteWrite(sim::Context& context, PendingWrite write) {
  if (auto* produce = std::get_if<ProduceResponse>(&write.answer)) {
    context.Reply(write.reply_to, MakeMessage(std::move(*produce)));
  } else if (auto* markers = std::get_if<WriteTxnMarkersResponse>(&write.answer)) {
    context.Reply(write.reply_to, MakeMessage(std::move(*markers)));
  } else {
    finished_appends_.push_back(std::get<ServiceAppend>(write.answer));
  }
}

}  // namespace kafkasim::broker

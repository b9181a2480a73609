// Appends of a partition leader and what follows from them: watermarks, waiting writers, readers
// and followers (ReplicaManager.appendRecords, DelayedProduce).
#include <utility>

#include <fmt/format.h>

#include "broker/broker.h"
#include "broker/broker_timers.h"

namespace kafkasim::broker {

absl::StatusOr<AppendInfo> Broker::Append(sim::Context& context, const PartitionId& id,
                                          const RecordBatch& batch, const AppendOptions& options,
                                          int16_t acks, std::optional<PointEffect> appended) {
  const bool tracing = context.tracing();
  absl::StatusOr<AppendInfo> info =
      KafkaError(ErrorCode::kNotLeaderOrFollower, "the broker has no replica of the partition");
  Watermarks before;
  LeaderEpoch epoch = kNoLeaderEpoch;
  if (sim::Cow<Partition>* replica = replicas_.FindMutable(id)) {
    Partition& partition = replica->Mutable();
    NoteWaitingFollowers(context.now(), partition);
    before = Watermarks::Of(partition, tracing);
    epoch = partition.leader_epoch();
    info = partition.AppendAsLeader(batch, options, acks, Surroundings(context));
  }
  if (!info.ok()) {
    if (tracing) TraceRefusal(context, id, batch, info.status(), image());
    return info;
  }
  if (tracing) {
    TraceAppend(context, id, epoch, batch, *info, image());
    if (appended.has_value() && context.alive()) {
      context.Emit(*appended->kind, std::move(appended->fields));
    }
  }
  if (info->duplicate || !context.alive()) return info;
  AfterChange(context, id, before);
  if (!context.alive()) return info;
  WakeFollowers(context, id);
  TrackLag(context, id);
  return info;
}

void Broker::AfterChange(sim::Context& context, const PartitionId& id, const Watermarks& before) {
  const Partition& partition = *FindReplica(id);
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
    FinishWrites(context, id);
  }
  TryWaitingFetches(context, id);
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
    write.SetError(wait.result, state.error);
    write.waits.erase(write.waits.begin() + static_cast<std::ptrdiff_t>(i));
  }
  if (write.waits.empty()) {
    CompleteWrite(context, std::move(write));
    return;
  }
  PendingWrite& waiting = writes_.Mutable().Add(std::move(write));
  waiting.timer =
      context.SetTimer(timeout, static_cast<uint32_t>(BrokerTimer::kWriteExpiry), waiting.id);
}

void Broker::FinishWrites(sim::Context& context, const PartitionId& id) {
  if (!writes_->WaitsOn(id)) return;
  const Partition* partition = FindReplica(id);
  std::vector<PendingWrite> finished = writes_.Mutable().TakeFinished(id, [&](Offset required) {
    return partition == nullptr ? Partition::AckState{.error = ErrorCode::kNotLeaderOrFollower}
                                : partition->CheckEnoughReplicasReachOffset(required);
  });
  for (PendingWrite& write : finished) {
    context.CancelTimer(write.timer);
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

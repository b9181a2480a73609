// What a broker makes of the controller's images (BrokerMetadataPublisher,
// ReplicaManager.applyDelta), and what it tells clients of them.
#include <algorithm>
#include <utility>

#include "broker/broker.h"
#include "broker/events.h"
#include "broker/messages_cluster.h"
#include "broker/messages_transaction.h"
#include "broker/service_run.h"
#include "sim/check.h"

namespace kafkasim::broker {
namespace {

LogConfig LogConfigFor(const TopicImage& topic, const BrokerConfig& config) {
  return {
      .segment_bytes = topic.config.segment_bytes,
      .segment_ms = topic.config.segment_ms,
      .cleanup_policy = topic.config.cleanup_policy,
      .retention_ms = topic.config.retention_ms,
      .retention_bytes = topic.config.retention_bytes,
      .min_cleanable_dirty_ratio = topic.config.min_cleanable_dirty_ratio,
      .min_compaction_lag_ms = topic.config.min_compaction_lag_ms,
      .max_compaction_lag_ms = topic.config.max_compaction_lag_ms,
      .delete_retention_ms = topic.config.delete_retention_ms,
      .transaction_partition_verification_enable = config.transaction_partition_verification_enable,
      .producer_id_expiration_ms = config.producer_id_expiration_ms,
      .bugs = config.bugs};
}

bool IsReplica(const PartitionImage& image, BrokerId broker) {
  return std::find(image.replicas.begin(), image.replicas.end(), broker) != image.replicas.end();
}

}  // namespace

void Broker::HandleUpdateMetadata(sim::Context& context, const UpdateMetadataRequest& request) {
  if (!active()) {
    // Images of its former life do not concern it any more.
    if (request.image->BrokerEpoch(id_) <= broker_epoch_ || !request.image->IsAlive(id_)) return;
    broker_epoch_ = request.image->BrokerEpoch(id_);
    Activate(context, request.image, /*silent=*/false);
    return;
  }
  if (request.image->version > image().version) {
    ApplyImage(context, request.image, /*silent=*/false);
  }
}

void Broker::Activate(sim::Context& context, const ClusterImageRef& image, bool silent) {
  metadata_.Mutable().active = true;
  metadata_.Mutable().image = image;
  for (uint32_t i = 0; i < services_.size(); ++i) {
    RunService(context, i, [](Service& service, const ServiceContext& host, Effects& effects) {
      service.OnStart(host, effects);
    });
  }
  StartLogManager(context);
  ApplyImage(context, image, silent);
}

void Broker::ApplyImage(sim::Context& context, const ClusterImageRef& image, bool silent) {
  metadata_.Mutable() = {
      .image = image, .response = MakeMessage(MetadataResponse{.image = image}), .active = true};
  const std::vector<PartitionId> gone =
      replicas_.KeysIf([&](const PartitionId& id, const sim::Cow<Partition>&) {
        const PartitionImage* partition = image->FindPartition(id);
        return partition == nullptr || !IsReplica(*partition, id_);
      });
  for (const PartitionId& id : gone) StopReplica(context, id);
  // First what is to be led, then what is to be followed, as Kafka does.
  for (const bool leads : {true, false}) {
    for (size_t t = 0; t < image->topics.size(); ++t) {
      if (image->topics[t].deleted) continue;
      for (size_t p = 0; p < image->topics[t].partitions.size(); ++p) {
        const PartitionImage& partition = image->topics[t].partitions[p];
        if ((partition.leader == id_) != leads || !IsReplica(partition, id_)) continue;
        ApplyRole(context,
                  PartitionId{.topic = TopicId(static_cast<int32_t>(t)),
                              .index = static_cast<int32_t>(p)},
                  partition, silent);
        if (!context.alive()) return;
      }
    }
  }
  // An append that a lost leadership cut short has failed before the service hears of the loss.
  TellServicesOfAppends(context);
  TellServicesOfRoles(context);
  for (uint32_t i = 0; i < services_.size() && context.alive(); ++i) {
    RunService(context, i, [](Service& service, const ServiceContext& host, Effects& effects) {
      service.OnMetadata(host, effects);
    });
  }
  for (FollowerSession& session : sessions_.Mutable().all()) {
    session.complete_is_known = false;
    if (session.MustAnswerAtOnce() && session.waiting.has_value()) {
      AnswerFollower(context, session);
    } else {
      ArmSessionExpiry(context, session);
    }
  }
  FinishDeletes(context);
  std::vector<BrokerId> leaders;
  for (const ReplicaFetcher& fetcher : fetchers_->all()) leaders.push_back(fetcher.leader);
  for (const BrokerId leader : leaders) SendFetch(context, fetchers_.Mutable().Of(leader));
}

void Broker::AddReplica(const PartitionId& id) {
  const TopicImage& topic = *image().FindTopic(id.topic);
  replicas_.Insert(
      id, sim::Cow<Partition>(Partition(id_, id, topic.config, LogConfigFor(topic, *config_))));
}

void Broker::FillLogs(const std::vector<InitialBatch>& batches) {
  for (const InitialBatch& initial : batches) {
    const PartitionImage* partition = image().FindPartition(initial.partition);
    if (partition == nullptr || !IsReplica(*partition, id_)) continue;
    if (replicas_.Find(initial.partition) == nullptr) AddReplica(initial.partition);
    PartitionLog& log = replicas_.FindMutable(initial.partition)->Mutable().mutable_log();
    const bool appended = log.AppendAsLeader(initial.batch, LeaderEpoch(0),
                                             AppendOptions{.origin = AppendOrigin::kCoordinator})
                              .ok();
    KAFKASIM_CHECK(appended, "what a log has from the start can be appended");
    log.SetHighWatermark(log.log_end_offset());
    log.Flush();
    log.CheckpointHighWatermark();
  }
}

void Broker::ApplyRole(sim::Context& context, const PartitionId& id, const PartitionImage& image,
                       bool silent) {
  if (replicas_.Find(id) == nullptr) AddReplica(id);
  const Partition& known = *FindReplica(id);
  if (known.role() != Partition::Role::kOffline && known.leader_epoch() == image.leader_epoch &&
      known.partition_epoch() == image.partition_epoch) {
    if (known.is_leader()) ExpandIsrs(context, id);  // a broker may have come back
    return;
  }
  std::vector<BrokerId> sessions;
  for (const FollowerProgress& follower : known.followers()) {
    if (follower.in_session) sessions.push_back(follower.broker);
  }
  Partition& partition = replicas_.FindMutable(id)->Mutable();
  const Watermarks before = Watermarks::Of(partition, context.tracing());
  const Partition::RoleChange change = partition.Apply(image, Surroundings(context));
  for (const BrokerId follower : sessions) {
    if (!change.new_epoch) continue;
    FollowerSession& session = sessions_.Mutable().Of(follower);
    session.Forget(id);
    session.errors.push_back({.partition = id,
                              .error = partition.is_leader() ? ErrorCode::kFencedLeaderEpoch
                                                             : ErrorCode::kNotLeaderOrFollower});
  }
  if (change.new_epoch) {
    if (change.before == Partition::Role::kFollower) {
      fetchers_.Mutable().Stop(change.leader_before, id);
    }
    if (partition.fetching() == Partition::Fetching::kYes) {
      fetchers_.Mutable().Of(partition.leader()).changed.Insert(id);
    }
    if (!silent && context.tracing()) TraceRole(context, partition);
    if (!context.alive()) return;
  }
  const bool led = change.before == Partition::Role::kLeader;
  if (partition.is_leader()) {
    if (change.new_epoch) NoteLeadership(id, partition.leader_epoch(), /*elected=*/true);
    AfterChange(context, partition, before);
    if (context.alive()) ExpandIsrs(context, id);
  } else if (led) {
    NoteLeadership(id, change.epoch_before, /*elected=*/false);
    FinishWrites(context, id, &partition);
    TryWaitingFetches(context, id);
  }
  if (partition.is_leader() || led) TrackLag(context, partition);
}

void Broker::StopReplica(sim::Context& context, const PartitionId& id) {
  const sim::Cow<Partition> stopped = *replicas_.Find(id);
  replicas_.Erase(id);
  if (stopped->role() == Partition::Role::kFollower) {
    fetchers_.Mutable().Stop(stopped->leader(), id);
  }
  if (!stopped->is_leader()) return;
  for (const FollowerProgress& follower : stopped->followers()) {
    if (!follower.in_session) continue;
    FollowerSession& session = sessions_.Mutable().Of(follower.broker);
    session.Forget(id);
    session.errors.push_back({.partition = id, .error = NotHosted(id)});
  }
  NoteLeadership(id, stopped->leader_epoch(), /*elected=*/false);
  FinishWrites(context, id, /*replica=*/nullptr);
  TryWaitingFetches(context, id);
  SetLagging(context, id, /*lags=*/false);
}

void Broker::TraceRole(sim::Context& context, const Partition& partition) {
  const std::string name = image().NameOf(partition.id());
  if (partition.is_leader()) {
    context.Emit(events::kBecameLeader,
                 {{"partition", name},
                  {"leader_epoch", int64_t{partition.leader_epoch().value()}},
                  {"log_end_offset", partition.log().log_end_offset().value()},
                  {"high_watermark", partition.log().high_watermark().value()}});
  } else {
    context.Emit(events::kBecameFollower,
                 {{"partition", name},
                  {"leader", int64_t{partition.leader().value()}},
                  {"leader_epoch", int64_t{partition.leader_epoch().value()}}});
  }
}

void Broker::NoteLeadership(const PartitionId& id, LeaderEpoch epoch, bool elected) {
  if (services_.empty()) return;
  const auto index = static_cast<size_t>(id.topic.value());
  if (index >= image().topics.size()) return;
  for (uint32_t i = 0; i < services_.size(); ++i) {
    if ((*services_[i])->topic() != image().topics[index].name) continue;
    leadership_changes_.push_back(
        {.service = i, .partition = id, .epoch = epoch, .elected = elected});
  }
}

BrokerId Broker::CoordinatorOf(std::string_view topic, std::string_view key) const {
  const std::optional<PartitionId> partition = image().PartitionForKey(topic, key);
  if (!partition.has_value()) return kNoBroker;
  const BrokerId leader = image().FindPartition(*partition)->leader;
  return image().IsAlive(leader) ? leader : kNoBroker;
}

void Broker::HandleFindCoordinator(sim::Context& context, const sim::RequestIn& request) {
  const auto& find = BodyOf<FindCoordinatorRequest>(*request.payload);
  const std::string_view topic =
      find.type == CoordinatorType::kTransaction ? kTransactionStateTopic : kConsumerOffsetsTopic;
  const BrokerId coordinator = CoordinatorOf(topic, find.key);
  context.Reply(request.reply_to,
                MakeMessage(FindCoordinatorResponse{
                    .error = coordinator == kNoBroker ? ErrorCode::kCoordinatorNotAvailable
                                                      : ErrorCode::kNone,
                    .broker = coordinator}));
}

}  // namespace kafkasim::broker

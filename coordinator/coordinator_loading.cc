#include <string>
#include <utility>
#include <vector>

#include "broker/partition_log.h"
#include "coordinator/coordinator_timers.h"
#include "coordinator/events.h"
#include "coordinator/transaction_coordinator.h"
#include "coordinator/transaction_view.h"
#include "sim/check.h"

namespace kafkasim::coordinator {

using broker::Effects;
using broker::PartitionId;
using broker::ServiceContext;

namespace {

sim::Field PartitionField(const PartitionId& partition, const broker::ClusterImage& names) {
  return {"partition", names.NameOf(partition)};
}

}  // namespace

void TransactionCoordinator::OnElected(const ServiceContext& context, const PartitionId& partition,
                                       broker::LeaderEpoch epoch, Effects& effects) {
  Turn turn{context, effects};
  const broker::TopicImage* topic = context.image().FindTopic(partition.topic);
  KAFKASIM_CHECK(topic != nullptr, "an elected leader knows the topic");
  const bool constant = context.config().bugs.Has(broker::Bug::kCoordinatorEpochIsConstant);
  const broker::CoordinatorEpoch coordinator_epoch(constant ? 0 : epoch.value());
  markers_.Mutable().RemovePartition(partition.index);
  TransactionCache& cache = cache_.Mutable();
  cache.SetTopic(partition.topic, static_cast<int32_t>(topic->partitions.size()));
  cache.StartLoading(partition.index, coordinator_epoch);
  const broker::PartitionLog* log = context.LocalLog(partition);
  const bool is_empty = log == nullptr || log->log_end_offset() == log->log_start_offset();
  if (options_.load_time.us == 0 || is_empty) {
    return Load(turn, partition.index, coordinator_epoch);
  }
  effects.push_back(
      broker::TimerEffect{.delay = options_.load_time,
                          .kind = static_cast<uint32_t>(CoordinatorTimer::kLoad),
                          .argument = LoadArgument(partition.index, coordinator_epoch)});
}

void TransactionCoordinator::Load(Turn& turn, int32_t index, broker::CoordinatorEpoch epoch) {
  const PartitionId partition = cache_->TopicPartition(index);
  const broker::PartitionLog* log = turn.context.LocalLog(partition);
  LoadedTransactions loaded;
  const broker::Bugs bugs = turn.context.config().bugs;
  if (log != nullptr && !bugs.Has(broker::Bug::kTransactionsInMemoryOnly)) {
    loaded = ReplayTransactionLog(*log);
  }
  for (auto& [transactional_id, value] : loaded) {
    const bool decided = value.state == TransactionState::kPrepareCommit;
    if (decided && bugs.Has(broker::Bug::kFailoverAbortsPrepared)) {
      value.state = TransactionState::kPrepareAbort;
    }
  }
  cache_.Mutable().Install(index, loaded);
  std::vector<std::string> ids;
  std::vector<std::string> finishing;
  for (const auto& [transactional_id, value] : loaded) {
    if (turn.context.tracing()) ids.push_back(transactional_id);
    if (IsPrepared(value.state)) finishing.push_back(transactional_id);
  }
  if (turn.context.tracing()) {
    turn.effects.push_back(broker::PointEffect{
        &events::kCoordinatorLoaded,
        {PartitionField(partition, turn.context.image()),
         sim::Field{"coordinator_epoch", int64_t{epoch.value()}},
         sim::Field{"transactional_ids", std::move(ids)}, sim::Field{"finishing", finishing}}});
  }
  for (const auto& [transactional_id, value] : loaded) {
    TransactionMetadata& metadata = cache_.Mutable().Mutable(index, transactional_id);
    if (IsPrepared(value.state)) {
      SetPending(metadata, PrepareComplete(metadata, turn.now_ms()));
    } else {
      ArmSweeps(turn, metadata);
    }
  }
  if (bugs.Has(broker::Bug::kMarkersForgottenAtFailover)) return;
  for (const std::string& transactional_id : finishing) {
    StartMarkers(turn, index, epoch, transactional_id);
  }
}

void TransactionCoordinator::OnResigned(const ServiceContext& context, const PartitionId& partition,
                                        broker::LeaderEpoch epoch, Effects& effects) {
  if (cache_.Mutable().Remove(partition.index) && context.tracing()) {
    effects.push_back(
        broker::PointEffect{&events::kCoordinatorResigned,
                            {PartitionField(partition, context.image()),
                             sim::Field{"coordinator_epoch", int64_t{epoch.value()}}}});
  }
  markers_.Mutable().RemovePartition(partition.index);
}

void TransactionCoordinator::OnMetadata(const ServiceContext& context, Effects& effects) {
  Turn turn{context, effects};
  if (markers_->empty()) return;
  for (const MarkerEntry& entry : markers_.Mutable().TakeUnsettled()) EnqueueMarker(turn, entry);
  RunSender(turn);
}

}  // namespace kafkasim::coordinator

// The periodic tasks about old segments (LogManager.cleanupLogs, LogCleaner), where logs start, and
// orders from outside.
#include <optional>
#include <string>

#include "broker/broker.h"
#include "broker/broker_timers.h"
#include "broker/events.h"

namespace kafkasim::broker {
namespace {

constexpr sim::Duration kInitialTaskDelay = sim::Seconds(30);  // log.initial.task.delay.ms

}  // namespace

void Broker::StartLogManager(sim::Context& context) {
  deletions_.Start(context.now(), sim::Millis(config_->log_retention_check_interval_ms),
                   kInitialTaskDelay);
  cleanings_.Start(context.now(), sim::Millis(config_->log_cleaner_backoff_ms));
  WatchAllLogs(context);
}

void Broker::WatchAllLogs(sim::Context& context) {
  replicas_.ForEach([&](const PartitionId&, const sim::Cow<Partition>& replica) {
    WatchLog(context, replica->log());
  });
}

void Broker::WatchLog(sim::Context& context, const PartitionLog& log) {
  // The cleaner also deletes what is old in a compacted log.
  if (const std::optional<int64_t> at = log.NextDeletionMs()) {
    WantTask(context, log.config().cleanup_policy.compact, *at);
  }
  if (const std::optional<int64_t> at = log.NextCleaningMs(context.now().millis())) {
    WantTask(context, /*cleaner=*/true, *at);
  }
}

void Broker::WatchAppended(sim::Context& context, const PartitionLog& log,
                           const RecordBatch& batch) {
  const LogConfig& config = log.config();
  if (config.cleanup_policy.compact || config.retention_bytes >= 0) {
    WatchLog(context, log);
  } else if (const std::optional<int64_t> at =
                 log.RetainedUntilMs(batch.max_timestamp_ms)) {  // whatever is older is watched
    WantTask(context, /*cleaner=*/false, *at);
  }
}

void Broker::WantTask(sim::Context& context, bool cleaner, int64_t at_ms) {
  const auto delay = (cleaner ? cleanings_ : deletions_).Want(at_ms - 1, context.now());
  if (!delay.has_value()) return;
  context.SetTimer(*delay, static_cast<uint32_t>(cleaner ? BrokerTimer::kLogCleaning
                                                         : BrokerTimer::kLogDeletion));
}

void Broker::DeleteOldSegments(sim::Context& context, const PartitionId& id) {
  Partition& partition = replicas_.FindMutable(id)->Mutable();
  const Watermarks before = Watermarks::Of(partition, context.tracing());
  const Offset start = partition.log().log_start_offset();
  const int deleted = partition.DeleteOldSegments(Surroundings(context));
  if (deleted == 0) return;
  if (context.tracing()) {
    context.Emit(events::kSegmentsDeleted,
                 {{"partition", image().NameOf(id)},
                  {"segments", int64_t{deleted}},
                  {"log_start_offset", partition.log().log_start_offset().value()},
                  {"leader", partition.is_leader()}});
    if (!context.alive()) return;
  }
  AfterLogStart(context, partition, before, start, "old segments were deleted");
}

void Broker::DeleteOldSegmentsOf(sim::Context& context, bool compacted) {
  const int64_t now_ms = context.now().millis();
  const std::vector<PartitionId> due =
      replicas_.KeysIf([&](const PartitionId&, const sim::Cow<Partition>& replica) {
        const std::optional<int64_t> at = replica->log().NextDeletionMs();
        return replica->log().config().cleanup_policy.compact == compacted && at.has_value() &&
               *at <= now_ms;
      });
  for (const PartitionId& id : due) {
    DeleteOldSegments(context, id);
    if (!context.alive()) return;
  }
}

void Broker::CleanLogs(sim::Context& context) {
  // The filthiest first, until none is dirty enough.
  for (;;) {
    std::optional<PartitionId> filthiest;
    LogToClean most;
    replicas_.ForEach([&](const PartitionId& id, const sim::Cow<Partition>& replica) {
      const PartitionLog& log = replica->log();
      if (!log.config().cleanup_policy.compact || !log.HasInactiveSegment()) return;
      const LogToClean what = log.WhatToClean(context.now().millis());
      if (!what.IsDue(log.config().min_cleanable_dirty_ratio)) return;
      if (filthiest.has_value() && !IsFilthier(what, most)) return;
      filthiest = id;
      most = what;
    });
    if (!filthiest.has_value()) return;
    CleanLog(context, *filthiest);
    if (!context.alive()) return;
  }
}

void Broker::CleanLog(sim::Context& context, const PartitionId& id) {
  Partition& partition = replicas_.FindMutable(id)->Mutable();
  const CleaningResult result = partition.Clean(Surroundings(context));
  if (!context.tracing()) return;
  context.Emit(events::kCleaned, {{"partition", image().NameOf(id)},
                                  {"from", result.from.value()},
                                  {"to", result.to.value()},
                                  {"records_removed", result.records_removed},
                                  {"markers_removed", result.markers_removed},
                                  {"leader", partition.is_leader()}});
}

void Broker::RollSegment(sim::Context& context, const PartitionId& id) {
  Partition& partition = replicas_.FindMutable(id)->Mutable();
  const size_t before = partition.log().segment_base_offsets().size();
  partition.RollSegment();
  if (context.tracing() && before > 0) {
    context.Emit(events::kSegmentRolled, {{"partition", image().NameOf(id)},
                                          {"base_offset", partition.log().log_end_offset().value()},
                                          {"leader", partition.is_leader()}});
  }
  if (context.alive()) WatchLog(context, partition.log());
}

void Broker::AfterLogStart(sim::Context& context, const Partition& partition,
                           const Watermarks& before, Offset start_before, std::string_view reason) {
  const Offset start = partition.log().log_start_offset();
  if (start == start_before) return;
  if (context.tracing()) {
    context.Emit(events::kLogStartOffset, {{"partition", image().NameOf(partition.id())},
                                           {"from", start_before.value()},
                                           {"to", start.value()},
                                           {"reason", std::string(reason)},
                                           {"leader", partition.is_leader()}});
    if (context.alive() && partition.is_leader()) {
      TraceWatermarks(context, partition, before, image());
    }
    if (!context.alive()) return;
  }
  for (const FollowerProgress& follower : partition.followers()) {
    if (!follower.in_session) continue;
    FollowerSession& session = sessions_.Mutable().Of(follower.broker);
    NoteNews(session, partition);
    ArmSessionExpiry(context, session);
  }
  if (partition.fetching() == Partition::Fetching::kYes) {
    // The leader hears of it with the next fetch.
    fetchers_.Mutable().Of(partition.leader()).changed.Insert(partition.id());
  }
  WatchLog(context, partition.log());
  FinishDeletes(context);
}

void Broker::OnCommand(sim::Context& context, const sim::PayloadRef& command) {
  const auto& order = static_cast<const LogOrder&>(*command);
  const PartitionId& id = order.partition();
  if (!active() || FindReplica(id) == nullptr) return;
  switch (order.kind()) {
    case LogOrder::Kind::kRoll:
      RollSegment(context, id);
      break;
    case LogOrder::Kind::kClean:
      CleanLog(context, id);
      break;
    case LogOrder::Kind::kDeleteOldSegments:
      DeleteOldSegments(context, id);
      break;
  }
  if (context.alive()) Settle(context);
}

}  // namespace kafkasim::broker

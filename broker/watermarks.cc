#include "broker/watermarks.h"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "broker/events.h"

namespace kafkasim::broker {
namespace {

std::vector<std::string> RecordTexts(const RecordBatch& batch) {
  std::vector<std::string> texts;
  texts.reserve(batch.records->size());
  for (const Record& record : *batch.records) {
    texts.push_back(record.key.has_value()
                        ? fmt::format("{}={}", *record.key, record.value.value_or("null"))
                        : record.value.value_or("null"));
  }
  return texts;
}

Offset FirstOffsetOf(const TxnSpans& unreplicated, Offset marker) {
  for (const TxnSpan& span : unreplicated) {
    if (span.last_offset == marker) return span.first_offset;
  }
  return kNoOffset;
}

std::vector<sim::Field> MarkerFields(std::string partition, const RecordBatch& batch,
                                     Offset first_offset) {
  return {{"partition", std::move(partition)},
          {"offset", batch.base_offset.value()},
          {"type", std::string(Name(batch.marker->type))},
          {"producer_id", batch.producer_id.value()},
          {"producer_epoch", int64_t{batch.producer_epoch.value()}},
          {"coordinator_epoch", int64_t{batch.marker->coordinator_epoch.value()}},
          {"first_offset", first_offset.value()}};
}

void TraceReplicatedMarkers(sim::Context& context, const Partition& partition,
                            const Watermarks& before, const std::string& name) {
  std::vector<RecordBatchRef> markers;
  partition.log().ForEachBatch(before.high_watermark, [&](const RecordBatchRef& batch) {
    if (batch->marker.has_value() && batch->last_offset() < partition.log().high_watermark()) {
      markers.push_back(batch);
    }
  });
  for (const RecordBatchRef& marker : markers) {
    context.Emit(
        events::kMarkerReplicated,
        MarkerFields(name, *marker, FirstOffsetOf(before.unreplicated, marker->base_offset)));
    if (!context.alive()) return;
  }
}

}  // namespace

Watermarks Watermarks::Of(const Partition& partition, bool tracing) {
  Watermarks watermarks{.high_watermark = partition.log().high_watermark(),
                        .last_stable_offset = partition.log().last_stable_offset()};
  if (tracing) watermarks.unreplicated = partition.log().producers().unreplicated_txns();
  return watermarks;
}

void TraceWatermarks(sim::Context& context, const Partition& partition, const Watermarks& before,
                     const ClusterImage& names) {
  const Offset high_watermark = partition.log().high_watermark();
  const Offset last_stable_offset = partition.log().last_stable_offset();
  const std::string name = names.NameOf(partition.id());
  if (high_watermark != before.high_watermark) {
    context.Emit(events::kHighWatermark, {{"partition", name},
                                          {"from", before.high_watermark.value()},
                                          {"to", high_watermark.value()}});
    if (context.alive()) TraceReplicatedMarkers(context, partition, before, name);
  }
  if (last_stable_offset != before.last_stable_offset && context.alive()) {
    context.Emit(events::kLastStableOffset, {{"partition", name},
                                             {"from", before.last_stable_offset.value()},
                                             {"to", last_stable_offset.value()}});
  }
}

void TraceAppend(sim::Context& context, const PartitionId& id, LeaderEpoch epoch,
                 const RecordBatch& batch, const AppendInfo& info, const ClusterImage& names) {
  const std::string name = names.NameOf(id);
  if (batch.is_control()) {
    const Offset first =
        info.completed_txn.has_value() ? info.completed_txn->first_offset : kNoOffset;
    context.Emit(events::kMarkerAppended, MarkerFields(name, *info.batch, first));
    return;
  }
  std::vector<sim::Field> fields = {{"partition", name},
                                    {"base_offset", info.first_offset.value()},
                                    {"last_offset", info.last_offset.value()},
                                    {"producer_id", batch.producer_id.value()},
                                    {"producer_epoch", int64_t{batch.producer_epoch.value()}},
                                    {"base_sequence", int64_t{batch.base_sequence.value()}}};
  if (info.duplicate) {
    context.Emit(events::kDuplicate, std::move(fields));
    return;
  }
  fields.push_back({"leader_epoch", int64_t{epoch.value()}});
  fields.push_back({"transactional", batch.transactional});
  fields.push_back({"records", RecordTexts(batch)});
  context.Emit(events::kAppended, std::move(fields));
  if (info.started_txn && context.alive()) {
    context.Emit(events::kTransactionOpened,
                 {{"partition", name},
                  {"first_offset", info.first_offset.value()},
                  {"producer_id", batch.producer_id.value()},
                  {"producer_epoch", int64_t{batch.producer_epoch.value()}}});
  }
}

void TraceRefusal(sim::Context& context, const PartitionId& id, const RecordBatch& batch,
                  const absl::Status& status, const ClusterImage& names) {
  std::vector<sim::Field> fields = {{"partition", names.NameOf(id)},
                                    {"error", std::string(Name(CodeOf(status)))},
                                    {"reason", std::string(status.message())},
                                    {"producer_id", batch.producer_id.value()},
                                    {"producer_epoch", int64_t{batch.producer_epoch.value()}}};
  if (batch.is_control()) {
    fields.push_back({"coordinator_epoch", int64_t{batch.marker->coordinator_epoch.value()}});
    context.Emit(events::kMarkerRefused, std::move(fields));
  } else {
    fields.push_back({"base_sequence", int64_t{batch.base_sequence.value()}});
    context.Emit(events::kAppendRefused, std::move(fields));
  }
}

}  // namespace kafkasim::broker

// A partition as a picture shows it.
#include <algorithm>
#include <optional>
#include <utility>

#include <absl/container/btree_map.h>

#include "scenarios/cluster_access.h"
#include "scenarios/reader_view.h"
#include "scenarios/snapshot.h"

namespace kafkasim::scenarios {
namespace {

// The broker whose replica is shown: the one asked for, the leader, or without a leader the one
// with the longest log.
broker::BrokerId ChooseReplica(const Moment& moment, const broker::PartitionId& partition,
                               const broker::PartitionImage& image,
                               std::optional<std::int32_t> wanted) {
  if (wanted.has_value()) return broker::BrokerId(*wanted);
  if (image.leader != broker::kNoBroker) return image.leader;
  broker::BrokerId longest = broker::kNoBroker;
  broker::Offset end = broker::kNoOffset;
  for (const broker::BrokerId replica : image.replicas) {
    const broker::PartitionLog* log = FindLog(moment, replica, partition);
    if (log == nullptr || log->log_end_offset() <= end) continue;
    end = log->log_end_offset();
    longest = replica;
  }
  return longest;
}

sim::Life LifeOf(const Moment& moment, broker::BrokerId broker) {
  if (broker == broker::kNoBroker) return sim::Life::kCrashed;
  return moment.world.life(broker::ProcessOf(broker));
}

void ViewReplicas(const Moment& moment, const broker::PartitionImage& image, PartitionView& view) {
  for (const broker::BrokerId replica : image.replicas) {
    const broker::PartitionLog* log = FindLog(moment, replica, view.id);
    if (log == nullptr) continue;
    view.replicas.push_back(
        {.broker = replica.value(),
         .life = LifeOf(moment, replica),
         .in_sync = std::find(image.isr.begin(), image.isr.end(), replica) != image.isr.end(),
         .log_start_offset = log->log_start_offset().value(),
         .log_end_offset = log->log_end_offset().value(),
         .high_watermark = log->high_watermark().value()});
  }
}

OpenTransactionView ViewSpan(const Moment& moment, const PartitionView& view,
                             const broker::PartitionLog& log, const broker::TxnSpan& span) {
  const broker::ProducerStateEntry* state = log.producers().Find(span.producer_id);
  const broker::RecordBatch* first = log.FindBatch(span.first_offset);
  OpenTransactionView open{.producer_id = span.producer_id.value(),
                           .epoch = state == nullptr ? -1 : state->producer_epoch().value(),
                           .first_offset = span.first_offset.value(),
                           .ended = span.last_offset != broker::kNoOffset,
                           .marker_offset = span.last_offset.value()};
  // The epoch of the transaction itself: the producer's may have moved on.
  if (first != nullptr) open.epoch = first->producer_epoch.value();
  open.actor = moment.history.OwnerOf(span.producer_id,
                                      broker::ProducerEpoch(static_cast<std::int16_t>(open.epoch)));
  open.transactional_id = moment.history.TransactionalIdOf(span.producer_id);
  open.opened = moment.history.AppendOf(view.id, span.first_offset).value_or(Happening{});
  return open;
}

void ViewProducers(const Moment& moment, const broker::PartitionLog& log, PartitionView& view) {
  for (const broker::TxnSpan& span : log.producers().ongoing_txns()) {
    view.open.push_back(ViewSpan(moment, view, log, span));
  }
  for (const broker::TxnSpan& span : log.producers().unreplicated_txns()) {
    view.open.push_back(ViewSpan(moment, view, log, span));
  }
  std::sort(view.open.begin(), view.open.end(),
            [](const auto& a, const auto& b) { return a.first_offset < b.first_offset; });
  for (const broker::ProducerStateEntry& entry :
       ProducersOf(moment, broker::BrokerId(view.seen_on), view.id)) {
    view.producers.push_back(
        {.producer_id = entry.producer_id().value(),
         .actor = std::string(moment.history.OwnerOf(entry.producer_id(), entry.producer_epoch())),
         .epoch = entry.producer_epoch().value(),
         .last_sequence = entry.last_sequence().value(),
         .coordinator_epoch = entry.coordinator_epoch().value(),
         .open_since = entry.current_txn_first_offset().value_or(broker::kNoOffset).value()});
  }
  for (const broker::AbortedTxn& txn : log.aborted_txns()) {
    const broker::RecordBatch* first = log.FindBatch(txn.first_offset);
    const broker::ProducerEpoch epoch =
        first == nullptr ? broker::kNoProducerEpoch : first->producer_epoch;
    view.aborted.push_back({.producer_id = txn.producer_id.value(),
                            .actor = std::string(moment.history.OwnerOf(txn.producer_id, epoch)),
                            .first_offset = txn.first_offset.value(),
                            .last_offset = txn.last_offset.value(),
                            .last_stable_offset = txn.last_stable_offset.value()});
  }
}

// Makes the entries of a log, batch after batch, and settles the fate of each transaction when its
// marker comes.
class EntryBuilder {
 public:
  EntryBuilder(const Moment& moment, PartitionView& view) : moment_(moment), view_(view) {}

  void Add(const broker::RecordBatch& batch) {
    EntryView entry{.offset = batch.base_offset.value(),
                    .producer_id = batch.producer_id.value(),
                    .epoch = batch.producer_epoch.value(),
                    .transactional = batch.transactional,
                    .leader_epoch = batch.partition_leader_epoch.value()};
    entry.appended = moment_.history.AppendOf(view_.id, batch.base_offset).value_or(Happening{});
    if (batch.has_producer_id()) {
      entry.actor = moment_.history.OwnerOf(batch.producer_id, batch.producer_epoch);
      if (batch.transactional) {
        entry.transactional_id = moment_.history.TransactionalIdOf(batch.producer_id);
      }
    } else {
      entry.actor = moment_.history.WriterOf(view_.id, batch.base_offset);
    }
    if (batch.marker.has_value()) {
      AddMarker(batch, std::move(entry));
    } else {
      AddRecords(batch, entry);
    }
  }

 private:
  void AddRecords(const broker::RecordBatch& batch, const EntryView& common) {
    for (const broker::Record& record : *batch.records) {
      EntryView entry = common;
      entry.offset += record.offset_delta;
      entry.key = record.key;
      entry.value = record.value;
      if (batch.base_sequence != broker::kNoSequence) {
        entry.sequence = broker::AddToSequence(batch.base_sequence, record.offset_delta).value();
      }
      if (batch.transactional) {
        entry.state = EntryState::kUndecided;
        undecided_[batch.producer_id].push_back(view_.entries.size());
      }
      view_.entries.push_back(std::move(entry));
    }
  }

  void AddMarker(const broker::RecordBatch& batch, EntryView entry) {
    const bool commit = batch.marker->type == broker::ControlType::kCommit;
    entry.kind = commit ? EntryKind::kCommit : EntryKind::kAbort;
    entry.coordinator_epoch = batch.marker->coordinator_epoch.value();
    std::vector<std::size_t>& decided = undecided_[batch.producer_id];
    if (!decided.empty()) entry.actor = view_.entries[decided.front()].actor;
    // Until the marker is replicated it may be lost again, and with it the decision here. Where
    // nobody knows how far that has come, the log itself has to do.
    if (!view_.offsets_known() || entry.offset < view_.high_watermark) {
      for (const std::size_t place : decided) {
        view_.entries[place].state = commit ? EntryState::kCommitted : EntryState::kAborted;
        view_.entries[place].marker_offset = entry.offset;
      }
    }
    decided.clear();
    view_.entries.push_back(std::move(entry));
  }

  const Moment& moment_;
  PartitionView& view_;
  absl::btree_map<broker::ProducerId, std::vector<std::size_t>> undecided_;
};

}  // namespace

std::optional<PartitionView> ViewPartition(const Moment& moment,
                                           const broker::PartitionId& partition,
                                           std::optional<std::int32_t> on_broker, Detail detail) {
  const broker::PartitionImage* image = CurrentCluster(moment).FindPartition(partition);
  if (image == nullptr) return std::nullopt;
  const broker::BrokerId replica = ChooseReplica(moment, partition, *image, on_broker);
  const broker::PartitionLog* log = FindLog(moment, replica, partition);
  if (log == nullptr) return std::nullopt;
  PartitionView view{.id = partition,
                     .name = moment.names.NameOf(partition),
                     .leader = image->leader.value(),
                     .leader_epoch = image->leader_epoch.value(),
                     .leader_life = LifeOf(moment, image->leader),
                     .seen_on = replica.value(),
                     .seen_on_life = LifeOf(moment, replica),
                     .log_start_offset = log->log_start_offset().value(),
                     .log_end_offset = log->log_end_offset().value(),
                     .high_watermark = log->high_watermark().value(),
                     .last_stable_offset = log->last_stable_offset().value()};
  for (const broker::BrokerId member : image->isr) view.isr.push_back(member.value());
  ViewReplicas(moment, *image, view);
  ViewProducers(moment, *log, view);
  if (detail == Detail::kNumbers) return view;
  EntryBuilder builder(moment, view);
  log->ForEachBatch(log->log_start_offset(),
                    [&](const broker::RecordBatchRef& batch) { builder.Add(*batch); });
  std::erase_if(view.entries,
                [&](const EntryView& entry) { return entry.offset < view.log_start_offset; });
  view.read_uncommitted = PlacesGiven(view, *log, broker::IsolationLevel::kReadUncommitted);
  view.read_committed = PlacesGiven(view, *log, broker::IsolationLevel::kReadCommitted);
  return view;
}

std::vector<EntryView> EntriesAt(const PartitionView& view,
                                 const std::vector<std::size_t>& places) {
  std::vector<EntryView> entries;
  entries.reserve(places.size());
  for (const std::size_t place : places) entries.push_back(view.entries[place]);
  return entries;
}

}  // namespace kafkasim::scenarios

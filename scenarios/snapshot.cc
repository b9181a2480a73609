// The whole cluster at a moment: brokers, actors, transactions.
#include "scenarios/snapshot.h"

#include <algorithm>
#include <utility>

#include "client/application.h"
#include "client/consumer.h"
#include "client/external_api.h"
#include "client/external_store.h"
#include "client/producer.h"
#include "coordinator/transaction_log_record.h"
#include "coordinator/transaction_state.h"
#include "scenarios/cluster_access.h"
#include "scenarios/vocabulary.h"

namespace kafkasim::scenarios {
namespace {

std::vector<std::string> NamesOf(const NameTable& names, const broker::PartitionList& partitions) {
  std::vector<std::string> texts;
  for (const broker::PartitionId& partition : partitions) texts.push_back(names.NameOf(partition));
  return texts;
}

TransactionRecordView ViewRecord(const NameTable& names, std::int64_t offset,
                                 const coordinator::TransactionLogRecord& record) {
  TransactionRecordView view{.offset = offset, .state = "TOMBSTONE"};
  if (!record.value.has_value()) return view;
  view.state = coordinator::UpperName(record.value->state);
  view.producer_id = record.value->producer_id.value();
  view.epoch = record.value->producer_epoch.value();
  view.partitions = NamesOf(names, record.value->partitions);
  view.timeout_ms = record.value->timeout_ms;
  view.start_ms = record.value->start_timestamp_ms;
  view.update_ms = record.value->last_update_timestamp_ms;
  return view;
}

// The records of one id, from the log of the coordinator or, without one, the longest replica.
std::vector<TransactionRecordView> ViewRecords(const Moment& moment,
                                               const broker::PartitionId& partition,
                                               const std::string& transactional_id) {
  std::vector<TransactionRecordView> records;
  const std::optional<PartitionView> view =
      ViewPartition(moment, partition, std::nullopt, Detail::kNumbers);
  if (!view.has_value()) return records;
  const broker::PartitionLog* log = FindLog(moment, broker::BrokerId(view->seen_on), partition);
  log->ForEachBatch(log->log_start_offset(), [&](const broker::RecordBatchRef& batch) {
    for (const broker::Record& record : *batch->records) {
      const auto decoded = coordinator::DecodeTransaction(record);
      if (!decoded.has_value() || decoded->transactional_id != transactional_id) continue;
      const std::int64_t offset = batch->base_offset.value() + record.offset_delta;
      records.push_back(ViewRecord(moment.names, offset, *decoded));
    }
  });
  return records;
}

void ViewMetadata(const NameTable& names, const coordinator::TransactionMetadata& metadata,
                  TransactionView& view) {
  const coordinator::TransactionValue& value = metadata.value;
  view.known = true;
  view.state = coordinator::UpperName(value.state);
  if (metadata.pending.has_value()) {
    view.pending_state = coordinator::UpperName(metadata.pending->state);
  }
  view.producer_id = value.producer_id.value();
  view.epoch = value.producer_epoch.value();
  view.last_epoch = value.last_producer_epoch.value();
  view.timeout_ms = value.timeout_ms;
  view.start_ms = value.start_timestamp_ms;
  view.partitions = NamesOf(names, value.partitions);
}

void ViewConsumer(const Moment& moment, const client::Consumer& consumer, ActorView& view) {
  view.consumes = true;
  view.isolation_level = consumer.config().isolation_level;
  for (const broker::PartitionId& partition : consumer.assignment()) {
    const std::optional<broker::Offset> position = consumer.position(partition);
    if (!position.has_value()) continue;
    view.positions.push_back(
        {.partition = moment.names.NameOf(partition), .offset = position->value()});
  }
}

void ViewProducer(const client::Producer& producer, ActorView& view) {
  view.produces = true;
  view.state = client::Name(producer.transaction_state());
  view.producer_id = producer.identity().producer_id.value();
  view.epoch = producer.identity().epoch.value();
}

ProgramView ViewProgram(const client::Application& application) {
  ProgramView view{.state = ProgramStates()[static_cast<std::size_t>(application.state())],
                   .uncaught = application.uncaught()};
  if (const client::Line* line = application.line()) {
    view.line = line->number;
    view.text = line->text;
  }
  return view;
}

void ViewApplication(const Moment& moment, const client::Application& application,
                     ActorView& view) {
  if (application.consumer() != nullptr) ViewConsumer(moment, *application.consumer(), view);
  if (application.producer() != nullptr) ViewProducer(*application.producer(), view);
  if (application.has_program()) view.program = ViewProgram(application);
}

}  // namespace

TransactionView ViewTransaction(const Moment& moment, const std::string& transactional_id) {
  TransactionView view{.transactional_id = transactional_id};
  const auto partition = CoordinatorPartition(moment, transactional_id);
  if (!partition.has_value()) return view;
  view.partition = partition->index;
  view.records = ViewRecords(moment, *partition, transactional_id);
  const broker::BrokerId leader = LeaderOf(moment, *partition);
  const coordinator::TransactionCoordinator* coordinator = FindCoordinator(moment, leader);
  if (coordinator == nullptr) return view;
  view.coordinator = leader.value();
  const auto located = coordinator->cache().Locate(transactional_id);
  view.loaded = located.standing == coordinator::TransactionCache::Standing::kHere;
  view.coordinator_epoch = located.epoch.value();
  if (located.metadata != nullptr) ViewMetadata(moment.names, *located.metadata, view);
  return view;
}

ActorView ViewActor(const Moment& moment, sim::ProcessId actor) {
  const ProcessEntry& entry = *moment.names.Find(actor);
  ActorView view{.name = entry.name,
                 .role = entry.role,
                 .life = moment.world.life(actor),
                 .transactional_id = entry.transactional_id,
                 .delivered = moment.history.DeliveredTo(actor)};
  const sim::Process& process = moment.world.process(actor);
  switch (entry.role) {
    case ProcessRole::kConsumer:
      ViewConsumer(moment, static_cast<const client::Consumer&>(process), view);
      break;
    case ProcessRole::kProducer:
      ViewProducer(static_cast<const client::Producer&>(process), view);
      break;
    case ProcessRole::kApplication:
      ViewApplication(moment, static_cast<const client::Application&>(process), view);
      break;
    case ProcessRole::kStore: {
      const auto& store = static_cast<const client::ExternalStore&>(process);
      view.rows = store.rows();
      view.refused = store.refused();
      break;
    }
    case ProcessRole::kApi: {
      const auto& api = static_cast<const client::ExternalApi&>(process);
      view.calls = api.calls();
      view.effects = api.effects();
      break;
    }
    case ProcessRole::kAdmin:
    case ProcessRole::kBroker:
    case ProcessRole::kController:
      break;
  }
  return view;
}

Snapshot TakeSnapshot(const Moment& moment) {
  Snapshot snapshot{.at = moment.world.now()};
  const broker::ClusterImage& cluster = CurrentCluster(moment);
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < moment.names.processes.size(); ++i) {
    const sim::ProcessId process(static_cast<std::int32_t>(i));
    const ProcessEntry& entry = moment.names.processes[i];
    if (entry.role == ProcessRole::kBroker) {
      snapshot.brokers.push_back({.id = process.value(),
                                  .life = moment.world.life(process),
                                  .fenced = !cluster.IsAlive(broker::BrokerOf(process))});
    } else if (entry.is_actor()) {
      snapshot.actors.push_back(ViewActor(moment, process));
    }
    if (entry.transactional_id.empty()) continue;
    if (std::find(ids.begin(), ids.end(), entry.transactional_id) != ids.end()) continue;
    ids.push_back(entry.transactional_id);
  }
  for (const broker::PartitionId& partition : moment.names.DeclaredPartitions()) {
    if (auto view = ViewPartition(moment, partition)) {
      snapshot.partitions.push_back(std::move(*view));
    }
  }
  for (const std::string& id : ids) snapshot.transactions.push_back(ViewTransaction(moment, id));
  snapshot.groups = ViewGroups(moment);
  for (GroupSnapshot& group : snapshot.groups) {
    const auto log = ViewPartition(moment, *GroupPartition(moment, group.group_id));
    group.records = GroupRecords(*log, moment.names, group.group_id);
  }
  return snapshot;
}

}  // namespace kafkasim::scenarios

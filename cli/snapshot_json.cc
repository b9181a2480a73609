#include "cli/snapshot_json.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kafkasim::cli {
namespace {

using scenarios::EntryKind;
using scenarios::EntryState;
using scenarios::EntryView;
using scenarios::PartitionView;
using Json = nlohmann::ordered_json;

std::string_view JsonName(sim::Life life) {
  switch (life) {
    case sim::Life::kRunning:
      return "running";
    case sim::Life::kPaused:
      return "paused";
    case sim::Life::kCrashed:
      return "crashed";
  }
  return "";
}

std::string_view JsonName(EntryKind kind) {
  switch (kind) {
    case EntryKind::kRecord:
      return "record";
    case EntryKind::kCommit:
      return "COMMIT";
    case EntryKind::kAbort:
      return "ABORT";
  }
  return "";
}

std::string_view JsonName(EntryState state) {
  switch (state) {
    case EntryState::kPlain:
      return "plain";
    case EntryState::kUndecided:
      return "undecided";
    case EntryState::kCommitted:
      return "committed";
    case EntryState::kAborted:
      return "aborted";
  }
  return "";
}

std::string_view JsonName(scenarios::ProcessRole role) {
  switch (role) {
    case scenarios::ProcessRole::kBroker:
      return "broker";
    case scenarios::ProcessRole::kController:
      return "controller";
    case scenarios::ProcessRole::kProducer:
      return "producer";
    case scenarios::ProcessRole::kConsumer:
      return "consumer";
    case scenarios::ProcessRole::kAdmin:
      return "admin";
    case scenarios::ProcessRole::kApplication:
      return "application";
    case scenarios::ProcessRole::kStore:
      return "store";
    case scenarios::ProcessRole::kApi:
      return "api";
  }
  return "";
}

Json TextOrNull(const std::optional<std::string>& text) {
  return text.has_value() ? Json(*text) : Json(nullptr);
}

template <typename T, typename ToJson>
Json ArrayOf(const std::vector<T>& items, ToJson to_json) {
  Json array = Json::array();
  for (const T& item : items) array.push_back(to_json(item));
  return array;
}

Json HappeningJson(const scenarios::Happening& happening) {
  return {{"event", happening.event.value()}, {"time_us", happening.at.us}};
}

Json EntryJson(const EntryView& entry) {
  return {{"offset", entry.offset},
          {"kind", JsonName(entry.kind)},
          {"state", JsonName(entry.state)},
          {"key", TextOrNull(entry.key)},
          {"value", TextOrNull(entry.value)},
          {"actor", entry.actor},
          {"transactional_id", entry.transactional_id},
          {"transactional", entry.transactional},
          {"producer_id", entry.producer_id},
          {"producer_epoch", entry.epoch},
          {"sequence", entry.sequence},
          {"coordinator_epoch", entry.coordinator_epoch},
          {"leader_epoch", entry.leader_epoch},
          {"marker_offset", entry.marker_offset},
          {"appended", HappeningJson(entry.appended)}};
}

Json OpenJson(const scenarios::OpenTransactionView& open) {
  return {{"transactional_id", open.transactional_id}, {"actor", open.actor},
          {"producer_id", open.producer_id},           {"producer_epoch", open.epoch},
          {"first_offset", open.first_offset},         {"ended", open.ended},
          {"marker_offset", open.marker_offset},       {"opened", HappeningJson(open.opened)}};
}

Json ReplicaJson(const scenarios::ReplicaView& replica) {
  return {{"broker", replica.broker},
          {"life", JsonName(replica.life)},
          {"in_sync", replica.in_sync},
          {"log_start_offset", replica.log_start_offset},
          {"log_end_offset", replica.log_end_offset},
          {"high_watermark", replica.high_watermark}};
}

Json ProducerStateJson(const scenarios::ProducerStateView& state) {
  return {{"producer_id", state.producer_id},
          {"actor", state.actor},
          {"producer_epoch", state.epoch},
          {"last_sequence", state.last_sequence},
          {"coordinator_epoch", state.coordinator_epoch},
          {"open_since", state.open_since}};
}

Json AbortedJson(const scenarios::AbortedView& aborted) {
  return {{"producer_id", aborted.producer_id},
          {"actor", aborted.actor},
          {"first_offset", aborted.first_offset},
          {"last_offset", aborted.last_offset},
          {"last_stable_offset", aborted.last_stable_offset}};
}

Json PartitionJson(const PartitionView& view) {
  const auto offset_of = [&](std::size_t index) { return view.entries[index].offset; };
  return {{"partition", view.name},
          {"leader", view.leader},
          {"leader_epoch", view.leader_epoch},
          {"seen_on", view.seen_on},
          {"isr", view.isr},
          {"log_start_offset", view.log_start_offset},
          {"log_end_offset", view.log_end_offset},
          {"offsets_known", view.offsets_known()},
          {"high_watermark", view.high_watermark},
          {"last_stable_offset", view.last_stable_offset},
          {"read_committed", ArrayOf(view.read_committed, offset_of)},
          {"read_uncommitted", ArrayOf(view.read_uncommitted, offset_of)},
          {"open", ArrayOf(view.open, OpenJson)},
          {"aborted", ArrayOf(view.aborted, AbortedJson)},
          {"producers", ArrayOf(view.producers, ProducerStateJson)},
          {"replicas", ArrayOf(view.replicas, ReplicaJson)},
          {"entries", ArrayOf(view.entries, EntryJson)}};
}

Json TransactionRecordJson(const scenarios::TransactionRecordView& record) {
  return {{"offset", record.offset},           {"state", record.state},
          {"producer_id", record.producer_id}, {"producer_epoch", record.epoch},
          {"partitions", record.partitions},   {"timeout_ms", record.timeout_ms},
          {"start_ms", record.start_ms},       {"update_ms", record.update_ms}};
}

Json TransactionJson(const scenarios::TransactionView& transaction) {
  return {{"transactional_id", transaction.transactional_id},
          {"partition", transaction.partition},
          {"coordinator", transaction.coordinator},
          {"coordinator_epoch", transaction.coordinator_epoch},
          {"loaded", transaction.loaded},
          {"state", transaction.state},
          {"pending_state", transaction.pending_state},
          {"producer_id", transaction.producer_id},
          {"producer_epoch", transaction.epoch},
          {"last_producer_epoch", transaction.last_epoch},
          {"timeout_ms", transaction.timeout_ms},
          {"start_ms", transaction.start_ms},
          {"partitions", transaction.partitions},
          {"records", ArrayOf(transaction.records, TransactionRecordJson)}};
}

Json MemberJson(const scenarios::MemberOfGroup& member) {
  return {{"client", member.client},
          {"member_id", member.member_id},
          {"group_instance_id", member.instance},
          {"partitions", member.partitions}};
}

Json GroupRecordJson(const scenarios::GroupRecordView& record) {
  const bool of_offset = !record.partition.empty();
  Json json = {{"offset", record.offset},
               {"kind", of_offset ? "offset" : "group"},
               {"tombstone", record.tombstone}};
  if (of_offset) json["partition"] = record.partition;
  if (record.tombstone) return json;
  json["timestamp_ms"] = record.timestamp_ms;
  if (!of_offset) {
    json["generation"] = record.generation;
    json["protocol"] = record.protocol;
    json["leader"] = record.leader;
    json["members"] = ArrayOf(record.members, MemberJson);
    return json;
  }
  json["committed"] = record.committed;
  json["leader_epoch"] = record.leader_epoch;
  json["metadata"] = record.metadata;
  json["fate"] = scenarios::FateName(record.fate);
  json["producer_id"] = record.producer_id;
  json["decided_at"] = record.decided_at;
  return json;
}

Json GroupJson(const scenarios::GroupSnapshot& group) {
  Json committed = Json::array();
  for (const auto& row : group.committed) {
    Json json = {{"partition", row.partition}, {"offset", row.offset}};
    if (row.lag.has_value()) {
      json["lag_to_high_watermark"] = row.lag->to_high_watermark;
      json["lag_to_last_stable_offset"] = row.lag->to_last_stable_offset;
      json["lag_in_records"] = row.lag->records;
    }
    committed.push_back(std::move(json));
  }
  Json pending = Json::array();
  for (const auto& row : group.pending) {
    pending.push_back(
        {{"partition", row.partition}, {"offset", row.offset}, {"producer_id", row.producer_id}});
  }
  return {{"group_id", group.group_id},
          {"partition", group.partition},
          {"coordinator", group.coordinator},
          {"state", group.state},
          {"generation", group.generation},
          {"protocol", group.protocol},
          {"leader", group.leader},
          {"members", ArrayOf(group.members, MemberJson)},
          {"committed", std::move(committed)},
          {"pending", std::move(pending)},
          {"records", ArrayOf(group.records, GroupRecordJson)}};
}

Json ActorJson(const scenarios::ActorView& actor) {
  Json json = {
      {"actor", actor.name}, {"role", JsonName(actor.role)}, {"life", JsonName(actor.life)}};
  if (actor.produces) {
    json["transactional_id"] = actor.transactional_id;
    json["state"] = actor.state;
    json["producer_id"] = actor.producer_id;
    json["producer_epoch"] = actor.epoch;
  }
  if (actor.consumes) {
    json["isolation_level"] = broker::Name(actor.isolation_level);
    json["positions"] = ArrayOf(actor.positions, [](const auto& position) {
      return Json{{"partition", position.partition}, {"offset", position.offset}};
    });
    json["delivered"] = ArrayOf(actor.delivered, [](const scenarios::DeliveredRecord& record) {
      return Json{{"offset", record.offset.value()},
                  {"key", TextOrNull(record.key)},
                  {"value", TextOrNull(record.value)},
                  {"time_us", record.at.us}};
    });
  }
  if (actor.program.has_value()) {
    json["program"] = {{"state", actor.program->state},
                       {"line", actor.program->line},
                       {"uncaught", actor.program->uncaught.ToString()}};
  }
  if (actor.role == scenarios::ProcessRole::kStore) {
    json["rows"] = ArrayOf(actor.rows, [](const client::Row& row) {
      Json columns = Json::object();
      for (const auto& [column, value] : row) columns[column] = value;
      return columns;
    });
    json["refused"] = actor.refused;
  }
  if (actor.role == scenarios::ProcessRole::kApi) {
    json["calls"] = actor.calls;
    json["effects"] = actor.effects;
  }
  return json;
}

}  // namespace

Json SnapshotJson(const scenarios::Snapshot& snapshot) {
  return {{"time_us", snapshot.at.us},
          {"brokers", ArrayOf(snapshot.brokers,
                              [](const scenarios::BrokerView& broker) {
                                return Json{{"broker", broker.id},
                                            {"life", JsonName(broker.life)},
                                            {"fenced", broker.fenced}};
                              })},
          {"partitions", ArrayOf(snapshot.partitions, PartitionJson)},
          {"transactions", ArrayOf(snapshot.transactions, TransactionJson)},
          {"groups", ArrayOf(snapshot.groups, GroupJson)},
          {"actors", ArrayOf(snapshot.actors, ActorJson)}};
}

}  // namespace kafkasim::cli

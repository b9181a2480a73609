#include "scenarios/raw_message.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "broker/messages_admin.h"
#include "broker/messages_cluster.h"
#include "broker/messages_data.h"
#include "broker/messages_group.h"
#include "broker/messages_leader_epoch.h"
#include "broker/messages_offsets.h"
#include "broker/messages_topics.h"
#include "broker/messages_transaction.h"
#include "scenarios/api_catalog.h"
#include "sim/check.h"

namespace kafkasim::scenarios {
namespace {

// The fields of a request, with the names and defaults of Kafka's schemas.
class Fields {
 public:
  Fields(const RawRequest& request, const NameTable& names) : request_(request), names_(names) {}

  template <typename T>
  T Number(std::string_view name, T otherwise) const {
    const RawField* field = request_.Find(name);
    if (field == nullptr) return otherwise;
    return static_cast<T>(std::get<std::int64_t>(field->value));
  }
  bool Truth(std::string_view name, bool otherwise) const {
    const RawField* field = request_.Find(name);
    return field == nullptr ? otherwise : std::get<bool>(field->value);
  }
  std::optional<std::string> Text(std::string_view name) const {
    const RawField* field = request_.Find(name);
    if (field == nullptr) return std::nullopt;
    return std::get<std::string>(field->value);
  }
  std::vector<std::string> Texts(std::string_view name) const {
    const RawField* field = request_.Find(name);
    if (field == nullptr) return {};
    return std::get<std::vector<std::string>>(field->value);
  }
  std::vector<std::int64_t> Numbers(std::string_view name) const {
    const RawField* field = request_.Find(name);
    if (field == nullptr) return {};
    return std::get<std::vector<std::int64_t>>(field->value);
  }
  std::vector<broker::PartitionId> Partitions(std::string_view name) const {
    std::vector<broker::PartitionId> partitions;
    const RawField* field = request_.Find(name);
    if (field == nullptr) return partitions;
    for (const PartitionName& partition : std::get<std::vector<PartitionName>>(field->value)) {
      // What does not exist (an internal topic for which there are too few brokers) is asked about
      // by a number that no topic has.
      partitions.push_back(names_.FindPartition(partition).value_or(
          broker::PartitionId{broker::TopicId(-1), partition.partition}));
    }
    return partitions;
  }
  broker::PartitionId Partition() const {
    const std::vector<broker::PartitionId> partitions = Partitions("partition");
    return partitions.empty() ? broker::PartitionId{} : partitions.front();
  }
  broker::ProducerId ProducerId() const {
    return broker::ProducerId(Number<std::int64_t>("producer_id", -1));
  }
  broker::ProducerEpoch ProducerEpoch() const {
    return broker::ProducerEpoch(Number<std::int16_t>("producer_epoch", -1));
  }
  std::int32_t Generation() const { return Number<std::int32_t>("generation_id", -1); }
  std::vector<broker::TopicId> Topics(std::string_view name) const {
    std::vector<broker::TopicId> topics;
    for (const std::string& topic : Texts(name)) {
      if (const auto id = names_.topics->FindTopicId(topic)) topics.push_back(*id);
    }
    std::sort(topics.begin(), topics.end());
    return topics;
  }
  broker::OffsetToCommit Offset() const {
    return {.partition = Partition(),
            .offset = broker::Offset(Number<std::int64_t>("offset", -1)),
            .metadata = Text("metadata").value_or("")};
  }
  broker::IsolationLevel Isolation() const {
    return Text("isolation_level") == "read_committed" ? broker::IsolationLevel::kReadCommitted
                                                       : broker::IsolationLevel::kReadUncommitted;
  }
  std::int16_t Version() const {
    const Api* api = FindRawApi(request_.api);
    return static_cast<std::int16_t>(
        request_.version.value_or(api == nullptr ? 0 : api->newest_version));
  }

 private:
  const RawRequest& request_;
  const NameTable& names_;
};

sim::PayloadRef Produce(const Fields& fields, sim::Time now) {
  std::vector<broker::Record> records;
  for (std::string& value : fields.Texts("values")) {
    records.push_back({.value = std::move(value), .timestamp_ms = now.millis()});
  }
  broker::RecordBatch batch = broker::MakeBatch(std::move(records));
  batch.producer_id = fields.ProducerId();
  batch.producer_epoch = fields.ProducerEpoch();
  batch.base_sequence = broker::Sequence(fields.Number<std::int32_t>("base_sequence", -1));
  batch.transactional = fields.Truth("transactional", fields.Text("transactional_id").has_value());
  broker::ProduceRequest request{.version = fields.Version(),
                                 .transactional_id = fields.Text("transactional_id"),
                                 .acks = fields.Number<std::int16_t>("acks", -1),
                                 .timeout_ms = fields.Number<std::int32_t>("timeout_ms", 30'000)};
  request.partitions.push_back(
      {.partition = fields.Partition(),
       .batch = std::make_shared<const broker::RecordBatch>(std::move(batch))});
  return broker::MakeMessage(std::move(request));
}

sim::PayloadRef Fetch(const Fields& fields, sim::Time) {
  broker::FetchRequest request{.isolation_level = fields.Isolation(),
                               .max_wait_ms = fields.Number<std::int32_t>("max_wait_ms", 500),
                               .min_bytes = fields.Number<std::int32_t>("min_bytes", 1)};
  request.partitions.push_back(
      {.partition = fields.Partition(),
       .fetch_offset = broker::Offset(fields.Number<std::int64_t>("fetch_offset", 0)),
       .max_bytes = fields.Number<std::int32_t>("max_bytes", 1'048'576)});
  return broker::MakeMessage(std::move(request));
}

sim::PayloadRef MakeListOffsets(const Fields& fields, sim::Time) {
  broker::ListOffsetsRequest request{.isolation_level = fields.Isolation()};
  request.partitions.push_back(
      {.partition = fields.Partition(),
       .timestamp = fields.Number<std::int64_t>("timestamp", broker::kLatestTimestamp)});
  return broker::MakeMessage(std::move(request));
}

sim::PayloadRef FindCoordinator(const Fields& fields, sim::Time) {
  const bool group = fields.Number<std::int32_t>("key_type", 1) == 0;
  return broker::MakeMessage(broker::FindCoordinatorRequest{
      .type = group ? broker::CoordinatorType::kGroup : broker::CoordinatorType::kTransaction,
      .key = fields.Text("key").value_or("")});
}

sim::PayloadRef InitProducerId(const Fields& fields, sim::Time) {
  return broker::MakeMessage(broker::InitProducerIdRequest{
      .version = fields.Version(),
      .transactional_id = fields.Text("transactional_id"),
      .transaction_timeout_ms = fields.Number<std::int32_t>("transaction_timeout_ms", 60'000),
      .producer_id = fields.ProducerId(),
      .producer_epoch = fields.ProducerEpoch(),
      .enable_2pc = fields.Truth("enable_2pc", false)});
}

sim::PayloadRef AddPartitionsToTxn(const Fields& fields, sim::Time) {
  broker::AddPartitionsToTxnRequest::Transaction transaction{
      .transactional_id = fields.Text("transactional_id").value_or(""),
      .producer_id = fields.ProducerId(),
      .producer_epoch = fields.ProducerEpoch(),
      .verify_only = fields.Truth("verify_only", false)};
  for (const broker::PartitionId& partition : fields.Partitions("partitions")) {
    transaction.partitions.push_back(partition);
  }
  broker::AddPartitionsToTxnRequest request{.version = fields.Version()};
  request.transactions.push_back(std::move(transaction));
  return broker::MakeMessage(std::move(request));
}

sim::PayloadRef AddOffsetsToTxn(const Fields& fields, sim::Time) {
  return broker::MakeMessage(broker::AddOffsetsToTxnRequest{
      .version = fields.Version(),
      .transactional_id = fields.Text("transactional_id").value_or(""),
      .producer_id = fields.ProducerId(),
      .producer_epoch = fields.ProducerEpoch(),
      .group_id = fields.Text("group_id").value_or("")});
}

sim::PayloadRef EndTxn(const Fields& fields, sim::Time) {
  return broker::MakeMessage(
      broker::EndTxnRequest{.version = fields.Version(),
                            .transactional_id = fields.Text("transactional_id").value_or(""),
                            .producer_id = fields.ProducerId(),
                            .producer_epoch = fields.ProducerEpoch(),
                            .committed = fields.Truth("committed", true)});
}

sim::PayloadRef WriteTxnMarkers(const Fields& fields, sim::Time) {
  broker::WriteTxnMarkersRequest::Marker marker{
      .producer_id = fields.ProducerId(),
      .producer_epoch = fields.ProducerEpoch(),
      .committed = fields.Truth("committed", true),
      .coordinator_epoch =
          broker::CoordinatorEpoch(fields.Number<std::int32_t>("coordinator_epoch", 0)),
      .transaction_version = fields.Number<std::int8_t>("transaction_version", 0)};
  for (const broker::PartitionId& partition : fields.Partitions("partitions")) {
    marker.partitions.push_back(partition);
  }
  broker::WriteTxnMarkersRequest request{.version = fields.Version()};
  request.markers.push_back(std::move(marker));
  return broker::MakeMessage(std::move(request));
}

sim::PayloadRef JoinGroup(const Fields& fields, sim::Time) {
  broker::JoinGroupRequest request{
      .version = fields.Version(),
      .client_id = fields.Text("client_id").value_or("raw"),
      .group_id = fields.Text("group_id").value_or(""),
      .session_timeout_ms = fields.Number<std::int32_t>("session_timeout_ms", 45'000),
      .rebalance_timeout_ms = fields.Number<std::int32_t>("rebalance_timeout_ms", 300'000),
      .member_id = fields.Text("member_id").value_or(""),
      .group_instance_id = fields.Text("group_instance_id")};
  request.protocols.push_back({.name = fields.Text("protocol").value_or("range"),
                               .subscription = {.topics = fields.Topics("topics")}});
  return broker::MakeMessage(std::move(request));
}

sim::PayloadRef SyncGroup(const Fields& fields, sim::Time) {
  broker::SyncGroupRequest request{.version = fields.Version(),
                                   .group_id = fields.Text("group_id").value_or(""),
                                   .generation_id = fields.Generation(),
                                   .member_id = fields.Text("member_id").value_or(""),
                                   .group_instance_id = fields.Text("group_instance_id")};
  if (const auto member = fields.Text("assign_to")) {
    auto& assignment = request.assignments.emplace_back();
    assignment.member_id = *member;
    for (const broker::PartitionId& partition : fields.Partitions("partitions")) {
      assignment.partitions.push_back(partition);
    }
  }
  return broker::MakeMessage(std::move(request));
}

sim::PayloadRef Heartbeat(const Fields& fields, sim::Time) {
  return broker::MakeMessage(
      broker::HeartbeatRequest{.version = fields.Version(),
                               .group_id = fields.Text("group_id").value_or(""),
                               .generation_id = fields.Generation(),
                               .member_id = fields.Text("member_id").value_or(""),
                               .group_instance_id = fields.Text("group_instance_id")});
}

sim::PayloadRef LeaveGroup(const Fields& fields, sim::Time) {
  broker::LeaveGroupRequest request{.version = fields.Version(),
                                    .group_id = fields.Text("group_id").value_or("")};
  request.members.push_back({.member_id = fields.Text("member_id").value_or(""),
                             .group_instance_id = fields.Text("group_instance_id")});
  return broker::MakeMessage(std::move(request));
}

sim::PayloadRef OffsetCommit(const Fields& fields, sim::Time) {
  return broker::MakeMessage(
      broker::OffsetCommitRequest{.version = fields.Version(),
                                  .group_id = fields.Text("group_id").value_or(""),
                                  .generation_id = fields.Generation(),
                                  .member_id = fields.Text("member_id").value_or(""),
                                  .group_instance_id = fields.Text("group_instance_id"),
                                  .offsets = {fields.Offset()}});
}

sim::PayloadRef OffsetFetch(const Fields& fields, sim::Time) {
  return broker::MakeMessage(
      broker::OffsetFetchRequest{.version = fields.Version(),
                                 .group_id = fields.Text("group_id").value_or(""),
                                 .partitions = broker::PartitionList{fields.Partition()},
                                 .require_stable = fields.Truth("require_stable", false)});
}

sim::PayloadRef TxnOffsetCommit(const Fields& fields, sim::Time) {
  return broker::MakeMessage(broker::TxnOffsetCommitRequest{
      .version = fields.Version(),
      .transactional_id = fields.Text("transactional_id").value_or(""),
      .group_id = fields.Text("group_id").value_or(""),
      .producer_id = fields.ProducerId(),
      .producer_epoch = fields.ProducerEpoch(),
      .generation_id = fields.Generation(),
      .member_id = fields.Text("member_id").value_or(""),
      .group_instance_id = fields.Text("group_instance_id"),
      .offsets = {fields.Offset()}});
}

sim::PayloadRef CreateTopics(const Fields& fields, sim::Time) {
  broker::CreateTopicsRequest::Topic topic{
      .name = fields.Text("topic").value_or(""),
      .num_partitions = fields.Number<std::int32_t>("num_partitions", -1),
      .replication_factor = fields.Number<std::int16_t>("replication_factor", -1)};
  for (const std::string& setting : fields.Texts("configs")) {
    const std::size_t equals = std::min(setting.find('='), setting.size());
    topic.configs.emplace_back(setting.substr(0, equals),
                               setting.substr(std::min(equals + 1, setting.size())));
  }
  broker::CreateTopicsRequest request;
  request.topics.push_back(std::move(topic));
  return broker::MakeMessage(std::move(request));
}

sim::PayloadRef DeleteTopics(const Fields& fields, sim::Time) {
  return broker::MakeMessage(
      broker::DeleteTopicsRequest{.topics = {fields.Text("topic").value_or("")}});
}

sim::PayloadRef DeleteRecords(const Fields& fields, sim::Time) {
  broker::DeleteRecordsRequest request{.timeout_ms =
                                           fields.Number<std::int32_t>("timeout_ms", 30'000)};
  request.partitions.push_back(
      {.partition = fields.Partition(),
       .offset = broker::Offset(fields.Number<std::int64_t>("offset", 0))});
  return broker::MakeMessage(std::move(request));
}

sim::PayloadRef OffsetForLeaderEpoch(const Fields& fields, sim::Time) {
  broker::OffsetForLeaderEpochRequest request;
  request.partitions.push_back(
      {.partition = fields.Partition(),
       .current_leader_epoch =
           broker::LeaderEpoch(fields.Number<std::int32_t>("current_leader_epoch", -1)),
       .leader_epoch = broker::LeaderEpoch(fields.Number<std::int32_t>("leader_epoch", -1))});
  return broker::MakeMessage(std::move(request));
}

sim::PayloadRef MakeDescribeProducers(const Fields& fields, sim::Time) {
  return broker::MakeMessage(broker::DescribeProducersRequest{.partitions = {fields.Partition()}});
}

sim::PayloadRef MakeDescribeTransactions(const Fields& fields, sim::Time) {
  return broker::MakeMessage(broker::DescribeTransactionsRequest{
      .transactional_ids = {fields.Text("transactional_id").value_or("")}});
}

sim::PayloadRef MakeListTransactions(const Fields& fields, sim::Time) {
  broker::ListTransactionsRequest request{
      .state_filters = fields.Texts("state_filters"),
      .duration_filter_ms = fields.Number<std::int64_t>("duration_filter", -1),
      .transactional_id_pattern = fields.Text("transactional_id_pattern").value_or("")};
  for (const std::int64_t id : fields.Numbers("producer_id_filters")) {
    request.producer_id_filters.push_back(broker::ProducerId(id));
  }
  return broker::MakeMessage(std::move(request));
}

sim::PayloadRef MakeElectLeaders(const Fields& fields, sim::Time) {
  return broker::MakeMessage(
      broker::ElectLeadersRequest{.partition = fields.Partition(),
                                  .unclean = fields.Number<std::int8_t>("election_type", 0) == 1});
}

using Maker = sim::PayloadRef (*)(const Fields&, sim::Time);

constexpr std::pair<std::string_view, Maker> kMakers[] = {
    {"Produce", Produce},
    {"Fetch", Fetch},
    {"ListOffsets", MakeListOffsets},
    {"CreateTopics", CreateTopics},
    {"DeleteTopics", DeleteTopics},
    {"DeleteRecords", DeleteRecords},
    {"FindCoordinator", FindCoordinator},
    {"InitProducerId", InitProducerId},
    {"AddPartitionsToTxn", AddPartitionsToTxn},
    {"AddOffsetsToTxn", AddOffsetsToTxn},
    {"EndTxn", EndTxn},
    {"WriteTxnMarkers", WriteTxnMarkers},
    {"JoinGroup", JoinGroup},
    {"SyncGroup", SyncGroup},
    {"Heartbeat", Heartbeat},
    {"LeaveGroup", LeaveGroup},
    {"OffsetCommit", OffsetCommit},
    {"OffsetFetch", OffsetFetch},
    {"TxnOffsetCommit", TxnOffsetCommit},
    {"OffsetForLeaderEpoch", OffsetForLeaderEpoch},
    {"DescribeProducers", MakeDescribeProducers},
    {"DescribeTransactions", MakeDescribeTransactions},
    {"ListTransactions", MakeListTransactions},
    {"ElectLeaders", MakeElectLeaders},
};

}  // namespace

sim::PayloadRef MakeRawMessage(const RawRequest& request, const NameTable& names, sim::Time now) {
  for (const auto& [api, make] : kMakers) {
    if (api == request.api) return make(Fields(request, names), now);
  }
  KAFKASIM_CHECK(false, "every API of the catalog can be called");
}

}  // namespace kafkasim::scenarios

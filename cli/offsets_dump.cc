#include "cli/offsets_dump.h"

#include <cstddef>
#include <optional>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "coordinator/group_log_record.h"

namespace kafkasim::cli {
namespace {

using Json = nlohmann::ordered_json;
using coordinator::GroupMetadataRecord;
using coordinator::OffsetCommitRecord;

Json TextOrNull(const std::optional<std::string>& text) {
  return text.has_value() ? Json(*text) : Json(nullptr);
}

std::string OnOneLine(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Deleted topics keep their name.
std::string TopicName(broker::TopicId topic, const broker::ClusterImage& names) {
  const auto index = static_cast<std::size_t>(topic.value());
  return index < names.topics.size() ? names.topics[index].name : "?";
}

// [{"topic":"in","partitions":[0,1]}], of partitions in order.
Json TopicPartitions(const broker::PartitionList& partitions, const broker::ClusterImage& names) {
  Json topics = Json::array();
  for (std::size_t i = 0; i < partitions.size(); ++i) {
    if (i == 0 || partitions[i].topic != partitions[i - 1].topic) {
      topics.push_back(
          {{"topic", TopicName(partitions[i].topic, names)}, {"partitions", Json::array()}});
    }
    topics.back()["partitions"].push_back(partitions[i].index);
  }
  return topics;
}

Json MemberJson(const GroupMetadataRecord::Member& member, const broker::ClusterImage& names) {
  Json topics = Json::array();
  for (const broker::TopicId topic : member.subscription.topics) {
    topics.push_back(TopicName(topic, names));
  }
  return {{"memberId", member.member_id},
          {"groupInstanceId", TextOrNull(member.group_instance_id)},
          {"clientId", member.client_id},
          {"rebalanceTimeout", member.rebalance_timeout_ms},
          {"sessionTimeout", member.session_timeout_ms},
          {"subscription",
           {{"topics", std::move(topics)},
            {"ownedPartitions", TopicPartitions(member.subscription.owned, names)},
            {"generationId", member.subscription.generation_id}}},
          {"assignment", {{"assignedPartitions", TopicPartitions(member.assignment, names)}}}};
}

Json KeyJson(const GroupMetadataRecord& record, const broker::ClusterImage&) {
  return {{"type", "2"}, {"data", {{"group", record.group_id}}}};
}

Json ValueJson(const GroupMetadataRecord::Value& value, const broker::ClusterImage& names) {
  Json members = Json::array();
  for (const auto& member : value.members) members.push_back(MemberJson(member, names));
  return {{"version", "3"},
          {"data",
           {{"protocolType", value.protocol_type},
            {"generation", value.generation},
            {"protocol", TextOrNull(value.protocol)},
            {"leader", TextOrNull(value.leader)},
            {"currentStateTimestamp", value.state_timestamp_ms},
            {"members", std::move(members)}}}};
}

Json KeyJson(const OffsetCommitRecord& record, const broker::ClusterImage& names) {
  return {{"type", "1"},
          {"data",
           {{"group", record.group_id},
            {"topic", TopicName(record.partition.topic, names)},
            {"partition", record.partition.index}}}};
}

Json ValueJson(const coordinator::OffsetAndMetadata& value, const broker::ClusterImage&) {
  return {{"version", "4"},
          {"data",
           {{"offset", value.offset.value()},
            {"leaderEpoch", value.leader_epoch.value()},
            {"metadata", value.metadata},
            {"commitTimestamp", value.commit_timestamp_ms}}}};
}

}  // namespace

std::string DumpOffsetsRecord(const broker::Record& record, const broker::ClusterImage& names) {
  const std::optional<coordinator::GroupLogRecord> read = coordinator::DecodeGroupRecord(record);
  if (!read.has_value()) return "";
  return std::visit(
      [&](const auto& decoded) {
        const std::string payload =
            decoded.value.has_value() ? OnOneLine(ValueJson(*decoded.value, names)) : "<DELETE>";
        return fmt::format(" key: {} payload: {}", OnOneLine(KeyJson(decoded, names)), payload);
      },
      *read);
}

}  // namespace kafkasim::cli

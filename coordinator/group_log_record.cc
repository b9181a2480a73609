#include "coordinator/group_log_record.h"

#include <utility>

#include <fmt/format.h>

#include "coordinator/record_text.h"
#include "sim/check.h"

namespace kafkasim::coordinator {

namespace {

using broker::Record;
using Value = GroupMetadataRecord::Value;
using Member = GroupMetadataRecord::Member;

void AppendTopics(std::string& out, const std::vector<broker::TopicId>& topics) {
  AppendField(out, "topics", static_cast<int64_t>(topics.size()));
  for (const broker::TopicId topic : topics) {
    out += ':';
    AppendNumber(out, topic.value());
  }
}

void AppendMember(std::string& out, const Member& member) {
  AppendField(out, "id", member.member_id);
  AppendField(out, "instance", member.group_instance_id);
  AppendField(out, "client", member.client_id);
  AppendField(out, "rebalance", member.rebalance_timeout_ms);
  AppendField(out, "session", member.session_timeout_ms);
  AppendTopics(out, member.subscription.topics);
  AppendField(out, "owned", member.subscription.owned);
  AppendField(out, "owned_generation", member.subscription.generation_id);
  AppendField(out, "assignment", member.assignment);
}

Member ReadMember(RecordReader& reader) {
  Member member;
  member.member_id = reader.Text("id").value_or("");
  member.group_instance_id = reader.Text("instance");
  member.client_id = reader.Text("client").value_or("");
  member.rebalance_timeout_ms = reader.Field<int32_t>("rebalance");
  member.session_timeout_ms = reader.Field<int32_t>("session");
  const auto topics = reader.Field<uint32_t>("topics");
  for (uint32_t i = 0; i < topics && reader.ok(); ++i) {
    reader.Expect(":");
    member.subscription.topics.push_back(broker::TopicId(reader.Number<int32_t>()));
  }
  member.subscription.owned = reader.Partitions("owned");
  member.subscription.generation_id = reader.Field<int32_t>("owned_generation");
  member.assignment = reader.Partitions("assignment");
  return member;
}

std::optional<Value> ReadGroup(std::string_view text) {
  RecordReader reader(text);
  Value value;
  reader.Expect("v3");
  value.protocol_type = reader.Text("type").value_or("");
  value.generation = reader.Field<int32_t>("generation");
  value.protocol = reader.Text("protocol");
  value.leader = reader.Text("leader");
  value.state_timestamp_ms = reader.Field<int64_t>("timestamp");
  const auto members = reader.Field<uint32_t>("members");
  for (uint32_t i = 0; i < members && reader.ok(); ++i) {
    value.members.push_back(ReadMember(reader));
  }
  if (!reader.ok() || !reader.at_end()) return std::nullopt;
  return value;
}

std::optional<OffsetAndMetadata> ReadOffset(std::string_view text) {
  RecordReader reader(text);
  OffsetAndMetadata value;
  reader.Expect("v4");
  value.offset = broker::Offset(reader.Field<int64_t>("offset"));
  value.leader_epoch = broker::LeaderEpoch(reader.Field<int32_t>("leader_epoch"));
  value.commit_timestamp_ms = reader.Field<int64_t>("timestamp");
  reader.Expect(" metadata=");
  value.metadata = std::string(reader.Rest());
  if (!reader.ok()) return std::nullopt;
  return value;
}

std::optional<GroupLogRecord> DecodeOffset(RecordReader& key, const Record& record) {
  OffsetCommitRecord read;
  key.Expect(" partition=");
  read.partition = key.Partition();
  key.Expect(" group=");
  if (!key.ok()) return std::nullopt;
  read.group_id = std::string(key.Rest());
  if (!record.value.has_value()) return read;
  read.value = ReadOffset(*record.value);
  if (!read.value.has_value()) return std::nullopt;
  return read;
}

std::optional<GroupLogRecord> DecodeGroup(RecordReader& key, const Record& record) {
  key.Expect(" group=");
  if (!key.ok()) return std::nullopt;
  GroupMetadataRecord read{.group_id = std::string(key.Rest())};
  if (!record.value.has_value()) return read;
  read.value = ReadGroup(*record.value);
  if (!read.value.has_value()) return std::nullopt;
  return read;
}

std::string DescribeGroup(const GroupMetadataRecord& record, const broker::ClusterImage& names) {
  if (!record.value.has_value()) return record.group_id + " tombstone";
  const Value& value = *record.value;
  std::string text = fmt::format("{} generation {}", record.group_id, value.generation);
  if (value.members.empty()) return text + ", no members";
  text += fmt::format(", {}: {} leads", value.protocol.value_or("?"), value.leader.value_or("?"));
  const char* separator = "; ";
  for (const Member& member : value.members) {
    text += std::exchange(separator, ", ");
    text += member.member_id + " " + DescribePartitions(member.assignment, names);
  }
  return text;
}

}  // namespace

void OffsetAndMetadata::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(offset);
  out.Add(leader_epoch);
  out.Add(metadata);
  out.Add(commit_timestamp_ms);
  out.Add(record_offset);
}

Record Encode(const OffsetCommitRecord& record, int64_t timestamp_ms) {
  Record encoded{.timestamp_ms = timestamp_ms};
  encoded.key = fmt::format("1 partition={}:{} group={}", record.partition.topic,
                            record.partition.index, record.group_id);
  if (!record.value.has_value()) return encoded;
  std::string text = "v4";
  AppendField(text, "offset", record.value->offset.value());
  AppendField(text, "leader_epoch", record.value->leader_epoch.value());
  AppendField(text, "timestamp", record.value->commit_timestamp_ms);
  text += " metadata=";
  text += record.value->metadata;
  encoded.value = std::move(text);
  return encoded;
}

Record Encode(const GroupMetadataRecord& record, int64_t timestamp_ms) {
  Record encoded{.timestamp_ms = timestamp_ms};
  encoded.key = "2 group=" + record.group_id;
  if (!record.value.has_value()) return encoded;
  std::string text = "v3";
  AppendField(text, "type", record.value->protocol_type);
  AppendField(text, "generation", record.value->generation);
  AppendField(text, "protocol", record.value->protocol);
  AppendField(text, "leader", record.value->leader);
  AppendField(text, "timestamp", record.value->state_timestamp_ms);
  AppendField(text, "members", static_cast<int64_t>(record.value->members.size()));
  for (const Member& member : record.value->members) AppendMember(text, member);
  encoded.value = std::move(text);
  return encoded;
}

std::optional<GroupLogRecord> DecodeGroupRecord(const Record& record) {
  if (!record.key.has_value()) return std::nullopt;
  RecordReader key(*record.key);
  if (key.Skip("1")) return DecodeOffset(key, record);
  if (key.Skip("2")) return DecodeGroup(key, record);
  return std::nullopt;
}

GroupMetadataRecord RecordOf(const ClassicGroup& group) {
  Value value{.protocol_type = group.protocol_type.value_or(""),
              .generation = group.generation_id,
              .protocol = group.protocol_name,
              .leader = group.leader,
              .state_timestamp_ms = group.state_timestamp_ms};
  for (const GroupMember& member : group.members) {
    const broker::MemberSubscription* subscription =
        member.FindSubscription(group.protocol_name.value_or(""));
    KAFKASIM_CHECK(subscription != nullptr, "members support the chosen protocol");
    value.members.push_back({.member_id = member.member_id,
                             .group_instance_id = member.group_instance_id,
                             .client_id = member.client_id,
                             .rebalance_timeout_ms = member.rebalance_timeout_ms,
                             .session_timeout_ms = member.session_timeout_ms,
                             .subscription = *subscription,
                             .assignment = member.assignment});
  }
  return {.group_id = group.group_id, .value = std::move(value)};
}

ClassicGroup GroupOf(const std::string& group_id, const Value& value) {
  ClassicGroup group{.group_id = group_id,
                     .state = value.members.empty() ? GroupState::kEmpty : GroupState::kStable,
                     .generation_id = value.generation,
                     .protocol_name = value.protocol,
                     .leader = value.leader,
                     .state_timestamp_ms = value.state_timestamp_ms};
  if (!value.protocol_type.empty()) group.protocol_type = value.protocol_type;
  for (const Member& member : value.members) {
    group.members.push_back(
        {.member_id = member.member_id,
         .group_instance_id = member.group_instance_id,
         .client_id = member.client_id,
         .rebalance_timeout_ms = member.rebalance_timeout_ms,
         .session_timeout_ms = member.session_timeout_ms,
         .protocols = {{.name = value.protocol.value_or(""), .subscription = member.subscription}},
         .assignment = member.assignment});
  }
  group.ComputeSubscribedTopics();
  return group;
}

std::string DescribePartitions(const broker::PartitionList& partitions,
                               const broker::ClusterImage& names) {
  std::string text = "[";
  for (const broker::PartitionId& partition : partitions) {
    if (text.size() > 1) text += ' ';
    text += names.NameOf(partition);
  }
  return text + "]";
}

std::string Describe(const GroupLogRecord& record, const broker::ClusterImage& names) {
  if (const auto* group = std::get_if<GroupMetadataRecord>(&record)) {
    return DescribeGroup(*group, names);
  }
  const auto& commit = std::get<OffsetCommitRecord>(record);
  const std::string what = commit.group_id + " " + names.NameOf(commit.partition);
  if (!commit.value.has_value()) return what + " tombstone";
  std::string text = fmt::format("{} → {}", what, commit.value->offset);
  if (!commit.value->metadata.empty()) text += fmt::format(" '{}'", commit.value->metadata);
  return text;
}

}  // namespace kafkasim::coordinator

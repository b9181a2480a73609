#include "coordinator/group_trace.h"

#include <utility>

#include <fmt/format.h>

namespace kafkasim::coordinator {

namespace {

using broker::PointEffect;
using sim::Field;
using sim::NumberField;
using sim::TextField;

std::string OffsetText(const broker::PartitionId& partition, broker::Offset offset,
                       const broker::ClusterImage& names) {
  return fmt::format("{}@{}", names.NameOf(partition), offset);
}

}  // namespace

PointEffect GroupPoint(const sim::EventKind& kind, const ClassicGroup& group,
                       std::vector<Field> more) {
  std::vector<std::string> members;
  for (const GroupMember& member : group.members) members.push_back(member.member_id);
  std::vector<Field> fields = {TextField("group_id", group.group_id),
                               NumberField("generation", group.generation_id),
                               Field{"members", std::move(members)}};
  for (Field& field : more) fields.push_back(std::move(field));
  return {&kind, std::move(fields)};
}

PointEffect MemberPoint(const sim::EventKind& kind, const ClassicGroup& group,
                        const std::string& member_id, std::vector<Field> more) {
  std::vector<Field> fields = {TextField("group_id", group.group_id),
                               TextField("member_id", member_id)};
  for (Field& field : more) fields.push_back(std::move(field));
  return {&kind, std::move(fields)};
}

PointEffect StablePoint(const ClassicGroup& group, const broker::ClusterImage& names) {
  std::vector<std::string> assignment;
  for (const GroupMember& member : group.members) {
    std::string text = member.member_id + ":";
    for (const broker::PartitionId& partition : member.assignment) {
      text += ' ';
      text += names.NameOf(partition);
    }
    assignment.push_back(std::move(text));
  }
  return {&events::kGroupStable,
          {TextField("group_id", group.group_id), NumberField("generation", group.generation_id),
           Field{"assignment", std::move(assignment)}}};
}

PointEffect OffsetsPoint(const sim::EventKind& kind, const std::string& group_id,
                         const broker::RecordBatch& batch, const broker::PartitionId& partition,
                         const broker::ClusterImage& names) {
  std::vector<std::string> offsets;
  for (const broker::Record& record : *batch.records) {
    const std::optional<GroupLogRecord> read = DecodeGroupRecord(record);
    const auto& commit = std::get<OffsetCommitRecord>(*read);
    offsets.push_back(OffsetText(commit.partition, commit.value->offset, names));
  }
  std::vector<Field> fields = {TextField("group_id", group_id),
                               Field{"offsets", std::move(offsets)},
                               TextField("partition", names.NameOf(partition))};
  if (batch.transactional) {
    fields.push_back(NumberField("producer_id", batch.producer_id.value()));
    fields.push_back(NumberField("producer_epoch", batch.producer_epoch.value()));
  }
  return {&kind, std::move(fields)};
}

std::vector<PointEffect> EndedPoints(const std::vector<EndedOffset>& ended,
                                     broker::ProducerId producer_id, bool committed,
                                     const broker::PartitionId& partition,
                                     const broker::ClusterImage& names) {
  std::vector<PointEffect> points;
  for (const bool materialised : {true, false}) {
    for (size_t first = 0; first < ended.size();) {
      const std::string& group_id = ended[first].group_id;
      std::vector<std::string> offsets;
      for (; first < ended.size() && ended[first].group_id == group_id; ++first) {
        if (ended[first].materialised != materialised) continue;
        offsets.push_back(OffsetText(ended[first].partition, ended[first].offset, names));
      }
      if (offsets.empty()) continue;
      std::vector<Field> fields = {
          TextField("group_id", group_id), NumberField("producer_id", producer_id.value()),
          Field{"offsets", std::move(offsets)}, TextField("partition", names.NameOf(partition))};
      if (!materialised) {
        fields.push_back(TextField("reason", committed ? "an offset was committed after them"
                                                       : "the transaction was aborted"));
      }
      points.push_back({materialised ? &events::kOffsetsMaterialised : &events::kOffsetsDropped,
                        std::move(fields)});
    }
  }
  return points;
}

PointEffect ExpiredPoint(const std::string& group_id, std::vector<std::string> offsets,
                         std::string_view reason) {
  return {&events::kOffsetsExpired,
          {TextField("group_id", group_id), Field{"offsets", std::move(offsets)},
           TextField("reason", reason)}};
}

PointEffect GroupsPoint(const sim::EventKind& kind, const std::string& partition,
                        broker::LeaderEpoch epoch, std::vector<std::string> groups) {
  return {&kind,
          {TextField("partition", partition), NumberField("leader_epoch", epoch.value()),
           Field{"groups", std::move(groups)}}};
}

PointEffect GroupRefusedPoint(const GroupRequest& request, const ClassicGroup* group,
                              broker::ErrorCode error) {
  return {&events::kGroupRequestRefused,
          {TextField("api", Name(request.api)), TextField("group_id", request.group_id),
           TextField("member_id", request.member_id), TextField("error", Name(error)),
           TextField("reason", ExplainGroupError(request, group, error))}};
}

}  // namespace kafkasim::coordinator

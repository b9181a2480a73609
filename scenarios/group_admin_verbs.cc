#include "scenarios/group_admin_verbs.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "broker/cluster_image.h"
#include "scenarios/mapping_form.h"
#include "scenarios/notation.h"
#include "scenarios/reference_form.h"

namespace kafkasim::scenarios {
namespace {

// The leader of the group's partition of __consumer_offsets.
ProcessName CoordinatorOfGroup(const Name& group, const Names& names) {
  ProcessName coordinator;
  coordinator.kind = ProcessName::Kind::kLeaderOf;
  coordinator.partition.topic = broker::kConsumerOffsetsTopic;
  const Names::Topic* topic = names.FindTopic(broker::kConsumerOffsetsTopic);
  coordinator.partition.partition =
      broker::PartitionForHash(broker::JavaStringHash(group.value), topic->partitions);
  coordinator.partition.mark = group.mark;
  coordinator.mark = group.mark;
  return coordinator;
}

struct NewOffset {
  PartitionName partition;
  std::int64_t offset = 0;
  Mark mark{};
};

// `{orders-0: 5}`.
Form<NewOffset> OneOffsetForm() {
  const Form<PartitionName> partition = PartitionForm();
  const Form<std::int64_t> offset =
      IntegerForm(0, std::numeric_limits<std::int64_t>::max(), "an offset");
  Schema schema;
  schema.types = {"object"};
  schema.key_patterns.push_back(
      {std::string(kPartitionPattern), offset.schema, "The offset of the next record to process."});
  schema.min_properties = 1;
  schema.max_properties = 1;
  return {std::make_shared<const Schema>(std::move(schema)),
          [partition, offset](const Node& node, Reader& reader) -> std::optional<NewOffset> {
            if (!node.is_mapping() || node.entries.size() != 1) {
              reader.Expected(node, "one partition and its offset: {orders-0: 5}");
              return std::nullopt;
            }
            const NodeEntry& entry = node.entries[0];
            const std::optional<PartitionName> where = partition.read(entry.key, reader);
            const std::optional<std::int64_t> what = offset.read(entry.value, reader);
            if (!where || !what) return std::nullopt;
            return NewOffset{*where, *what, entry.value.mark};
          }};
}

struct OffsetsChange {
  Name group;
  NewOffset offset;
};

struct OffsetsListing {
  Name group;
  PartitionName partition;
};

Operation RequestOf(const OffsetsChange& asked, const Names& names) {
  RawRequest request;
  request.api = "OffsetCommit";
  request.to = CoordinatorOfGroup(asked.group, names);
  // By names of topics, as AlterConsumerGroupOffsetsHandler asks.
  request.fields = {
      {"version", std::int64_t{9}, asked.group.mark},
      {"group_id", asked.group.value, asked.group.mark},
      {"partition", std::vector<PartitionName>{asked.offset.partition}, asked.offset.mark},
      {"offset", asked.offset.offset, asked.offset.mark}};
  return request;
}

Operation RequestOf(const OffsetsListing& asked, const Names& names) {
  RawRequest request;
  request.api = "OffsetFetch";
  request.to = CoordinatorOfGroup(asked.group, names);
  request.fields = {
      {"group_id", asked.group.value, asked.group.mark},
      {"partition", std::vector<PartitionName>{asked.partition}, asked.partition.mark}};
  return request;
}

template <typename Asked>
Form<Operation> ToCoordinator(Form<Asked> form) {
  return {form.schema, [form](const Node& node, Reader& reader) -> std::optional<Operation> {
            const std::optional<Asked> asked = form.read(node, reader);
            if (!asked) return std::nullopt;
            return RequestOf(*asked, reader.names);
          }};
}

Form<OffsetsChange> OffsetsChangeForm() {
  return Mapping<OffsetsChange>(
      "alter_consumer_group_offsets",
      {Required("group", &OffsetsChange::group, WithMark(TextForm()), "The group.id."),
       Required("offsets", &OffsetsChange::offset, OneOffsetForm(),
                "One partition and its new offset: {orders-0: 5}.")});
}

Form<OffsetsListing> OffsetsListingForm() {
  return Mapping<OffsetsListing>(
      "list_consumer_group_offsets",
      {Required("group", &OffsetsListing::group, WithMark(TextForm()), "The group.id."),
       Required("partition", &OffsetsListing::partition, PartitionForm(), "Whose offset.")});
}

}  // namespace

std::vector<Verb> GroupAdminVerbs() {
  const std::vector<ActorSpec::Role> admin{ActorSpec::Role::kAdmin};
  return {
      {"alter_consumer_group_offsets", admin,
       "Sets the offset of a group that has no members, as kafka-consumer-groups.sh "
       "--reset-offsets does.",
       std::nullopt, ToCoordinator(OffsetsChangeForm()),
       RawResultForm(*FindRawApi("OffsetCommit"))},
      {"list_consumer_group_offsets", admin, "What a group has committed; -1 for nothing.",
       std::nullopt, ToCoordinator(OffsetsListingForm()),
       RawResultForm(*FindRawApi("OffsetFetch"))},
  };
}

}  // namespace kafkasim::scenarios

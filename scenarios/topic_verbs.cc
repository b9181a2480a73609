#include "scenarios/topic_verbs.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "scenarios/config_form.h"
#include "scenarios/config_keys.h"
#include "scenarios/mapping_form.h"
#include "scenarios/notation.h"
#include "scenarios/reference_form.h"

namespace kafkasim::scenarios {
namespace {

constexpr std::int64_t kMostPartitions = 10'000;

ProcessName LeaderOf(const PartitionName& partition) {
  ProcessName leader;
  leader.kind = ProcessName::Kind::kLeaderOf;
  leader.partition = partition;
  leader.mark = partition.mark;
  return leader;
}

// Any broker hands a request about topics on to the controller.
ProcessName AnyBroker(Mark mark) {
  ProcessName broker;
  broker.kind = ProcessName::Kind::kBroker;
  broker.broker = 0;
  broker.mark = mark;
  return broker;
}

Operation RequestTo(ProcessName to, std::string api, std::vector<RawField> fields) {
  RawRequest request;
  request.api = std::move(api);
  request.to = std::move(to);
  request.fields = std::move(fields);
  return request;
}

// `{orders-0: 5}`; -1 stands for the high watermark.
Form<Operation> DeleteRecordsForm() {
  const Form<PartitionName> partition = PartitionForm();
  const Form<std::int64_t> offset =
      IntegerForm(-1, std::numeric_limits<std::int64_t>::max(), "the first offset that stays");
  Schema schema;
  schema.types = {"object"};
  schema.key_patterns.push_back({std::string(kPartitionPattern), offset.schema,
                                 "The first offset that stays; -1 for the high watermark."});
  schema.min_properties = 1;
  schema.max_properties = 1;
  return Form<Operation>{
      std::make_shared<const Schema>(std::move(schema)),
      [partition, offset](const Node& node, Reader& reader) -> std::optional<Operation> {
        if (!node.is_mapping() || node.entries.size() != 1) {
          reader.Expected(node, "one partition and the first offset that stays: {orders-0: 5}");
          return std::nullopt;
        }
        const NodeEntry& entry = node.entries[0];
        const std::optional<PartitionName> where = partition.read(entry.key, reader);
        const std::optional<std::int64_t> first = offset.read(entry.value, reader);
        if (!where || !first) return std::nullopt;
        return RequestTo(LeaderOf(*where), "DeleteRecords",
                         {{"partition", std::vector<PartitionName>{*where}, entry.key.mark},
                          {"offset", *first, entry.value.mark}});
      }};
}

Form<Operation> DeleteTopicForm() {
  return Map(WithMark(TopicForm()), [](Name topic) {
    return RequestTo(AnyBroker(topic.mark), "DeleteTopics", {{"topic", topic.value, topic.mark}});
  });
}

std::string SettingText(const ConfigEntry& entry) {
  return std::visit([&](const auto& value) { return fmt::format("{}={}", entry.key, value); },
                    entry.value);
}

struct NewTopic {
  Name topic;
  std::optional<std::int64_t> partitions;
  std::optional<std::int64_t> replicas;
  Config config;
};

Form<Operation> CreateTopicForm() {
  MappingForm<NewTopic> mapping{
      "create_topic",
      {Required("topic", &NewTopic::topic, WithMark(TopicForm()),
                "A topic of this file that was deleted."),
       Optional("partitions", &NewTopic::partitions,
                IntegerForm(1, kMostPartitions, "a number of partitions"),
                "How many partitions. Default: num.partitions."),
       Optional("replicas", &NewTopic::replicas,
                IntegerForm(1, kMostPartitions, "a number of replicas"),
                "How many replicas. Default: default.replication.factor."),
       Optional("config", &NewTopic::config, ConfigForm("topic settings", TopicKeys()),
                "Its settings.")}};
  return Map(Mapping(std::move(mapping)), [](NewTopic topic) {
    const Mark mark = topic.topic.mark;
    std::vector<RawField> fields{{"topic", topic.topic.value, mark}};
    if (topic.partitions) fields.push_back({"num_partitions", *topic.partitions, mark});
    if (topic.replicas) fields.push_back({"replication_factor", *topic.replicas, mark});
    std::vector<std::string> settings;
    for (const ConfigEntry& entry : topic.config.entries) settings.push_back(SettingText(entry));
    if (!settings.empty()) fields.push_back({"configs", std::move(settings), mark});
    return RequestTo(AnyBroker(mark), "CreateTopics", std::move(fields));
  });
}

}  // namespace

std::vector<Verb> TopicVerbs() {
  const std::vector<ActorSpec::Role> admin{ActorSpec::Role::kAdmin};
  return {
      {"delete_records", admin, "Deletes the records of a partition before an offset.",
       std::nullopt, DeleteRecordsForm(), RawResultForm(*FindRawApi("DeleteRecords"))},
      {"create_topic", admin, "Creates a topic again.", std::nullopt, CreateTopicForm(),
       RawResultForm(*FindRawApi("CreateTopics"))},
      {"delete_topic", admin, "Deletes a topic.", std::nullopt, DeleteTopicForm(),
       RawResultForm(*FindRawApi("DeleteTopics"))},
  };
}

}  // namespace kafkasim::scenarios

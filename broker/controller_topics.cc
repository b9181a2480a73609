// Topics that come and go (ReplicationControlManager.createTopics, deleteTopics).
#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "broker/controller.h"
#include "broker/events.h"
#include "broker/messages_topics.h"
#include "broker/replica_placement.h"

namespace kafkasim::broker {
namespace {

constexpr size_t kMaxNameLength = 249;

TopicResult Refused(std::string name, ErrorCode error, std::string why) {
  return {.name = std::move(name), .error = error, .error_message = std::move(why)};
}

bool IsValidTopicName(std::string_view name) {
  if (name.empty() || name == "." || name == ".." || name.size() > kMaxNameLength) return false;
  return std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-';
  });
}

}  // namespace

void Controller::HandleCreateTopics(sim::Context& context, const sim::RequestIn& in) {
  CreateTopicsResponse response;
  ClusterImage next = *image();
  for (const CreateTopicsRequest::Topic& topic : BodyOf<CreateTopicsRequest>(*in.payload).topics) {
    response.topics.push_back(CreateTopic(context, next, topic));
  }
  if (next.topics.size() != image()->topics.size()) Publish(context, std::move(next));
  context.Reply(in.reply_to, MakeMessage(std::move(response)));
}

TopicResult Controller::CreateTopic(sim::Context& context, ClusterImage& next,
                                    const CreateTopicsRequest::Topic& topic) {
  if (!IsValidTopicName(topic.name)) {
    return Refused(topic.name, ErrorCode::kInvalidTopic, "a topic cannot have that name");
  }
  if (next.FindTopicId(topic.name).has_value()) {
    return Refused(topic.name, ErrorCode::kTopicAlreadyExists,
                   fmt::format("topic '{}' already exists", topic.name));
  }
  TopicImage created{.name = topic.name, .config = DefaultTopicConfig(*config_)};
  for (const auto& [key, value] : topic.configs) {
    const absl::Status set = SetConfig(created.config, key, value);
    if (!set.ok()) {
      return Refused(topic.name, ErrorCode::kInvalidConfig, std::string(set.message()));
    }
  }
  const auto partitions = topic.num_partitions == -1 ? static_cast<int32_t>(config_->num_partitions)
                                                     : topic.num_partitions;
  const auto factor = topic.replication_factor == -1
                          ? static_cast<int32_t>(config_->default_replication_factor)
                          : int32_t{topic.replication_factor};
  std::vector<BrokerId> alive;
  for (const BrokerId broker : next.brokers) {
    if (next.IsAlive(broker)) alive.push_back(broker);
  }
  if (partitions < 1) {
    return Refused(topic.name, ErrorCode::kInvalidPartitions, "a topic has at least one partition");
  }
  if (factor < 1 || static_cast<size_t>(factor) > alive.size()) {
    return Refused(topic.name, ErrorCode::kInvalidReplicationFactor,
                   fmt::format("{} replicas, and {} brokers are alive", factor, alive.size()));
  }
  for (int32_t p = 0; p < partitions; ++p) {
    PartitionImage partition{.replicas = PlaceReplicas(p, factor, alive)};
    partition.leader = partition.replicas.front();
    partition.isr = partition.replicas;
    std::sort(partition.isr.begin(), partition.isr.end());
    created.partitions.push_back(std::move(partition));
  }
  next.topics.push_back(std::move(created));
  if (context.tracing()) {
    context.Emit(events::kTopicCreated, {{"topic", topic.name},
                                         {"partitions", int64_t{partitions}},
                                         {"replication_factor", int64_t{factor}}});
  }
  return {.name = topic.name};
}

void Controller::HandleDeleteTopics(sim::Context& context, const sim::RequestIn& in) {
  DeleteTopicsResponse response;
  ClusterImage next = *image();
  bool changed = false;
  for (const std::string& name : BodyOf<DeleteTopicsRequest>(*in.payload).topics) {
    const std::optional<TopicId> id = next.FindTopicId(name);
    if (!id.has_value()) {
      response.topics.push_back(Refused(name, ErrorCode::kUnknownTopicOrPartition,
                                        "this server does not host this topic-partition"));
      continue;
    }
    TopicImage& topic = next.topics[static_cast<size_t>(id->value())];
    topic.deleted = true;
    topic.partitions.clear();
    changed = true;
    response.topics.push_back({.name = name});
    if (context.tracing()) context.Emit(events::kTopicDeleted, {{"topic", name}});
  }
  if (changed) Publish(context, std::move(next));
  context.Reply(in.reply_to, MakeMessage(std::move(response)));
}

}  // namespace kafkasim::broker

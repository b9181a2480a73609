#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/config_form.h"
#include "scenarios/mapping_form.h"
#include "scenarios/notation.h"
#include "scenarios/reference_form.h"
#include "scenarios/setup_form.h"

namespace kafkasim::scenarios {
namespace {

constexpr std::int64_t kMaxBrokers = 100;
constexpr std::int64_t kMaxPartitions = 10'000;

// `1ms`, or `{min: 1ms, max: 5ms}`.
Form<Latency> LatencyForm() {
  Notations<Latency> notations{"a latency such as 1ms"};
  notations.scalar = Map(DurationForm(), [](std::int64_t us) { return Latency{us, us}; });
  MappingForm<Latency> range{"a latency",
                             {Required("min", &Latency::min_us, DurationForm(), "The shortest."),
                              Required("max", &Latency::max_us, DurationForm(), "The longest.")}};
  range.check = [](const Node& node, Reader& reader, Latency& latency) {
    if (latency.min_us <= latency.max_us) return true;
    reader.Error(node.mark, "the latency's min is above its max");
    return false;
  };
  notations.mapping = Mapping(std::move(range));
  return ByKind(std::move(notations));
}

Form<LinkSpec> LinkForm() {
  MappingForm<LinkSpec> mapping{
      "a link",
      {Required("from", &LinkSpec::from, ProcessForm(), "Who sends: an actor or a broker."),
       Required("to", &LinkSpec::to, ProcessForm(), "Who receives."),
       Required("latency", &LinkSpec::latency, LatencyForm(), "How long a message takes.")}};
  mapping.check = [](const Node&, Reader& reader, LinkSpec& link) {
    for (const ProcessName* end : {&link.from, &link.to}) {
      if (end->kind != ProcessName::Kind::kLeaderOf &&
          end->kind != ProcessName::Kind::kCoordinatorOf) {
        continue;
      }
      reader.Error(end->mark, "a link joins actors and brokers; roles move during a run");
      return false;
    }
    return true;
  };
  return Mapping(std::move(mapping));
}

Form<NetworkSpec> NetworkForm() {
  return Mapping<NetworkSpec>(
      "network",
      {Optional(
           "latency", &NetworkSpec::latency, LatencyForm(),
           "How long a message takes: 1ms, or {min: 1ms, max: 5ms} to draw from. Default: 1ms."),
       Optional("links", &NetworkSpec::links, ListForm(LinkForm()),
                "Directions between two processes with a latency of their own.")});
}

// `{pay-1: {producer_id: 7, epoch: 32766}}`
Form<std::vector<TransactionalIdSpec>> TransactionalIdsForm() {
  constexpr std::int64_t kMostId = 1'000'000'000'000;
  constexpr std::int64_t kMostEpoch = 32'767;
  const Form<TransactionalIdSpec> body = Mapping<TransactionalIdSpec>(
      "a transactional id",
      {Required("producer_id", &TransactionalIdSpec::producer_id,
                IntegerForm(0, kMostId, "a producer id"), "Its producer id."),
       Required("epoch", &TransactionalIdSpec::epoch,
                IntegerForm(0, kMostEpoch, "a producer epoch"),
                "Its producer epoch; 32766 is the last that a producer is given."),
       Optional("transaction_timeout", &TransactionalIdSpec::transaction_timeout_us, DurationForm(),
                "Its transaction.timeout.ms. Default: 60s.")});
  return TableForm<TransactionalIdSpec>(
      "transactional ids", ".", body.schema,
      [body](const Node& key, const Node& value,
             Reader& reader) -> std::optional<TransactionalIdSpec> {
        std::optional<TransactionalIdSpec> spec = body.read(value, reader);
        if (spec) spec->id = Name{key.text, key.mark};
        return spec;
      });
}

// `[0, 1, 2]` from partition 0 on, or `{21: 1}` for single partitions.
Form<std::vector<LeaderSpec>> LeadersForm() {
  Notations<std::vector<LeaderSpec>> notations{"a list of broker ids, or partition: broker"};
  notations.list = Map(ListForm(WithMark(BrokerForm())), [](std::vector<Marked<std::int32_t>> ids) {
    std::vector<LeaderSpec> leaders;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      leaders.push_back({static_cast<std::int32_t>(i), ids[i].value, ids[i].mark});
    }
    return leaders;
  });
  const Form<std::int32_t> broker = BrokerForm();
  const Form<std::int64_t> index = IntegerForm(0, kMaxPartitions - 1, "a partition's number");
  notations.mapping = TableForm<LeaderSpec>(
      "leaders", "^[0-9]+$", broker.schema,
      [broker, index](const Node& key, const Node& value,
                      Reader& reader) -> std::optional<LeaderSpec> {
        const auto partition = index.read(key, reader);
        const auto leader = broker.read(value, reader);
        if (!partition || !leader) return std::nullopt;
        return LeaderSpec{static_cast<std::int32_t>(*partition), *leader, key.mark};
      });
  return ByKind(std::move(notations));
}

bool CheckTopic(const Node& node, Reader& reader, const TopicSpec& topic) {
  bool good = true;
  if (topic.replicas && *topic.replicas > reader.names.brokers) {
    const Node* replicas = node.Find("replicas");
    reader.Error(replicas->mark, std::to_string(*topic.replicas) +
                                     " replicas need as many brokers; "
                                     "the cluster has " +
                                     std::to_string(reader.names.brokers));
    good = false;
  }
  const Names::Topic* known = reader.names.FindTopic(topic.name.value);
  const std::int32_t partitions = known == nullptr ? 1 : known->partitions;
  for (const LeaderSpec& leader : topic.leaders) {
    if (leader.partition < partitions) continue;
    reader.Error(leader.mark, "leaders name partition " + std::to_string(leader.partition) +
                                  "; the topic has " + std::to_string(partitions));
    good = false;
  }
  if (!topic.assignment.empty() &&
      static_cast<std::int32_t>(topic.assignment.size()) != partitions) {
    reader.Error(node.Find("assignment")->mark,
                 "assignment needs a list of brokers for each of the " +
                     std::to_string(partitions) + " partitions");
    good = false;
  }
  if (!topic.assignment.empty() && (!topic.leaders.empty() || topic.replicas)) {
    reader.Error(node.Find("assignment")->mark,
                 "assignment says it all: drop leaders and replicas");
    good = false;
  }
  return good;
}

Form<TopicSpec> TopicForm(bool internal) {
  std::vector<Field<TopicSpec>> fields = {
      Optional("config", &TopicSpec::config, ConfigForm("topic config", TopicKeys()),
               "Settings of the topic; what is not set follows the brokers."),
      Optional("leaders", &TopicSpec::leaders, LeadersForm(),
               "Who leads at the start: [0, 1] from partition 0 on, or {21: 1}.")};
  if (!internal) {
    fields.push_back(Optional("partitions", &TopicSpec::partitions,
                              IntegerForm(1, kMaxPartitions, "a number of partitions"),
                              "How many partitions. Default: num.partitions of the cluster."));
    fields.push_back(Optional(
        "replicas", &TopicSpec::replicas, IntegerForm(1, kMaxBrokers, "a number of replicas"),
        "How many brokers have a copy. Default: default.replication.factor."));
    fields.push_back(Optional("assignment", &TopicSpec::assignment,
                              ListForm(ListForm(BrokerForm())),
                              "The brokers of each partition, the preferred leader first."));
  }
  return Mapping<TopicSpec>(internal ? "an internal topic" : "a topic", std::move(fields));
}

bool IsTopicName(std::string_view text) {
  for (char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!letter && c != '.' && c != '_' && c != '-') return false;
  }
  return !text.empty() && text.size() <= 249 && text != "." && text != "..";
}

}  // namespace

Form<ClusterSpec> ClusterForm() {
  constexpr std::int64_t kMaxId = 1'000'000'000'000;
  return Mapping<ClusterSpec>(
      "cluster",
      {Optional("brokers", &ClusterSpec::brokers,
                IntegerForm(1, kMaxBrokers, "a number of brokers"),
                "How many brokers; their ids begin with 0. Default: 3."),
       Optional("config", &ClusterSpec::config, ConfigForm("cluster config", BrokerKeys()),
                "Settings of all brokers, and the feature transaction.version."),
       Optional("next_producer_id", &ClusterSpec::next_producer_id,
                IntegerForm(0, kMaxId, "a producer id"),
                "The first producer id that is handed out. Default: 0."),
       Optional("transactional_ids", &ClusterSpec::transactional_ids, TransactionalIdsForm(),
                "Ids that have been used before: {pay-1: {producer_id: 7, epoch: 32766}}."),
       Optional("coordinator_load_time", &ClusterSpec::coordinator_load_time_us, DurationForm(),
                "How long a new coordinator reads its partition of the transaction log, unless "
                "that is empty. Default: 0s."),
       Optional("network", &ClusterSpec::network, NetworkForm(), "How long messages take."),
       Optional("seed", &ClusterSpec::seed, IntegerForm(0, INT64_MAX, "a seed"),
                "What random choices of the run are drawn from, unless --seed is given.")});
}

Form<std::vector<TopicSpec>> TopicsForm() {
  const Form<TopicSpec> user = Defined("topic", TopicForm(false));
  const Form<TopicSpec> internal = Defined("internal_topic", TopicForm(true));
  return TableForm<TopicSpec>(
      "topics", "^[A-Za-z0-9._-]+$", AnyOf({user.schema, internal.schema}),
      [user, internal](const Node& key, const Node& value,
                       Reader& reader) -> std::optional<TopicSpec> {
        if (!IsTopicName(key.text)) {
          reader.Error(key.mark,
                       "a topic's name has letters, digits, '.', '_' and '-', at most 249: " +
                           Quote(key.text));
          return std::nullopt;
        }
        const bool is_internal =
            key.text == "__transaction_state" || key.text == "__consumer_offsets";
        std::optional<TopicSpec> topic = (is_internal ? internal : user).read(value, reader);
        if (!topic) return std::nullopt;
        topic->name = Name{key.text, key.mark};
        topic->internal = is_internal;
        if (!CheckTopic(value, reader, *topic)) return std::nullopt;
        return topic;
      });
}

}  // namespace kafkasim::scenarios

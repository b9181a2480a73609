#include "scenarios/config_keys.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>
#include <utility>
#include <variant>

#include "broker/config.h"
#include "client/admin_config.h"
#include "client/config_key.h"
#include "client/consumer_config.h"
#include "client/producer_config.h"

namespace kafkasim::scenarios {
namespace {

constexpr std::int64_t kMaxInt = 2'147'483'647;

constexpr std::array<std::string_view, 23> kUnmodelled{
    "allow.auto.create.topics",
    "bootstrap.servers",
    "buffer.memory",
    "check.crcs",
    "client.rack",
    "compression.type",
    "connections.max.idle.ms",
    "exclude.internal.topics",
    "group.protocol",
    "interceptor.classes",
    "key.deserializer",
    "key.serializer",
    "message.max.bytes",
    "message.timestamp.type",
    "metric.reporters",
    "metrics.num.samples",
    "partitioner.class",
    "receive.buffer.bytes",
    "sasl.mechanism",
    "security.protocol",
    "send.buffer.bytes",
    "value.deserializer",
    "value.serializer",
};

// What Kafka's ConfigDef wants to be at least 1; all other numbers may be 0. The segment sizes too:
// that Kafka wants a megabyte there (KIP-1030) would only make pictures long.
constexpr std::array<std::string_view, 31> kAtLeastOne{
    "add.partitions.to.txn.retry.backoff.ms",
    "default.replication.factor",
    "group.max.size",
    "log.cleaner.max.compaction.lag.ms",
    "log.retention.check.interval.ms",
    "log.roll.ms",
    "log.segment.bytes",
    "max.compaction.lag.ms",
    "max.in.flight.requests.per.connection",
    "max.poll.interval.ms",
    "max.poll.records",
    "min.insync.replicas",
    "num.partitions",
    "offsets.commit.timeout.ms",
    "offsets.retention.check.interval.ms",
    "offsets.retention.minutes",
    "offsets.topic.num.partitions",
    "offsets.topic.replication.factor",
    "offsets.topic.segment.bytes",
    "producer.id.expiration.check.interval.ms",
    "producer.id.expiration.ms",
    "segment.bytes",
    "segment.ms",
    "transaction.abort.timed.out.transaction.cleanup.interval.ms",
    "transaction.max.timeout.ms",
    "transaction.remove.expired.transaction.cleanup.interval.ms",
    "transaction.state.log.min.isr",
    "transaction.state.log.num.partitions",
    "transaction.state.log.replication.factor",
    "transaction.state.log.segment.bytes",
    "transactional.id.expiration.ms",
};

std::int64_t MinimumOf(std::string_view key) {
  return std::binary_search(kAtLeastOne.begin(), kAtLeastOne.end(), key) ? 1 : 0;
}

std::vector<ConfigKey> FromBroker(const std::vector<broker::ConfigKey>& keys) {
  std::vector<ConfigKey> ours;
  for (const broker::ConfigKey& key : keys) {
    ConfigKey our;
    our.name = key.name;
    our.description = key.sentence;
    std::visit([&](const auto& value) { our.default_value = value; }, key.default_value);
    our.choices = key.choices;
    our.minimum = MinimumOf(key.name);
    // -1 stands for no limit.
    if (our.default_value == ConfigValue(std::int64_t{-1}) || key.name.ends_with("retention.ms")) {
      our.minimum = -1;
    }
    if (key.name == "transaction.version") our.maximum = 2;
    ours.push_back(std::move(our));
  }
  return ours;
}

// A client's defaults are texts; what a default looks like tells the type of its key.
ConfigValue FromText(const std::string& text) {
  if (text == "true" || text == "false") return text == "true";
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  return is_number ? ConfigValue(number) : ConfigValue(text);
}

std::vector<ConfigKey> FromClient(const std::vector<client::ConfigKey>& keys) {
  std::vector<ConfigKey> ours;
  for (const client::ConfigKey& key : keys) {
    ConfigKey our;
    our.name = key.name;
    our.description = key.sentence;
    our.choices = key.choices;
    our.default_value = key.choices.empty() ? FromText(key.default_value) : key.default_value;
    our.minimum = MinimumOf(key.name);
    our.maximum = kMaxInt;
    // The coordinator is the one that refuses a timeout that is not positive.
    if (key.name == "transaction.timeout.ms") our.minimum = -kMaxInt;
    ours.push_back(std::move(our));
  }
  return ours;
}

}  // namespace

bool ConfigKey::is_time() const {
  return std::holds_alternative<std::int64_t>(default_value) && name.ends_with(".ms");
}

const std::vector<ConfigKey>& BrokerKeys() {
  static const std::vector<ConfigKey> keys = FromBroker(broker::BrokerConfigKeys());
  return keys;
}

const std::vector<ConfigKey>& TopicKeys() {
  static const std::vector<ConfigKey> keys = FromBroker(broker::TopicConfigKeys());
  return keys;
}

const std::vector<ConfigKey>& ProducerKeys() {
  static const std::vector<ConfigKey> keys = FromClient(client::ProducerConfigKeys());
  return keys;
}

const std::vector<ConfigKey>& ConsumerKeys() {
  static const std::vector<ConfigKey> keys = FromClient(client::ConsumerConfigKeys());
  return keys;
}

const std::vector<ConfigKey>& AdminKeys() {
  static const std::vector<ConfigKey> keys = FromClient(client::AdminConfigKeys());
  return keys;
}

bool IsUnmodelledKey(std::string_view name) {
  return std::binary_search(kUnmodelled.begin(), kUnmodelled.end(), name);
}

}  // namespace kafkasim::scenarios

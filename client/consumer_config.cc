#include "client/consumer_config.h"

#include <algorithm>

#include <fmt/format.h>

#include "client/config_setting.h"

namespace kafkasim::client {
namespace {

using broker::IsolationLevel;

std::vector<std::string> IsolationChoices() { return {"read_uncommitted", "read_committed"}; }
std::string PrintIsolation(const ConsumerConfig& config) {
  return std::string(broker::Name(config.isolation_level));
}
bool ParseIsolation(ConsumerConfig& config, std::string_view text) {
  for (IsolationLevel level : {IsolationLevel::kReadUncommitted, IsolationLevel::kReadCommitted}) {
    if (broker::Name(level) != text) continue;
    config.isolation_level = level;
    return true;
  }
  return false;
}

std::vector<std::string> ResetChoices() { return {"latest", "earliest", "none"}; }
std::string PrintReset(const ConsumerConfig& config) {
  return std::string(Name(config.auto_offset_reset));
}
bool ParseReset(ConsumerConfig& config, std::string_view text) {
  for (OffsetReset reset : {OffsetReset::kLatest, OffsetReset::kEarliest, OffsetReset::kNone}) {
    if (Name(reset) != text) continue;
    config.auto_offset_reset = reset;
    return true;
  }
  return false;
}

// One assignor, or two for a group that is moved from one to the other. The names stand for Java's
// classes: range for org.apache.kafka.clients.consumer.RangeAssignor.
std::vector<std::string> StrategyChoices() {
  return {"range,cooperative-sticky", "range", "roundrobin", "sticky", "cooperative-sticky",
          "cooperative-sticky,range"};
}
std::string PrintStrategy(const ConsumerConfig& config) {
  return config.partition_assignment_strategy;
}
bool ParseStrategy(ConsumerConfig& config, std::string_view text) {
  const std::vector<std::string> choices = StrategyChoices();
  if (std::find(choices.begin(), choices.end(), text) == choices.end()) return false;
  config.partition_assignment_strategy = std::string(text);
  return true;
}

// clang-format off
constexpr Setting<ConsumerConfig> kConsumerSettings[] = {
    {"isolation.level", "Whether records of open and aborted transactions are delivered.", Words<ConsumerConfig>{&IsolationChoices, &PrintIsolation, &ParseIsolation}},
    {"auto.offset.reset", "Where to begin without a position, or with one that is out of range.", Words<ConsumerConfig>{&ResetChoices, &PrintReset, &ParseReset}},
    {"max.poll.records", "The most records that one poll returns.", &ConsumerConfig::max_poll_records},
    {"fetch.min.bytes", "A broker waits with its answer until it has so many bytes.", &ConsumerConfig::fetch_min_bytes},
    {"fetch.max.wait.ms", "A broker waits with its answer no longer than this.", &ConsumerConfig::fetch_max_wait_ms},
    {"fetch.max.bytes", "The most that one fetch returns.", &ConsumerConfig::fetch_max_bytes},
    {"max.partition.fetch.bytes", "The most that one fetch returns of a partition.", &ConsumerConfig::max_partition_fetch_bytes},
    {"request.timeout.ms", "A connection is given up when an answer takes longer.", &ConsumerConfig::request_timeout_ms},
    {"default.api.timeout.ms", "How long a blocking call other than poll waits.", &ConsumerConfig::default_api_timeout_ms},
    {"retry.backoff.ms", "Pause before the first retry.", &ConsumerConfig::retry_backoff_ms},
    {"retry.backoff.max.ms", "The longest pause before a retry.", &ConsumerConfig::retry_backoff_max_ms},
    {"reconnect.backoff.ms", "Pause before connecting again to a broker.", &ConsumerConfig::reconnect_backoff_ms},
    {"reconnect.backoff.max.ms", "The longest pause before connecting again.", &ConsumerConfig::reconnect_backoff_max_ms},
    {"metadata.max.age.ms", "Metadata is fetched anew after this time.", &ConsumerConfig::metadata_max_age_ms},
    {"client.id", "How it calls itself; its member id begins with it.", &ConsumerConfig::client_id},
    {"group.id", "The group to which it belongs, and whose offsets it commits.", &ConsumerConfig::group_id},
    {"group.instance.id", "Makes it a static member, which comes back as the same.", &ConsumerConfig::group_instance_id},
    {"session.timeout.ms", "A member that is silent for longer is thrown out of its group.", &ConsumerConfig::session_timeout_ms},
    {"heartbeat.interval.ms", "Time from one heartbeat to the next.", &ConsumerConfig::heartbeat_interval_ms},
    {"max.poll.interval.ms", "A member that does not poll for longer leaves its group.", &ConsumerConfig::max_poll_interval_ms},
    {"partition.assignment.strategy", "The assignors that it knows, the preferred one first.", Words<ConsumerConfig>{&StrategyChoices, &PrintStrategy, &ParseStrategy}},
    {"enable.auto.commit", "Whether polls and close commit the positions.", &ConsumerConfig::enable_auto_commit, "true"},
    {"auto.commit.interval.ms", "How often polls do so.", &ConsumerConfig::auto_commit_interval_ms},
};
// clang-format on

}  // namespace

std::string_view Name(OffsetReset reset) {
  switch (reset) {
    case OffsetReset::kLatest:
      return "latest";
    case OffsetReset::kEarliest:
      return "earliest";
    case OffsetReset::kNone:
      return "none";
  }
  return "?";
}

std::vector<ConfigKey> ConsumerConfigKeys() { return KeysOf(kConsumerSettings); }

absl::Status CheckConfig(const ConsumerConfig& config) {
  if (config.heartbeat_interval_ms >= config.session_timeout_ms) {
    return absl::InvalidArgumentError(
        fmt::format("heartbeat.interval.ms={} has to be lower than session.timeout.ms={}",
                    config.heartbeat_interval_ms, config.session_timeout_ms));
  }
  if (config.enable_auto_commit.value_or(false) && !config.group_id.has_value()) {
    return absl::InvalidArgumentError("enable.auto.commit=true needs a group.id");
  }
  return absl::OkStatus();
}

absl::Status SetConfig(ConsumerConfig& config, std::string_view key, std::string_view value) {
  return SetSetting(kConsumerSettings, config, key, value);
}

}  // namespace kafkasim::client

// Configuration of a consumer, under Kafka's keys and with the Java client's defaults (class
// ConsumerConfig, Kafka 4.4 development line). Only keys that the model obeys exist.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <absl/status/status.h>

#include "broker/bugs.h"
#include "broker/messages_data.h"
#include "client/config_key.h"

namespace kafkasim::client {

// Where a consumer begins when it has no position, or one that is out of range.
enum class OffsetReset : uint8_t { kLatest, kEarliest, kNone };
[[nodiscard]] std::string_view Name(OffsetReset reset);  // "earliest"

// Times are milliseconds, sizes bytes, as the keys say.
struct ConsumerConfig {
  broker::IsolationLevel isolation_level = broker::IsolationLevel::kReadUncommitted;
  OffsetReset auto_offset_reset = OffsetReset::kLatest;
  int64_t max_poll_records = 500;
  int64_t fetch_min_bytes = 1;
  int64_t fetch_max_wait_ms = 500;
  int64_t fetch_max_bytes = 52'428'800;
  int64_t max_partition_fetch_bytes = 1'048'576;
  int64_t request_timeout_ms = 30'000;
  int64_t default_api_timeout_ms = 60'000;
  int64_t retry_backoff_ms = 100;
  int64_t retry_backoff_max_ms = 1'000;
  int64_t reconnect_backoff_ms = 50;
  int64_t reconnect_backoff_max_ms = 1'000;
  int64_t metadata_max_age_ms = 300'000;
  // Of a member of a group. An optional is absent until it is set.
  std::optional<std::string> client_id{};  // the name of its process
  std::optional<std::string> group_id{};
  std::optional<std::string> group_instance_id{};
  int64_t session_timeout_ms = 45'000;
  int64_t heartbeat_interval_ms = 3'000;
  int64_t max_poll_interval_ms = 300'000;  // also the rebalance timeout
  std::string partition_assignment_strategy = "range,cooperative-sticky";
  std::optional<bool> enable_auto_commit{};  // true, with a group
  int64_t auto_commit_interval_ms = 5'000;
  // Not settings of Kafka's: rules of readers that are off, and whether the application has a
  // rebalance listener, which its owner runs (rebalance_callback.h).
  broker::Bugs bugs{};
  bool external_listener = false;

  [[nodiscard]] bool auto_commit() const {
    return group_id.has_value() && enable_auto_commit.value_or(true);
  }

  friend bool operator==(const ConsumerConfig&, const ConsumerConfig&) = default;
};

[[nodiscard]] std::vector<ConfigKey> ConsumerConfigKeys();

// Kafka's rules about settings that belong together. InvalidArgumentError with the text of its
// exception:
//   heartbeat.interval.ms is not below session.timeout.ms
//   enable.auto.commit=true was written, but no group.id
[[nodiscard]] absl::Status CheckConfig(const ConsumerConfig& config);

// Sets one key from its text. InvalidArgumentError for an unknown key or a value of the wrong type.
[[nodiscard]] absl::Status SetConfig(ConsumerConfig& config, std::string_view key,
                                     std::string_view value);

}  // namespace kafkasim::client

// Configuration of a consumer, under Kafka's keys and with the Java client's defaults (class
// ConsumerConfig, Kafka 4.4 development line). Only keys that the model obeys exist.
#pragma once

#include <cstdint>
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
  broker::Bugs bugs{};  // of readers; not one of Kafka's settings

  friend bool operator==(const ConsumerConfig&, const ConsumerConfig&) = default;
};

[[nodiscard]] std::vector<ConfigKey> ConsumerConfigKeys();

// Sets one key from its text. InvalidArgumentError for an unknown key or a value of the wrong type.
[[nodiscard]] absl::Status SetConfig(ConsumerConfig& config, std::string_view key,
                                     std::string_view value);

}  // namespace kafkasim::client

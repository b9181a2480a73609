// Configuration of an administrator's client, under Kafka's keys and with the Java client's
// defaults (class AdminClientConfig, Kafka 4.4 development line). Only keys that the model obeys
// exist.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <absl/status/status.h>

#include "client/config_key.h"

namespace kafkasim::client {

// Times are milliseconds, as the keys say.
struct AdminConfig {
  int64_t request_timeout_ms = 30'000;
  int64_t default_api_timeout_ms = 60'000;
  int64_t retry_backoff_ms = 100;
  int64_t retry_backoff_max_ms = 1'000;
  int64_t reconnect_backoff_ms = 50;
  int64_t reconnect_backoff_max_ms = 1'000;
  int64_t metadata_max_age_ms = 300'000;

  friend bool operator==(const AdminConfig&, const AdminConfig&) = default;
};

[[nodiscard]] std::vector<ConfigKey> AdminConfigKeys();

// Sets one key from its text. InvalidArgumentError for an unknown key or a value of the wrong type.
[[nodiscard]] absl::Status SetConfig(AdminConfig& config, std::string_view key,
                                     std::string_view value);

}  // namespace kafkasim::client

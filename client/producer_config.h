// Configuration of a producer, under Kafka's keys and with the Java client's defaults (class
// ProducerConfig, Kafka 4.4 development line). Only keys that the model obeys exist.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include "broker/bugs.h"
#include "client/config_key.h"

namespace kafkasim::client {

// Times are milliseconds, sizes bytes, as the keys say. An optional is absent until it is set,
// where Kafka treats a written default differently from an unwritten one.
struct ProducerConfig {
  std::optional<std::string> transactional_id{};
  std::optional<int64_t> transaction_timeout_ms{};  // 60000
  std::optional<bool> enable_idempotence{};         // true
  int64_t acks = -1;                                // "all" or -1, 0, 1
  int64_t retries = 2'147'483'647;
  int64_t max_in_flight_requests_per_connection = 5;
  std::optional<int64_t> delivery_timeout_ms{};  // 120000, at least linger.ms + request.timeout.ms
  int64_t linger_ms = 5;
  int64_t batch_size = 16'384;
  int64_t max_request_size = 1'048'576;
  int64_t request_timeout_ms = 30'000;
  int64_t max_block_ms = 60'000;
  int64_t retry_backoff_ms = 100;
  int64_t retry_backoff_max_ms = 1'000;
  int64_t reconnect_backoff_ms = 50;
  int64_t reconnect_backoff_max_ms = 1'000;
  int64_t metadata_max_age_ms = 300'000;
  bool partitioner_ignore_keys = false;
  broker::Bugs bugs{};  // not one of Kafka's settings

  // The values that apply. Only of a config that FinishConfig gave.
  [[nodiscard]] bool idempotent() const { return enable_idempotence.value_or(true); }
  [[nodiscard]] bool transactional() const { return transactional_id.has_value(); }
  [[nodiscard]] int64_t transaction_timeout() const {
    return transaction_timeout_ms.value_or(60'000);
  }
  [[nodiscard]] int64_t delivery_timeout() const { return delivery_timeout_ms.value_or(120'000); }

  friend bool operator==(const ProducerConfig&, const ProducerConfig&) = default;
};

[[nodiscard]] std::vector<ConfigKey> ProducerConfigKeys();

// Sets one key from its text. InvalidArgumentError for an unknown key or a value of the wrong type.
[[nodiscard]] absl::Status SetConfig(ProducerConfig& config, std::string_view key,
                                     std::string_view value);

// Applies Kafka's rules about settings that belong together: idempotence is switched off silently
// when acks or retries exclude it and it was not asked for, the delivery timeout is raised when it
// was not set. InvalidArgumentError with the text of the ConfigException where Kafka throws one:
//   acks other than all, or retries 0, with enable.idempotence=true written, or a transactional.id
//   more than 5 requests in flight with idempotence
//   delivery.timeout.ms below linger.ms + request.timeout.ms
[[nodiscard]] absl::StatusOr<ProducerConfig> FinishConfig(ProducerConfig config);

}  // namespace kafkasim::client

#include "client/producer_config.h"

#include <algorithm>

#include "client/config_setting.h"

namespace kafkasim::client {
namespace {

constexpr int64_t kMaxInFlightForIdempotence = 5;

std::vector<std::string> AcksChoices() { return {"all", "-1", "0", "1"}; }
std::string PrintAcks(const ProducerConfig& config) {
  return config.acks == -1 ? "all" : std::to_string(config.acks);
}
bool ParseAcks(ProducerConfig& config, std::string_view text) {
  if (text == "all" || text == "-1") config.acks = -1;
  if (text == "0") config.acks = 0;
  if (text == "1") config.acks = 1;
  return text == "all" || text == "-1" || text == "0" || text == "1";
}

// clang-format off
constexpr Setting<ProducerConfig> kProducerSettings[] = {
    {"transactional.id", "The name under which transactions of this producer survive its restarts.", &ProducerConfig::transactional_id},
    {"transaction.timeout.ms", "The coordinator aborts a transaction that is open for longer.", &ProducerConfig::transaction_timeout_ms, "60000"},
    {"enable.idempotence", "Batches are numbered, so that a retry is not written twice.", &ProducerConfig::enable_idempotence, "true"},
    {"acks", "How many replicas must have a record before the leader answers.", Words<ProducerConfig>{&AcksChoices, &PrintAcks, &ParseAcks}},
    {"retries", "How often a batch is sent again after a retriable error.", &ProducerConfig::retries},
    {"max.in.flight.requests.per.connection", "Requests that may wait for their answers on one connection.", &ProducerConfig::max_in_flight_requests_per_connection},
    {"delivery.timeout.ms", "A record that is not acknowledged by then has failed.", &ProducerConfig::delivery_timeout_ms, "120000"},
    {"linger.ms", "How long a batch waits for more records.", &ProducerConfig::linger_ms},
    {"batch.size", "A batch of so many bytes is sent at once.", &ProducerConfig::batch_size},
    {"max.request.size", "The largest record, and about the largest request.", &ProducerConfig::max_request_size},
    {"request.timeout.ms", "A connection is given up when an answer takes longer.", &ProducerConfig::request_timeout_ms},
    {"max.block.ms", "How long a blocking call waits.", &ProducerConfig::max_block_ms},
    {"retry.backoff.ms", "Pause before the first retry.", &ProducerConfig::retry_backoff_ms},
    {"retry.backoff.max.ms", "The longest pause before a retry.", &ProducerConfig::retry_backoff_max_ms},
    {"reconnect.backoff.ms", "Pause before connecting again to a broker.", &ProducerConfig::reconnect_backoff_ms},
    {"reconnect.backoff.max.ms", "The longest pause before connecting again.", &ProducerConfig::reconnect_backoff_max_ms},
    {"metadata.max.age.ms", "Metadata is fetched anew after this time.", &ProducerConfig::metadata_max_age_ms},
    {"partitioner.ignore.keys", "The partition is chosen as if records had no key.", &ProducerConfig::partitioner_ignore_keys},
};
// clang-format on

absl::Status ConfigException(std::string_view text) {
  return absl::InvalidArgumentError(fmt::format("ConfigException: {}", text));
}

// ProducerConfig.postProcessAndValidateIdempotenceConfigs.
absl::Status FinishIdempotence(ProducerConfig& config) {
  const bool asked_for = config.enable_idempotence.has_value();
  bool enabled = config.enable_idempotence.value_or(true);
  if (enabled && (config.retries == 0 || config.acks != -1)) {
    if (asked_for) {
      return ConfigException(
          config.retries == 0
              ? "an idempotent producer must be allowed to retry, but retries is 0"
              : fmt::format("an idempotent producer needs acks=all, but acks is {}", config.acks));
    }
    enabled = false;
  }
  // Checked although idempotence may just have been switched off silently: so does Kafka.
  if (config.enable_idempotence.value_or(true) &&
      config.max_in_flight_requests_per_connection > kMaxInFlightForIdempotence) {
    return ConfigException(
        fmt::format("an idempotent producer may have at most {} requests in flight, but "
                    "max.in.flight.requests.per.connection is {}",
                    kMaxInFlightForIdempotence, config.max_in_flight_requests_per_connection));
  }
  if (!enabled && config.transactional_id.has_value()) {
    return ConfigException("a transactional.id needs an idempotent producer");
  }
  config.enable_idempotence = enabled;
  return absl::OkStatus();
}

}  // namespace

std::vector<ConfigKey> ProducerConfigKeys() { return KeysOf(kProducerSettings); }

absl::Status SetConfig(ProducerConfig& config, std::string_view key, std::string_view value) {
  return SetSetting(kProducerSettings, config, key, value);
}

absl::StatusOr<ProducerConfig> FinishConfig(ProducerConfig config) {
  if (absl::Status status = FinishIdempotence(config); !status.ok()) return status;
  // KafkaProducer.configureDeliveryTimeout.
  const int64_t least = config.linger_ms + config.request_timeout_ms;
  if (config.delivery_timeout() < least) {
    if (config.delivery_timeout_ms.has_value()) {
      return ConfigException(
          fmt::format("delivery.timeout.ms is {}, less than linger.ms + request.timeout.ms = {}",
                      *config.delivery_timeout_ms, least));
    }
    config.delivery_timeout_ms = least;
  }
  if (config.max_in_flight_requests_per_connection < 1) {
    return ConfigException("max.in.flight.requests.per.connection must be at least 1");
  }
  return config;
}

}  // namespace kafkasim::client

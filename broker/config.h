// Configuration of brokers and topics, under Kafka's own keys and with Kafka's defaults
// (AbstractConfig classes of the 4.4 development line). Only keys that the model obeys exist.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <absl/status/status.h>

#include "broker/bugs.h"

namespace kafkasim::broker {

// Cluster-wide broker settings. Times are milliseconds, sizes bytes, as the keys say.
struct BrokerConfig {
  int64_t transaction_version = 2;  // the feature level, KIP-890; 0 and 1 behave alike
  int64_t transaction_max_timeout_ms = 900'000;
  int64_t transactional_id_expiration_ms = 604'800'000;
  int64_t transaction_abort_cleanup_interval_ms = 10'000;
  int64_t transaction_remove_expired_interval_ms = 3'600'000;
  int64_t transaction_state_log_num_partitions = 50;
  int64_t transaction_state_log_replication_factor = 3;
  int64_t transaction_state_log_min_isr = 2;
  bool transaction_partition_verification_enable = true;
  int64_t add_partitions_retry_backoff_ms = 20;
  int64_t add_partitions_retry_backoff_max_ms = 100;
  bool transaction_two_phase_commit_enable = false;
  int64_t producer_id_expiration_ms = 86'400'000;
  int64_t producer_id_expiration_check_interval_ms = 600'000;
  int64_t offsets_topic_num_partitions = 50;
  int64_t offsets_topic_replication_factor = 3;
  int64_t offsets_topic_segment_bytes = 104'857'600;
  int64_t offsets_commit_timeout_ms = 5'000;
  int64_t offsets_retention_minutes = 10'080;
  int64_t offsets_retention_check_interval_ms = 600'000;
  int64_t offset_metadata_max_bytes = 4'096;
  int64_t group_min_session_timeout_ms = 6'000;
  int64_t group_max_session_timeout_ms = 1'800'000;
  int64_t group_initial_rebalance_delay_ms = 3'000;
  int64_t group_max_size = 2'147'483'647;
  int64_t default_replication_factor = 1;
  int64_t num_partitions = 1;
  int64_t min_insync_replicas = 1;
  bool unclean_leader_election_enable = false;
  int64_t replica_lag_time_max_ms = 30'000;
  int64_t replica_fetch_wait_max_ms = 500;
  int64_t replica_socket_timeout_ms = 30'000;
  int64_t replica_fetch_backoff_ms = 1'000;
  int64_t replica_high_watermark_checkpoint_interval_ms = 5'000;
  int64_t broker_session_timeout_ms = 9'000;
  int64_t broker_heartbeat_interval_ms = 2'000;
  int64_t request_timeout_ms = 30'000;
  int64_t log_segment_bytes = 1'073'741'824;
  Bugs bugs{};  // of brokers and coordinators; not one of Kafka's settings

  friend bool operator==(const BrokerConfig&, const BrokerConfig&) = default;
};

// Settings of one topic; what a scenario does not set follows the brokers' settings.
struct TopicConfig {
  int64_t min_insync_replicas = 1;
  bool unclean_leader_election_enable = false;
  int64_t segment_bytes = 1'073'741'824;

  friend bool operator==(const TopicConfig&, const TopicConfig&) = default;
};

// One key of a configuration: its name in Kafka's documentation, a sentence, and its default.
struct ConfigKey {
  std::string_view name;
  std::string_view sentence;
  std::variant<int64_t, bool> default_value;
};

// The keys, in the order of the structs above.
[[nodiscard]] std::vector<ConfigKey> BrokerConfigKeys();
[[nodiscard]] std::vector<ConfigKey> TopicConfigKeys();

// Sets one key from its text. InvalidArgumentError for an unknown key or a value of the wrong type.
[[nodiscard]] absl::Status SetConfig(BrokerConfig& config, std::string_view key,
                                     std::string_view value);
[[nodiscard]] absl::Status SetConfig(TopicConfig& config, std::string_view key,
                                     std::string_view value);

// What a new topic gets from the brokers' settings.
[[nodiscard]] TopicConfig DefaultTopicConfig(const BrokerConfig& config);

}  // namespace kafkasim::broker

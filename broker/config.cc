#include "broker/config.h"

#include <charconv>

#include <fmt/format.h>

namespace kafkasim::broker {
namespace {

// A key and the member that it sets.
template <typename Config>
struct Setting {
  std::string_view name;
  std::string_view sentence;
  std::variant<int64_t Config::*, bool Config::*> member;
};

using B = BrokerConfig;
using T = TopicConfig;

// clang-format off
constexpr Setting<B> kBrokerSettings[] = {
    {"transaction.version", "Feature level of the transaction protocol: 1 classic, 2 with an epoch bump per transaction.", &B::transaction_version},
    {"transaction.max.timeout.ms", "The longest transaction.timeout.ms that a producer may ask for.", &B::transaction_max_timeout_ms},
    {"transactional.id.expiration.ms", "An idle transactional id is forgotten after this time.", &B::transactional_id_expiration_ms},
    {"transaction.abort.timed.out.transaction.cleanup.interval.ms", "How often the coordinator looks for transactions to abort.", &B::transaction_abort_cleanup_interval_ms},
    {"transaction.remove.expired.transaction.cleanup.interval.ms", "How often the coordinator looks for expired transactional ids.", &B::transaction_remove_expired_interval_ms},
    {"transaction.state.log.num.partitions", "Partitions of __transaction_state.", &B::transaction_state_log_num_partitions},
    {"transaction.state.log.replication.factor", "Replicas of __transaction_state.", &B::transaction_state_log_replication_factor},
    {"transaction.state.log.min.isr", "min.insync.replicas of __transaction_state.", &B::transaction_state_log_min_isr},
    {"transaction.partition.verification.enable", "Leaders ask the coordinator before the first append of a transaction.", &B::transaction_partition_verification_enable},
    {"add.partitions.to.txn.retry.backoff.ms", "A leader's pause before it repeats an add that met CONCURRENT_TRANSACTIONS.", &B::add_partitions_retry_backoff_ms},
    {"add.partitions.to.txn.retry.backoff.max.ms", "How long a leader repeats such an add.", &B::add_partitions_retry_backoff_max_ms},
    {"transaction.two.phase.commit.enable", "Allows transactions without a timeout (KIP-939).", &B::transaction_two_phase_commit_enable},
    {"producer.id.expiration.ms", "A partition forgets an idle producer id after this time.", &B::producer_id_expiration_ms},
    {"producer.id.expiration.check.interval.ms", "How often partitions look for expired producer ids.", &B::producer_id_expiration_check_interval_ms},
    {"offsets.topic.num.partitions", "Partitions of __consumer_offsets.", &B::offsets_topic_num_partitions},
    {"offsets.topic.replication.factor", "Replicas of __consumer_offsets.", &B::offsets_topic_replication_factor},
    {"offsets.topic.segment.bytes", "Size at which a segment of __consumer_offsets is rolled.", &B::offsets_topic_segment_bytes},
    {"offsets.commit.timeout.ms", "How long a group coordinator waits for the replication of what it wrote.", &B::offsets_commit_timeout_ms},
    {"offsets.retention.minutes", "Committed offsets of a group without members expire after this time.", &B::offsets_retention_minutes},
    {"offsets.retention.check.interval.ms", "How often the group coordinator looks for expired offsets.", &B::offsets_retention_check_interval_ms},
    {"offset.metadata.max.bytes", "The longest text that may be committed with an offset.", &B::offset_metadata_max_bytes},
    {"group.min.session.timeout.ms", "The shortest session.timeout.ms that a group member may ask for.", &B::group_min_session_timeout_ms},
    {"group.max.session.timeout.ms", "The longest session.timeout.ms that a group member may ask for.", &B::group_max_session_timeout_ms},
    {"group.initial.rebalance.delay.ms", "How long the first rebalance of an empty group waits for more members.", &B::group_initial_rebalance_delay_ms},
    {"group.max.size", "The most members of a group.", &B::group_max_size},
    {"default.replication.factor", "Replicas of a topic that does not say.", &B::default_replication_factor},
    {"num.partitions", "Partitions of a topic that does not say.", &B::num_partitions},
    {"min.insync.replicas", "With acks=all, how many replicas must have a record.", &B::min_insync_replicas},
    {"unclean.leader.election.enable", "Whether a replica outside the ISR may become leader.", &B::unclean_leader_election_enable},
    {"replica.lag.time.max.ms", "A follower that has not caught up for so long leaves the ISR.", &B::replica_lag_time_max_ms},
    {"replica.fetch.wait.max.ms", "How long a follower's fetch waits at the leader for news.", &B::replica_fetch_wait_max_ms},
    {"replica.socket.timeout.ms", "How long a follower waits for the answer to a fetch.", &B::replica_socket_timeout_ms},
    {"replica.fetch.backoff.ms", "A follower's pause after a failed fetch.", &B::replica_fetch_backoff_ms},
    {"replica.high.watermark.checkpoint.interval.ms", "How often the high watermark is saved to disk.", &B::replica_high_watermark_checkpoint_interval_ms},
    {"broker.session.timeout.ms", "The controller fences a broker that it has not heard of for so long.", &B::broker_session_timeout_ms},
    {"broker.heartbeat.interval.ms", "How often a broker lets the controller know that it lives.", &B::broker_heartbeat_interval_ms},
    {"request.timeout.ms", "How long a broker waits for an answer of another broker.", &B::request_timeout_ms},
    {"log.segment.bytes", "Size at which a log segment is rolled.", &B::log_segment_bytes},
};

constexpr Setting<T> kTopicSettings[] = {
    {"min.insync.replicas", "With acks=all, how many replicas must have a record.", &T::min_insync_replicas},
    {"unclean.leader.election.enable", "Whether a replica outside the ISR may become leader.", &T::unclean_leader_election_enable},
    {"segment.bytes", "Size at which a log segment is rolled.", &T::segment_bytes},
};
// clang-format on

template <typename Config, size_t kCount>
std::vector<ConfigKey> Keys(const Setting<Config> (&settings)[kCount]) {
  std::vector<ConfigKey> keys;
  const Config defaults;
  for (const Setting<Config>& setting : settings) {
    keys.push_back(
        {.name = setting.name,
         .sentence = setting.sentence,
         .default_value = std::visit(
             [&](auto member) -> std::variant<int64_t, bool> { return defaults.*member; },
             setting.member)});
  }
  return keys;
}

template <typename Config, size_t kCount>
absl::Status Set(const Setting<Config> (&settings)[kCount], Config& config, std::string_view key,
                 std::string_view value) {
  for (const Setting<Config>& setting : settings) {
    if (setting.name != key) continue;
    if (const auto* flag = std::get_if<bool Config::*>(&setting.member)) {
      if (value != "true" && value != "false") {
        return absl::InvalidArgumentError(fmt::format("{} is true or false, not '{}'", key, value));
      }
      config.*(*flag) = value == "true";
      return absl::OkStatus();
    }
    int64_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size()) {
      return absl::InvalidArgumentError(fmt::format("{} is a number, not '{}'", key, value));
    }
    config.*std::get<int64_t Config::*>(setting.member) = number;
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(fmt::format("no configuration key '{}'", key));
}

}  // namespace

std::vector<ConfigKey> BrokerConfigKeys() { return Keys(kBrokerSettings); }
std::vector<ConfigKey> TopicConfigKeys() { return Keys(kTopicSettings); }

absl::Status SetConfig(BrokerConfig& config, std::string_view key, std::string_view value) {
  return Set(kBrokerSettings, config, key, value);
}

absl::Status SetConfig(TopicConfig& config, std::string_view key, std::string_view value) {
  return Set(kTopicSettings, config, key, value);
}

TopicConfig DefaultTopicConfig(const BrokerConfig& config) {
  return {.min_insync_replicas = config.min_insync_replicas,
          .unclean_leader_election_enable = config.unclean_leader_election_enable,
          .segment_bytes = config.log_segment_bytes};
}

}  // namespace kafkasim::broker

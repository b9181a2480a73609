#include "broker/config.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <sstream>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

namespace kafkasim::broker {
namespace {

constexpr int64_t kMillion = 1'000'000;

// A key and the member that it sets.
template <typename Config>
struct Setting {
  std::string_view name;
  std::string_view sentence;
  std::variant<int64_t Config::*, bool Config::*, CleanupPolicy Config::*, Ratio Config::*> member;
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
    {"transaction.state.log.segment.bytes", "segment.bytes of __transaction_state.", &B::transaction_state_log_segment_bytes},
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
    {"log.roll.ms", "A segment is rolled when a record is that much younger than its first one.", &B::log_roll_ms},
    {"log.cleanup.policy", "Old segments are deleted, compacted by key, or both.", &B::log_cleanup_policy},
    {"log.retention.ms", "Segments whose youngest record is older are deleted; -1 keeps them.", &B::log_retention_ms},
    {"log.retention.bytes", "The oldest segments of a larger partition are deleted; -1 keeps them.", &B::log_retention_bytes},
    {"log.retention.check.interval.ms", "How often a broker looks for segments to delete.", &B::log_retention_check_interval_ms},
    {"log.cleaner.backoff.ms", "How often the cleaner looks for logs to compact.", &B::log_cleaner_backoff_ms},
    {"log.cleaner.min.cleanable.ratio", "The share of a log that is dirty from which on it is compacted.", &B::log_cleaner_min_cleanable_ratio},
    {"log.cleaner.min.compaction.lag.ms", "A record is not compacted before it is that old.", &B::log_cleaner_min_compaction_lag_ms},
    {"log.cleaner.max.compaction.lag.ms", "A record that is that old makes its log be compacted.", &B::log_cleaner_max_compaction_lag_ms},
    {"log.cleaner.delete.retention.ms", "How long tombstones and markers outlive what they end.", &B::log_cleaner_delete_retention_ms},
    {"log.flush.start.offset.checkpoint.interval.ms", "How often the log start offset is saved to disk.", &B::log_flush_start_offset_checkpoint_interval_ms},
};

constexpr Setting<T> kTopicSettings[] = {
    {"min.insync.replicas", "With acks=all, how many replicas must have a record.", &T::min_insync_replicas},
    {"unclean.leader.election.enable", "Whether a replica outside the ISR may become leader.", &T::unclean_leader_election_enable},
    {"segment.bytes", "Size at which a log segment is rolled.", &T::segment_bytes},
    {"segment.ms", "A segment is rolled when a record is that much younger than its first one.", &T::segment_ms},
    {"cleanup.policy", "Old segments are deleted, compacted by key, or both.", &T::cleanup_policy},
    {"retention.ms", "Segments whose youngest record is older are deleted; -1 keeps them.", &T::retention_ms},
    {"retention.bytes", "The oldest segments of a larger partition are deleted; -1 keeps them.", &T::retention_bytes},
    {"min.cleanable.dirty.ratio", "The share of a log that is dirty from which on it is compacted.", &T::min_cleanable_dirty_ratio},
    {"min.compaction.lag.ms", "A record is not compacted before it is that old.", &T::min_compaction_lag_ms},
    {"max.compaction.lag.ms", "A record that is that old makes its log be compacted.", &T::max_compaction_lag_ms},
    {"delete.retention.ms", "How long tombstones and markers outlive what they end.", &T::delete_retention_ms},
};
// clang-format on

const std::vector<std::string>& PolicyChoices() {
  static const std::vector<std::string> choices = {"delete", "compact", "compact,delete",
                                                   "delete,compact"};
  return choices;
}

template <typename T>
std::string Printed(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

// How each type of setting is read, and what it is called in errors.
bool Read(std::string_view text, int64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}
bool Read(std::string_view text, bool& value) {
  value = text == "true";
  return text == "true" || text == "false";
}
bool Read(std::string_view text, CleanupPolicy& value) {
  value = {.compact = text != "delete", .del = text != "compact"};
  for (const std::string& choice : PolicyChoices()) {
    if (text == choice) return true;
  }
  return false;
}
bool Read(std::string_view text, Ratio& value) {
  const size_t point = std::min(text.find('.'), text.size());
  int64_t whole = 0;
  if (!Read(text.substr(0, point), whole)) return false;
  std::string decimals(text.substr(std::min(point + 1, text.size())));
  if (decimals.size() > 6) return false;
  decimals.resize(6, '0');
  int64_t part = 0;
  if (!Read(decimals, part)) return false;
  value.millionths = whole * kMillion + part;
  return whole >= 0 && part >= 0 && value.millionths <= kMillion;
}

constexpr std::string_view TypeName(const int64_t&) { return "a number"; }
constexpr std::string_view TypeName(const bool&) { return "true or false"; }
constexpr std::string_view TypeName(const CleanupPolicy&) {
  return "delete, compact, or both with a comma between";
}
constexpr std::string_view TypeName(const Ratio&) {
  return "a number from 0 to 1 with at most six decimals";
}

template <typename Config, size_t kCount>
std::vector<ConfigKey> Keys(const Setting<Config> (&settings)[kCount]) {
  std::vector<ConfigKey> keys;
  const Config defaults;
  for (const Setting<Config>& setting : settings) {
    ConfigKey key{.name = setting.name, .sentence = setting.sentence, .default_value = {}};
    std::visit(
        [&](auto member) {
          using Value = std::remove_cvref_t<decltype(defaults.*member)>;
          if constexpr (std::is_same_v<Value, int64_t> || std::is_same_v<Value, bool>) {
            key.default_value = defaults.*member;
          } else {
            key.default_value = Printed(defaults.*member);
          }
          if constexpr (std::is_same_v<Value, CleanupPolicy>) key.choices = PolicyChoices();
        },
        setting.member);
    keys.push_back(std::move(key));
  }
  return keys;
}

template <typename Config, size_t kCount>
absl::Status Set(const Setting<Config> (&settings)[kCount], Config& config, std::string_view key,
                 std::string_view value) {
  for (const Setting<Config>& setting : settings) {
    if (setting.name != key) continue;
    return std::visit(
        [&](auto member) -> absl::Status {
          auto read = config.*member;
          if (!Read(value, read)) {
            return absl::InvalidArgumentError(
                fmt::format("{} is {}, not '{}'", key, TypeName(read), value));
          }
          config.*member = read;
          return absl::OkStatus();
        },
        setting.member);
  }
  return absl::InvalidArgumentError(fmt::format("no configuration key '{}'", key));
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const CleanupPolicy& policy) {
  if (!policy.compact) return out << "delete";
  return out << (policy.del ? "compact,delete" : "compact");
}

std::ostream& operator<<(std::ostream& out, const Ratio& ratio) {
  std::string text =
      fmt::format("{}.{:06}", ratio.millionths / kMillion, ratio.millionths % kMillion);
  while (text.ends_with("00")) text.pop_back();
  if (text.ends_with("0") && !text.ends_with(".0")) text.pop_back();
  return out << text;
}

void TopicConfig::AppendTo(sim::CanonicalBytes& out) const {
  out.Add(min_insync_replicas);
  out.Add(unclean_leader_election_enable);
  out.Add(segment_bytes);
  out.Add(segment_ms);
  out.Add(cleanup_policy.compact);
  out.Add(cleanup_policy.del);
  out.Add(retention_ms);
  out.Add(retention_bytes);
  out.Add(min_cleanable_dirty_ratio.millionths);
  out.Add(min_compaction_lag_ms);
  out.Add(max_compaction_lag_ms);
  out.Add(delete_retention_ms);
}

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
          .segment_bytes = config.log_segment_bytes,
          .segment_ms = config.log_roll_ms,
          .cleanup_policy = config.log_cleanup_policy,
          .retention_ms = config.log_retention_ms,
          .retention_bytes = config.log_retention_bytes,
          .min_cleanable_dirty_ratio = config.log_cleaner_min_cleanable_ratio,
          .min_compaction_lag_ms = config.log_cleaner_min_compaction_lag_ms,
          .max_compaction_lag_ms = config.log_cleaner_max_compaction_lag_ms,
          .delete_retention_ms = config.log_cleaner_delete_retention_ms};
}

}  // namespace kafkasim::broker

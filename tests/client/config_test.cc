// Defaults of section 8 of the reference and the rules between keys.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/consumer_config.h"
#include "client/producer_config.h"

namespace kafkasim::client {
namespace {

using ::testing::HasSubstr;

std::string DefaultOf(const std::vector<ConfigKey>& keys, std::string_view name) {
  for (const ConfigKey& key : keys) {
    if (key.name == name) return key.default_value;
  }
  return "no such key";
}

TEST(ProducerConfig, HasKafkasDefaults) {
  const std::vector<ConfigKey> keys = ProducerConfigKeys();
  EXPECT_EQ(DefaultOf(keys, "transaction.timeout.ms"), "60000");
  EXPECT_EQ(DefaultOf(keys, "enable.idempotence"), "true");
  EXPECT_EQ(DefaultOf(keys, "acks"), "all");
  EXPECT_EQ(DefaultOf(keys, "retries"), "2147483647");
  EXPECT_EQ(DefaultOf(keys, "max.in.flight.requests.per.connection"), "5");
  EXPECT_EQ(DefaultOf(keys, "delivery.timeout.ms"), "120000");
  EXPECT_EQ(DefaultOf(keys, "linger.ms"), "5");
  EXPECT_EQ(DefaultOf(keys, "batch.size"), "16384");
  EXPECT_EQ(DefaultOf(keys, "max.block.ms"), "60000");
  const ProducerConfig config = *FinishConfig({});
  EXPECT_TRUE(config.idempotent());
  EXPECT_FALSE(config.transactional());
  EXPECT_EQ(config.delivery_timeout(), 120'000);
}

TEST(ProducerConfig, EveryKeyCanBeSetToItsDefault) {
  ProducerConfig config;
  for (const ConfigKey& key : ProducerConfigKeys()) {
    if (key.default_value.empty()) continue;
    EXPECT_TRUE(SetConfig(config, key.name, key.default_value).ok()) << key.name;
  }
  const ProducerConfig defaults = *FinishConfig({});
  EXPECT_EQ(config.delivery_timeout(), defaults.delivery_timeout());
  EXPECT_EQ(config.linger_ms, defaults.linger_ms);
}

TEST(ProducerConfig, RefusesUnknownKeysAndWrongTypes) {
  ProducerConfig config;
  EXPECT_FALSE(SetConfig(config, "linger", "5").ok());
  EXPECT_FALSE(SetConfig(config, "linger.ms", "soon").ok());
  EXPECT_FALSE(SetConfig(config, "acks", "2").ok());
  EXPECT_FALSE(SetConfig(config, "enable.idempotence", "yes").ok());
  EXPECT_EQ(config, ProducerConfig{});
}

TEST(ProducerConfig, IdempotenceIsSwitchedOffSilentlyUnlessItWasAskedFor) {
  EXPECT_FALSE(FinishConfig({.acks = 1})->idempotent());
  EXPECT_FALSE(FinishConfig({.retries = 0})->idempotent());
  EXPECT_FALSE(FinishConfig({.enable_idempotence = true, .acks = 1}).ok());
  EXPECT_FALSE(FinishConfig({.enable_idempotence = true, .retries = 0}).ok());
  EXPECT_FALSE(FinishConfig({.transactional_id = "a", .acks = 0}).ok());
  EXPECT_FALSE(FinishConfig({.transactional_id = "a", .enable_idempotence = false}).ok());
}

TEST(ProducerConfig, IdempotenceAllowsFiveRequestsInFlight) {
  EXPECT_TRUE(FinishConfig({.max_in_flight_requests_per_connection = 5}).ok());
  const auto six = FinishConfig({.max_in_flight_requests_per_connection = 6});
  ASSERT_FALSE(six.ok());
  EXPECT_THAT(std::string(six.status().message()), HasSubstr("ConfigException"));
  EXPECT_TRUE(
      FinishConfig({.enable_idempotence = false, .max_in_flight_requests_per_connection = 6}).ok());
}

TEST(ProducerConfig, TheDeliveryTimeoutCoversLingerAndOneRequest) {
  EXPECT_FALSE(FinishConfig({.delivery_timeout_ms = 1'000}).ok());
  EXPECT_EQ(FinishConfig({.linger_ms = 100'000})->delivery_timeout(), 130'000);
}

TEST(ConsumerConfig, HasKafkasDefaults) {
  const std::vector<ConfigKey> keys = ConsumerConfigKeys();
  EXPECT_EQ(DefaultOf(keys, "isolation.level"), "read_uncommitted");
  EXPECT_EQ(DefaultOf(keys, "auto.offset.reset"), "latest");
  EXPECT_EQ(DefaultOf(keys, "max.poll.records"), "500");
  EXPECT_EQ(DefaultOf(keys, "fetch.max.wait.ms"), "500");
  EXPECT_EQ(DefaultOf(keys, "fetch.max.bytes"), "52428800");
  EXPECT_EQ(DefaultOf(keys, "session.timeout.ms"), "45000");
  EXPECT_EQ(DefaultOf(keys, "heartbeat.interval.ms"), "3000");
  EXPECT_EQ(DefaultOf(keys, "max.poll.interval.ms"), "300000");
  EXPECT_EQ(DefaultOf(keys, "partition.assignment.strategy"), "range,cooperative-sticky");
  EXPECT_EQ(DefaultOf(keys, "enable.auto.commit"), "true");
  EXPECT_EQ(DefaultOf(keys, "auto.commit.interval.ms"), "5000");
  ConsumerConfig config;
  for (const ConfigKey& key : keys) {
    if (key.default_value.empty()) continue;
    EXPECT_TRUE(SetConfig(config, key.name, key.default_value).ok()) << key.name;
  }
  config.enable_auto_commit.reset();
  EXPECT_EQ(config, ConsumerConfig{});
}

TEST(ConsumerConfig, CommitsByItselfOnlyWithAGroup) {
  EXPECT_FALSE(ConsumerConfig{}.auto_commit());
  ConsumerConfig config{.group_id = "g"};
  EXPECT_TRUE(config.auto_commit());
  config.enable_auto_commit = false;
  EXPECT_FALSE(config.auto_commit());
}

TEST(ConsumerConfig, SettingsThatBelongTogetherAreChecked) {
  EXPECT_TRUE(CheckConfig({}).ok());
  const absl::Status slow =
      CheckConfig({.session_timeout_ms = 6'000, .heartbeat_interval_ms = 6'000});
  EXPECT_THAT(std::string(slow.message()),
              HasSubstr("heartbeat.interval.ms=6000 has to be lower than session.timeout.ms=6000"));
  EXPECT_FALSE(CheckConfig({.enable_auto_commit = true}).ok());
  EXPECT_TRUE(CheckConfig({.group_id = "g", .enable_auto_commit = true}).ok());
}

TEST(ConsumerConfig, WordsAreChecked) {
  ConsumerConfig config;
  EXPECT_TRUE(SetConfig(config, "isolation.level", "read_committed").ok());
  EXPECT_EQ(config.isolation_level, broker::IsolationLevel::kReadCommitted);
  const absl::Status wrong = SetConfig(config, "auto.offset.reset", "smallest");
  EXPECT_THAT(std::string(wrong.message()), HasSubstr("latest, earliest, none"));
}

}  // namespace
}  // namespace kafkasim::client

#include "scenarios/config_keys.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace kafkasim::scenarios {
namespace {

const ConfigKey* Find(const std::vector<ConfigKey>& keys, const std::string& name) {
  for (const ConfigKey& key : keys) {
    if (key.name == name) return &key;
  }
  return nullptr;
}

TEST(ConfigKeys, HaveTheTypeOfTheirDefault) {
  const ConfigKey* timeout = Find(ProducerKeys(), "transaction.timeout.ms");
  ASSERT_NE(timeout, nullptr);
  EXPECT_EQ(timeout->default_value, ConfigValue(std::int64_t{60'000}));
  EXPECT_TRUE(timeout->is_time());
  const ConfigKey* acks = Find(ProducerKeys(), "acks");
  ASSERT_NE(acks, nullptr);
  EXPECT_EQ(acks->default_value, ConfigValue(std::string("all")));
  EXPECT_FALSE(acks->is_time());
  const ConfigKey* isolation = Find(ConsumerKeys(), "isolation.level");
  ASSERT_NE(isolation, nullptr);
  EXPECT_EQ(isolation->default_value, ConfigValue(std::string("read_uncommitted")));
  const ConfigKey* verify = Find(BrokerKeys(), "transaction.partition.verification.enable");
  ASSERT_NE(verify, nullptr);
  EXPECT_EQ(verify->default_value, ConfigValue(true));
  EXPECT_NE(Find(TopicKeys(), "min.insync.replicas"), nullptr);
}

TEST(ConfigKeys, AllSayWhatTheyAre) {
  for (const auto* keys : {&BrokerKeys(), &TopicKeys(), &ProducerKeys(), &ConsumerKeys()}) {
    for (const ConfigKey& key : *keys) EXPECT_NE(key.description, "") << key.name;
  }
}

TEST(ConfigKeys, AreEitherModelledOrNot) {
  for (const auto* keys : {&BrokerKeys(), &TopicKeys(), &ProducerKeys(), &ConsumerKeys()}) {
    for (const ConfigKey& key : *keys) EXPECT_FALSE(IsUnmodelledKey(key.name)) << key.name;
  }
  EXPECT_TRUE(IsUnmodelledKey("compression.type"));
  EXPECT_TRUE(IsUnmodelledKey("allow.auto.create.topics"));
  EXPECT_TRUE(IsUnmodelledKey("value.serializer"));
  EXPECT_FALSE(IsUnmodelledKey("no.such.key"));
}

}  // namespace
}  // namespace kafkasim::scenarios

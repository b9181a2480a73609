// The settings that a scenario may write, by Kafka's names and with Kafka's defaults (4.4
// development line). Only what the simulator obeys is here; brokers and topics have their registry
// in broker/config.h.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/config.h"

namespace kafkasim::scenarios {

struct ConfigKey {
  std::string name;
  std::string description;
  ConfigValue default_value{};         // its type is the key's type; an empty text means unset
  std::vector<std::string> choices{};  // texts only: the values allowed; empty = any
  std::int64_t minimum = 0;            // numbers only
  std::int64_t maximum = INT64_MAX;

  // A time in milliseconds, which may also be written as a duration.
  bool is_time() const;
};

const std::vector<ConfigKey>& BrokerKeys();
const std::vector<ConfigKey>& TopicKeys();
const std::vector<ConfigKey>& ProducerKeys();  // the Java producer's
const std::vector<ConfigKey>& ConsumerKeys();  // the Java consumer's
const std::vector<ConfigKey>& AdminKeys();     // of Java's Admin

// Whether `name` is a setting of Kafka that has no meaning here, such as `compression.type`.
bool IsUnmodelledKey(std::string_view name);

}  // namespace kafkasim::scenarios

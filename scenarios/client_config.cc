#include "scenarios/client_config.h"

#include <cstdint>
#include <string>
#include <variant>

#include "sim/check.h"

namespace kafkasim::scenarios {
namespace {

struct Text {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(const std::string& value) const { return value; }
};

template <typename ClientConfig>
ClientConfig FromSettings(const Config& settings) {
  ClientConfig config;
  for (const ConfigEntry& entry : settings.entries) {
    const bool good = client::SetConfig(config, entry.key, std::visit(Text{}, entry.value)).ok();
    KAFKASIM_CHECK(good, "a setting that the loader accepted is one of the client's");
  }
  return config;
}

}  // namespace

client::ProducerConfig ProducerConfigOf(const ActorSpec& actor) {
  return FromSettings<client::ProducerConfig>(actor.config);
}

client::ConsumerConfig ConsumerConfigOf(const ActorSpec& actor) {
  return FromSettings<client::ConsumerConfig>(actor.config);
}

}  // namespace kafkasim::scenarios

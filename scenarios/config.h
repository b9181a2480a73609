// Kafka settings as they stand in a scenario file: keys spelled as in Kafka's documentation, values
// checked and brought into one form against the registry in config_keys.h.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "scenarios/mark.h"

namespace kafkasim::scenarios {

// Numbers and times are integers in the unit of the key (a `60s` given for a key in milliseconds is
// 60000 here); choices are their canonical text (`acks: -1` is "all").
using ConfigValue = std::variant<bool, std::int64_t, std::string>;

struct ConfigEntry {
  std::string key;
  ConfigValue value;
  Mark mark{};
};

// The settings that were written, in file order; whatever is not here has its default.
struct Config {
  std::vector<ConfigEntry> entries;

  // The entry of `key`, or nullptr if the file does not set it.
  const ConfigEntry* Find(std::string_view key) const;

  // The value of `key` if it is set. The registry fixes the type of every key, so asking for
  // another type is a bug.
  std::optional<bool> Boolean(std::string_view key) const;
  std::optional<std::int64_t> Integer(std::string_view key) const;
  std::optional<std::string> Text(std::string_view key) const;

  // Sets every entry of `overrides`, replacing those already here.
  void Apply(const Config& overrides);
};

}  // namespace kafkasim::scenarios

// How a table of configuration keys sets the members of a configuration struct: shared by the
// producer's and the consumer's tables. Private to client/.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include <absl/status/status.h>
#include <fmt/format.h>

#include "client/config_key.h"

namespace kafkasim::client {

// A key whose values are words.
template <typename Config>
struct Words {
  std::vector<std::string> (*choices)();
  std::string (*print)(const Config&);
  bool (*parse)(Config&, std::string_view);  // false: none of the words
};

// A key, what it means, and the member that it sets.
template <typename Config>
struct Setting {
  std::string_view name{};
  std::string_view sentence{};
  std::variant<int64_t Config::*, std::optional<int64_t> Config::*, bool Config::*,
               std::optional<bool> Config::*, std::optional<std::string> Config::*, Words<Config>>
      member;
  std::string_view unset_means = "";  // of an optional: what applies while it is not set
};

template <typename Config, size_t kCount>
std::vector<ConfigKey> KeysOf(const Setting<Config> (&settings)[kCount]) {
  std::vector<ConfigKey> keys{};
  const Config defaults{};
  for (const Setting<Config>& setting : settings) {
    ConfigKey key{.name = setting.name, .sentence = setting.sentence, .default_value = ""};
    key.default_value = std::string(setting.unset_means);
    if (const auto* number = std::get_if<int64_t Config::*>(&setting.member)) {
      key.default_value = std::to_string(defaults.*(*number));
    } else if (const auto* flag = std::get_if<bool Config::*>(&setting.member)) {
      key.default_value = defaults.*(*flag) ? "true" : "false";
    } else if (const auto* words = std::get_if<Words<Config>>(&setting.member)) {
      key.default_value = words->print(defaults);
      key.choices = words->choices();
    }
    keys.push_back(std::move(key));
  }
  return keys;
}

// Sets one member from its text.
template <typename Config>
struct SettingParser {
  Config& config;
  std::string_view key{};
  std::string_view value{};

  absl::Status operator()(int64_t Config::*member) { return Number(config.*member); }
  absl::Status operator()(std::optional<int64_t> Config::*member) {
    return Number((config.*member).emplace());
  }
  absl::Status operator()(bool Config::*member) { return Flag(config.*member); }
  absl::Status operator()(std::optional<bool> Config::*member) {
    return Flag((config.*member).emplace());
  }
  absl::Status operator()(std::optional<std::string> Config::*member) {
    config.*member = std::string(value);
    return absl::OkStatus();
  }
  absl::Status operator()(const Words<Config>& words) {
    if (words.parse(config, value)) return absl::OkStatus();
    return absl::InvalidArgumentError(
        fmt::format("{} is one of {}, not '{}'", key, fmt::join(words.choices(), ", "), value));
  }

  absl::Status Number(int64_t& member) {
    int64_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size()) {
      return absl::InvalidArgumentError(fmt::format("{} is a number, not '{}'", key, value));
    }
    member = number;
    return absl::OkStatus();
  }
  absl::Status Flag(bool& member) {
    if (value != "true" && value != "false") {
      return absl::InvalidArgumentError(fmt::format("{} is true or false, not '{}'", key, value));
    }
    member = value == "true";
    return absl::OkStatus();
  }
};

template <typename Config, size_t kCount>
absl::Status SetSetting(const Setting<Config> (&settings)[kCount], Config& config,
                        std::string_view key, std::string_view value) {
  for (const Setting<Config>& setting : settings) {
    if (setting.name != key) continue;
    Config changed = config;
    const absl::Status status =
        std::visit(SettingParser<Config>{changed, key, value}, setting.member);
    if (status.ok()) config = changed;
    return status;
  }
  return absl::InvalidArgumentError(fmt::format("no configuration key '{}'", key));
}

}  // namespace kafkasim::client

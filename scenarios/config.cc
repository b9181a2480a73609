#include "scenarios/config.h"

#include <algorithm>

#include "sim/check.h"

namespace kafkasim::scenarios {
namespace {

template <typename T>
std::optional<T> ValueOf(const Config& config, std::string_view key) {
  const ConfigEntry* entry = config.Find(key);
  if (entry == nullptr) return std::nullopt;
  const T* value = std::get_if<T>(&entry->value);
  KAFKASIM_CHECK(value != nullptr, "a setting is read as what the registry says it is");
  return *value;
}

}  // namespace

const ConfigEntry* Config::Find(std::string_view key) const {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const ConfigEntry& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

std::optional<bool> Config::Boolean(std::string_view key) const {
  return ValueOf<bool>(*this, key);
}
std::optional<std::int64_t> Config::Integer(std::string_view key) const {
  return ValueOf<std::int64_t>(*this, key);
}
std::optional<std::string> Config::Text(std::string_view key) const {
  return ValueOf<std::string>(*this, key);
}

void Config::Apply(const Config& overrides) {
  for (const ConfigEntry& entry : overrides.entries) {
    const auto mine = std::find_if(entries.begin(), entries.end(),
                                   [&](const ConfigEntry& e) { return e.key == entry.key; });
    if (mine == entries.end()) {
      entries.push_back(entry);
    } else {
      *mine = entry;
    }
  }
}

}  // namespace kafkasim::scenarios

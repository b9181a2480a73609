#include "scenarios/yaml_tree.h"

#include <charconv>
#include <system_error>

namespace kafkasim::scenarios {

bool Node::is_null() const {
  if (!is_scalar() || quoted) return false;
  return text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL";
}

std::optional<std::int64_t> Node::AsInteger() const {
  if (!is_scalar() || quoted) return std::nullopt;
  std::string_view digits = text;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  if (digits.empty() || (digits[0] != '-' && (digits[0] < '0' || digits[0] > '9'))) {
    return std::nullopt;
  }
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

std::optional<bool> Node::AsBoolean() const {
  if (!is_scalar() || quoted) return std::nullopt;
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  return std::nullopt;
}

const Node* Node::Find(std::string_view key) const {
  for (const NodeEntry& entry : entries) {
    if (entry.key.text == key) return &entry.value;
  }
  return nullptr;
}

}  // namespace kafkasim::scenarios

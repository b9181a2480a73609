#include "sim/trace.h"

namespace kafkasim::sim {

const FieldValue* TraceEvent::Find(std::string_view name) const {
  for (const Field& field : fields) {
    if (field.name == name) return &field.value;
  }
  return nullptr;
}

int64_t TraceEvent::Int(std::string_view name, int64_t otherwise) const {
  const FieldValue* value = Find(name);
  if (value == nullptr) return otherwise;
  const auto* number = std::get_if<int64_t>(value);
  return number != nullptr ? *number : otherwise;
}

std::string_view TraceEvent::Text(std::string_view name) const {
  const FieldValue* value = Find(name);
  if (value == nullptr) return {};
  const auto* text = std::get_if<std::string>(value);
  return text != nullptr ? std::string_view(*text) : std::string_view();
}

}  // namespace kafkasim::sim

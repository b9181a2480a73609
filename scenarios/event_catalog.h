// Every kind of event of every module, with its fields: the reference of the trace.

#pragma once

#include <string_view>
#include <vector>

#include "sim/trace.h"

namespace kafkasim::scenarios {

struct EventField {
  std::string_view name{};
  enum class Type { kBoolean, kInteger, kText, kTexts } type = Type::kText;
};

struct EventEntry {
  std::string_view module{};  // sim, broker, coordinator, client, scenarios
  const sim::EventKind* kind = nullptr;
  std::vector<EventField> fields{};
};

// In the order of the modules and of their declarations.
const std::vector<EventEntry>& EventCatalog();

// The entry of a kind; null if the catalog lacks it, which is a bug that a test looks for.
const EventEntry* FindEntry(const sim::EventKind& kind);

}  // namespace kafkasim::scenarios

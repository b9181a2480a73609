// How each kind of event is put into words: one table a module. Private to the sources of
// event_text.h.

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "scenarios/event_text.h"

namespace kafkasim::scenarios {

// An event and what its words need beside it.
struct Told {
  const sim::TraceEvent& event;
  const NameTable& names;
  const History& history;

  std::int64_t Int(std::string_view field) const { return event.Int(field); }
  std::string Text(std::string_view field) const { return std::string(event.Text(field)); }
  bool Truth(std::string_view field) const;
  // The texts of a field, separated by `separator`.
  std::string Texts(std::string_view field, std::string_view separator = ", ") const;
  bool HasTexts(std::string_view field) const;
  // Whether the event is about a topic of Kafka's own, which a lecture leaves in the background.
  bool IsInternal() const;
  // "old, producer 7, epoch 0": who stands behind the fields producer_id and producer_epoch.
  std::string Producer() const;
  // The same as "old, producer 7".
  std::string ProducerWithoutEpoch() const;
  // "orders-0@4", "orders-0@4..6".
  std::string Place(std::string_view first, std::string_view last) const;
};

struct EventTextRule {
  const sim::EventKind* kind;
  EventCategory category;
  Importance importance;  // at most
  // Fills in what, result and reason; may lower the importance, and says whether it is an error.
  void (*tell)(const Told& told, EventText& text);
};

std::span<const EventTextRule> SimEventTexts();
std::span<const EventTextRule> BrokerEventTexts();
std::span<const EventTextRule> CoordinatorEventTexts();
std::span<const EventTextRule> GroupEventTexts();
std::span<const EventTextRule> ClientEventTexts();
std::span<const EventTextRule> ScriptEventTexts();

}  // namespace kafkasim::scenarios

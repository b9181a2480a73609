#include "scenarios/event_text.h"

#include <algorithm>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "scenarios/event_text_rules.h"

namespace kafkasim::scenarios {
namespace {

const EventTextRule* FindRule(const sim::EventKind* kind) {
  for (const auto& rules : {SimEventTexts(), ClientEventTexts(), BrokerEventTexts(),
                            CoordinatorEventTexts(), GroupEventTexts(), ScriptEventTexts()}) {
    const auto rule = std::find_if(rules.begin(), rules.end(),
                                   [&](const EventTextRule& r) { return r.kind == kind; });
    if (rule != rules.end()) return &*rule;
  }
  return nullptr;
}

bool IsCode(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

}  // namespace

std::string WithEachCodeOnce(std::string_view reason, std::string_view said) {
  constexpr std::string_view kBetween = ": ";
  std::vector<std::string_view> parts;
  while (!reason.empty()) {
    const std::size_t end = std::min(reason.find(kBetween), reason.size());
    const std::string_view part = reason.substr(0, end);
    reason.remove_prefix(std::min(end + kBetween.size(), reason.size()));
    const bool known = part == said || std::find(parts.begin(), parts.end(), part) != parts.end();
    if (!IsCode(part) || !known) parts.push_back(part);
  }
  return fmt::format("{}", fmt::join(parts, kBetween));
}

bool Told::Truth(std::string_view field) const {
  const sim::FieldValue* value = event.Find(field);
  const bool* truth = value == nullptr ? nullptr : std::get_if<bool>(value);
  return truth != nullptr && *truth;
}

std::string Told::Texts(std::string_view field, std::string_view separator) const {
  const sim::FieldValue* value = event.Find(field);
  const auto* texts = value == nullptr ? nullptr : std::get_if<std::vector<std::string>>(value);
  return texts == nullptr ? std::string() : fmt::format("{}", fmt::join(*texts, separator));
}

bool Told::HasTexts(std::string_view field) const {
  const sim::FieldValue* value = event.Find(field);
  const auto* texts = value == nullptr ? nullptr : std::get_if<std::vector<std::string>>(value);
  return texts != nullptr && !texts->empty();
}

bool Told::IsInternal() const { return event.Text("partition").substr(0, 2) == "__"; }

std::string Told::Producer() const {
  if (Int("producer_id") == broker::kNoProducerId.value()) return "no producer id";
  return fmt::format("{}, epoch {}", ProducerWithoutEpoch(), Int("producer_epoch"));
}

std::string Told::ProducerWithoutEpoch() const {
  const broker::ProducerId id(Int("producer_id"));
  const broker::ProducerEpoch epoch(static_cast<std::int16_t>(Int("producer_epoch")));
  const std::string_view actor = history.OwnerOf(id, epoch);
  return fmt::format("{}{}producer {}", actor, actor.empty() ? "" : ", ", id);
}

std::string Told::Place(std::string_view first, std::string_view last) const {
  if (Int(first) == Int(last)) return fmt::format("{}@{}", Text("partition"), Int(first));
  return fmt::format("{}@{}..{}", Text("partition"), Int(first), Int(last));
}

std::string EventText::Sentence() const {
  std::string sentence = what;
  if (!result.empty()) sentence += " → " + result;
  if (!reason.empty()) sentence += ": " + reason;
  return sentence;
}

Importance HighestImportance(const sim::EventKind& kind) {
  const EventTextRule* rule = FindRule(&kind);
  return rule == nullptr ? Importance::kVerbose : rule->importance;
}

EventText TextOf(const sim::TraceEvent& event, const NameTable& names, const History& history) {
  EventText text{.importance = Importance::kVerbose,
                 .time = sim::FormatTime(event.at),
                 .actor = std::string(names.NameOf(event.actor))};
  const EventTextRule* rule = FindRule(event.kind);
  if (rule == nullptr) {
    text.what = event.kind->name;
    return text;
  }
  text.category = rule->category;
  text.importance = rule->importance;
  rule->tell({event, names, history}, text);
  text.reason = WithEachCodeOnce(text.reason, text.result);
  return text;
}

}  // namespace kafkasim::scenarios

// The JSON Schema of a line of a trace, made from the catalog of events.
#include <nlohmann/json.hpp>

#include "scenarios/event_catalog.h"
#include "scenarios/trace_log.h"

namespace kafkasim::scenarios {
namespace {

using Json = nlohmann::ordered_json;

Json TextOfMeaning(const char* meaning) { return {{"type", "string"}, {"description", meaning}}; }
Json NumberOfMeaning(const char* meaning) {
  return {{"type", "integer"}, {"description", meaning}};
}

Json TypeOf(EventField::Type type) {
  switch (type) {
    case EventField::Type::kBoolean:
      return {{"type", "boolean"}};
    case EventField::Type::kInteger:
      return {{"type", "integer"}};
    case EventField::Type::kText:
      return {{"type", "string"}};
    case EventField::Type::kTexts:
      return {{"type", "array"}, {"items", {{"type", "string"}}}};
  }
  return {};
}

// An object with exactly these properties.
Json ObjectOf(Json properties) {
  Json required = Json::array();
  for (const auto& property : properties.items()) required.push_back(property.key());
  return {{"type", "object"},
          {"properties", std::move(properties)},
          {"required", std::move(required)},
          {"additionalProperties", false}};
}

Json Header() {
  return ObjectOf({{"line", {{"enum", Json::array({"header"})}}},
                   {"tool_version", TextOfMeaning("The kafkasim that wrote the trace.")},
                   {"trace_schema", {{"enum", Json::array({kTraceSchemaVersion})}}},
                   {"title", TextOfMeaning("Title of the scenario.")},
                   {"scenario_digest", TextOfMeaning("XXH3-128 of the scenario file's bytes.")},
                   {"variant", TextOfMeaning("The variant of the matrix; empty without one.")},
                   {"seed", TextOfMeaning("The seed, a decimal number of 64 bits.")}});
}

Json End() {
  return ObjectOf(
      {{"line", {{"enum", Json::array({"end"})}}},
       {"verdict", {{"enum", {"HOLDS", "FAILS", "NO_VERDICT"}}}},
       {"claims", NumberOfMeaning("Claims that were checked.")},
       {"failures", NumberOfMeaning("Claims that did not hold.")},
       {"events", NumberOfMeaning("Events of the whole run.")},
       {"trace_digest", TextOfMeaning("Digest of all events; equal runs have equal digests.")},
       {"world_fingerprint", TextOfMeaning("Fingerprint of the cluster at the end.")},
       {"next_draw", TextOfMeaning("One more random number, hexadecimal.")}});
}

Json Event(const EventEntry& entry) {
  Json fields = Json::object();
  for (const EventField& field : entry.fields) fields[std::string(field.name)] = TypeOf(field.type);
  Json schema = ObjectOf(
      {{"line", {{"enum", Json::array({"event"})}}},
       {"event", NumberOfMeaning("Number of the event, from 1.")},
       {"time_us", NumberOfMeaning("Virtual time in microseconds since the start.")},
       {"actor", TextOfMeaning("The process; empty for the script.")},
       {"kind", {{"enum", Json::array({std::string(entry.kind->name)})}}},
       {"cause", NumberOfMeaning("The event that led to this one; 0 = none.")},
       {"fields",
        {{"type", "object"}, {"properties", std::move(fields)}, {"additionalProperties", false}}},
       {"text", TextOfMeaning("The event in words.")}});
  schema["description"] = std::string(entry.kind->sentence);
  return schema;
}

}  // namespace

std::string TraceSchema() {
  Json lines = Json::array({Header(), End()});
  for (const EventEntry& entry : EventCatalog()) lines.push_back(Event(entry));
  const Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                       {"$id", "https://kafkasim.invalid/schema/trace-1.json"},
                       {"title", "A line of a kafkasim trace"},
                       {"oneOf", std::move(lines)}};
  return schema.dump(2) + "\n";
}

}  // namespace kafkasim::scenarios

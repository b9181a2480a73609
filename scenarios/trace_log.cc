#include "scenarios/trace_log.h"

#include <iterator>

#include <fmt/format.h>

#include "scenarios/event_text.h"
#include "scenarios/json_text.h"
#include "scenarios/trace_digest.h"

namespace kafkasim::scenarios {
namespace {

void AppendText(std::string& line, std::string_view key, std::string_view text) {
  line += ",\"";
  line += key;
  line += "\":";
  AppendJsonString(line, text);
}

template <typename Number>
void AppendNumber(std::string& line, std::string_view key, Number number) {
  fmt::format_to(std::back_inserter(line), ",\"{}\":{}", key, number);
}

}  // namespace

std::string HeaderLine(const Scenario& scenario, const RunResult& result,
                       std::string_view tool_version) {
  std::string line = R"({"line":"header")";
  AppendText(line, "tool_version", tool_version);
  AppendNumber(line, "trace_schema", kTraceSchemaVersion);
  AppendText(line, "title", scenario.title);
  AppendText(line, "scenario_digest",
             scenario.source == nullptr ? "" : ContentDigest(scenario.source->text()));
  AppendText(line, "variant", result.variant);
  // A number of 64 bits is a text here: many readers of JSON would round it.
  AppendText(line, "seed", fmt::format("{}", result.seed));
  line += '}';
  return line;
}

std::string EventLine(const sim::TraceEvent& event, const NameTable& names,
                      const History& history) {
  std::string line = R"({"line":"event")";
  AppendNumber(line, "event", event.id.value());
  AppendNumber(line, "time_us", event.at.us);
  AppendText(line, "actor", names.NameOf(event.actor));
  AppendText(line, "kind", event.kind->name);
  AppendNumber(line, "cause", event.cause.value());
  line += ",\"fields\":";
  AppendJsonFields(line, event.fields);
  AppendText(line, "text", TextOf(event, names, history).Sentence());
  line += '}';
  return line;
}

std::string LastLine(const RunResult& result) {
  std::string line = R"({"line":"end")";
  AppendText(line, "verdict", VerdictName(result.verdict));
  AppendNumber(line, "claims", result.claims);
  AppendNumber(line, "failures", result.failures.size());
  AppendNumber(line, "events", result.events);
  AppendText(line, "trace_digest", sim::FormatFingerprint(result.trace_digest));
  AppendText(line, "world_fingerprint", sim::FormatFingerprint(result.world_fingerprint));
  AppendText(line, "next_draw", fmt::format("{:016x}", result.next_draw));
  line += '}';
  return line;
}

void WriteTrace(std::ostream& out, const Scenario& scenario, const RunResult& result,
                std::string_view tool_version) {
  out << HeaderLine(scenario, result, tool_version) << '\n';
  if (result.end.has_value()) {
    for (const sim::TraceEvent& event : result.end->history.trace()) {
      out << EventLine(event, result.end->names, result.end->history) << '\n';
    }
  }
  out << LastLine(result) << '\n';
}

}  // namespace kafkasim::scenarios

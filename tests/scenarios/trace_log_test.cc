#include "scenarios/trace_log.h"

#include <set>
#include <sstream>
#include <string>
#include <variant>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "run_scenario.h"
#include "scenarios/event_catalog.h"
#include "scenarios/event_text.h"
#include "scenarios/json_text.h"
#include "scenarios/trace_digest.h"

namespace kafkasim::scenarios {
namespace {

// Something of everything: calls, faults, refusals, markers, elections.
RunResult EventfulRun() {
  return RunSteps(R"(
  - say: Something of everything.
  - old: init_transactions
  - old: begin_transaction
  - old: {send: {to: orders-0, value: a}}
  - pause: old
  - new: init_transactions
  - resume: old
  - old: commit_transaction
    fails: PRODUCER_FENCED
  - new: begin_transaction
  - new: {send: {to: orders, key: k, value: b}}
  - hold: {request: WriteTxnMarkers}
    as: markers
  - when: {transaction_record: PREPARE_COMMIT, point: replicated}
    do: [partition: [[broker-0], [broker-1]]]
  - new: commit_transaction
  - wait: 1s
  - release: markers
  - heal: all
  - crash: broker-2
  - wait: 15s
  - restart: broker-2
  - rc: poll
  - expect: {orders-0: {last_stable_offset: 99}}
)",
                  {.keep_trace = true});
}

bool HasType(const sim::FieldValue& value, EventField::Type type) {
  switch (type) {
    case EventField::Type::kBoolean:
      return std::holds_alternative<bool>(value);
    case EventField::Type::kInteger:
      return std::holds_alternative<std::int64_t>(value);
    case EventField::Type::kText:
      return std::holds_alternative<std::string>(value);
    case EventField::Type::kTexts:
      return std::holds_alternative<std::vector<std::string>>(value);
  }
  return false;
}

TEST(EventCatalog, NamesAreUnique) {
  std::set<std::string_view> names;
  for (const EventEntry& entry : EventCatalog()) {
    EXPECT_TRUE(names.insert(entry.kind->name).second) << entry.kind->name;
    EXPECT_FALSE(entry.kind->sentence.empty()) << entry.kind->name;
  }
}

TEST(EventCatalog, KnowsEveryFieldOfEveryEventOfARun) {
  const RunResult result = EventfulRun();
  ASSERT_GT(result.events, 500u);
  std::set<std::string> wrong;
  for (const sim::TraceEvent& event : result.end->history.trace()) {
    const EventEntry* entry = FindEntry(*event.kind);
    if (entry == nullptr) {
      wrong.insert(std::string(event.kind->name));
      continue;
    }
    for (const sim::Field& field : event.fields) {
      bool known = false;
      for (const EventField& declared : entry->fields) {
        known = known || (declared.name == field.name && HasType(field.value, declared.type));
      }
      if (!known) wrong.insert(std::string(event.kind->name) + "." + std::string(field.name));
    }
  }
  EXPECT_EQ(wrong, std::set<std::string>());
}

TEST(EventText, HasWordsForEveryEventOfARun) {
  const RunResult result = EventfulRun();
  std::set<std::string> wordless;
  for (const sim::TraceEvent& event : result.end->history.trace()) {
    const EventText text = TextOf(event, result.end->names, result.end->history);
    if (text.what.empty() || text.what == event.kind->name) {
      wordless.insert(std::string(event.kind->name));
    }
  }
  // Where the word is the name of the event.
  for (const char* plain : {"crashed", "restarted", "paused", "resumed"}) wordless.erase(plain);
  EXPECT_EQ(wordless, std::set<std::string>());
}

TEST(TraceLog, EveryLineIsJsonWithTheDeclaredKeys) {
  const std::optional<Scenario> scenario = WithSteps("\n  - say: \"quote \\\" and \\t tab\"\n");
  ASSERT_TRUE(scenario.has_value());
  const RunResult result = scenarios::Run(*scenario, {.keep_trace = true});
  std::ostringstream out;
  WriteTrace(out, *scenario, result, "1.0");
  std::istringstream lines(out.str());
  std::vector<nlohmann::json> parsed;
  for (std::string line; std::getline(lines, line);) {
    parsed.push_back(nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false));
    ASSERT_FALSE(parsed.back().is_discarded()) << line;
  }
  ASSERT_EQ(parsed.size(), result.events + 2);
  EXPECT_EQ(parsed.front()["line"], "header");
  EXPECT_EQ(parsed.front()["tool_version"], "1.0");
  EXPECT_EQ(parsed.front()["seed"], "1");
  EXPECT_EQ(parsed.back()["line"], "end");
  EXPECT_EQ(parsed.back()["events"], result.events);
  EXPECT_EQ(parsed.back()["trace_digest"], sim::FormatFingerprint(result.trace_digest));
}

TEST(TraceLog, TheSchemaNamesEveryKindOfEvent) {
  const nlohmann::json schema = nlohmann::json::parse(TraceSchema());
  std::set<std::string> kinds;
  for (const auto& line : schema["oneOf"]) {
    if (line["properties"].contains("kind")) {
      kinds.insert(line["properties"]["kind"]["enum"][0].get<std::string>());
    }
  }
  EXPECT_EQ(kinds.size(), EventCatalog().size());
}

TEST(TraceDigest, DependsOnEveryFieldAndOnTheOrder) {
  static constexpr sim::EventKind kKind{"test_event", "A test."};
  sim::TraceEvent event{.id = sim::EventId(1), .kind = &kKind, .fields = {{"offset", int64_t{1}}}};
  const auto digest = [](std::initializer_list<sim::TraceEvent> events) {
    TraceDigest sum;
    for (const sim::TraceEvent& e : events) sum.Add(e);
    return sum.value();
  };
  sim::TraceEvent other = event;
  other.fields = {{"offset", int64_t{2}}};
  EXPECT_NE(digest({event}), digest({other}));
  EXPECT_NE(digest({event, other}), digest({other, event}));
  EXPECT_EQ(digest({event, other}), digest({event, other}));
}

TEST(JsonText, BytesThatAreNotTextStillGiveValidJson) {
  std::string out;
  AppendJsonString(out, std::string("a\x01\xff\"\\\n", 6));
  EXPECT_EQ(out, "\"a\\u0001\xEF\xBF\xBD\\\"\\\\\\n\"");
}

}  // namespace
}  // namespace kafkasim::scenarios

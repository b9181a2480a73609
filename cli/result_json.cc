#include "cli/result_json.h"

#include <cstddef>
#include <string_view>
#include <utility>

#include "cli/json_schema.h"
#include "cli/snapshot_json.h"
#include "cli/version.h"
#include <fmt/format.h>

#include "scenarios/trace_digest.h"

namespace kafkasim::cli {
namespace {

using scenarios::RunResult;
using scenarios::Scenario;
using Json = nlohmann::ordered_json;

Json FailureJson(const scenarios::FailedClaim& failure) {
  Json chain = Json::array();
  for (const scenarios::CauseLine& cause : failure.chain) {
    chain.push_back({{"event", cause.event.value()},
                     {"time_us", cause.at.us},
                     {"actor", cause.actor},
                     {"text", cause.sentence}});
  }
  return {{"line", failure.mark.line},  {"column", failure.mark.column},
          {"step", failure.step + 1},   {"time_us", failure.at.us},
          {"what", failure.what},       {"expected", failure.expected},
          {"actual", failure.actual},   {"reason", failure.reason},
          {"because", failure.because}, {"chain", std::move(chain)}};
}

Json RunJson(const RunResult& result) {
  Json failures = Json::array();
  for (const auto& failure : result.failures) failures.push_back(FailureJson(failure));
  Json broken = Json::array();
  for (const scenarios::BrokenInvariant& invariant : result.broken) {
    broken.push_back({{"name", invariant.name},
                      {"what", invariant.what},
                      {"step", invariant.step + 1},
                      {"time_us", invariant.at.us},
                      {"declared", invariant.declared}});
  }
  Json doubts = Json::array();
  for (const auto& doubt : result.doubts) {
    doubts.push_back({{"line", doubt.mark.line},
                      {"column", doubt.mark.column},
                      {"step", doubt.step + 1},
                      {"what", doubt.what}});
  }
  Json remarks = Json::array();
  for (const scenarios::Remark& remark : result.remarks) {
    remarks.push_back(
        {{"line", remark.mark.line}, {"column", remark.mark.column}, {"what", remark.what}});
  }
  Json steps = Json::array();
  for (const scenarios::StepRecord& step : result.steps) {
    steps.push_back({{"step", step.step + 1},
                     {"line", step.mark.line},
                     {"began_us", step.began.us},
                     {"ended_us", step.ended.us},
                     {"first_event", step.first_event.value()},
                     {"last_event", step.last_event.value()},
                     {"failures", step.failures}});
  }
  Json json = {{"variant", result.variant},
               {"seed", fmt::format("{}", result.seed)},
               {"is_random", result.is_random},
               {"verdict", scenarios::VerdictName(result.verdict)},
               {"stopped_early", result.stopped_early},
               {"claims", result.claims},
               {"failures", std::move(failures)},
               {"broken", std::move(broken)},
               {"doubts", std::move(doubts)},
               {"remarks", std::move(remarks)},
               {"steps", std::move(steps)},
               {"events", result.events},
               {"trace_digest", sim::FormatFingerprint(result.trace_digest)},
               {"world_fingerprint", sim::FormatFingerprint(result.world_fingerprint)},
               {"next_draw", fmt::format("{:016x}", result.next_draw)}};
  if (result.end.has_value()) json["end"] = SnapshotJson(scenarios::TakeSnapshot(*result.end));
  return json;
}

SchemaJson FailureSchema() {
  const SchemaJson cause =
      ObjectSchema("", {{"event", IntegerSchema("Number of the event in the trace.")},
                        {"time_us", IntegerSchema("Virtual time in microseconds.")},
                        {"actor", TextSchema("")},
                        {"text", TextSchema("The event in words.")}});
  return ObjectSchema("A claim that did not hold.",
                      {{"line", IntegerSchema("Where it stands in the file, from 1.")},
                       {"column", IntegerSchema("")},
                       {"step", IntegerSchema("The step that checked it, from 1.")},
                       {"time_us", IntegerSchema("When it was checked, virtual microseconds.")},
                       {"what", TextSchema("What was claimed something of.")},
                       {"expected", TextSchema("")},
                       {"actual", TextSchema("")},
                       {"reason", TextSchema("Why it is as it is; may be empty.")},
                       {"because", TextSchema("The author's own reason; may be empty.")},
                       {"chain", ArraySchema("Events behind the reason, oldest first.", cause)}});
}

SchemaJson RunSchema() {
  const SchemaJson doubt = ObjectSchema("", {{"line", IntegerSchema("0: nowhere in the file.")},
                                             {"column", IntegerSchema("")},
                                             {"step", IntegerSchema("")},
                                             {"what", TextSchema("")}});
  const SchemaJson broken =
      ObjectSchema("", {{"name", TextSchema("Of the invariant.")},
                        {"what", TextSchema("What is wrong, with the values.")},
                        {"step", IntegerSchema("The step after which it showed, from 1.")},
                        {"time_us", IntegerSchema("Virtual time in microseconds.")},
                        {"declared", BooleanSchema("By `breaks:` in the scenario.")}});
  const SchemaJson remark = ObjectSchema(
      "", {{"line", IntegerSchema("")}, {"column", IntegerSchema("")}, {"what", TextSchema("")}});
  const SchemaJson step =
      ObjectSchema("", {{"step", IntegerSchema("From 1.")},
                        {"line", IntegerSchema("Where it stands in the file.")},
                        {"began_us", IntegerSchema("Virtual time in microseconds.")},
                        {"ended_us", IntegerSchema("")},
                        {"first_event", IntegerSchema("Events of the step; 0: none.")},
                        {"last_event", IntegerSchema("")},
                        {"failures", IntegerSchema("Claims that did not hold.")}});
  return ObjectSchema("One run.",
                      {{"variant", TextSchema("Its name in the matrix; empty without one.")},
                       {"seed", TextSchema("Decimal; the same seed gives the same run.")},
                       {"is_random", BooleanSchema("Another seed gives another run.")},
                       {"verdict", ChoiceSchema("", {"HOLDS", "FAILS", "NO_VERDICT"})},
                       {"stopped_early", BooleanSchema("By --until.")},
                       {"claims", IntegerSchema("Claims that were checked.")},
                       {"failures", ArraySchema("Claims that did not hold.", FailureSchema())},
                       {"broken", ArraySchema("Invariants that did not hold.", broken)},
                       {"doubts", ArraySchema("Why nothing can be said.", doubt)},
                       {"remarks", ArraySchema("What may have been overlooked.", remark)},
                       {"steps", ArraySchema("The script as it was carried out.", step)},
                       {"events", IntegerSchema("Events of the run.")},
                       {"trace_digest", TextSchema("Equal runs have equal digests.")},
                       {"world_fingerprint", TextSchema("Of the cluster at the end.")},
                       {"next_draw", TextSchema("One more random number, hexadecimal.")}},
                      {{"end", SnapshotSchema()}});
}

}  // namespace

std::string ResultJson(const Scenario& scenario, const std::vector<RunResult>& results,
                       ExitCode exit_code) {
  Json runs = Json::array();
  for (const RunResult& result : results) runs.push_back(RunJson(result));
  const bool has_source = scenario.source != nullptr;
  const Json document = {
      {"schema", kResultSchemaId},
      {"tool_version", kVersion},
      {"source", has_source ? scenario.source->name() : ""},
      {"scenario_digest", has_source ? scenarios::ContentDigest(scenario.source->text()) : ""},
      {"title", scenario.title},
      {"about", scenario.about},
      {"shows", scenario.shows},
      {"teaches", scenario.teaches},
      {"exit_code", static_cast<int>(exit_code)},
      {"runs", std::move(runs)}};
  // A record may hold bytes that are not UTF-8; they become U+FFFD.
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string ResultSchema() {
  SchemaJson schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                       {"$id", kResultSchemaId},
                       {"title", "The result of a kafkasim run"}};
  schema.update(ObjectSchema(
      "What `kafkasim run --json` prints.",
      {{"schema", SchemaJson{{"const", kResultSchemaId}}},
       {"tool_version", TextSchema("")},
       {"source", TextSchema("The file as it was named on the command line.")},
       {"scenario_digest", TextSchema("XXH3-128 of the file's bytes.")},
       {"title", TextSchema("")},
       {"about", TextSchema("")},
       {"shows", ArraySchema("Ids of the statements it shows.", TextSchema(""))},
       {"teaches", ArraySchema("Subjects.", TextSchema(""))},
       {"exit_code", IntegerSchema("0 holds, 1 fails, 3 no verdict: the worst of the runs.")},
       {"runs", ArraySchema("One a variant.", RunSchema())}}));
  return schema.dump(2) + "\n";
}

}  // namespace kafkasim::cli

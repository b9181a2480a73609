#include "cli/fuzz_json.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "cli/option_checks.h"
#include "cli/version.h"
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kafkasim::cli {
namespace {

using scenarios::Anomaly;
using scenarios::FaultCountKind;
using scenarios::FaultCounts;
using scenarios::FuzzSweep;
using scenarios::Reached;
using scenarios::SeedRange;
using Json = nlohmann::ordered_json;

// Grows when the document changes its meaning.
constexpr int kFuzzSchema = 1;
// That no sweep of any size has counted.
constexpr std::uint64_t kMostFaults = std::uint64_t{1} << 62;

struct ReachedField {
  const char* name;
  std::uint64_t Reached::*count;
};
constexpr ReachedField kReachedFields[] = {
    {"walks", &Reached::walks},
    {"moves", &Reached::moves},
    {"ended", &Reached::ended},
    {"out_of_time", &Reached::out_of_time},
    {"cut", &Reached::cut},
    {"idle", &Reached::idle},
    {"committed", &Reached::committed},
    {"aborted", &Reached::aborted},
    {"undecided", &Reached::undecided},
    {"rebalances", &Reached::rebalances},
};

// A number of 64 bits is a text: many readers of JSON would round it.
std::string SeedText(std::uint64_t seed) { return fmt::format("{}", seed); }

Json FaultsJson(const FaultCounts& faults) {
  Json json = Json::object();
  for (const FaultCountKind& kind : scenarios::FaultCountKinds()) {
    json[std::string(kind.name)] = faults.*kind.count;
  }
  return json;
}

Json ReachedJson(const Reached& reached) {
  Json json = Json::object();
  for (const ReachedField& field : kReachedFields) json[field.name] = reached.*field.count;
  json["faults"] = FaultsJson(reached.faults);
  return json;
}

Json SweepJson(const FuzzSweep& sweep) {
  Json bugs = Json::array();
  for (const broker::BugInfo& info : broker::AllBugs()) {
    if (sweep.bugs.Has(info.bug)) bugs.push_back(info.name);
  }
  Json seeds = Json::array();
  for (const SeedRange& range : sweep.seeds) {
    seeds.push_back({{"from", SeedText(range.from)},
                     {"to", SeedText(range.to)},
                     {"shard", range.shard},
                     {"shards", range.shards}});
  }
  Json anomalies = Json::array();
  for (const Anomaly& anomaly : sweep.tally.anomalies) {
    anomalies.push_back({{"invariant", anomaly.invariant},
                         {"walks", anomaly.walks},
                         {"first_seed", SeedText(anomaly.seed)},
                         {"what", anomaly.what}});
  }
  return {{"scenario", sweep.scenario},         {"digest", sweep.digest},
          {"variant", sweep.variant},           {"bugs", std::move(bugs)},
          {"faults", FaultsJson(sweep.faults)}, {"has_transactions", sweep.has_transactions},
          {"seeds", std::move(seeds)},          {"reached", ReachedJson(sweep.tally.reached)},
          {"anomalies", std::move(anomalies)}};
}

// What follows reads; nlohmann's exceptions pass through and end in ReadSweepsJson().

// A count: nlohmann would take a negative number for a very large one.
std::uint64_t ReadCount(const Json& json) {
  if (!json.is_number_unsigned()) {
    throw Json::other_error::create(501, fmt::format("{} is no count", json.dump()), &json);
  }
  return json.get<std::uint64_t>();
}

std::uint64_t ReadSeed(const Json& json) {
  const std::optional<std::uint64_t> seed = SeedFromText(json.get<std::string>());
  if (!seed.has_value()) throw Json::other_error::create(501, "a seed is no number", &json);
  return *seed;
}

FaultCounts ReadFaults(const Json& json) {
  FaultCounts faults;
  for (const FaultCountKind& kind : scenarios::FaultCountKinds()) {
    const std::uint64_t count = ReadCount(json.at(std::string(kind.name)));
    if (count > kMostFaults) {
      throw Json::other_error::create(501, fmt::format("{} {} are too many", count, kind.name),
                                      &json);
    }
    faults.*kind.count = static_cast<std::int64_t>(count);
  }
  return faults;
}

Reached ReadReached(const Json& json) {
  Reached reached;
  for (const ReachedField& field : kReachedFields) {
    reached.*field.count = ReadCount(json.at(field.name));
  }
  reached.faults = ReadFaults(json.at("faults"));
  return reached;
}

SeedRange ReadRange(const Json& json) {
  const SeedRange range{.from = ReadSeed(json.at("from")),
                        .to = ReadSeed(json.at("to")),
                        .shard = ReadCount(json.at("shard")),
                        .shards = ReadCount(json.at("shards"))};
  if (!range.IsSound()) {
    throw Json::other_error::create(501, fmt::format("{} is no range of seeds", json.dump()),
                                    &json);
  }
  return range;
}

FuzzSweep ReadSweep(const Json& json) {
  FuzzSweep sweep{.scenario = json.at("scenario").get<std::string>(),
                  .digest = json.at("digest").get<std::string>(),
                  .variant = json.at("variant").get<std::string>(),
                  .faults = ReadFaults(json.at("faults")),
                  .has_transactions = json.at("has_transactions").get<bool>()};
  for (const Json& name : json.at("bugs")) {
    const std::optional<broker::Bug> bug = broker::FindBug(name.get<std::string>());
    if (!bug.has_value()) throw Json::other_error::create(501, "there is no such bug", &name);
    sweep.bugs.Add(*bug);
  }
  for (const Json& range : json.at("seeds")) sweep.seeds.push_back(ReadRange(range));
  sweep.tally.reached = ReadReached(json.at("reached"));
  for (const Json& anomaly : json.at("anomalies")) {
    sweep.tally.anomalies.push_back({.invariant = anomaly.at("invariant").get<std::string>(),
                                     .seed = ReadSeed(anomaly.at("first_seed")),
                                     .what = anomaly.at("what").get<std::string>(),
                                     .walks = ReadCount(anomaly.at("walks"))});
  }
  return sweep;
}

}  // namespace

std::string SweepsJson(const std::vector<FuzzSweep>& sweeps) {
  Json list = Json::array();
  for (const FuzzSweep& sweep : sweeps) list.push_back(SweepJson(sweep));
  const Json json = {
      {"tool_version", kVersion}, {"fuzz_schema", kFuzzSchema}, {"sweeps", std::move(list)}};
  return json.dump(2) + '\n';
}

std::string ReadSweepsJson(std::string_view text, std::vector<FuzzSweep>& sweeps) {
  try {
    const Json json = Json::parse(text);
    if (json.at("fuzz_schema").get<int>() != kFuzzSchema) {
      return fmt::format("this is a document of fuzz_schema {}; this program reads {}",
                         json.at("fuzz_schema").get<int>(), kFuzzSchema);
    }
    for (const Json& sweep : json.at("sweeps")) sweeps.push_back(ReadSweep(sweep));
  } catch (const Json::exception& exception) {
    // Behind nlohmann's own number of the error.
    const std::string_view what = exception.what();
    const std::size_t number = what.find("] ");
    return fmt::format("this is no document of `kafkasim fuzz --json`: {}",
                       number == what.npos ? what : what.substr(number + 2));
  }
  return "";
}

}  // namespace kafkasim::cli

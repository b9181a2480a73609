#include "scenarios/fault_counts.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "scenarios/explore_form.h"
#include "scenarios/mapping_form.h"
#include "scenarios/spelling.h"

namespace kafkasim::scenarios {
namespace {

ProcessName BrokerName(std::int32_t broker) {
  ProcessName name;
  name.kind = ProcessName::Kind::kBroker;
  name.broker = broker;
  return name;
}

// Whom a crash or a pause may strike where the scenario does not say.
std::vector<ProcessName> AllVictims(const Scenario& scenario) {
  std::vector<ProcessName> victims;
  for (std::int32_t broker = 0; broker < scenario.cluster.brokers; ++broker) {
    victims.push_back(BrokerName(broker));
  }
  for (const ActorSpec& actor : scenario.actors) {
    if (actor.role != ActorSpec::Role::kApplication) continue;
    ProcessName name;
    name.name = actor.name.value;
    victims.push_back(std::move(name));
  }
  return victims;
}

std::vector<PartitionName> AllPartitions(const Scenario& scenario) {
  std::vector<PartitionName> partitions;
  for (const TopicSpec& topic : scenario.topics) {
    if (topic.internal) continue;
    for (std::int32_t i = 0; i < topic.partitions.value_or(1); ++i) {
      partitions.push_back({.topic = topic.name.value, .partition = i});
    }
  }
  return partitions;
}

std::string NotACount(std::string_view text) {
  return fmt::format("'{}' is not a number of disturbances: 0 to {}", text, kMostDisturbances);
}

}  // namespace

FaultCounts& FaultCounts::operator+=(const FaultCounts& other) {
  for (const FaultCountKind& kind : FaultCountKinds()) this->*kind.count += other.*kind.count;
  return *this;
}

const std::vector<FaultCountKind>& FaultCountKinds() {
  static const std::vector<FaultCountKind> kinds = {
      {"holds", "held message", "held messages", &FaultCounts::holds, &ExploreSpec::holds},
      {"losses", "lost message", "lost messages", &FaultCounts::losses, &ExploreSpec::losses},
      {"crashes", "crash", "crashes", &FaultCounts::crashes, &ExploreSpec::crashes},
      {"pauses", "pause", "pauses", &FaultCounts::pauses, &ExploreSpec::pauses},
      {"elections", "election", "elections", &FaultCounts::elections, &ExploreSpec::elections},
      {"early_timers", "early timer", "early timers", &FaultCounts::early_timers,
       &ExploreSpec::early_timers},
  };
  return kinds;
}

FaultCounts FaultCountsOf(const Scenario& scenario) {
  FaultCounts counts;
  if (!scenario.explore.has_value()) return counts;
  for (const FaultCountKind& kind : FaultCountKinds()) {
    counts.*kind.count = *scenario.explore.*kind.spec;
  }
  return counts;
}

FaultCounts UsedOf(const sim::Budget& allowed, const sim::Budget& left) {
  return {.holds = allowed.holds - left.holds,
          .losses = allowed.losses - left.losses,
          .crashes = allowed.crashes - left.crashes,
          .pauses = allowed.pauses - left.pauses,
          .elections = allowed.orders - left.orders,
          .early_timers = allowed.early_timers - left.early_timers};
}

void SetFaultCounts(const FaultCounts& counts, Scenario& scenario) {
  if (counts == FaultCountsOf(scenario)) return;
  if (!scenario.explore.has_value()) scenario.explore.emplace();
  ExploreSpec& spec = *scenario.explore;
  for (const FaultCountKind& kind : FaultCountKinds()) spec.*kind.spec = counts.*kind.count;
  if (counts.crashes > 0 && spec.crash.empty()) spec.crash = AllVictims(scenario);
  if (counts.pauses > 0 && spec.pause.empty()) spec.pause = AllVictims(scenario);
  if (counts.elections > 0 && spec.elect.empty()) spec.elect = AllPartitions(scenario);
}

std::string TextOf(const FaultCounts& counts) {
  std::string text;
  for (const FaultCountKind& kind : FaultCountKinds()) {
    const std::int64_t count = counts.*kind.count;
    if (count == 0) continue;
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : ", ", count, count == 1 ? kind.one : kind.many);
  }
  return text.empty() ? "no disturbance" : text;
}

Form<FaultCounts> FaultCountsForm() {
  std::vector<Field<FaultCounts>> fields;
  for (const FaultCountKind& kind : FaultCountKinds()) {
    fields.push_back(Optional(std::string(kind.name), kind.count,
                              IntegerForm(0, kMostDisturbances, "a number of disturbances"),
                              "How many there may be."));
  }
  return Mapping<FaultCounts>("faults", std::move(fields));
}

std::string ReadFaultCounts(std::string_view text, FaultCounts& counts) {
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view part = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) {
      return fmt::format("'{}' is no number of faults: write it as holds=1,crashes=2", part);
    }
    const std::string_view name = part.substr(0, equals);
    const std::string_view digits = part.substr(equals + 1);
    const FaultCountKind* found = nullptr;
    std::vector<std::string> names;
    for (const FaultCountKind& kind : FaultCountKinds()) {
      names.emplace_back(kind.name);
      if (kind.name == name) found = &kind;
    }
    if (found == nullptr) {
      const std::string closest = ClosestTo(name, names);
      return fmt::format("there are no faults '{}'; {}", name,
                         closest.empty() ? fmt::format("there are {}", Listing(names))
                                         : fmt::format("did you mean '{}'?", closest));
    }
    std::int64_t& count = counts.*found->count;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
    if (error != std::errc() || end != digits.data() + digits.size() || count < 0 ||
        count > kMostDisturbances) {
      return NotACount(digits);
    }
  }
  return "";
}

}  // namespace kafkasim::scenarios

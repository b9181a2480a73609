#include "cli/fuzz_input.h"

#include <algorithm>

#include <fmt/format.h>

#include "scenarios/number_text.h"
#include "scenarios/spelling.h"

namespace kafkasim::cli {
namespace {

// More shards than that are a mistake.
constexpr std::uint64_t kMostShards = 10'000;

// The words of a list with commas.
std::vector<std::string> ListFromText(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    words.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return words;
}

}  // namespace

std::optional<scenarios::SeedRange> SeedsFromText(std::string_view seeds, std::string_view shard) {
  scenarios::SeedRange range;
  const std::size_t dots = seeds.find("..");
  const auto from = SeedFromText(seeds.substr(0, dots));
  const auto to = dots == std::string_view::npos ? from : SeedFromText(seeds.substr(dots + 2));
  if (!from || !to) return std::nullopt;
  range.from = *from;
  range.to = *to;
  if (!range.IsSound()) return std::nullopt;
  if (shard.empty()) return range;
  const std::size_t slash = shard.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto number = SeedFromText(shard.substr(0, slash));
  const auto count = SeedFromText(shard.substr(slash + 1));
  if (!number || !count || *count > kMostShards) return std::nullopt;
  range.shard = *number;
  range.shards = *count;
  return range.IsSound() ? std::optional(range) : std::nullopt;
}

std::optional<broker::Bugs> BugsFromText(std::string_view text) {
  broker::Bugs bugs;
  for (const std::string& name : ListFromText(text)) {
    const std::optional<broker::Bug> bug = broker::FindBug(name);
    if (!bug.has_value()) return std::nullopt;
    bugs.Add(*bug);
  }
  return bugs;
}

OptionCheck Seeds() {
  return [](const std::string& value) -> std::string {
    if (SeedsFromText(value, "")) return "";
    return fmt::format(
        "'{}' is no range of seeds: write the first and the last, as 1..1000; at most {}", value,
        scenarios::Grouped(scenarios::SeedRange::kMost));
  };
}

OptionCheck Shard() {
  return [](const std::string& value) -> std::string {
    if (SeedsFromText("1", value) && !value.empty()) return "";
    return fmt::format("'{}' is no shard: write its number and how many there are, as 2/8", value);
  };
}

OptionCheck FaultNumbers() {
  return [](const std::string& value) -> std::string {
    scenarios::FaultCounts counts;
    return ReadFaultCounts(value, counts);
  };
}

OptionCheck BugNames() {
  return [](const std::string& value) -> std::string {
    std::vector<std::string> names;
    for (const broker::BugInfo& info : broker::AllBugs()) names.emplace_back(info.name);
    for (const std::string& name : ListFromText(value)) {
      if (std::find(names.begin(), names.end(), name) != names.end()) continue;
      const std::string closest = scenarios::ClosestTo(name, names);
      return fmt::format("there is no bug '{}'; {}", name,
                         closest.empty() ? "`kafkasim bugs` lists them"
                                         : fmt::format("did you mean '{}'?", closest));
    }
    return "";
  };
}

}  // namespace kafkasim::cli

#include "scenarios/fuzz_sweep.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>

#include <fmt/format.h>

#include "scenarios/explore_judge.h"

namespace kafkasim::scenarios {
namespace {

// A seed that both have. Two rows of remainders meet within the product of their distances, or
// never.
std::optional<std::uint64_t> SharedSeed(const SeedRange& a, const SeedRange& b) {
  const std::uint64_t from = std::max(a.from, b.from);
  const std::uint64_t to = std::min(a.to, b.to);
  if (from > to) return std::nullopt;
  const std::uint64_t tries = std::min(to - from, a.shards * b.shards);
  for (std::uint64_t i = 0; i <= tries; ++i) {
    if (a.Has(from + i) && b.Has(from + i)) return from + i;
  }
  return std::nullopt;
}

bool Before(const SeedRange& a, const SeedRange& b) {
  return std::tie(a.from, a.to, a.shards, a.shard) < std::tie(b.from, b.to, b.shards, b.shard);
}

// Whether both are shards of one whole.
bool AreSiblings(const SeedRange& a, const SeedRange& b) {
  return a.from == b.from && a.to == b.to && a.shards == b.shards;
}

// Puts whole ranges in the place of all their shards.
void Join(std::vector<SeedRange>& seeds) {
  std::sort(seeds.begin(), seeds.end(), Before);
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    const SeedRange first = seeds[i];
    const auto count = static_cast<std::uint64_t>(
        std::count_if(seeds.begin(), seeds.end(),
                      [&](const SeedRange& range) { return AreSiblings(range, first); }));
    if (first.shards == 1 || count != first.shards) continue;
    std::erase_if(seeds, [&](const SeedRange& range) { return AreSiblings(range, first); });
    seeds.insert(seeds.begin() + static_cast<std::ptrdiff_t>(i),
                 {.from = first.from, .to = first.to});
  }
}

}  // namespace

bool FuzzSweep::IsOf(const FuzzSweep& other) const {
  return scenario == other.scenario && digest == other.digest && variant == other.variant &&
         bugs == other.bugs && faults == other.faults;
}

std::string WhatIsWrongWith(const FuzzSweep& sweep) {
  const Reached& reached = sweep.tally.reached;
  std::uint64_t seeds = 0;
  for (std::size_t i = 0; i < sweep.seeds.size(); ++i) {
    seeds += sweep.seeds[i].Count();
    for (std::size_t j = 0; j < i; ++j) {
      if (const auto seed = SharedSeed(sweep.seeds[i], sweep.seeds[j])) {
        return fmt::format("{}: seed {} is counted twice", sweep.scenario, *seed);
      }
    }
  }
  if (reached.walks != seeds) {
    return fmt::format("{}: {} walks over {} seeds", sweep.scenario, reached.walks, seeds);
  }
  for (const std::uint64_t some : {reached.ended, reached.out_of_time, reached.cut, reached.idle}) {
    if (some <= reached.walks) continue;
    return fmt::format("{}: {} of {} walks", sweep.scenario, some, reached.walks);
  }
  for (const Anomaly& anomaly : sweep.tally.anomalies) {
    const bool walked =
        std::any_of(sweep.seeds.begin(), sweep.seeds.end(),
                    [&](const SeedRange& range) { return range.Has(anomaly.seed); });
    if (SentenceOf(anomaly.invariant).empty()) {
      return fmt::format("{}: there is no invariant '{}'", sweep.scenario, anomaly.invariant);
    }
    if (!walked) {
      return fmt::format("{}: seed {}, which broke {}, is none of its seeds", sweep.scenario,
                         anomaly.seed, anomaly.invariant);
    }
    if (anomaly.walks < 1 || anomaly.walks > reached.walks) {
      return fmt::format("{}: {} broke in {} of {} walks", sweep.scenario, anomaly.invariant,
                         anomaly.walks, reached.walks);
    }
  }
  return "";
}

std::string AddSweep(const FuzzSweep& sweep, std::vector<FuzzSweep>& sweeps) {
  const auto at = std::find_if(sweeps.begin(), sweeps.end(),
                               [&](const FuzzSweep& other) { return other.IsOf(sweep); });
  if (at == sweeps.end()) {
    sweeps.push_back(sweep);
    Join(sweeps.back().seeds);
    return "";
  }
  for (const SeedRange& a : at->seeds) {
    for (const SeedRange& b : sweep.seeds) {
      if (const std::optional<std::uint64_t> seed = SharedSeed(a, b)) {
        return fmt::format("seed {} of {} would be counted twice", *seed, sweep.scenario);
      }
    }
  }
  at->seeds.insert(at->seeds.end(), sweep.seeds.begin(), sweep.seeds.end());
  at->tally.Add(sweep.tally);
  Join(at->seeds);
  return "";
}

}  // namespace kafkasim::scenarios

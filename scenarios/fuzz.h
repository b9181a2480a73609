// Random walks through what an exhaustive search could not visit: one walk a seed, each held
// against all invariants. A sweep over seeds can be cut into shards for many machines; tallies of
// shards add up to that of the whole. The result does not depend on the number of threads.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/explore.h"
#include "scenarios/fault_counts.h"
#include "scenarios/scenario.h"
#include "sim/search/random_walk.h"

namespace kafkasim::scenarios {

// Seeds from..to; of these the ones that leave the remainder shard-1 when divided by `shards`.
struct SeedRange {
  std::uint64_t from = 1;
  std::uint64_t to = 100;
  std::uint64_t shard = 1;
  std::uint64_t shards = 1;

  // More seeds than that nobody walks.
  static constexpr std::uint64_t kMost = 1'000'000'000'000;

  [[nodiscard]] bool IsSound() const {
    return from <= to && to - from < kMost && 1 <= shard && shard <= shards;
  }
  [[nodiscard]] bool Has(std::uint64_t seed) const {
    return from <= seed && seed <= to && seed % shards == shard - 1;
  }
  // How many seeds it has.
  [[nodiscard]] std::uint64_t Count() const {
    const auto up_to = [&](std::uint64_t last) {
      return last < shard - 1 ? 0 : (last - (shard - 1)) / shards + 1;
    };
    return up_to(to) - (from == 0 ? 0 : up_to(from - 1));
  }
  friend bool operator==(const SeedRange&, const SeedRange&) = default;
};

// What walks came to: without it "nothing found" says nothing.
struct Reached {
  std::uint64_t walks = 0;
  std::uint64_t moves = 0;
  std::uint64_t ended = 0;        // nothing more happens
  std::uint64_t out_of_time = 0;  // virtual time was up
  std::uint64_t cut = 0;          // too many moves
  std::uint64_t idle = 0;         // walks in which no transaction committed
  std::uint64_t committed = 0;    // transactions, as their applications saw them end
  std::uint64_t aborted = 0;
  std::uint64_t undecided = 0;   // open, or without a good answer
  std::uint64_t rebalances = 0;  // generations of groups
  FaultCounts faults{};          // that struck

  Reached& operator+=(const Reached& other);
  friend bool operator==(const Reached&, const Reached&) = default;
};

// A broken invariant: where it was seen first, and how often.
struct Anomaly {
  std::string invariant{};
  std::uint64_t seed = 0;
  std::string what{};  // of that seed
  std::uint64_t walks = 0;

  friend bool operator==(const Anomaly&, const Anomaly&) = default;
};

struct FuzzTally {
  Reached reached{};
  std::vector<Anomaly> anomalies{};  // by name

  void Add(const FuzzTally& other);
  friend bool operator==(const FuzzTally&, const FuzzTally&) = default;
};

// Something that a seed can be made a walk of.
struct FuzzRun {
  FuzzTally tally{};
  sim::Walk walk{};
};

struct FuzzOptions {
  SeedRange seeds{};
  std::int32_t threads = 1;
};

inline constexpr std::uint32_t kMostFuzzMoves = 10'000;

// One walk.
[[nodiscard]] FuzzRun FuzzSeed(const Exploration& exploration, std::uint64_t seed);

// All walks of a range; `walk` is called from several threads at once, `progress` now and then from
// the caller's own, with the number of walks so far.
[[nodiscard]] FuzzTally FuzzRange(const FuzzOptions& options,
                                  const std::function<FuzzTally(std::uint64_t seed)>& walk,
                                  const std::function<void(std::uint64_t walks)>& progress);

// Why a sweep without anomalies says nothing: kinds of faults that were allowed and never struck,
// transactions that were to commit and never did.
[[nodiscard]] std::vector<std::string> NotReached(const Reached& reached,
                                                  const FaultCounts& allowed,
                                                  bool has_transactions);

// Whether somebody in it has a transactional id.
[[nodiscard]] bool HasTransactions(const NameTable& names);

}  // namespace kafkasim::scenarios

// Sweeps of random walks as they are kept and added up: what was walked through, over which seeds,
// and what came of it.

#pragma once

#include <string>
#include <vector>

#include "broker/bugs.h"
#include "scenarios/fault_counts.h"
#include "scenarios/fuzz.h"

namespace kafkasim::scenarios {

struct FuzzSweep {
  std::string scenario{};  // the file, or what its scenarios are generated from
  std::string digest{};    // of its text
  std::string variant{};   // "" without a matrix
  broker::Bugs bugs{};
  FaultCounts faults{};  // allowed in one walk; of generated ones the most of any
  bool has_transactions = false;
  std::vector<SeedRange> seeds{};  // in the order of SeedRange
  FuzzTally tally{};

  // Whether both walk through the same.
  [[nodiscard]] bool IsOf(const FuzzSweep& other) const;
};

// Why the numbers of a sweep, read from a document, cannot be those of any; "" if they can.
[[nodiscard]] std::string WhatIsWrongWith(const FuzzSweep& sweep);

// Adds `sweep` to the one of the same scenario, or as a new one. Shards that together make up their
// whole range become one. "" or why they cannot be added up: a seed would count twice.
[[nodiscard]] std::string AddSweep(const FuzzSweep& sweep, std::vector<FuzzSweep>& sweeps);

}  // namespace kafkasim::scenarios

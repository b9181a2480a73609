// Makes a counterexample smaller: fewer disturbances, actors, transactions, records, partitions and
// brokers, then fewer choices, as long as the same invariant breaks. The result is a schedule in a
// scenario of its own.

#pragma once

#include <cstdint>

#include "scenarios/schedule_file.h"

namespace kafkasim::scenarios {

struct ReductionOptions {
  // A smaller scenario in which the old schedule leads nowhere is given so many random walks.
  std::uint64_t walks = 20;
  // The last scenario is searched for a shortest way, if it has no more states than that.
  std::uint64_t states = 20'000;
};

// `file` has to be one that prepares and shows its violation.
[[nodiscard]] ScheduleFile Reduce(const ScheduleFile& file, const ReductionOptions& options = {});

}  // namespace kafkasim::scenarios

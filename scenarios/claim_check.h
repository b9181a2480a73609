// The claims of an `expect:` against a moment of the run.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/expectations.h"
#include "scenarios/mismatch.h"
#include "scenarios/moment.h"

namespace kafkasim::scenarios {

// What only the script knows: a number for each of `counts`, and for each of `pending` whether the
// action is still under way.
struct ScriptFacts {
  std::vector<std::int64_t> counts{};
  std::vector<bool> pending{};
};

// How many single claims there are.
std::size_t CountClaims(const Expectations& claims);

// The claims that do not hold, in the order of the groups. `reasons`: also find out why, which a
// poll need not know.
std::vector<Mismatch> CheckClaims(const Expectations& claims, const Moment& moment,
                                  const ScriptFacts& facts, bool reasons);

// The groups, one at a time.
std::vector<Mismatch> CheckPartition(const PartitionExpectation& claim, const Moment& moment,
                                     bool reasons);
std::vector<Mismatch> CheckTransaction(const TransactionExpectation& claim, const Moment& moment,
                                       bool reasons);
std::vector<Mismatch> CheckTransactionLog(const TransactionLogExpectation& claim,
                                          const Moment& moment);
std::vector<Mismatch> CheckCoordinator(const CoordinatorExpectation& claim, const Moment& moment);
std::vector<Mismatch> CheckActor(const ActorExpectation& claim, const Moment& moment);

}  // namespace kafkasim::scenarios

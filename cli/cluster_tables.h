// Who stands where at one moment, in tables: producers, readers, transactions, brokers.
#pragma once

#include <vector>

#include "cli/line.h"
#include "cli/look.h"

#include "scenarios/snapshot.h"

namespace kafkasim::cli {

// One row a producer: what it believes of itself. Empty without producers.
[[nodiscard]] std::vector<Line> DrawProducers(const scenarios::Snapshot& snapshot,
                                              const Look& look);

// One row a consumer: what its application was given, in order. Empty without consumers.
[[nodiscard]] std::vector<Line> DrawReaders(const scenarios::Snapshot& snapshot, const Look& look);

// One row a transactional id as its coordinator knows it, and the states that its records in
// __transaction_state went through. Empty without transactional ids.
[[nodiscard]] std::vector<Line> DrawTransactions(const scenarios::Snapshot& snapshot,
                                                 const Look& look);

// The brokers that do not run as they should, in a line; empty if all do.
[[nodiscard]] std::vector<Line> DrawBrokers(const scenarios::Snapshot& snapshot, const Look& look);

}  // namespace kafkasim::cli

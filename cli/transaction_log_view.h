// A partition of __transaction_state as people read it: its records decoded, by state and by
// transactional id.
#pragma once

#include <vector>

#include "cli/line.h"
#include "cli/look.h"

#include "scenarios/name_table.h"
#include "scenarios/snapshot.h"

namespace kafkasim::cli {

[[nodiscard]] bool IsTransactionLog(const scenarios::PartitionView& view);

// The partition for its picture: each record shows the state that it brought, and instead of who
// appended it the transactional id.
[[nodiscard]] scenarios::PartitionView WithStates(scenarios::PartitionView view);

// A row a record, with every field that matters.
[[nodiscard]] std::vector<Line> DrawTransactionLog(const scenarios::PartitionView& view,
                                                   const scenarios::NameTable& names,
                                                   const Look& look);

}  // namespace kafkasim::cli

// The flags below a drawn log: where its last stable offset, high watermark and log end offset are.
// Each points at the next offset, which is not part of what it bounds.
#pragma once

#include <vector>

#include "cli/line.h"
#include "cli/log_layout.h"
#include "cli/look.h"

#include "scenarios/snapshot.h"

namespace kafkasim::cli {

// The rows of flags below `band`: `▲LSO 4`, `▲HW 5 = LEO 5`. Several rows only where two flags
// would run into each other.
[[nodiscard]] std::vector<Line> DrawFlags(const scenarios::PartitionView& view, const LogBand& band,
                                          const Look& look);

}  // namespace kafkasim::cli

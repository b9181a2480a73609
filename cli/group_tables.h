// Consumer groups at one moment, in tables: members, committed and pending offsets, lags.
#pragma once

#include <vector>

#include "cli/line.h"
#include "cli/look.h"

#include "scenarios/snapshot.h"

namespace kafkasim::cli {

// Of each group its members with what they have, then its offsets with the three lags. Empty
// without groups.
[[nodiscard]] std::vector<Line> DrawGroups(const scenarios::Snapshot& snapshot, const Look& look);

// One group.
[[nodiscard]] std::vector<Line> DrawGroup(const scenarios::GroupSnapshot& group, const Look& look);

}  // namespace kafkasim::cli

// Tables of programs of applications, and of what databases and services outside Kafka were told.
#pragma once

#include <vector>

#include "cli/line.h"
#include "cli/look.h"

#include "scenarios/snapshot.h"

namespace kafkasim::cli {

// One row an application: where it is in its program, or what it died of. Empty without programs.
[[nodiscard]] std::vector<Line> DrawPrograms(const scenarios::Snapshot& snapshot, const Look& look);

// One row a database or service. Empty without any.
[[nodiscard]] std::vector<Line> DrawOutside(const scenarios::Snapshot& snapshot, const Look& look);

}  // namespace kafkasim::cli

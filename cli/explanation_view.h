// The answer of the why-engine for people: one sentence, the partition with the offset marked, the
// events behind it.
#pragma once

#include <vector>

#include "cli/line.h"
#include "cli/look.h"

#include "scenarios/explain.h"
#include "scenarios/explain_group.h"
#include "scenarios/snapshot.h"

namespace kafkasim::cli {

// `view` is the partition at the same moment.
[[nodiscard]] std::vector<Line> DrawExplanation(const scenarios::Explanation& explanation,
                                                const scenarios::PartitionView& view,
                                                const Look& look);

// The same of a group: a sentence, its members and offsets, each partition with its reasons.
[[nodiscard]] std::vector<Line> DrawExplanation(const scenarios::GroupExplanation& explanation,
                                                const Look& look);

}  // namespace kafkasim::cli

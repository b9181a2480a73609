// A partition of __consumer_offsets as people read it: its records decoded, by group.
#pragma once

#include <string_view>
#include <vector>

#include "cli/line.h"
#include "cli/look.h"

#include "scenarios/name_table.h"
#include "scenarios/snapshot.h"

namespace kafkasim::cli {

// The partition for its picture: each record shows what it says, and instead of who appended it the
// group.
[[nodiscard]] scenarios::PartitionView WithGroups(scenarios::PartitionView view,
                                                  const scenarios::NameTable& names);

// A row a record, with every field that matters and with what has become of the offsets of a
// transaction, and a row a marker. With a `group_id` only the records of that group, and the
// markers that decided some of them.
[[nodiscard]] std::vector<Line> DrawOffsetsLog(const scenarios::PartitionView& view,
                                               const scenarios::NameTable& names,
                                               std::string_view group_id, const Look& look);

}  // namespace kafkasim::cli

// Partitions by the names that a user writes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"

#include "broker/ids.h"
#include "scenarios/name_table.h"

namespace kafkasim::cli {

// The partitions of these names; without names all of the declared topics. nullopt, with a message
// and what was probably meant, if there is no partition of a name.
[[nodiscard]] std::optional<std::vector<broker::PartitionId>> FindPartitions(
    const std::vector<std::string>& names, const scenarios::NameTable& table, Screen& screen);

}  // namespace kafkasim::cli

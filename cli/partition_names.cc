#include "cli/partition_names.h"

#include <string_view>

#include "cli/scenario_input.h"
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/spelling.h"

namespace kafkasim::cli {

std::optional<std::vector<broker::PartitionId>> FindPartitions(
    const std::vector<std::string>& names, const scenarios::NameTable& table, Screen& screen) {
  const std::vector<broker::PartitionId> declared = table.DeclaredPartitions();
  if (names.empty()) return declared;
  std::vector<broker::PartitionId> found;
  for (const std::string& name : names) {
    const std::optional<broker::PartitionId> partition =
        table.FindPartition(std::string_view(name));
    if (partition) {
      found.push_back(*partition);
      continue;
    }
    std::vector<std::string> known;
    for (const broker::PartitionId& each : declared) known.push_back(table.NameOf(each));
    PrintError(fmt::format("there is no partition '{}'; there are {} and those of internal topics",
                           name, fmt::join(known, ", ")),
               scenarios::ClosestTo(name, known), screen);
    return std::nullopt;
  }
  return found;
}

}  // namespace kafkasim::cli

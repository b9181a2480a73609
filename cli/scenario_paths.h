// The scenario files that the arguments of `check` and `validate` stand for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"

namespace kafkasim::cli {

// Files as they are, whatever their ending; of a folder all `.yaml` and `.yml` files below it,
// sorted by name, hidden ones left out. nullopt, with a message, if a path does not exist or a
// folder holds no scenario.
[[nodiscard]] std::optional<std::vector<std::string>> ScenarioPaths(
    const std::vector<std::string>& arguments, Screen& screen);

}  // namespace kafkasim::cli

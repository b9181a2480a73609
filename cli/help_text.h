// The help of the program and of each command: examples first, then usage, arguments and options.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/line.h"
#include "cli/look.h"
#include <CLI/App.hpp>

namespace kafkasim::cli {

// The group of the options that every command has; only the help of the program explains them.
inline constexpr const char* kLookGroup = "Output";

// What `kafkasim --help` prints.
[[nodiscard]] std::vector<Line> ProgramHelp(const std::vector<const Command*>& commands,
                                            const CLI::App& app, const Look& look);

// What `kafkasim` alone prints: the first steps and the commands.
[[nodiscard]] std::vector<Line> ShortHelp(const std::vector<const Command*>& commands,
                                          const Look& look);

// What `kafkasim COMMAND --help` prints; `path` is "kafkasim run".
[[nodiscard]] std::vector<Line> CommandHelp(const Command& command, const std::string& path,
                                            const CLI::App& app, const Look& look);

}  // namespace kafkasim::cli

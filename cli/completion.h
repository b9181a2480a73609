// Scripts that complete the program's command line in a shell, made from its parser, so that they
// know every command and option that it knows.
#pragma once

#include <string>

#include <CLI/App.hpp>

namespace kafkasim::cli {

[[nodiscard]] std::string BashCompletion(const CLI::App& program);
[[nodiscard]] std::string ZshCompletion(const CLI::App& program);
[[nodiscard]] std::string FishCompletion(const CLI::App& program);

}  // namespace kafkasim::cli

// An argument of a command as a shell takes it.
#pragma once

#include <string>

namespace kafkasim::cli {

// Quoted where it has to be: `way.yaml`, `'a way.yaml'`.
[[nodiscard]] std::string ShellWord(const std::string& text);

}  // namespace kafkasim::cli

// The built program, run as a process of its own.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace kafkasim::cli {

struct ProgramResult {
  int exit_code = -1;  // 128 + the signal that ended it
  std::string out{};
  std::string err{};
};

struct ProgramRun {
  std::vector<std::string> arguments{};
  std::string input{};
  // The whole environment.
  std::map<std::string, std::string> environment{{"LANG", "C.UTF-8"}, {"TERM", "xterm"}};
  bool terminal = false;     // standard output is a terminal of 100 columns
  bool closed_pipe = false;  // nobody reads standard output
};

[[nodiscard]] ProgramResult RunProgram(const ProgramRun& run);
[[nodiscard]] ProgramResult RunProgram(std::vector<std::string> arguments);

// A place for a file or a folder of that name, which goes away with the tests.
[[nodiscard]] std::string TemporaryPath(const std::string& name);
// The name of a new file with that text in that place.
[[nodiscard]] std::string TemporaryFile(const std::string& name, const std::string& text);

}  // namespace kafkasim::cli

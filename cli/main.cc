// The program kafkasim.

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include <fmt/format.h>

namespace {

using kafkasim::cli::ExitCode;

// Output that did not arrive is never a success. Whoever reads a pipe may stop reading it.
int Finish(ExitCode code) {
  errno = 0;
  std::cout.flush();
  if (std::cout.good()) return static_cast<int>(code);
  if (errno != EPIPE) fmt::print(stderr, "kafkasim: error: cannot write to standard output\n");
  return static_cast<int>(ExitCode::kUsage);
}

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  kafkasim::cli::Screen screen{.in = std::cin, .out = std::cout, .err = std::cerr};
  try {
    kafkasim::cli::CommandLine command_line;
    return Finish(command_line.Run(std::vector<std::string>(argv + 1, argv + argc), screen,
                                   kafkasim::cli::FactsOf(STDOUT_FILENO),
                                   kafkasim::cli::FactsOf(STDERR_FILENO),
                                   kafkasim::cli::ProcessEnvironment));
  } catch (const std::exception& problem) {
    std::cout.flush();
    fmt::print(stderr,
               "kafkasim: a bug of the simulator: {}\n"
               "Please report it together with the scenario file and the seed.\n",
               problem.what());
    return static_cast<int>(ExitCode::kBug);
  }
}

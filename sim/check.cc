#include "sim/check.h"

#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

namespace kafkasim::sim {

void CheckFailed(std::string_view condition, std::string_view what, const char* file, int line) {
  fmt::print(stderr,
             "kafkasim: a bug of the simulator: {}\n  broken invariant: {}\n  at {}:{}\n"
             "Please report it together with the scenario file and the seed.\n",
             what, condition, file, line);
  std::fflush(stderr);
  std::_Exit(4);
}

}  // namespace kafkasim::sim

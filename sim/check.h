// KAFKASIM_CHECK: states an invariant of the simulator itself. A broken one is a bug of ours, never
// bad input and never an expected Kafka error; it is on in every build and ends the program with
// exit code 4 (see cli/exit_code.h) after naming the place.
#pragma once

#include <string_view>

namespace kafkasim::sim {

// Prints the broken invariant to stderr and exits with code 4.
[[noreturn]] void CheckFailed(std::string_view condition, std::string_view what, const char* file,
                              int line);

}  // namespace kafkasim::sim

#define KAFKASIM_CHECK(condition, what)                                   \
  do {                                                                    \
    if (!(condition)) {                                                   \
      ::kafkasim::sim::CheckFailed(#condition, what, __FILE__, __LINE__); \
    }                                                                     \
  } while (false)

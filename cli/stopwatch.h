// How long the program itself takes: for what it says of its speed on standard error, and for
// nothing else. No result depends on it.
#pragma once

#include <chrono>
#include <cstdint>

namespace kafkasim::cli {

class Stopwatch {
 public:
  Stopwatch();
  [[nodiscard]] double Seconds() const;

 private:
  std::chrono::nanoseconds started_;
};

}  // namespace kafkasim::cli

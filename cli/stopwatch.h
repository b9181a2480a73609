// How long something took on this machine: for people who wait, never for a run. The one place
// where the program looks at a real clock.
#pragma once

#include <cstdint>

namespace kafkasim::cli {

class Stopwatch {
 public:
  Stopwatch();
  [[nodiscard]] double Seconds() const;

 private:
  std::int64_t started_ns_;
};

}  // namespace kafkasim::cli

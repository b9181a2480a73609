#include "cli/stopwatch.h"

#include <chrono>

namespace kafkasim::cli {
namespace {

std::int64_t NowNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

}  // namespace

Stopwatch::Stopwatch() : started_ns_(NowNs()) {}

double Stopwatch::Seconds() const { return static_cast<double>(NowNs() - started_ns_) * 1e-9; }

}  // namespace kafkasim::cli

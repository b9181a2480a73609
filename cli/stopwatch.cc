#include "cli/stopwatch.h"

namespace kafkasim::cli {
namespace {

std::chrono::nanoseconds WallClock() { return std::chrono::steady_clock::now().time_since_epoch(); }

}  // namespace

Stopwatch::Stopwatch() : started_(WallClock()) {}

double Stopwatch::Seconds() const {
  return std::chrono::duration<double>(WallClock() - started_).count();
}

}  // namespace kafkasim::cli

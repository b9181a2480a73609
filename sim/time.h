// Virtual time in whole microseconds. It starts at zero and moves only when the world takes its
// next event; nothing in the simulator reads a wall clock.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <ostream>
#include <string>

namespace kafkasim::sim {

// A span of virtual time.
struct Duration {
  int64_t us = 0;

  [[nodiscard]] constexpr int64_t millis() const { return us / 1000; }

  friend constexpr auto operator<=>(Duration, Duration) = default;
  friend constexpr Duration operator+(Duration a, Duration b) { return {a.us + b.us}; }
  friend constexpr Duration operator-(Duration a, Duration b) { return {a.us - b.us}; }
  friend constexpr Duration operator*(Duration a, int64_t n) { return {a.us * n}; }
};

constexpr Duration Micros(int64_t n) { return {n}; }
constexpr Duration Millis(int64_t n) { return {n * 1000}; }
constexpr Duration Seconds(int64_t n) { return {n * 1'000'000}; }

// A moment, counted from the start of the run.
struct Time {
  int64_t us = 0;

  // The moment as Kafka's millisecond timestamps see it.
  [[nodiscard]] constexpr int64_t millis() const { return us / 1000; }

  friend constexpr auto operator<=>(Time, Time) = default;
  friend constexpr Time operator+(Time t, Duration d) { return {t.us + d.us}; }
  friend constexpr Time operator-(Time t, Duration d) { return {t.us - d.us}; }
  friend constexpr Duration operator-(Time a, Time b) { return {a.us - b.us}; }
};

inline constexpr Time kEndOfTime{std::numeric_limits<int64_t>::max()};

// "0.412s", "61s", "1.0005s": seconds with as many decimals as are needed, at least none.
[[nodiscard]] std::string FormatTime(Time t);
// "250us", "5ms", "1.5s", "60s", "8d": the largest unit that keeps the number short and exact.
[[nodiscard]] std::string FormatDuration(Duration d);

std::ostream& operator<<(std::ostream& out, Time t);
std::ostream& operator<<(std::ostream& out, Duration d);

}  // namespace kafkasim::sim

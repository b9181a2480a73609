#include "sim/time.h"

#include <array>
#include <string_view>

#include <fmt/format.h>

namespace kafkasim::sim {
namespace {

// `us` microseconds as a decimal number of units of 10^digits microseconds, without trailing zeros.
std::string Decimal(int64_t us, int digits) {
  int64_t unit = 1;
  for (int i = 0; i < digits; ++i) unit *= 10;
  const std::string_view sign = us < 0 ? "-" : "";
  const uint64_t magnitude = us < 0 ? 0 - static_cast<uint64_t>(us) : static_cast<uint64_t>(us);
  const uint64_t whole = magnitude / static_cast<uint64_t>(unit);
  const uint64_t rest = magnitude % static_cast<uint64_t>(unit);
  if (rest == 0) return fmt::format("{}{}", sign, whole);
  std::string fraction = fmt::format("{:0{}}", rest, digits);
  fraction.erase(fraction.find_last_not_of('0') + 1);
  return fmt::format("{}{}.{}", sign, whole, fraction);
}

}  // namespace

std::string FormatTime(Time t) { return Decimal(t.us, 6) + "s"; }

std::string FormatDuration(Duration d) {
  struct Unit {
    int64_t us;
    std::string_view name;
  };
  constexpr std::array kWholeUnits = {Unit{86'400'000'000, "d"}, Unit{3'600'000'000, "h"}};
  for (const Unit& unit : kWholeUnits) {
    if (d.us != 0 && d.us % unit.us == 0) return fmt::format("{}{}", d.us / unit.us, unit.name);
  }
  const int64_t magnitude = d.us < 0 ? -d.us : d.us;
  if (magnitude >= 1'000'000) return Decimal(d.us, 6) + "s";
  if (magnitude >= 1000) return Decimal(d.us, 3) + "ms";
  return fmt::format("{}us", d.us);
}

std::ostream& operator<<(std::ostream& out, Time t) { return out << FormatTime(t); }
std::ostream& operator<<(std::ostream& out, Duration d) { return out << FormatDuration(d); }

}  // namespace kafkasim::sim

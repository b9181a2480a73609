#include "scenarios/decimal.h"

#include <algorithm>

#include <fmt/format.h>

namespace kafkasim::scenarios {
namespace {

constexpr std::size_t kDigitsBehind = 6;
constexpr std::size_t kDigitsBefore = 12;
constexpr std::int64_t kOne = 1'000'000;

bool IsDigits(std::string_view text, std::size_t most) {
  return !text.empty() && text.size() <= most &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::int64_t NumberOf(std::string_view digits) {
  std::int64_t number = 0;
  for (const char digit : digits) number = number * 10 + (digit - '0');
  return number;
}

}  // namespace

std::optional<std::int64_t> ParseMillionths(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const std::size_t point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  if (!IsDigits(whole, kDigitsBefore)) return std::nullopt;
  std::int64_t value = NumberOf(whole) * kOne;
  if (point != std::string_view::npos) {
    std::string behind(text.substr(point + 1));
    if (!IsDigits(behind, kDigitsBehind)) return std::nullopt;
    behind.resize(kDigitsBehind, '0');
    value += NumberOf(behind);
  }
  return negative ? -value : value;
}

std::string MillionthsText(std::int64_t millionths) {
  const bool negative = millionths < 0;
  const std::int64_t size = negative ? -millionths : millionths;
  std::string text = fmt::format("{}{}", negative ? "-" : "", size / kOne);
  if (size % kOne == 0) return text;
  std::string behind = fmt::format("{:06}", size % kOne);
  while (behind.size() > 2 && behind.ends_with('0')) behind.pop_back();
  return text + "." + behind;
}

}  // namespace kafkasim::scenarios

#include "cli/option_checks.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/notation.h"
#include "scenarios/spelling.h"

namespace kafkasim::cli {
namespace {

template <typename Number>
std::optional<Number> NumberFromText(std::string_view text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

}  // namespace

OptionCheck OneOf(std::vector<std::string> words) {
  return [words = std::move(words)](const std::string& value) -> std::string {
    if (std::find(words.begin(), words.end(), value) != words.end()) return "";
    const std::string closest = scenarios::ClosestTo(value, words);
    std::string message = fmt::format("'{}' is not one of {}", value, fmt::join(words, ", "));
    if (!closest.empty()) message += fmt::format("; did you mean '{}'?", closest);
    return message;
  };
}

OptionCheck NotEmpty() {
  return [](const std::string& value) -> std::string { return value.empty() ? "it is empty" : ""; };
}

OptionCheck NumberBetween(std::int64_t least, std::int64_t greatest) {
  return [least, greatest](const std::string& value) -> std::string {
    const std::optional<std::int64_t> number = NumberFromText<std::int64_t>(value);
    if (number && least <= *number && *number <= greatest) return "";
    return fmt::format("'{}' is not a number from {} to {}", value, least, greatest);
  };
}

OptionCheck Seed() {
  return [](const std::string& value) -> std::string {
    if (SeedFromText(value)) return "";
    return fmt::format("'{}' is not a seed: a number from 0 to 18446744073709551615", value);
  };
}

OptionCheck VirtualTime() {
  return [](const std::string& value) -> std::string {
    if (TimeFromText(value)) return "";
    return fmt::format("'{}' is not a time: write it with its unit, as 0.412s, 500ms or 60s",
                       value);
  };
}

OptionCheck Offsets() {
  return [](const std::string& value) -> std::string {
    if (OffsetsFromText(value)) return "";
    return fmt::format("'{}' is not a range of offsets: write the first and the last, as 40..60",
                       value);
  };
}

OptionCheck PartitionAndOffset() {
  return [](const std::string& value) -> std::string {
    if (PlaceFromText(value)) return "";
    return fmt::format("'{}' is not an offset of a partition: write it as orders-0:4", value);
  };
}

std::optional<std::uint64_t> SeedFromText(std::string_view text) {
  return NumberFromText<std::uint64_t>(text);
}

std::optional<sim::Time> TimeFromText(std::string_view text) {
  const std::optional<std::int64_t> microseconds = scenarios::DurationFromText(text);
  if (!microseconds) return std::nullopt;
  return sim::Time{*microseconds};
}

std::optional<OffsetRange> OffsetsFromText(std::string_view text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return std::nullopt;
  const auto first = NumberFromText<std::int64_t>(text.substr(0, dots));
  const auto last = NumberFromText<std::int64_t>(text.substr(dots + 2));
  if (!first || !last || *first < 0 || *last < *first) return std::nullopt;
  return OffsetRange{*first, *last};
}

std::optional<OffsetPlace> PlaceFromText(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  const auto offset = NumberFromText<std::int64_t>(text.substr(colon + 1));
  if (!offset || *offset < 0) return std::nullopt;
  return OffsetPlace{std::string(text.substr(0, colon)), *offset};
}

}  // namespace kafkasim::cli

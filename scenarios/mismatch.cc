#include "scenarios/mismatch.h"

#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "scenarios/pattern_match.h"

namespace kafkasim::scenarios {

void MismatchList::Add(Mark mark, std::string_view what, std::string expected, std::string actual,
                       std::string reason) {
  std::string name = subject_;
  if (!name.empty() && !what.empty()) name += ' ';
  name += what;
  found_.push_back({.mark = mark,
                    .what = std::move(name),
                    .expected = std::move(expected),
                    .actual = std::move(actual),
                    .reason = std::move(reason)});
}

bool MismatchList::CheckNumber(const std::optional<NumberPattern>& claim, std::string_view what,
                               std::int64_t actual) {
  if (!claim.has_value() || claim->Matches(actual)) return true;
  Add(claim->mark, what, PatternText(*claim), fmt::format("{}", actual));
  return false;
}

bool MismatchList::CheckText(const std::optional<Marked<std::string>>& claim, std::string_view what,
                             const std::string& actual) {
  if (!claim.has_value() || claim->value == actual) return true;
  Add(claim->mark, what, claim->value, actual.empty() ? "none" : actual);
  return false;
}

}  // namespace kafkasim::scenarios

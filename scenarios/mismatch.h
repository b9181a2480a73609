// A difference between what a script claims and what the run shows.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/findings.h"
#include "scenarios/mark.h"
#include "scenarios/patterns.h"

namespace kafkasim::scenarios {

struct Mismatch {
  Mark mark{};
  std::string what{};  // "orders-0 last_stable_offset"; may be empty for an outcome as a whole
  std::string expected{};
  std::string actual{};
  std::string reason{};  // "" if there is nothing to add
  std::vector<CauseLine> chain{};
};

// Collects the mismatches of one thing, whose name goes before each `what`.
class MismatchList {
 public:
  explicit MismatchList(std::string subject) : subject_(std::move(subject)) {}

  void Add(Mark mark, std::string_view what, std::string expected, std::string actual,
           std::string reason = "");
  // True if there is no claim, or it holds.
  bool CheckNumber(const std::optional<NumberPattern>& claim, std::string_view what,
                   std::int64_t actual);
  bool CheckText(const std::optional<Marked<std::string>>& claim, std::string_view what,
                 const std::string& actual);

  bool empty() const { return found_.empty(); }
  // The last one added, to give it a reason.
  Mismatch& last() { return found_.back(); }
  std::vector<Mismatch> Take() { return std::move(found_); }

 private:
  std::string subject_;
  std::vector<Mismatch> found_;
};

}  // namespace kafkasim::scenarios

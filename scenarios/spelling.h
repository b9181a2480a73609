// "Did you mean": the known name that a misspelt word most likely stands for.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kafkasim::scenarios {

// The least number of letters inserted, removed, replaced or swapped with their neighbour that
// turns `a` into `b`.
int EditDistance(std::string_view a, std::string_view b);

// The candidate that `word` most likely stands for, or "" if none is near. Letter case and the
// choice among - _ . and blank do not count as mistakes; what other programs call the same thing
// (`lso`, `rf`, `kill`) is known. At least half of a word has to be right. Of two equally near the
// earlier one wins.
std::string ClosestTo(std::string_view word, const std::vector<std::string>& candidates);

// The `count` candidates that take the fewest changes to get to from `word`, however many those
// are.
std::vector<std::string> NearestTo(std::string_view word, std::vector<std::string> candidates,
                                   std::size_t count);

}  // namespace kafkasim::scenarios

// Amounts such as 15.00 as whole millionths, so that sums are exact.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kafkasim::scenarios {

// nullopt for what is no number, has more than six digits behind the point or more than twelve
// before it.
std::optional<std::int64_t> ParseMillionths(std::string_view text);

// "30.00": at least two digits behind the point, unless it is whole.
std::string MillionthsText(std::int64_t millionths);

}  // namespace kafkasim::scenarios

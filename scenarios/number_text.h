// Numbers as people read them.

#pragma once

#include <concepts>
#include <string>

namespace kafkasim::scenarios {

// "9,000": thousands set apart.
[[nodiscard]] std::string GroupedDigits(std::string digits);
[[nodiscard]] std::string Grouped(std::integral auto number) {
  return GroupedDigits(std::to_string(number));
}

}  // namespace kafkasim::scenarios

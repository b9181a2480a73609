#include "scenarios/number_text.h"

#include <cstddef>

namespace kafkasim::scenarios {

std::string GroupedDigits(std::string digits) {
  const std::size_t sign = digits.starts_with('-') ? 1 : 0;
  for (std::size_t i = digits.size(); i > sign + 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

}  // namespace kafkasim::scenarios

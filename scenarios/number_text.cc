#include "scenarios/number_text.h"

#include <cstddef>

namespace kafkasim::scenarios {

std::string Grouped(long long number) {
  std::string digits = std::to_string(number);
  const std::size_t sign = number < 0 ? 1 : 0;
  for (std::size_t i = digits.size(); i > sign + 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

}  // namespace kafkasim::scenarios

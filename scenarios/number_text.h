// Numbers as people read them.

#pragma once

#include <string>

namespace kafkasim::scenarios {

// "9,000": thousands set apart.
[[nodiscard]] std::string Grouped(long long number);

}  // namespace kafkasim::scenarios

// How the tests of views print: 80 columns without colours.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "cli/line.h"
#include "cli/look.h"

namespace kafkasim::cli {

inline constexpr Look kLook{.color = false, .unicode = true, .width = 80};

[[nodiscard]] inline std::string Print(const std::vector<Line>& lines) {
  std::ostringstream out;
  out << lines;
  return out.str();
}

}  // namespace kafkasim::cli

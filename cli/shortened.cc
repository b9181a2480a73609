#include "cli/shortened.h"

#include <cstddef>

#include "cli/terminal_text.h"

namespace kafkasim::cli {
namespace {

constexpr std::size_t kLongestTold = 400;  // bytes, and columns of what is left

}  // namespace

std::string Shortened(std::string_view text) {
  if (text.size() <= kLongestTold) return std::string(text);
  return Abbreviate(SafeText(text, /*unicode=*/true), kLongestTold, /*unicode=*/true);
}

}  // namespace kafkasim::cli

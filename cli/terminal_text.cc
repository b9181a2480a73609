#include "cli/terminal_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "scenarios/utf8.h"

namespace kafkasim::cli {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// Characters of East Asian width W or F, and emoji (Unicode 15), sorted.
constexpr auto kWide = std::to_array<Range>({
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},
    {0x23F0, 0x23F0},   {0x23F3, 0x23F3},   {0x25FD, 0x25FE},   {0x2614, 0x2615},
    {0x2648, 0x2653},   {0x267F, 0x267F},   {0x2693, 0x2693},   {0x26A1, 0x26A1},
    {0x26AA, 0x26AB},   {0x26BD, 0x26BE},   {0x26C4, 0x26C5},   {0x26CE, 0x26CE},
    {0x26D4, 0x26D4},   {0x26EA, 0x26EA},   {0x26F2, 0x26F3},   {0x26F5, 0x26F5},
    {0x26FA, 0x26FA},   {0x26FD, 0x26FD},   {0x2705, 0x2705},   {0x270A, 0x270B},
    {0x2728, 0x2728},   {0x274C, 0x274C},   {0x274E, 0x274E},   {0x2753, 0x2755},
    {0x2757, 0x2757},   {0x2795, 0x2797},   {0x27B0, 0x27B0},   {0x27BF, 0x27BF},
    {0x2B1B, 0x2B1C},   {0x2B50, 0x2B50},   {0x2B55, 0x2B55},   {0x2E80, 0x303E},
    {0x3041, 0x33FF},   {0x3400, 0x4DBF},   {0x4E00, 0xA4CF},   {0xA960, 0xA97F},
    {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE10, 0xFE19},   {0xFE30, 0xFE6F},
    {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},   {0x16FE0, 0x18CFF}, {0x1B000, 0x1B2FF},
    {0x1F004, 0x1F004}, {0x1F0CF, 0x1F0CF}, {0x1F18E, 0x1F18E}, {0x1F191, 0x1F19A},
    {0x1F200, 0x1F320}, {0x1F32D, 0x1F335}, {0x1F337, 0x1F37C}, {0x1F37E, 0x1F393},
    {0x1F3A0, 0x1F3CA}, {0x1F3CF, 0x1F3D3}, {0x1F3E0, 0x1F3F0}, {0x1F3F4, 0x1F3F4},
    {0x1F3F8, 0x1F43E}, {0x1F440, 0x1F440}, {0x1F442, 0x1F4FC}, {0x1F4FF, 0x1F53D},
    {0x1F54B, 0x1F54E}, {0x1F550, 0x1F567}, {0x1F57A, 0x1F57A}, {0x1F595, 0x1F596},
    {0x1F5A4, 0x1F5A4}, {0x1F5FB, 0x1F64F}, {0x1F680, 0x1F6C5}, {0x1F6CC, 0x1F6CC},
    {0x1F6D0, 0x1F6D2}, {0x1F6D5, 0x1F6DF}, {0x1F6EB, 0x1F6EC}, {0x1F6F4, 0x1F6FC},
    {0x1F7E0, 0x1F7F0}, {0x1F90C, 0x1F9FF}, {0x1FA70, 0x1FAFF}, {0x20000, 0x3FFFD},
});

// Characters that stand on the one before them, sorted.
constexpr auto kCombining = std::to_array<Range>({
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x05BF, 0x05BF}, {0x05C1, 0x05C2},
    {0x05C4, 0x05C5}, {0x0610, 0x061A}, {0x064B, 0x065F}, {0x0670, 0x0670}, {0x06D6, 0x06DC},
    {0x0900, 0x0902}, {0x093C, 0x093C}, {0x0941, 0x0948}, {0x094D, 0x094D}, {0x0E31, 0x0E31},
    {0x0E34, 0x0E3A}, {0x0E47, 0x0E4E}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x20D0, 0x20FF},
    {0x302A, 0x302D}, {0x3099, 0x309A}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0x1F3FB, 0x1F3FF},
});

// Characters that reorder, hide or join text.
constexpr auto kInvisible = std::to_array<Range>({
    {0x00AD, 0x00AD},
    {0x061C, 0x061C},
    {0x180E, 0x180E},
    {0x200B, 0x200F},
    {0x2028, 0x202E},
    {0x2060, 0x206F},
    {0xFEFF, 0xFEFF},
    {0xFFF9, 0xFFFB},
    {0xE0000, 0xE0FFF},
});

// How ASCII spells what our own texts and most titles use.
constexpr auto kSpellings = std::to_array<std::pair<char32_t, std::string_view>>({
    {0xA0, " "},      {0xAB, "<<"},    {0xB0, " deg"}, {0xB7, "-"},    {0xBB, ">>"},
    {0xD7, "x"},      {0x2010, "-"},   {0x2011, "-"},  {0x2012, "-"},  {0x2013, "-"},
    {0x2014, "--"},   {0x2018, "'"},   {0x2019, "'"},  {0x201C, "\""}, {0x201D, "\""},
    {0x2022, "*"},    {0x2026, "..."}, {0x202F, " "},  {0x2190, "<-"}, {0x2192, "->"},
    {0x2205, "null"}, {0x2212, "-"},   {0x2260, "!="}, {0x2264, "<="}, {0x2265, ">="},
    {0x2713, "ok"},   {0x2714, "ok"},  {0x2717, "x"},  {0x2718, "x"},
});

template <std::size_t N>
bool Contains(const std::array<Range, N>& ranges, char32_t c) {
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), c,
                                      [](char32_t value, Range r) { return value < r.first; });
  return after != ranges.begin() && c <= std::prev(after)->last;
}

// The character that `bytes`, one whole valid character of UTF-8, encodes.
char32_t NextLetter(std::string_view bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  if (bytes.size() == 1) return byte(0);
  char32_t c = byte(0) & (0xFFU >> (bytes.size() + 1));
  for (std::size_t i = 1; i < bytes.size(); ++i) c = (c << 6) | (byte(i) & 0x3FU);
  return c;
}

int ColumnsOf(char32_t c) {
  if (c < 0x300) return 1;
  if (Contains(kCombining, c)) return 0;
  return Contains(kWide, c) ? 2 : 1;
}

void AppendSafe(std::string& out, std::string_view bytes, bool unicode) {
  const char32_t c = NextLetter(bytes);
  if (c >= 0x20 && c < 0x7F) {
    out += bytes;
  } else if (c == '\n') {
    out += "\\n";
  } else if (c == '\r') {
    out += "\\r";
  } else if (c == '\t') {
    out += "\\t";
  } else if (c < 0xA0) {
    fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<std::uint32_t>(c));
  } else if (unicode && !Contains(kInvisible, c)) {
    out += bytes;
  } else {
    const auto* spelling = std::find_if(kSpellings.begin(), kSpellings.end(),
                                        [&](const auto& entry) { return entry.first == c; });
    if (spelling != kSpellings.end()) {
      out += spelling->second;
    } else {
      fmt::format_to(std::back_inserter(out), "\\u{{{:x}}}", static_cast<std::uint32_t>(c));
    }
  }
}

}  // namespace

int DisplayWidth(std::string_view text) {
  int width = 0;
  while (!text.empty()) {
    const std::size_t length = std::max<std::size_t>(scenarios::CharacterLength(text), 1);
    width += ColumnsOf(NextLetter(text.substr(0, length)));
    text.remove_prefix(length);
  }
  return width;
}

std::string SafeText(std::string_view text, bool unicode) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = scenarios::CharacterLength(text);
    if (length == 0) {
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(text[0]));
      text.remove_prefix(1);
      continue;
    }
    AppendSafe(out, text.substr(0, length), unicode);
    text.remove_prefix(length);
  }
  return out;
}

std::string Abbreviate(std::string_view text, int width, bool unicode) {
  if (DisplayWidth(text) <= width) return std::string(text);
  const std::string_view ellipsis = unicode ? "…" : "..";
  const int room = width - (unicode ? 1 : 2);
  std::string out;
  int used = 0;
  while (!text.empty()) {
    const std::size_t length = std::max<std::size_t>(scenarios::CharacterLength(text), 1);
    const int columns = ColumnsOf(NextLetter(text.substr(0, length)));
    if (used + columns > room) break;
    out += text.substr(0, length);
    used += columns;
    text.remove_prefix(length);
  }
  return out.append(ellipsis);
}

}  // namespace kafkasim::cli

#include "scenarios/utf8.h"

#include <algorithm>
#include <cstdint>

namespace kafkasim::scenarios {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// The code point of a valid character of `length` bytes.
std::uint32_t CodePoint(std::string_view character) {
  const auto lead = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return lead;
  std::uint32_t value = lead & (0x7FU >> character.size());
  for (char c : character.substr(1))
    value = (value << 6U) | (static_cast<unsigned char>(c) & 0x3FU);
  return value;
}

bool IsControl(std::uint32_t point) { return point < 0x20 || (point >= 0x7F && point < 0xA0); }

// Invisible characters that change how their neighbours are shown, and the line separators.
bool IsFormat(std::uint32_t point) {
  return (point >= 0x200B && point <= 0x200F) || (point >= 0x2028 && point <= 0x202E) ||
         (point >= 0x2060 && point <= 0x206F) || point == 0xFEFF;
}

}  // namespace

std::size_t CharacterLength(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (text.size() < length) return 0;
  if (!std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(length),
                   IsContinuation)) {
    return 0;
  }
  const std::uint32_t point = CodePoint(text.substr(0, length));
  const bool overlong = (length == 3 && point < 0x800) || (length == 4 && point < 0x10000);
  const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
  return overlong || surrogate || point > 0x10FFFF ? 0 : length;
}

std::optional<std::size_t> FirstBinaryByte(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const std::size_t length = CharacterLength(text.substr(i));
    if (length == 0) return i;
    const bool blank = c == '\t' || c == '\n' || c == '\r';
    if (length == 1 && !blank && IsControl(static_cast<unsigned char>(c))) return i;
    i += length;
  }
  return std::nullopt;
}

std::size_t CountCharacters(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++count) {
    i += std::max<std::size_t>(1, CharacterLength(text.substr(i)));
  }
  return count;
}

std::vector<std::string> Printable(std::string_view text) {
  std::vector<std::string> characters;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = CharacterLength(text.substr(i));
    const std::string_view character = text.substr(i, std::max<std::size_t>(1, length));
    if (length == 0 || IsFormat(CodePoint(character))) {
      characters.emplace_back(kReplacement);
    } else if (IsControl(CodePoint(character))) {
      characters.emplace_back(" ");
    } else {
      characters.emplace_back(character);
    }
    i += character.size();
  }
  return characters;
}

}  // namespace kafkasim::scenarios

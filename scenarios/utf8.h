// Text as characters: what can be said about bytes that claim to be UTF-8, and how they are shown
// without doing anything to a terminal.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kafkasim::scenarios {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// The number of bytes of the character that `text` begins with: 1 to 4, or 0 if it begins with no
// valid UTF-8 (overlong forms, surrogates and values above U+10FFFF are invalid). Needs text.
std::size_t CharacterLength(std::string_view text);

// The offset of the first byte that makes `text` no text: invalid UTF-8, or a control character
// other than tab, line feed and carriage return.
std::optional<std::size_t> FirstBinaryByte(std::string_view text);

// How many characters `text` has; each byte that is not UTF-8 counts as one.
std::size_t CountCharacters(std::string_view text);

// The characters of `text`, safe to print and one column each: control characters and tabs become a
// blank, format characters that reorder or hide text and invalid bytes become U+FFFD.
std::vector<std::string> Printable(std::string_view text);

}  // namespace kafkasim::scenarios

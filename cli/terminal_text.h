// Text as a terminal shows it: how many columns it takes, and how it is made safe to print. What a
// scenario or a record holds may be any bytes; nothing of it reaches the terminal as a command.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

#include "scenarios/number_text.h"

namespace kafkasim::cli {

// The columns that `text` takes: two for wide characters, none for combining ones. Needs what
// SafeText returns.
[[nodiscard]] int DisplayWidth(std::string_view text);

// `text` as printable characters: control characters become \n, \t, \x1b; characters that reorder
// or hide text and bytes that are not UTF-8 become \u{202e}, \xff. Without `unicode` only ASCII
// comes out: arrows, dots and quotes as their usual spelling (-> ...), the rest as \u{65e5}.
[[nodiscard]] std::string SafeText(std::string_view text, bool unicode);

// Safe `text` in at most `width` columns: if it is longer, its beginning and an ellipsis.
[[nodiscard]] std::string Abbreviate(std::string_view text, int width, bool unicode);

// "1 claim", "2 claims".
[[nodiscard]] std::string Counted(std::integral auto number, std::string_view noun) {
  return scenarios::Grouped(number).append(" ").append(noun).append(number == 1 ? "" : "s");
}

}  // namespace kafkasim::cli

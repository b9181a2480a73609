// A quote that nobody closed: YAML lets a text in quotes go on over several lines, so that the
// steps below become part of it, up to the next quote.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "scenarios/mark.h"
#include "scenarios/source.h"

namespace kafkasim::scenarios {

struct OpenQuote {
  Mark mark{};            // of the quote
  std::string message{};  // what it does
};

// Whether the text in quotes that begins at `offset` has a line in it that looks like an entry of a
// list. Nothing is wrong with any other text of several lines.
[[nodiscard]] std::optional<OpenQuote> FindOpenQuoteAt(const Source& source, std::size_t offset);

// The first such quote of a text that is no YAML.
[[nodiscard]] std::optional<OpenQuote> FindOpenQuote(const Source& source);

}  // namespace kafkasim::scenarios

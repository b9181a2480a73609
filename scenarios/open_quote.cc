#include "scenarios/open_quote.h"

#include <algorithm>

#include <fmt/format.h>

namespace kafkasim::scenarios {
namespace {

// Behind the closing quote; the end of the text if there is none.
std::size_t EndOfQuoted(std::string_view text, std::size_t open) {
  const char quote = text[open];
  for (std::size_t i = open + 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      const bool doubled = quote == '\'' && i + 1 < text.size() && text[i + 1] == '\'';
      if (!doubled) return i + 1;
      ++i;
    }
  }
  return text.size();
}

// Where a line begins with `- `, behind its blanks; npos if none does.
std::size_t FindListEntry(std::string_view text) {
  for (std::size_t line = text.find('\n'); line != std::string_view::npos;
       line = text.find('\n', line + 1)) {
    const std::size_t word = text.find_first_not_of(' ', line + 1);
    if (word != std::string_view::npos && text.substr(word).starts_with("- ")) return word;
  }
  return std::string_view::npos;
}

// Whether a quote here opens a text, and is not just a character of one.
bool MayOpen(std::string_view text, std::size_t at) {
  if (text[at] != '"' && text[at] != '\'') return false;
  if (at == 0 || text[at - 1] == '[' || text[at - 1] == '{') return true;
  if (text[at - 1] != ' ') return false;
  const std::size_t before = text.find_last_not_of(' ', at - 1);
  return before != std::string_view::npos &&
         std::string_view(":-,[{").find(text[before]) != std::string_view::npos;
}

}  // namespace

std::optional<OpenQuote> FindOpenQuoteAt(const Source& source, std::size_t offset) {
  const std::string_view text = source.text();
  if (offset >= text.size() || (text[offset] != '"' && text[offset] != '\'')) return std::nullopt;
  const std::size_t end = EndOfQuoted(text, offset);
  const std::size_t entry = FindListEntry(text.substr(offset, end - offset));
  if (entry == std::string_view::npos) return std::nullopt;
  return OpenQuote{
      .mark = source.MarkAt(offset),
      .message = fmt::format("this quote is not closed in its line: line {} is still inside of it",
                             source.MarkAt(offset + entry).line)};
}

std::optional<OpenQuote> FindOpenQuote(const Source& source) {
  const std::string_view text = source.text();
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '#' && (at == 0 || text[at - 1] == ' ' || text[at - 1] == '\n')) {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    if (!MayOpen(text, at)) continue;
    if (auto open = FindOpenQuoteAt(source, at)) return open;
    at = EndOfQuoted(text, at) - 1;
  }
  return std::nullopt;
}

}  // namespace kafkasim::scenarios

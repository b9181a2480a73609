#include "scenarios/source.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "scenarios/utf8.h"

namespace kafkasim::scenarios {
namespace {

constexpr std::size_t kExcerptWidth = 96;
constexpr std::size_t kLongestMessage = 400;
constexpr std::string_view kCut = "...";

// The part of `text` that fits on a screen with `column` (from 0) in it, and where that column is.
struct Window {
  std::string text;
  std::size_t caret = 0;
};

Window WindowAround(std::string_view line, std::size_t column) {
  const std::vector<std::string> characters = Printable(line);
  column = std::min(column, characters.size());
  std::size_t first = 0;
  if (characters.size() > kExcerptWidth && column > kExcerptWidth * 2 / 3) {
    first = std::min(column - kExcerptWidth / 2, characters.size() - kExcerptWidth / 2);
  }
  const std::size_t end = std::min(characters.size(), first + kExcerptWidth);
  Window window;
  if (first > 0) window.text += kCut;
  window.caret = (first > 0 ? kCut.size() : 0) + (column - first);
  for (std::size_t i = first; i < end; ++i) window.text += characters[i];
  if (end < characters.size()) window.text += kCut;
  return window;
}

std::string Safe(std::string_view text, std::size_t longest) {
  std::string safe;
  std::size_t count = 0;
  for (const std::string& character : Printable(text)) {
    if (++count > longest) return safe + std::string(kCut);
    safe += character;
  }
  return safe;
}

}  // namespace

Source::Source(std::string name, std::string text)
    : name_(std::move(name)), text_(std::move(text)), line_starts_{0} {
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') line_starts_.push_back(i + 1);
  }
}

std::string_view Source::Line(int number) const {
  if (number < 1 || number > line_count()) return {};
  const std::size_t begin = line_starts_[static_cast<std::size_t>(number) - 1];
  const std::size_t end = std::min(text_.find('\n', begin), text_.size());
  std::string_view line = std::string_view(text_).substr(begin, end - begin);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

Mark Source::MarkAt(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const auto line = static_cast<std::size_t>(after - line_starts_.begin());
  const std::size_t begin = line_starts_[line - 1];
  const std::string_view before = std::string_view(text_).substr(begin, offset - begin);
  return Mark{static_cast<int>(line), static_cast<int>(CountCharacters(before)) + 1};
}

std::string RenderExcerpt(const Source& source, Mark mark) {
  if (source.Line(mark.line).empty()) return "";
  const auto column = static_cast<std::size_t>(std::max(mark.column, 1)) - 1;
  const Window window = WindowAround(source.Line(mark.line), column);
  return "  " + window.text + "\n  " + std::string(window.caret, ' ') + "^\n";
}

std::string Render(const Source& source, const Diagnostic& diagnostic) {
  std::string report = Safe(source.name(), kLongestMessage);
  if (diagnostic.mark.line > 0) {
    report += ':' + std::to_string(diagnostic.mark.line);
    report += ':' + std::to_string(diagnostic.mark.column);
  }
  report += ": error: " + Safe(diagnostic.message, kLongestMessage) + '\n';
  report += RenderExcerpt(source, diagnostic.mark);
  if (!diagnostic.suggestion.empty()) {
    report += "  did you mean '" + Safe(diagnostic.suggestion, kLongestMessage) + "'?\n";
  }
  return report;
}

}  // namespace kafkasim::scenarios

#include "cli/line.h"

#include <algorithm>
#include <cstddef>

#include "cli/glyphs.h"
#include "cli/terminal_text.h"

#include "scenarios/utf8.h"

namespace kafkasim::cli {
namespace {

// The bytes of `text` that fill at most `width` columns, at least one character.
std::size_t FittingBytes(std::string_view text, int width) {
  std::size_t bytes = 0;
  while (bytes < text.size()) {
    const std::size_t next =
        bytes + std::max<std::size_t>(scenarios::CharacterLength(text.substr(bytes)), 1);
    if (bytes > 0 && DisplayWidth(text.substr(0, next)) > width) break;
    bytes = next;
  }
  return bytes;
}

}  // namespace

void Line::AddSafe(std::string_view text, Role role) {
  if (text.empty()) return;
  width_ += DisplayWidth(text);
  if (!pieces_.empty() && pieces_.back().role == role) {
    pieces_.back().text += text;
  } else {
    pieces_.push_back({.text = std::string(text), .role = role});
  }
}

Line& Line::Add(std::string_view text, Role role) {
  AddSafe(SafeText(text, look_.unicode), role);
  return *this;
}

Line& Line::Append(const Line& other) {
  for (const Piece& piece : other.pieces_) AddSafe(piece.text, piece.role);
  return *this;
}

Line& Line::PadTo(int column) {
  if (column > width_) AddSafe(std::string(static_cast<std::size_t>(column - width_), ' '), {});
  return *this;
}

Line& Line::Repeat(std::string_view glyph, int times, Role role) {
  for (int i = 0; i < times; ++i) Add(glyph, role);
  return *this;
}

std::string Line::Text() const {
  std::string text;
  for (const Piece& piece : pieces_) text += piece.text;
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::string Line::Render() const {
  if (!look_.color) return Text();
  std::size_t left = Text().size();
  std::string out;
  for (const Piece& piece : pieces_) {
    const std::string_view text = std::string_view(piece.text).substr(0, left);
    left -= text.size();
    const std::string_view sgr = Sgr(piece.role);
    if (text.empty()) continue;
    if (sgr.empty() || text.find_first_not_of(' ') == std::string_view::npos) {
      out += text;
    } else {
      out.append("\x1b[").append(sgr).append("m").append(text).append("\x1b[0m");
    }
  }
  return out;
}

std::vector<Line> Line::Wrap(int width, int indent) const {
  if (width_ <= width) return {*this};
  std::vector<Line> lines{Line(look_)};
  int begin = 0;  // where the text of the current line begins
  const auto start_next = [&] {
    lines.emplace_back(look_).PadTo(indent);
    begin = lines.back().width();
  };
  const auto put_word = [&](std::string_view word, Role role) {
    if (lines.back().width() > begin && lines.back().width() + DisplayWidth(word) > width) {
      start_next();
    }
    while (lines.back().width() + DisplayWidth(word) > width) {
      const std::size_t bytes = FittingBytes(word, width - lines.back().width());
      lines.back().AddSafe(word.substr(0, bytes), role);
      word.remove_prefix(bytes);
      if (word.empty()) return;
      start_next();
    }
    lines.back().AddSafe(word, role);
  };
  for (const Piece& piece : pieces_) {
    std::string_view rest = piece.text;
    while (!rest.empty()) {
      const std::size_t blanks = std::min(rest.find_first_not_of(' '), rest.size());
      const bool at_start = lines.size() > 1 && lines.back().width() == begin;
      if (!at_start) lines.back().AddSafe(rest.substr(0, blanks), piece.role);
      rest.remove_prefix(blanks);
      const std::size_t word = std::min(rest.find(' '), rest.size());
      if (word > 0) put_word(rest.substr(0, word), piece.role);
      rest.remove_prefix(word);
    }
  }
  return lines;
}

Line DrawRule(std::string_view title, const Look& look) {
  constexpr int kLongestRule = 100;
  const std::string_view glyph = GlyphsOf(look).rule;
  Line line(look);
  line.Repeat(glyph, 2, Role::kFaint).Add(" ").Add(title, Role::kStrong).Add(" ");
  return line.Repeat(glyph, std::min(look.width, kLongestRule) - line.width(), Role::kFaint);
}

std::ostream& operator<<(std::ostream& out, const Line& line) {
  return out << line.Render() << '\n';
}

std::ostream& operator<<(std::ostream& out, const std::vector<Line>& lines) {
  for (const Line& line : lines) out << line;
  return out;
}

}  // namespace kafkasim::cli

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

// Collects words into lines of a width.
class Line::Wrapper {
 public:
  Wrapper(const Look& look, int width, int indent)
      : look_(look), width_(width), indent_(indent), lines_{Line(look)} {}

  void AddPiece(const Piece& piece) {
    std::string_view rest = piece.text;
    while (!rest.empty()) {
      const std::size_t blanks = std::min(rest.find_first_not_of(' '), rest.size());
      blanks_ += static_cast<int>(blanks);
      rest.remove_prefix(blanks);
      const std::size_t word = std::min(rest.find(' '), rest.size());
      if (word > 0) AddWord(rest.substr(0, word), piece.role);
      rest.remove_prefix(word);
    }
  }

  std::vector<Line> Take() { return std::move(lines_); }

 private:
  Line& line() { return lines_.back(); }

  void Start() {
    lines_.emplace_back(look_).PadTo(indent_);
    begin_ = line().width();
    blanks_ = 0;
  }

  void AddWord(std::string_view word, Role role) {
    const int needed = line().width() + blanks_ + DisplayWidth(word);
    if (needed > width_ && line().width() > begin_) Start();
    line().PadTo(line().width() + blanks_);
    blanks_ = 0;
    while (line().width() + DisplayWidth(word) > width_) {
      const std::size_t bytes = FittingBytes(word, width_ - line().width());
      line().AddSafe(word.substr(0, bytes), role);
      word.remove_prefix(bytes);
      if (word.empty()) return;
      Start();
    }
    line().AddSafe(word, role);
  }

  const Look& look_;
  int width_;
  int indent_;
  std::vector<Line> lines_;
  int begin_ = 0;   // where the text of the current line begins
  int blanks_ = 0;  // before the next word, if it stands on the same line
};

std::vector<Line> Line::Wrap(int width, int indent) const {
  if (width_ <= width) return {*this};
  Wrapper wrapper(look_, width, indent);
  for (const Piece& piece : pieces_) wrapper.AddPiece(piece);
  return wrapper.Take();
}

Line DrawRule(std::string_view title, const Look& look) {
  const std::string_view glyph = GlyphsOf(look).rule;
  Line line(look);
  line.Repeat(glyph, 2, Role::kFaint).Add(" ").Add(title, Role::kStrong).Add(" ");
  return line.Repeat(glyph, look.width - line.width(), Role::kFaint);
}

void AddLines(std::vector<Line> more, std::vector<Line>& lines) {
  for (Line& line : more) lines.push_back(std::move(line));
}

std::ostream& operator<<(std::ostream& out, const Line& line) {
  return out << line.Render() << '\n';
}

std::ostream& operator<<(std::ostream& out, const std::vector<Line>& lines) {
  for (const Line& line : lines) out << line;
  return out;
}

}  // namespace kafkasim::cli

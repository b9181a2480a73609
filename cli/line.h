// One line of output: pieces of text with their roles, and the column that has been reached. All
// text becomes safe for the terminal on the way in.
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/look.h"
#include "cli/style.h"

namespace kafkasim::cli {

class Line {
 public:
  explicit Line(const Look& look) : look_(look) {}
  Line(const Look& look, std::string_view text, Role role = Role::kPlain) : look_(look) {
    Add(text, role);
  }

  Line& Add(std::string_view text, Role role = Role::kPlain);
  Line& Append(const Line& other);
  // Blanks up to `column`; nothing if it has been passed.
  Line& PadTo(int column);
  Line& Repeat(std::string_view glyph, int times, Role role = Role::kPlain);

  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] bool empty() const { return pieces_.empty(); }
  [[nodiscard]] const Look& look() const { return look_; }

  // Without colours, blanks at the end and a line end.
  [[nodiscard]] std::string Text() const;
  // As Text(), with colours if the look has them. Each line ends with the terminal's own colours.
  [[nodiscard]] std::string Render() const;

  // The line in pieces of at most `width` columns, broken at blanks; a longer word is cut. All but
  // the first begin with `indent` blanks.
  [[nodiscard]] std::vector<Line> Wrap(int width, int indent = 0) const;

 private:
  class Wrapper;
  struct Piece {
    std::string text;
    Role role = Role::kPlain;
  };

  void AddSafe(std::string_view text, Role role);

  Look look_;
  std::vector<Piece> pieces_;
  int width_ = 0;
};

// A heading with a line behind it: "── Verdict ─────".
[[nodiscard]] Line DrawRule(std::string_view title, const Look& look);

// Moves `more` to the end of `lines`.
void AddLines(std::vector<Line> more, std::vector<Line>& lines);

// Prints the line and a line end.
std::ostream& operator<<(std::ostream& out, const Line& line);
std::ostream& operator<<(std::ostream& out, const std::vector<Line>& lines);

}  // namespace kafkasim::cli

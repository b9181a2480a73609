// The text of a scenario file and messages that point into it. Whatever bytes the file holds, a
// message is one safe line of text: no control characters, never wider than a screen.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/mark.h"

namespace kafkasim::scenarios {

// A file's name, its text and where its lines begin.
class Source {
 public:
  Source(std::string name, std::string text);

  const std::string& name() const { return name_; }
  const std::string& text() const { return text_; }

  // Line `number` (from 1) without its line end; empty if there is none.
  std::string_view Line(int number) const;
  int line_count() const { return static_cast<int>(line_starts_.size()); }

  // The place of the byte at `offset`: lines and columns from 1, columns in characters.
  Mark MarkAt(std::size_t offset) const;

 private:
  std::string name_;
  std::string text_;
  std::vector<std::size_t> line_starts_;
};

// Something that is wrong with a scenario file.
struct Diagnostic {
  Mark mark;                 // {0, 0}: the file as a whole
  std::string message{};     // begins in lower case, no full stop
  std::string suggestion{};  // what was probably meant; empty for none

  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

// The report of a diagnostic, ending in a line end:
//   zombie.yaml:14:9: error: unknown key 'brokrs' in cluster
//     cluster: {brokrs: 3}
//               ^
//     did you mean 'brokers'?
// A long line is cut around the caret; tabs count as one blank.
std::string Render(const Source& source, const Diagnostic& diagnostic);

// The `line` part and the caret part of such a report alone, for reports that are not errors of the
// file (a failed expectation). Empty if the mark is nowhere or in an empty line.
std::string RenderExcerpt(const Source& source, Mark mark);

}  // namespace kafkasim::scenarios

#include "scenarios/step_text.h"

#include <algorithm>
#include <string_view>

namespace kafkasim::scenarios {
namespace {

// Without the blanks and the dash before, and the blanks and the comment behind.
std::string_view Trimmed(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" -"), line.size()));
  const std::size_t comment = line.find(" #");
  if (comment != std::string_view::npos) line = line.substr(0, comment);
  return line.substr(0, line.find_last_not_of(" \t\r") + 1);
}

}  // namespace

std::string StepText(const Source& source, Mark mark) {
  std::string text(Trimmed(source.Line(mark.line)));
  for (int line = mark.line + 1; text.ends_with(':') && line <= mark.line + 2; ++line) {
    text += ' ';
    text += Trimmed(source.Line(line));
  }
  if (text.ends_with(':')) text += " …";
  return text;
}

}  // namespace kafkasim::scenarios

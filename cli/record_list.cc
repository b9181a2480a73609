#include "cli/record_list.h"

#include <cstdint>

#include "cli/glyphs.h"
#include "cli/terminal_text.h"
#include <fmt/format.h>

#include "scenarios/number_text.h"

namespace kafkasim::cli {
namespace {

constexpr int kLongestListed = 24;

}  // namespace

Line DrawList(std::size_t count, const std::function<std::string(std::size_t)>& text, int width,
              const Look& look) {
  if (count == 0) return Line(look, "nothing", Role::kFaint);
  const std::string last = text(count - 1);
  Line list(look);
  for (std::size_t i = 0; i + 1 < count; ++i) {
    const std::string next = text(i);
    const std::size_t after = count - i - 1;
    const std::string_view dots = GlyphsOf(look).ellipsis;
    const std::string rest =
        fmt::format("{0} {1} more {0} ", dots, scenarios::Grouped(count - i - 1));
    // What comes behind this one needs its place as well.
    const int needed =
        DisplayWidth(next) + 1 + DisplayWidth(last) + (after > 1 ? DisplayWidth(rest) : 0);
    if (i > 0 && list.width() + needed > width) {
      list.Add(rest, Role::kFaint);
      break;
    }
    list.Add(next).Add(" ");
  }
  return list.Add(last);
}

std::string RecordText(const scenarios::EntryView& entry, const Look& look) {
  return Abbreviate(SafeText(scenarios::EntryText(entry, false), look.unicode), kLongestListed,
                    look.unicode);
}

}  // namespace kafkasim::cli

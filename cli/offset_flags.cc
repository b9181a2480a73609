#include "cli/offset_flags.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

#include "cli/glyphs.h"
#include <fmt/format.h>

namespace kafkasim::cli {
namespace {

struct Flag {
  int column = 0;  // of what it points at
  Line label;
  Role role = Role::kPlain;
};

struct NamedOffset {
  std::string_view name;
  std::int64_t offset;
  Role role;
};

// The cell that `offset` is in; null if it is in another band.
const LogCell* CellOf(const LogBand& band, std::int64_t offset) {
  if (band.empty() || offset < band.front().first_offset) return nullptr;
  const auto found = std::find_if(band.begin(), band.end(),
                                  [&](const LogCell& cell) { return offset < cell.end_offset; });
  return found == band.end() ? nullptr : &*found;
}

// From left to right. Offsets that are equal share a flag; one that nobody knows has none.
std::vector<Flag> FlagsOf(const scenarios::PartitionView& view, const LogBand& band,
                          const Look& look) {
  const std::array<NamedOffset, 3> offsets{{{"LSO", view.last_stable_offset, Role::kLastStable},
                                            {"HW", view.high_watermark, Role::kHighWatermark},
                                            {"LEO", view.log_end_offset, Role::kLogEnd}}};
  std::vector<Flag> flags;
  std::int64_t last = -1;
  for (const NamedOffset& named : offsets) {
    const LogCell* cell = CellOf(band, named.offset);
    if (cell == nullptr || (!view.offsets_known() && named.name != "LEO")) continue;
    const std::string text = fmt::format("{} {}", named.name, named.offset);
    if (!flags.empty() && last == named.offset) {
      flags.back().label.Add(" = ").Add(text, named.role);
    } else {
      flags.push_back({cell->column + 1, Line(look, text, named.role), named.role});
    }
    last = named.offset;
  }
  return flags;
}

// A flag with its place in a row.
struct Placed {
  const Flag* flag;
  int begin;
  int end;
  bool label_first;  // the label stands to the left of the pointer
};

// Where `flag` goes in a row whose flags begin at `free_until`; nullopt if it does not fit.
std::optional<Placed> PlaceFlag(const Flag& flag, int free_until) {
  const int length = flag.label.width() + 1;
  if (flag.column + length <= free_until) {
    return Placed{&flag, flag.column, flag.column + length, false};
  }
  const int begin = flag.column - flag.label.width();
  if (flag.column + 1 <= free_until && begin >= 1) {
    return Placed{&flag, begin, flag.column + 1, true};
  }
  return std::nullopt;
}

Line DrawRow(std::vector<Placed> row, const Look& look) {
  std::reverse(row.begin(), row.end());
  Line line(look);
  for (const Placed& placed : row) {
    line.PadTo(placed.begin);
    if (placed.label_first) line.Append(placed.flag->label);
    line.Add(GlyphsOf(look).flag, placed.flag->role);
    if (!placed.label_first) line.Append(placed.flag->label);
  }
  return line;
}

}  // namespace

std::vector<Line> DrawFlags(const scenarios::PartitionView& view, const LogBand& band,
                            const Look& look) {
  const std::vector<Flag> flags = FlagsOf(view, band, look);
  std::vector<std::vector<Placed>> rows;
  // From right to left, so that a flag in the way of another one goes to a row below it.
  for (auto flag = flags.rbegin(); flag != flags.rend(); ++flag) {
    const auto fits = [&](const std::vector<Placed>& row) {
      return PlaceFlag(*flag, row.back().begin - 1);
    };
    const auto row =
        std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return fits(r).has_value(); });
    if (row != rows.end()) {
      row->push_back(*fits(*row));
    } else {
      const int end = flag->column + flag->label.width() + 1;
      rows.push_back(
          {PlaceFlag(*flag, look.width).value_or(Placed{&*flag, flag->column, end, false})});
    }
  }
  std::vector<Line> lines;
  for (std::vector<Placed>& row : rows) lines.push_back(DrawRow(std::move(row), look));
  return lines;
}

}  // namespace kafkasim::cli

#include "cli/log_layout.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <utility>

#include "cli/glyphs.h"
#include "cli/terminal_text.h"
#include <fmt/format.h>

#include "scenarios/number_text.h"

namespace kafkasim::cli {
namespace {

using scenarios::EntryKind;
using scenarios::EntryState;
using scenarios::EntryView;
using scenarios::PartitionView;

constexpr int kWidestGap = 3;          // blanks between two cells, if there is room
constexpr std::size_t kMostBands = 3;  // of a log that is shown whole
constexpr int kLongestCellText = 16;   // columns of a record's text
constexpr int kLongestRecordInWindow = 10;
constexpr std::size_t kMostMarkers = 8;  // that a window tries to show

Role RoleOf(const EntryView& entry) {
  if (entry.kind == EntryKind::kCommit) return Role::kCommitMarker;
  if (entry.kind == EntryKind::kAbort) return Role::kAbortMarker;
  switch (entry.state) {
    case EntryState::kPlain:
      return Role::kPlain;
    case EntryState::kUndecided:
      return Role::kUndecided;
    case EntryState::kCommitted:
      return Role::kCommitted;
    case EntryState::kAborted:
      return Role::kAborted;
  }
  return Role::kPlain;
}

// The columns of a cell without the blanks behind it. Offset and writer stand one column further
// right than the record, below its first character.
int CellWidth(const LogCell& cell) {
  return std::max(
      {DisplayWidth(cell.record), DisplayWidth(cell.offset) + 1, DisplayWidth(cell.by) + 1});
}

class Layout {
 public:
  Layout(const PartitionView& view, const LogLayoutOptions& options)
      : view_(view), options_(options) {
    for (std::size_t i = 0; i < view.entries.size(); ++i) {
      const std::int64_t offset = view.entries[i].offset;
      if (!options.range || (options.range->first <= offset && offset <= options.range->last)) {
        shown_.push_back(i);
      }
    }
  }

  std::vector<LogBand> Make() {
    const int room = options_.width - options_.margin;
    // No cell is narrower than four columns.
    const bool may_fit = shown_.size() <= kMostBands * static_cast<std::size_t>(room) / 4;
    if (!options_.range && !may_fit) return {Place(Window())};
    const LogBand cells = Cells(shown_, kLongestCellText);
    if (Fits(cells, 1)) return {Place(cells)};
    std::vector<LogBand> bands = Bands(cells);
    if (!options_.range && bands.size() > kMostBands) return {Place(Window())};
    return bands;
  }

 private:
  [[nodiscard]] LogCell EntryCell(std::size_t index, int longest) const {
    const EntryView& entry = view_.entries[index];
    return {.kind = LogCell::Kind::kEntry,
            .first_offset = entry.offset,
            .end_offset = entry.offset + 1,
            .offset = fmt::format("{}", entry.offset),
            .record = RecordSign(entry, longest, options_.unicode),
            .by = SafeText(entry.actor, options_.unicode),
            .role = RoleOf(entry)};
  }

  // The entries from index `first` up to `last`, exclusive, left out.
  [[nodiscard]] LogCell GapCell(std::size_t first, std::size_t last) const {
    const std::string_view dots = GlyphsOf({.unicode = options_.unicode}).ellipsis;
    return {.kind = LogCell::Kind::kGap,
            .first_offset = view_.entries[first].offset,
            .end_offset = view_.entries[last - 1].offset + 1,
            .offset = std::string(dots),
            .record = fmt::format("{} {} more {}", dots, scenarios::Grouped(last - first), dots),
            .role = Role::kFaint};
  }

  // Cells of the entries at `indices` (sorted), of the gaps around them, and the end.
  [[nodiscard]] LogBand Cells(const std::vector<std::size_t>& indices, int longest) const {
    LogBand cells;
    std::size_t next = 0;
    for (const std::size_t index : indices) {
      if (index > next) cells.push_back(GapCell(next, index));
      cells.push_back(EntryCell(index, longest));
      next = index + 1;
    }
    if (next < view_.entries.size()) cells.push_back(GapCell(next, view_.entries.size()));
    cells.push_back({.kind = LogCell::Kind::kEnd,
                     .first_offset = view_.log_end_offset,
                     .end_offset = view_.log_end_offset + 1});
    return cells;
  }

  [[nodiscard]] bool Fits(const LogBand& cells, int gap) const {
    int columns = options_.margin;
    for (const LogCell& cell : cells) columns += CellWidth(cell) + gap;
    return columns <= options_.width;
  }

  // Columns for one band, as wide apart as there is room.
  [[nodiscard]] LogBand Place(LogBand cells) const {
    int gap = kWidestGap;
    while (gap > 1 && !Fits(cells, gap)) --gap;
    const auto place = [&](bool room_for_flags) {
      int column = options_.margin;
      for (LogCell& cell : cells) {
        cell.column = column;
        column += std::max(CellWidth(cell) + gap, room_for_flags ? FlagWidth(cell) : 0);
      }
      return column <= options_.width;
    };
    if (!place(true)) place(false);
    return cells;
  }

  // The columns that the flag below `cell` takes if the next cell has one as well, else 0.
  [[nodiscard]] int FlagWidth(const LogCell& cell) const {
    const std::int64_t flags[] = {view_.last_stable_offset, view_.high_watermark,
                                  view_.log_end_offset};
    const auto* here = std::find(std::begin(flags), std::end(flags), cell.first_offset);
    const auto* next = std::find(std::begin(flags), std::end(flags), cell.end_offset);
    if (here == std::end(flags) || next == std::end(flags)) return 0;
    return static_cast<int>(fmt::format("^LSO {} ", cell.first_offset).size()) + 1;
  }

  [[nodiscard]] std::vector<LogBand> Bands(const LogBand& cells) const {
    std::vector<LogBand> bands(1);
    int column = options_.margin;
    for (LogCell cell : cells) {
      const int width = CellWidth(cell);
      if (column + width > options_.width && !bands.back().empty()) {
        bands.emplace_back();
        column = options_.margin;
      }
      cell.column = column;
      column += width + 2;
      bands.back().push_back(std::move(cell));
    }
    return bands;
  }

  // Indices in the order in which a window wants to show them.
  [[nodiscard]] std::vector<std::size_t> ByInterest() const {
    const std::size_t count = view_.entries.size();
    std::vector<std::size_t> wanted{count - 1, 0};
    const auto want = [&](std::size_t index) {
      if (index < count) wanted.push_back(index);
    };
    const auto want_around = [&](std::int64_t offset) {
      const std::size_t index = IndexAt(offset);
      want(index);
      if (index > 0) want(index - 1);
    };
    if (options_.focus) want_around(*options_.focus);
    want_around(view_.last_stable_offset);
    want_around(view_.high_watermark);
    for (const auto& open : view_.open) want(IndexAt(open.first_offset));
    std::size_t markers = 0;
    for (std::size_t i = count; i > 0 && markers < kMostMarkers; --i) {
      if (view_.entries[i - 1].is_record()) continue;
      want(i - 1);
      ++markers;
    }
    for (std::size_t i = 1; i < static_cast<std::size_t>(options_.width) / 4; ++i) {
      want(i);
      want(count - 1 - std::min(i, count - 1));
    }
    return wanted;
  }

  // The index of the first entry at or behind `offset`.
  [[nodiscard]] std::size_t IndexAt(std::int64_t offset) const {
    const auto found = std::lower_bound(
        view_.entries.begin(), view_.entries.end(), offset,
        [](const EntryView& entry, std::int64_t value) { return entry.offset < value; });
    return static_cast<std::size_t>(found - view_.entries.begin());
  }

  [[nodiscard]] LogBand Window() const {
    std::set<std::size_t> chosen;
    for (const std::size_t index : ByInterest()) {
      if (!chosen.insert(index).second) continue;
      if (!Fits(Cells({chosen.begin(), chosen.end()}, kLongestRecordInWindow), 1)) {
        chosen.erase(index);
      }
    }
    return Cells({chosen.begin(), chosen.end()}, kLongestRecordInWindow);
  }

  const PartitionView& view_;
  const LogLayoutOptions& options_;
  std::vector<std::size_t> shown_;  // indices into the entries
};

}  // namespace

std::string RecordSign(const EntryView& entry, int longest, bool unicode) {
  const Glyphs& glyphs = GlyphsOf({.unicode = unicode});
  if (entry.kind == EntryKind::kCommit) return std::string(glyphs.commit_marker);
  if (entry.kind == EntryKind::kAbort) return std::string(glyphs.abort_marker);
  const std::string text =
      Abbreviate(SafeText(scenarios::EntryText(entry, false), unicode), longest, unicode);
  switch (entry.state) {
    case EntryState::kUndecided:
      return "(" + text + ")";
    case EntryState::kAborted:
      return "~" + text + "~";
    case EntryState::kPlain:
    case EntryState::kCommitted:
      break;
  }
  return "[" + text + "]";
}

std::vector<LogBand> LayOutLog(const PartitionView& view, const LogLayoutOptions& options) {
  return Layout(view, options).Make();
}

}  // namespace kafkasim::cli

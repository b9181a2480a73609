#include "cli/text_table.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace kafkasim::cli {
namespace {

constexpr int kGap = 2;

}  // namespace

TextTable::TextTable(const Look& look, std::vector<Column> columns)
    : look_(look), columns_(std::move(columns)) {}

void TextTable::AddRow(std::vector<Line> cells) {
  cells.resize(columns_.size(), Line(look_));
  rows_.push_back({.cells = std::move(cells)});
}

void TextTable::AddNote(const Line& note) { rows_.push_back({.cells = {note}, .note = true}); }

std::vector<int> TextTable::Widths(int width, int indent) const {
  std::vector<int> widths;
  for (const Column& column : columns_) widths.push_back(Line(look_, column.heading).width());
  for (const Row& row : rows_) {
    if (row.note) continue;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      widths[i] = std::max(widths[i], row.cells[i].width());
    }
  }
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (columns_[i].most > 0) widths[i] = std::min(widths[i], columns_[i].most);
  }
  int excess = std::accumulate(widths.begin(), widths.end(), indent - width) +
               kGap * (static_cast<int>(widths.size()) - 1);
  // The widest column that can still give way loses one blank after the other.
  while (excess > 0) {
    std::size_t widest = widths.size();
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const bool gives_way = columns_[i].least > 0 && widths[i] > columns_[i].least;
      if (gives_way && (widest == widths.size() || widths[i] > widths[widest])) widest = i;
    }
    if (widest == widths.size()) break;
    --widths[widest];
    --excess;
  }
  return widths;
}

void TextTable::Render(const Row& row, const std::vector<int>& widths, int width, int indent,
                       std::vector<Line>& out) const {
  if (row.note) {
    const int column = indent + widths[0] + kGap;
    for (const Line& part : row.cells[0].Wrap(std::max(width - column, 20))) {
      out.emplace_back(look_).PadTo(column).Append(part);
    }
    return;
  }
  std::vector<std::vector<Line>> wrapped;
  std::size_t height = 1;
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    wrapped.push_back(row.cells[i].Wrap(std::max(widths[i], 1)));
    height = std::max(height, wrapped.back().size());
  }
  for (std::size_t y = 0; y < height; ++y) {
    Line& line = out.emplace_back(look_);
    int column = indent;
    for (std::size_t i = 0; i < wrapped.size(); ++i) {
      if (y < wrapped[i].size()) {
        const Line& part = wrapped[i][y];
        line.PadTo(columns_[i].right ? column + widths[i] - part.width() : column).Append(part);
      }
      column += widths[i] + kGap;
    }
  }
}

std::vector<Line> TextTable::Lines(int width, int indent) const {
  const std::vector<int> widths = Widths(width, indent);
  std::vector<Line> lines;
  if (std::any_of(columns_.begin(), columns_.end(),
                  [](const Column& column) { return !column.heading.empty(); })) {
    Row headings;
    for (const Column& column : columns_) {
      headings.cells.emplace_back(look_, column.heading, Role::kFaint);
    }
    Render(headings, widths, width, indent, lines);
  }
  for (const Row& row : rows_) Render(row, widths, width, indent, lines);
  return lines;
}

std::vector<Line> WithTitle(std::string_view title, const TextTable& table, const Look& look) {
  std::vector<Line> lines{Line(look, title, Role::kStrong)};
  for (Line& line : table.Lines(look.width, kTableIndent)) lines.push_back(std::move(line));
  return lines;
}

}  // namespace kafkasim::cli

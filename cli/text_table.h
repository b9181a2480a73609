// Rows in aligned columns, fitted to a width: columns that may wrap give way first.
#pragma once

#include <string>
#include <vector>

#include "cli/line.h"
#include "cli/look.h"

namespace kafkasim::cli {

class TextTable {
 public:
  struct Column {
    std::string heading{};  // all empty: no line of headings
    bool right = false;     // aligned to the right
    int least = 0;          // may be made as narrow as that, its cells then wrap; 0: never
    int most = 0;           // never wider, its cells then wrap; 0: no bound
  };

  TextTable(const Look& look, std::vector<Column> columns);

  // One cell a column; missing ones are empty.
  void AddRow(std::vector<Line> cells);
  // A line of its own below the last row, from the second column on.
  void AddNote(const Line& note);

  // At most `width` columns wide if the cells that never wrap leave room for it; each line begins
  // with `indent` blanks.
  [[nodiscard]] std::vector<Line> Lines(int width, int indent = 0) const;

 private:
  struct Row {
    std::vector<Line> cells;
    bool note = false;
  };

  [[nodiscard]] std::vector<int> Widths(int width, int indent) const;
  void Render(const Row& row, const std::vector<int>& widths, int width, int indent,
              std::vector<Line>& out) const;

  Look look_;
  std::vector<Column> columns_;
  std::vector<Row> rows_;
};

// How far a table stands in below its title.
inline constexpr int kTableIndent = 1;

[[nodiscard]] std::vector<Line> WithTitle(std::string_view title, const TextTable& table,
                                          const Look& look);

}  // namespace kafkasim::cli

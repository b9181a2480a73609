// Where each offset of a log stands in its picture: cells from left to right, in one band or a few,
// or only the part of a long log that matters, with a cell that says how many entries it left out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/style.h"

#include "scenarios/snapshot.h"

namespace kafkasim::cli {

// One offset, some offsets left out, or the place behind the last one.
struct LogCell {
  enum class Kind { kEntry, kGap, kEnd };

  Kind kind = Kind::kEntry;
  std::int64_t first_offset = 0;  // of the entry, of the first one left out; the log end offset
  std::int64_t end_offset = 0;    // behind the last one
  std::string offset{};           // the three rows, safe text
  std::string record{};
  std::string by{};
  Role role = Role::kPlain;
  int column = 0;  // from the left edge of the picture
};

using LogBand = std::vector<LogCell>;

struct OffsetRange {
  std::int64_t first = 0;
  std::int64_t last = 0;  // inclusive
};

struct LogLayoutOptions {
  int width = 80;  // of the picture
  int margin = 9;  // columns on the left that are taken
  bool unicode = true;
  // Only these offsets, in as many bands as they need.
  std::optional<OffsetRange> range{};
  std::optional<std::int64_t> focus{};  // an offset that has to be seen
};

// `[42=paid]`, `(42=paid)`, `~42=paid~`, a marker; what is longer than `longest` columns is cut.
[[nodiscard]] std::string RecordSign(const scenarios::EntryView& entry, int longest, bool unicode);

// The bands of the log of `view`; the last one ends with the kEnd cell. Up to three bands show the
// whole log; of a longer one a single band shows its ends, its markers and where its high watermark
// and last stable offset are.
[[nodiscard]] std::vector<LogBand> LayOutLog(const scenarios::PartitionView& view,
                                             const LogLayoutOptions& options);

}  // namespace kafkasim::cli

#include "cli/partition_picture.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "cli/glyphs.h"
#include "cli/offset_flags.h"
#include "cli/record_list.h"
#include "cli/terminal_text.h"
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/why_offsets.h"

namespace kafkasim::cli {
namespace {

using scenarios::EntryView;
using scenarios::OpenTransactionView;
using scenarios::PartitionView;

constexpr int kMargin = 9;          // of the words offset, record, by
constexpr int kReadersMargin = 19;  // of the word read_committed
constexpr int kSecondReader = 42;   // the column where the other reader may begin
constexpr int kLongestRecord = 16;

void AddLife(sim::Life life, Line& line) {
  if (life == sim::Life::kCrashed) line.Add(" (crashed)", Role::kFault);
  if (life == sim::Life::kPaused) line.Add(" (paused)", Role::kFault);
}

Line Heading(const PartitionView& view, sim::Time at, const Look& look) {
  Line line(look, view.name, Role::kStrong);
  line.Add(view.leader < 0 ? "   no leader" : fmt::format("   leader {}", view.leader));
  if (view.leader >= 0) AddLife(view.leader_life, line);
  line.Add(fmt::format(" epoch {}", view.leader_epoch));
  if (view.seen_on != view.leader) {
    line.Add(fmt::format(", as broker {} has it", view.seen_on));
    AddLife(view.seen_on_life, line);
  }
  if (view.isr.size() < view.replicas.size()) {
    line.Add(fmt::format("   isr {} of {}", fmt::join(view.isr, ","),
                         Counted(view.replicas.size(), "replica")));
  }
  if (view.log_start_offset > 0) line.Add(fmt::format("   starts at {}", view.log_start_offset));
  const std::string time = "t=" + sim::FormatTime(at);
  line.PadTo(std::max(line.width() + 3, look.width - DisplayWidth(time))).Add(time, Role::kFaint);
  return line;
}

Line Row(std::string_view word, const LogBand& band, const Look& look, std::string LogCell::*text,
         int shift) {
  Line line(look, fmt::format(" {}", word), Role::kFaint);
  for (const LogCell& cell : band) {
    const Role role = text == &LogCell::record   ? cell.role
                      : text == &LogCell::offset ? Role::kStrong
                                                 : Role::kPlain;
    const bool gap = cell.kind == LogCell::Kind::kGap;
    line.PadTo(cell.column + (gap ? 0 : shift)).Add(cell.*text, gap ? Role::kFaint : role);
  }
  return line;
}

std::string Quoted(const PartitionView& view, std::int64_t offset, bool unicode) {
  const auto entry = std::find_if(view.entries.begin(), view.entries.end(),
                                  [&](const EntryView& e) { return e.offset == offset; });
  return entry == view.entries.end() ? "( )" : RecordSign(*entry, kLongestRecord, unicode);
}

std::string NameOf(const OpenTransactionView& open) {
  if (!open.transactional_id.empty()) return "transaction " + open.transactional_id;
  return fmt::format("transaction of producer {}", open.producer_id);
}

Line UndecidedLegend(const PartitionView& view, const OpenTransactionView& open, const Look& look) {
  Line line(look, " ");
  line.Add(Quoted(view, open.first_offset, look.unicode), Role::kUndecided);
  line.Add(" undecided: " + NameOf(open));
  if (open.ended) {
    line.Add(fmt::format(" ends at {}, but its marker is not replicated yet", open.marker_offset));
  } else {
    line.Add(fmt::format(" open since {}", sim::FormatTime(open.opened.at)));
  }
  if (view.open.size() > 1 && open.first_offset == view.last_stable_offset) {
    line.Add(", holds the LSO");
  }
  return line;
}

Line RecordList(const PartitionView& view, const std::vector<std::size_t>& indices,
                const Look& look) {
  return DrawList(
      indices.size(), [&](std::size_t i) { return RecordText(view.entries[indices[i]], look); },
      look.width - kReadersMargin, look);
}

// A topic of Kafka's own, which no application reads.
bool IsInternal(const PartitionView& view) { return view.name.starts_with("__"); }

// What each reader of the partition would be given, or why the log that is drawn gives nobody
// anything.
std::vector<Line> Readers(const PartitionView& view, const Look& look) {
  if (!view.readable()) {
    const std::string why = scenarios::WhyUnreadable(view);
    return Line(look, fmt::format(" {}; nobody can read", why), Role::kFault).Wrap(look.width, 4);
  }
  if (view.seen_on != view.leader) return {Line(look, " clients read from the leader")};
  Line committed(look, " read_committed", Role::kFaint);
  committed.PadTo(kReadersMargin);
  Line uncommitted(look, " read_uncommitted", Role::kFaint);
  uncommitted.PadTo(kReadersMargin);
  committed.Append(RecordList(view, view.read_committed, look));
  uncommitted.Append(RecordList(view, view.read_uncommitted, look));
  const int second = std::max(kSecondReader, committed.width() + 3);
  if (second + uncommitted.width() - 1 > look.width) return {committed, uncommitted};
  committed.PadTo(second - 1).Append(uncommitted);
  return {committed};
}

// Points down at the offset that the user asked about.
Line Pointer(const LogBand& band, std::int64_t offset, const Look& look) {
  Line line(look);
  for (const LogCell& cell : band) {
    if (offset < cell.first_offset || offset >= cell.end_offset) continue;
    line.PadTo(cell.column + 1).Add(GlyphsOf(look).pointer, Role::kVoice);
  }
  return line;
}

// The rows of one band.
void DrawBand(const PartitionView& view, const LogBand& band, const Look& look,
              const PictureOptions& options, std::vector<Line>& lines) {
  if (options.focus) {
    Line pointer = Pointer(band, *options.focus, look);
    if (!pointer.empty()) lines.push_back(std::move(pointer));
  }
  if (view.entries.empty()) {
    lines.emplace_back(look, " empty log", Role::kFaint);
  } else {
    lines.push_back(Row("offset", band, look, &LogCell::offset, 1));
    lines.push_back(Row("record", band, look, &LogCell::record, 0));
    lines.push_back(Row("by", band, look, &LogCell::by, 1));
  }
  for (Line& row : DrawFlags(view, band, look)) lines.push_back(std::move(row));
}

}  // namespace

std::vector<Line> DrawPartition(const PartitionView& view, sim::Time at, const Look& look,
                                const PictureOptions& options) {
  std::vector<Line> lines{Heading(view, at, look)};
  const std::vector<LogBand> bands = LayOutLog(view, {.width = look.width,
                                                      .margin = kMargin,
                                                      .unicode = look.unicode,
                                                      .range = options.range,
                                                      .focus = options.focus});
  for (const LogBand& band : bands) DrawBand(view, band, look, options, lines);
  for (const OpenTransactionView& open : view.open) {
    for (Line& part : UndecidedLegend(view, open, look).Wrap(look.width, 5)) {
      lines.push_back(std::move(part));
    }
  }
  if (!view.offsets_known() || view.high_watermark < view.log_end_offset) {
    const std::string why = " HW: " + scenarios::WhyHighWatermark(view);
    for (Line& part : Line(look, why).Wrap(look.width, 4)) lines.push_back(std::move(part));
  }
  if (IsInternal(view)) return lines;
  for (Line& row : Readers(view, look)) lines.push_back(std::move(row));
  return lines;
}

std::vector<Line> PictureLegend(const Look& look) {
  const Glyphs& glyphs = GlyphsOf(look);
  Line line(look, "[a]", Role::kCommitted);
  line.Add(" decided  ").Add("(a)", Role::kUndecided).Add(" undecided  ");
  line.Add("~a~", Role::kAborted).Add(" aborted  ");
  line.Add(glyphs.commit_marker, Role::kCommitMarker).Add(" COMMIT marker  ");
  line.Add(glyphs.abort_marker, Role::kAbortMarker).Add(" ABORT marker");
  Line flags(look);
  flags.Add("Each flag points at the next offset: read_committed reads to the ");
  flags.Add("LSO", Role::kLastStable)
      .Add(", read_uncommitted to the ")
      .Add("HW", Role::kHighWatermark);
  flags.Add(", the next record goes to the ").Add("LEO", Role::kLogEnd).Add(".");
  std::vector<Line> lines = line.Wrap(look.width);
  for (Line& part : flags.Wrap(look.width)) lines.push_back(std::move(part));
  return lines;
}

}  // namespace kafkasim::cli

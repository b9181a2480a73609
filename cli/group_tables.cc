#include "cli/group_tables.h"

#include <algorithm>
#include <string>
#include <utility>

#include "cli/glyphs.h"
#include "cli/text_table.h"
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kafkasim::cli {
namespace {

using scenarios::GroupSnapshot;

// group enrichment  STABLE, generation 2, range, coordinator 1
Line GroupHeading(const GroupSnapshot& group, const Look& look) {
  Line line(look, "Group ");
  line.Add(group.group_id, Role::kStrong).Add("  ").Add(group.state);
  if (!group.members.empty()) {
    line.Add(fmt::format(", generation {}, {}", group.generation, group.protocol), Role::kFaint);
  }
  line.Add(fmt::format(", coordinator {}", group.coordinator), Role::kFaint);
  return line;
}

std::vector<Line> Members(const GroupSnapshot& group, const Look& look) {
  if (group.members.empty()) return {};
  TextTable table(look, {{.heading = "member"}, {.heading = "partitions", .least = 20}});
  for (const GroupSnapshot::Member& member : group.members) {
    std::string name = member.client;
    if (!member.instance.empty()) name += fmt::format(" (static {})", member.instance);
    if (member.client == group.leader) name += " (leader)";
    table.AddRow({Line(look, name, Role::kVoice),
                  Line(look, member.partitions.empty()
                                 ? std::string("none")
                                 : fmt::format("{}", fmt::join(member.partitions, " ")))});
  }
  return table.Lines(look.width, 1);
}

std::vector<Line> OffsetLines(const GroupSnapshot& group, const Look& look) {
  if (group.committed.empty() && group.pending.empty()) return {};
  TextTable table(look, {{.heading = "partition"},
                         {.heading = "committed", .right = true},
                         {.heading = "pending", .right = true},
                         {.heading = "lag to HW", .right = true},
                         {.heading = "to LSO", .right = true},
                         {.heading = "records", .right = true}});
  std::vector<std::string> partitions;
  for (const auto& row : group.committed) partitions.push_back(row.partition);
  for (const auto& row : group.pending) partitions.push_back(row.partition);
  std::sort(partitions.begin(), partitions.end());
  partitions.erase(std::unique(partitions.begin(), partitions.end()), partitions.end());
  const std::string none(GlyphsOf(look).dot);
  for (const std::string& partition : partitions) {
    std::string committed = none;
    std::string pending;
    std::string to_high_watermark = none;
    std::string to_last_stable_offset = none;
    std::string records = none;
    for (const auto& row : group.committed) {
      if (row.partition != partition) continue;
      committed = fmt::format("{}", row.offset);
      if (!row.lag.has_value()) continue;
      to_high_watermark = fmt::format("{}", row.lag->to_high_watermark);
      to_last_stable_offset = fmt::format("{}", row.lag->to_last_stable_offset);
      records = fmt::format("{}", row.lag->records);
    }
    for (const auto& row : group.pending) {
      if (row.partition != partition) continue;
      pending += fmt::format("{}{}", pending.empty() ? "" : " ", row.offset);
    }
    table.AddRow({Line(look, partition, Role::kStrong), Line(look, committed),
                  Line(look, pending.empty() ? none : pending), Line(look, to_high_watermark),
                  Line(look, to_last_stable_offset), Line(look, records)});
  }
  return table.Lines(look.width, 1);
}

}  // namespace

std::vector<Line> DrawGroup(const GroupSnapshot& group, const Look& look) {
  std::vector<Line> lines{GroupHeading(group, look)};
  AddLines(Members(group, look), lines);
  AddLines(OffsetLines(group, look), lines);
  return lines;
}

std::vector<Line> DrawGroups(const scenarios::Snapshot& snapshot, const Look& look) {
  std::vector<Line> lines;
  for (const GroupSnapshot& group : snapshot.groups) AddLines(DrawGroup(group, look), lines);
  return lines;
}

}  // namespace kafkasim::cli

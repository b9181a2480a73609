#include "cli/explanation_view.h"

#include <string>
#include <utility>

#include "cli/glyphs.h"
#include "cli/group_tables.h"
#include "cli/partition_picture.h"
#include "cli/record_list.h"
#include "cli/verdict_view.h"
#include <fmt/format.h>

namespace kafkasim::cli {
namespace {

using scenarios::Explanation;
using scenarios::Visibility;

Role RoleOfVisibility(Visibility visibility) {
  switch (visibility) {
    case Visibility::kVisible:
      return Role::kGood;
    case Visibility::kBeyondHighWatermark:
    case Visibility::kHeldByLastStableOffset:
      return Role::kUndecided;
    case Visibility::kUnreadable:
    case Visibility::kAborted:
    case Visibility::kControlRecord:
    case Visibility::kGone:
    case Visibility::kBeyondLogEnd:
      return Role::kError;
  }
  return Role::kPlain;
}

Line Question(const Explanation& explanation, const Look& look) {
  Line line(look, explanation.partition_name, Role::kStrong);
  line.Add(fmt::format(" offset {}", explanation.offset), Role::kStrong);
  if (explanation.entry.has_value() && explanation.entry->is_record()) {
    line.Add(" (").Add(RecordText(*explanation.entry, look));
    if (!explanation.entry->actor.empty()) line.Add(" by " + explanation.entry->actor);
    line.Add(")");
  }
  line.Add(", read with ").Add(broker::Name(explanation.isolation_level), Role::kStrong);
  return line.Add(" at " + sim::FormatTime(explanation.at));
}

void AddWrapped(const std::string& text, int indent, const Look& look, std::vector<Line>& lines) {
  for (Line& part : Line(look, text).Wrap(look.width, indent)) lines.push_back(std::move(part));
}

void AddChain(const std::vector<scenarios::CauseLine>& chain, const Look& look,
              std::vector<Line>& lines) {
  if (chain.empty()) return;
  lines.emplace_back(look);
  lines.emplace_back(look, "Events behind it", Role::kStrong);
  for (Line& row : DrawChain(chain, look, 1)) lines.push_back(std::move(row));
}

}  // namespace

std::vector<Line> DrawExplanation(const Explanation& explanation,
                                  const scenarios::PartitionView& view, const Look& look) {
  std::vector<Line> lines = Question(explanation, look).Wrap(look.width, 2);
  const bool visible = explanation.visibility == Visibility::kVisible;
  const Role role = RoleOfVisibility(explanation.visibility);
  Line answer(look, visible ? GlyphsOf(look).good : GlyphsOf(look).bad, role);
  answer.Add(" ").Add(scenarios::VisibilityName(explanation.visibility), role);
  lines.push_back(std::move(answer));
  AddWrapped("  " + explanation.sentence, 2, look, lines);
  lines.emplace_back(look);
  for (Line& row : DrawPartition(view, explanation.at, look, {.focus = explanation.offset})) {
    lines.push_back(std::move(row));
  }
  AddChain(explanation.chain, look, lines);
  return lines;
}

std::vector<Line> DrawExplanation(const scenarios::GroupExplanation& explanation,
                                  const Look& look) {
  Line question(look, "group " + explanation.group_id, Role::kStrong);
  question.Add(" at " + sim::FormatTime(explanation.at));
  std::vector<Line> lines{std::move(question)};
  AddWrapped("  " + explanation.sentence, 2, look, lines);
  if (explanation.group.has_value()) {
    lines.emplace_back(look);
    for (Line& row : DrawGroup(*explanation.group, look)) lines.push_back(std::move(row));
  }
  for (const scenarios::GroupPartitionAnswer& answer : explanation.partitions) {
    lines.emplace_back(look);
    lines.emplace_back(look, answer.partition, Role::kStrong);
    AddWrapped("  member     " + answer.owner, 13, look, lines);
    AddWrapped("  committed  " + answer.committed, 13, look, lines);
    for (const std::string& pending : answer.pending) {
      AddWrapped("  pending    " + pending, 13, look, lines);
    }
  }
  AddChain(explanation.chain, look, lines);
  return lines;
}

}  // namespace kafkasim::cli

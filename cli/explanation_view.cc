#include "cli/explanation_view.h"

#include <string>
#include <utility>

#include "cli/glyphs.h"
#include "cli/partition_picture.h"
#include "cli/record_list.h"
#include "cli/verdict_view.h"
#include <fmt/format.h>

namespace kafkasim::cli {
namespace {

using scenarios::Explanation;
using scenarios::Visibility;

Role RoleOf(Visibility visibility) {
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

}  // namespace

std::vector<Line> DrawExplanation(const Explanation& explanation,
                                  const scenarios::PartitionView& view, const Look& look) {
  std::vector<Line> lines = Question(explanation, look).Wrap(look.width, 2);
  const bool visible = explanation.visibility == Visibility::kVisible;
  const Role role = RoleOf(explanation.visibility);
  Line answer(look, visible ? GlyphsOf(look).good : GlyphsOf(look).bad, role);
  answer.Add(" ").Add(scenarios::VisibilityName(explanation.visibility), role);
  lines.push_back(std::move(answer));
  for (Line& part : Line(look, "  " + explanation.sentence).Wrap(look.width, 2)) {
    lines.push_back(std::move(part));
  }
  lines.emplace_back(look);
  for (Line& row : DrawPartition(view, explanation.at, look, {.focus = explanation.offset})) {
    lines.push_back(std::move(row));
  }
  if (!explanation.chain.empty()) {
    lines.emplace_back(look);
    lines.emplace_back(look, "Events behind it", Role::kStrong);
    for (Line& row : DrawChain(explanation.chain, look, 1)) lines.push_back(std::move(row));
  }
  return lines;
}

}  // namespace kafkasim::cli

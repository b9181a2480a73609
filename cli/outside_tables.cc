#include "cli/outside_tables.h"

#include <string>
#include <string_view>

#include "cli/record_list.h"
#include "cli/shortened.h"
#include "cli/terminal_text.h"
#include "cli/text_table.h"
#include <fmt/format.h>

#include "client/external_message.h"

namespace kafkasim::cli {
namespace {

using scenarios::ActorView;
using scenarios::ProcessRole;
using scenarios::Snapshot;

// "2 calls, 1 with an effect".
std::string CallsText(const ActorView& api) {
  return fmt::format("{}, {} with an effect", Counted(api.calls, "call"), api.effects.size());
}

std::string RowsText(const ActorView& store) {
  std::string text = Counted(store.rows.size(), "row");
  if (store.refused > 0) text += fmt::format(", {} refused", store.refused);
  return text;
}

}  // namespace

std::vector<Line> DrawPrograms(const Snapshot& snapshot, const Look& look) {
  TextTable table(
      look,
      {{.heading = "application"}, {.heading = "program"}, {.heading = "at", .least = kLeastList}});
  bool any = false;
  for (const ActorView& actor : snapshot.actors) {
    if (!actor.program.has_value()) continue;
    any = true;
    const scenarios::ProgramView& program = *actor.program;
    const bool failed = !program.uncaught.ok();
    const std::string at = failed ? program.uncaught.ToString()
                           : program.line > 0
                               ? fmt::format("line {}: {}", program.line, program.text)
                               : "";
    table.AddRow({Line(look, actor.name, Role::kStrong),
                  Line(look, program.state, failed ? Role::kError : Role::kPlain), Line(look, at)});
  }
  if (!any) return {};
  return WithTitle("Where each program is", table, look);
}

std::vector<Line> DrawOutside(const Snapshot& snapshot, const Look& look) {
  TextTable table(look, {{.heading = "outside Kafka"},
                         {.heading = "has"},
                         {.heading = "namely", .least = kLeastList}});
  bool any = false;
  for (const ActorView& actor : snapshot.actors) {
    const bool store = actor.role == ProcessRole::kStore;
    if (!store && actor.role != ProcessRole::kApi) continue;
    any = true;
    const auto text = [&](std::size_t i) {
      return Shortened(store ? "{" + client::RowText(actor.rows[i]) + "}" : actor.effects[i]);
    };
    table.AddRow(
        {Line(look, actor.name, Role::kStrong),
         Line(look, store ? RowsText(actor) : CallsText(actor)),
         DrawList(store ? actor.rows.size() : actor.effects.size(), text, look.width / 2, look)});
  }
  if (!any) return {};
  return WithTitle("What the world outside Kafka was told", table, look);
}

}  // namespace kafkasim::cli

// kafkasim bugs: the rules of Kafka that a scenario can switch off.

#include <string>

#include "cli/command.h"
#include "cli/text_table.h"
#include <CLI/App.hpp>

#include "broker/bugs.h"

namespace kafkasim::cli {
namespace {

Action DeclareBugs(CLI::App& /*app*/) {
  return [](Screen& screen) {
    const Look& look = screen.out_look;
    TextTable table(look, {{.heading = "bug"},
                           {.heading = "what Kafka does, and what happens instead", .least = 24}});
    for (const broker::BugInfo& info : broker::AllBugs()) {
      table.AddRow(
          {Line(look, std::string(info.name), Role::kVoice), Line(look, std::string(info.rule))});
      table.AddNote(Line(look, std::string(info.broken), Role::kFaint));
    }
    screen.out << table.Lines(look.width);
    return ExitCode::kHolds;
  };
}

}  // namespace

Command BugsCommand() {
  return {.name = "bugs",
          .summary = "List the rules of Kafka that a scenario can switch off",
          .about =
              "`bugs: NAME` in a scenario switches one off; claims with `catches: NAME` must then "
              "fail, and no others. The shipped ones are in scenarios/broken.",
          .examples = {{"kafkasim run broken/lso-is-high-watermark", "a run without that rule"}},
          .declare = DeclareBugs};
}

}  // namespace kafkasim::cli

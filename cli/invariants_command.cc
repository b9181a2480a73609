// kafkasim invariants: what must hold in every run.

#include <string>

#include "cli/command.h"
#include "cli/text_table.h"
#include <CLI/App.hpp>
#include <fmt/format.h>

#include "scenarios/invariants/invariant.h"

namespace kafkasim::cli {
namespace {

std::string_view WhenOf(const scenarios::Invariant& invariant) {
  if (invariant.HoldsAlways()) return "always";
  return invariant.step != nullptr ? "from one state to the next" : "when nothing more happens";
}

Action DeclareInvariants(CLI::App& /*app*/) {
  return [](Screen& screen) {
    const Look& look = screen.out_look;
    TextTable table(look, {{.heading = "invariant"}, {.heading = "what holds", .least = 24}});
    for (const scenarios::Invariant& invariant : scenarios::Invariants()) {
      table.AddRow({Line(look, std::string(invariant.name), Role::kVoice),
                    Line(look, std::string(invariant.sentence))});
      table.AddNote(
          Line(look, fmt::format("{}, {}", invariant.source, WhenOf(invariant)), Role::kFaint));
    }
    screen.out << table.Lines(look.width);
    return ExitCode::kHolds;
  };
}

}  // namespace

Command InvariantsCommand() {
  return {.name = "invariants",
          .summary = "List what must hold in every run",
          .about =
              "Every run is held against them after each step of its script. A scenario that shows "
              "one broken says so: `breaks: NAME`, or `breaks: {TV1: NAME}`.",
          .examples = {{"kafkasim run field/fencing/late-commit-torn-transaction",
                        "a run that breaks one under TV1"}},
          .declare = DeclareInvariants};
}

}  // namespace kafkasim::cli

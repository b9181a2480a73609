#include "cli/fuzz_view.h"

#include <string>
#include <string_view>
#include <vector>

#include "cli/glyphs.h"
#include "cli/scenario_input.h"
#include "cli/terminal_text.h"
#include "cli/text_table.h"
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/number_text.h"

namespace kafkasim::cli {
namespace {

using scenarios::FuzzSweep;
using scenarios::Reached;

// "1..1000, 2001..3000 (shard 2 of 8)"
std::string SeedsText(const std::vector<scenarios::SeedRange>& seeds) {
  std::vector<std::string> parts;
  for (const scenarios::SeedRange& range : seeds) {
    std::string text = fmt::format("{}..{}", range.from, range.to);
    if (range.shards > 1) text += fmt::format(" (shard {} of {})", range.shard, range.shards);
    parts.push_back(std::move(text));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string WalksText(const Reached& reached) {
  std::string text = fmt::format("{}, {}, {} at rest", Counted(reached.walks, "walk"),
                                 Counted(reached.moves, "move"), scenarios::Grouped(reached.ended));
  const auto add = [&](std::uint64_t number, std::string_view what) {
    if (number > 0) text += fmt::format(", {} {}", scenarios::Grouped(number), what);
  };
  add(reached.out_of_time, "where time is up");
  add(reached.cut, "cut as too long");
  return text;
}

std::string TransactionsText(const Reached& reached) {
  std::string text =
      fmt::format("{} committed, {} aborted, {} undecided", scenarios::Grouped(reached.committed),
                  scenarios::Grouped(reached.aborted), scenarios::Grouped(reached.undecided));
  if (reached.idle > 0) {
    text += fmt::format("; {} committed nothing", Counted(reached.idle, "walk"));
  }
  return text;
}

std::string BugNamesText(broker::Bugs bugs) {
  std::vector<std::string_view> names;
  for (const broker::BugInfo& info : broker::AllBugs()) {
    if (bugs.Has(info.bug)) names.push_back(info.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

void PrintAnomalies(const FuzzSweep& sweep, Screen& screen) {
  const Look& look = screen.out_look;
  if (sweep.tally.anomalies.empty()) return;
  TextTable table(look, {{.heading = "broken"},
                         {.heading = "walks", .right = true},
                         {.heading = "first seed", .right = true},
                         {.heading = "there", .least = 20}});
  for (const scenarios::Anomaly& anomaly : sweep.tally.anomalies) {
    table.AddRow({Line(look, anomaly.invariant, Role::kError),
                  Line(look, scenarios::Grouped(anomaly.walks)),
                  Line(look, fmt::format("{}", anomaly.seed)), Line(look, anomaly.what)});
  }
  screen.out << '\n' << table.Lines(look.width);
}

}  // namespace

void PrintSweep(const FuzzSweep& sweep, Screen& screen) {
  const Look& look = screen.out_look;
  const Reached& reached = sweep.tally.reached;
  TextTable table(look, {{}, {.least = 30}});
  const auto add = [&](std::string_view word, const std::string& text) {
    if (!text.empty()) table.AddRow({Line(look, word, Role::kFaint), Line(look, text)});
  };
  add("scenario", sweep.scenario);
  add("variant", sweep.variant);
  add("switched off", BugNamesText(sweep.bugs));
  add("seeds", SeedsText(sweep.seeds));
  add("walks", WalksText(reached));
  add("transactions", TransactionsText(reached));
  add("disturbances", TextOf(reached.faults));
  if (reached.rebalances > 0) add("rebalances", scenarios::Grouped(reached.rebalances));
  screen.out << table.Lines(look.width);
  PrintAnomalies(sweep, screen);
}

ExitCode JudgeSweep(const FuzzSweep& sweep, Screen& screen) {
  if (!sweep.tally.anomalies.empty()) return ExitCode::kFails;
  const std::vector<std::string> missing =
      scenarios::NotReached(sweep.tally.reached, sweep.faults, sweep.has_transactions);
  for (const std::string& what : missing) {
    PrintError(what + ", so that nothing can be said", "", screen);
  }
  return missing.empty() ? ExitCode::kHolds : ExitCode::kNoVerdict;
}

}  // namespace kafkasim::cli

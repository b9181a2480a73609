#include "cli/counterexample_view.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "cli/glyphs.h"
#include "cli/partition_picture.h"
#include "cli/terminal_text.h"
#include "cli/text_table.h"
#include "cli/verdict_view.h"
#include <fmt/format.h>

#include "scenarios/assembly.h"
#include "scenarios/explain.h"
#include "scenarios/explore_judge.h"
#include "scenarios/snapshot.h"
#include "scenarios/trace_digest.h"

namespace kafkasim::cli {
namespace {

constexpr std::size_t kLastEvents = 12;

// "orders-1" in "orders-12@3: ..." is another partition.
bool NamesPartition(const std::string& what, const std::string& partition) {
  for (std::size_t at = what.find(partition); at != std::string::npos;
       at = what.find(partition, at + 1)) {
    const std::size_t end = at + partition.size();
    const bool goes_on = end < what.size() && what[end] >= '0' && what[end] <= '9';
    if (!goes_on) return true;
  }
  return false;
}

void PrintPartitions(const scenarios::Snapshot& snapshot,
                     const std::vector<scenarios::PartitionView>& views, Screen& screen) {
  for (const scenarios::PartitionView& view : views) {
    screen.out << DrawPartition(view, snapshot.at, screen.out_look) << '\n';
  }
}

}  // namespace

void PrintBroken(const sim::Violation& violation, Screen& screen) {
  const Look& look = screen.out_look;
  screen.out << '\n'
             << Line(look, GlyphsOf(look).bad, Role::kError)
                    .Add(" ")
                    .Add(violation.name, Role::kError)
                    .Add(fmt::format("  {}", violation.what))
                    .Wrap(look.width, 2);
  screen.out << Line(look, std::string(scenarios::SentenceOf(violation.name)), Role::kFaint)
                    .Wrap(look.width, 2);
}

void PrintMoves(const sim::Schedule& moves, Screen& screen) {
  const Look& look = screen.out_look;
  screen.out << '\n' << DrawRule(Counted(moves.size(), "move"), look) << '\n';
  TextTable table(look, {{.right = true}, {.least = 40}});
  for (std::size_t i = 0; i < moves.size(); ++i) {
    table.AddRow({Line(look, fmt::format("{}", i + 1), Role::kFaint), Line(look, moves[i])});
  }
  screen.out << table.Lines(look.width, 2);
}

scenarios::RunResult AsRun(const scenarios::Scenario& scenario, scenarios::Replayed replayed) {
  scenarios::RunResult told;
  told.seed = scenarios::SeedOf(scenario, std::nullopt);
  if (!scenario.variants.empty()) told.variant = scenario.variants.front().name;
  scenarios::TraceDigest digest;
  for (const sim::TraceEvent& event : replayed.end.history.trace()) digest.Add(event);
  told.events = digest.events();
  told.trace_digest = digest.value();
  told.world_fingerprint = replayed.end.world.fingerprint();
  told.next_draw = replayed.end.world.NextDraw();
  told.claims = 1;
  told.verdict = scenarios::Verdict::kHolds;
  for (const sim::Violation& violation : replayed.followed.violations) {
    told.verdict = scenarios::Verdict::kFails;
    told.failures.push_back({.at = replayed.end.world.now(),
                             .what = "invariant " + violation.name,
                             .expected = std::string(scenarios::SentenceOf(violation.name)),
                             .actual = violation.what});
  }
  told.end = std::move(replayed.end);
  return told;
}

void PrintStory(const scenarios::RunResult& told, const StoryOptions& options, Screen& screen) {
  screen.out << '\n' << DrawRule("What happens", screen.out_look) << '\n';
  TellStory(screen.out, told, screen.out_look, options);
}

void PrintWay(const scenarios::RunResult& told, Screen& screen) {
  PrintStory(told, {}, screen);
  const scenarios::Snapshot snapshot = scenarios::TakeSnapshot(*told.end);
  screen.out << '\n' << DrawRule("Where it ends", screen.out_look) << '\n';
  PrintPartitions(snapshot, snapshot.partitions, screen);
}

void PrintDrain(const scenarios::Exploration& exploration, const scenarios::RunResult& told,
                const std::string& violation, Screen& screen) {
  if (!scenarios::IsOfDrain(violation) || !exploration.spec.drain_us.has_value()) return;
  const std::vector<sim::TraceEvent>& way = told.end->history.trace();
  scenarios::RunResult drained = told;
  drained.end = scenarios::ReplayDrain(exploration, *told.end);
  screen.out << '\n'
             << DrawRule("Once nothing more goes wrong", screen.out_look) << '\n'
             << Line(screen.out_look, "Held messages go on, who is down comes back, and time runs.",
                     Role::kFaint);
  TellStory(screen.out, drained, screen.out_look,
            {.after = way.empty() ? sim::kNoEvent : way.back().id});
  const scenarios::Snapshot snapshot = scenarios::TakeSnapshot(*drained.end);
  screen.out << '\n'
             << DrawRule(fmt::format("What is left after {}",
                                     sim::FormatDuration(sim::Micros(*exploration.spec.drain_us))),
                         screen.out_look)
             << '\n';
  PrintPartitions(snapshot, snapshot.partitions, screen);
}

void PrintLastEvents(const scenarios::RunResult& told, const std::string& what, Screen& screen) {
  const Look& look = screen.out_look;
  const std::vector<sim::TraceEvent>& trace = told.end->history.trace();
  if (!trace.empty()) {
    std::vector<scenarios::CauseLine> chain = scenarios::ChainTo(*told.end, trace.back().id);
    if (chain.size() > kLastEvents) {
      chain.erase(chain.begin(), chain.end() - static_cast<std::ptrdiff_t>(kLastEvents));
    }
    screen.out << '\n' << DrawRule("What led to it", look) << '\n' << DrawChain(chain, look, 1);
  }
  const scenarios::Snapshot snapshot = scenarios::TakeSnapshot(*told.end);
  std::vector<scenarios::PartitionView> named;
  for (const scenarios::PartitionView& view : snapshot.partitions) {
    if (NamesPartition(what, view.name)) named.push_back(view);
  }
  screen.out << '\n';
  PrintPartitions(snapshot, named.empty() ? snapshot.partitions : named, screen);
}

void PrintHowToReplay(const std::string& command, Screen& screen) {
  const Look& look = screen.out_look;
  screen.out << Line(look, "See it again: ").Add(command, Role::kVoice);
}

}  // namespace kafkasim::cli

#include "cli/ladder_table.h"

#include <string_view>
#include <utility>

#include "cli/glyphs.h"
#include "cli/text_table.h"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "broker/bugs.h"
#include "scenarios/number_text.h"

namespace kafkasim::cli {
namespace {

std::string FoundText(const Rung& rung) {
  std::string text = !rung.violation.empty() ? rung.violation
                     : rung.exhausted        ? "none, every state was visited"
                                             : "none, the search was cut";
  if (rung.as_declared) return text;
  if (rung.declared.empty()) return text + "; it is to visit every state and find none";
  return fmt::format("{}; it is to find {}", text, fmt::join(rung.declared, " or "));
}

}  // namespace

Rung RungOf(const std::string& name, const scenarios::Scenario& scenario,
            const scenarios::Exploration& exploration, const sim::SearchResult& result) {
  Rung rung{.scenario = name,
            .variant = scenario.variants.empty() ? "" : scenario.variants.front().name,
            .states = result.states,
            .transitions = result.transitions,
            .depth = result.depth,
            .exhausted = result.exhausted(),
            .as_declared = scenarios::IsAsDeclared(exploration, result)};
  for (const broker::BugInfo& info : broker::AllBugs()) {
    if (scenario.bugs.Has(info.bug)) rung.bugs.emplace_back(info.name);
  }
  if (scenario.explore.has_value()) {
    for (const scenarios::Break& one : scenario.explore->breaks) {
      rung.declared.push_back(one.invariant.value);
    }
  }
  if (result.found.empty()) return rung;
  const sim::SearchFinding& finding = result.found.front();
  rung.violation = finding.violation.name;
  rung.what = finding.violation.what;
  rung.moves = sim::ScheduleOf(exploration.start, exploration.space, finding.path);
  rung.depth = rung.moves.size();
  return rung;
}

std::vector<Line> DrawLadder(const std::vector<Rung>& rungs, const Look& look) {
  TextTable table(look, {{.heading = "rung", .least = 28},
                         {.heading = "states", .right = true},
                         {.heading = "depth", .right = true},
                         {.heading = "violation", .least = 20},
                         {.heading = "seconds", .right = true}});
  std::string_view last;
  for (const Rung& rung : rungs) {
    if (rung.scenario != last) table.AddRow({Line(look, rung.scenario, Role::kStrong)});
    last = rung.scenario;
    const Glyphs& glyphs = GlyphsOf(look);
    Line name(look, "  ");
    name.Add(rung.as_declared ? glyphs.good : glyphs.bad,
             rung.as_declared ? Role::kGood : Role::kError);
    name.Add(" ").Add(rung.variant);
    table.AddRow({std::move(name), Line(look, scenarios::Grouped(rung.states)),
                  Line(look, scenarios::Grouped(rung.depth)),
                  Line(look, FoundText(rung), rung.violation.empty() ? Role::kFaint : Role::kVoice),
                  Line(look, fmt::format("{:.2f}", rung.seconds), Role::kFaint)});
  }
  return table.Lines(look.width);
}

std::string LadderJson(const std::vector<Rung>& rungs) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const Rung& rung : rungs) {
    all.push_back({{"scenario", rung.scenario},
                   {"variant", rung.variant},
                   {"bugs", rung.bugs},
                   {"declared", rung.declared},
                   {"as_declared", rung.as_declared},
                   {"states", rung.states},
                   {"transitions", rung.transitions},
                   {"depth", rung.depth},
                   {"exhausted", rung.exhausted},
                   {"violation", rung.violation},
                   {"what", rung.what},
                   {"moves", rung.moves},
                   {"seconds", rung.seconds}});
  }
  return all.dump(2) + "\n";
}

}  // namespace kafkasim::cli

// What the searches of a ladder have shown, a rung a row: a variant of a scenario, and what was
// found in it. As a table for people and as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/line.h"
#include "cli/look.h"

#include "scenarios/explore.h"
#include "scenarios/scenario.h"

namespace kafkasim::cli {

struct Rung {
  std::string scenario{};  // "ladder/late-end"
  std::string variant{};
  std::vector<std::string> bugs{};      // rules that are switched off
  std::vector<std::string> declared{};  // one of these is to be found; empty: nothing
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint64_t depth = 0;  // of the violation, else of the whole search
  bool exhausted = false;
  bool as_declared = false;
  std::string violation{};           // the first one; "" if there is none
  std::string what{};                // with its values
  std::vector<std::string> moves{};  // the shortest way to it
  double seconds = 0;                // on this machine
};

// `scenario` is one variant; `result` is of a search that stops at the first violation.
[[nodiscard]] Rung RungOf(const std::string& name, const scenarios::Scenario& scenario,
                          const scenarios::Exploration& exploration,
                          const sim::SearchResult& result);

[[nodiscard]] std::vector<Line> DrawLadder(const std::vector<Rung>& rungs, const Look& look);
// An array, with a line end.
[[nodiscard]] std::string LadderJson(const std::vector<Rung>& rungs);

}  // namespace kafkasim::cli

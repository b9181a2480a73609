// The judgement of a run in words: the verdict, every claim that did not hold with what was
// expected, what is, and why, and what it takes to repeat the run.
#pragma once

#include <string>
#include <vector>

#include "cli/line.h"
#include "cli/look.h"

#include "scenarios/run.h"
#include "scenarios/scenario.h"

namespace kafkasim::cli {

// The failures and doubts in the order in which they came up, the verdict, and below it what
// repeats the run.
[[nodiscard]] std::vector<Line> DrawVerdict(const scenarios::Scenario& scenario,
                                            const scenarios::RunResult& result, const Look& look);

// "✓ HOLDS  12 claims checked"; of a file that switches rules off "✓ CAUGHT" or "✘ NOT CAUGHT".
[[nodiscard]] Line VerdictLine(const scenarios::Scenario& scenario,
                               const scenarios::RunResult& result, const Look& look);

// ✓, ✘ or ?
void AddVerdictSign(scenarios::Verdict verdict, Line& line);

// The same judgement in a few words: "12 claims", "2 of 12 claims failed", "no claim was checked".
[[nodiscard]] std::string VerdictWords(const scenarios::RunResult& result);

// One claim that did not hold in one line: "34:9 enriched_orders-0 last_stable_offset: expected 6,
// is 4".
[[nodiscard]] Line FailureLine(const scenarios::Scenario& scenario,
                               const scenarios::FailedClaim& failure, const Look& look);

// Events behind something, one a line, oldest first.
[[nodiscard]] std::vector<Line> DrawChain(const std::vector<scenarios::CauseLine>& chain,
                                          const Look& look, int indent);

}  // namespace kafkasim::cli

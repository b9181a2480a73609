// A sweep of random walks for people, and what it says.
#pragma once

#include "cli/command.h"
#include "cli/exit_code.h"

#include "scenarios/fuzz_sweep.h"

namespace kafkasim::cli {

// What was walked through, what was reached, and the broken invariants by name.
void PrintSweep(const scenarios::FuzzSweep& sweep, Screen& screen);

// kFails with an anomaly; kNoVerdict, with the reason on standard error, if the walks did not get
// to where one could have been.
[[nodiscard]] ExitCode JudgeSweep(const scenarios::FuzzSweep& sweep, Screen& screen);

}  // namespace kafkasim::cli

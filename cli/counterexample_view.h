// A counterexample for people: what is broken, the way to it, and what happens on it.
#pragma once

#include <cstddef>
#include <string>

#include "cli/command.h"
#include "cli/story.h"

#include "scenarios/explore.h"
#include "sim/search/judge.h"
#include "sim/search/schedule.h"

namespace kafkasim::cli {

// The invariant, what is wrong, and what should hold.
void PrintBroken(const sim::Violation& violation, Screen& screen);

// The choices, one a line.
void PrintMoves(const sim::Schedule& moves, Screen& screen);

// A replayed way as a run that kept its trace.
[[nodiscard]] scenarios::RunResult AsRun(const scenarios::Scenario& scenario,
                                         scenarios::Replayed replayed);

// All that happens on the way.
void PrintStory(const scenarios::RunResult& told, const StoryOptions& options, Screen& screen);

// The same, and the partitions where it ends.
void PrintWay(const scenarios::RunResult& told, Screen& screen);

// If the violation is one of a drain: what happens once nothing more goes wrong, and where it gets
// stuck. `told` is the way to the state from which it drains.
void PrintDrain(const scenarios::Exploration& exploration, const scenarios::RunResult& told,
                const std::string& violation, Screen& screen);

// The last events that led to the end, and the partitions that `what` names; all if it names none.
void PrintLastEvents(const scenarios::RunResult& told, const std::string& what, Screen& screen);

// The one command by which it is seen again.
void PrintHowToReplay(const std::string& command, Screen& screen);

}  // namespace kafkasim::cli

// A run as it is told: what the script says to the class, one line for each event that matters,
// what was expected and whether it was so. Long series of like events are told by their first and
// last ones and a line that says how many there were.
#pragma once

#include <ostream>
#include <string_view>
#include <vector>

#include "cli/line.h"
#include "cli/look.h"

#include "scenarios/run.h"
#include "sim/ids.h"

namespace kafkasim::cli {

struct StoryOptions {
  bool verbose = false;                // every message, every step of the script, nothing left out
  sim::EventId after = sim::kNoEvent;  // only what comes behind this event
};

// Needs a run that kept its trace.
void TellStory(std::ostream& out, const scenarios::RunResult& result, const Look& look,
               const StoryOptions& options = {});

// What the script says, set apart from the events.
[[nodiscard]] std::vector<Line> DrawVoice(std::string_view text, const Look& look);

}  // namespace kafkasim::cli

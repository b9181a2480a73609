// How the program of an application is written: its lines, its listener and its handlers of errors.

#pragma once

#include <vector>

#include "scenarios/form.h"
#include "scenarios/programs.h"

namespace kafkasim::scenarios {

// A list of lines, not empty.
Form<std::vector<ProgramLine>> ProgramLinesForm();

// `{PRODUCER_FENCED: stop, any: [abort_transaction, seek_to_committed]}`, in this order.
Form<std::vector<ProgramHandler>> ProgramHandlersForm();

// Every verb that a line may begin with.
std::vector<std::string> ProgramVerbs();

}  // namespace kafkasim::scenarios

// From a program as it is written to the client's tree, with numbers for the names.

#pragma once

#include "client/program.h"
#include "scenarios/name_table.h"
#include "scenarios/programs.h"
#include "scenarios/source.h"

namespace kafkasim::scenarios {

// `names` has to know all topics and actors; of `source`, which may be null, the lines are shown in
// the trace.
client::ProgramRef AssembleProgram(const ProgramSpec& program, const NameTable& names,
                                   const Source* source);

}  // namespace kafkasim::scenarios

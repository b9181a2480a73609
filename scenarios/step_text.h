// A step of the script or a line of a program as it is written, for the trace.

#pragma once

#include <string>

#include "scenarios/mark.h"
#include "scenarios/source.h"

namespace kafkasim::scenarios {

// On one line, without its dash and its comment; what is deeper than its second line is left out.
std::string StepText(const Source& source, Mark mark);

}  // namespace kafkasim::scenarios

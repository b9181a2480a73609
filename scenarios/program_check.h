// What a program must not say, beyond how it is written: what its application has no client for,
// places that mean nothing where they stand.

#pragma once

#include "scenarios/programs.h"
#include "scenarios/reader.h"

namespace kafkasim::scenarios {

// False if something was reported:
//   a verb of a client that the application does not have, or that needs a transactional.id or a
//   group.id which is not set
//   {key} and the like, outside of for_each
//   for_each inside for_each
//   retry outside of on_error; continue, retry, restart or stop in the listener
bool CheckProgram(const ApplicationSpec& application, const ProgramSpec& program, Reader& reader);

}  // namespace kafkasim::scenarios

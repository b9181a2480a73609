// The JSON Schema of the scenario language, for editors and other programs.

#pragma once

#include <string>

namespace kafkasim::scenarios {

// The schema as JSON text. It comes from the forms that read the files, so it knows every key, and
// accepts every file that loads; what depends on names in the file it cannot check.
std::string ScenarioSchema();

}  // namespace kafkasim::scenarios

#include "cli/version.h"

namespace kafkasim::cli {

// KAFKASIM_VERSION comes from CMakeLists.txt.
const std::string_view kVersion = KAFKASIM_VERSION;

}  // namespace kafkasim::cli

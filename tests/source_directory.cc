#include "tests/source_directory.h"

namespace kafkasim {

const std::filesystem::path& SourceDirectory() {
  static const std::filesystem::path directory = KAFKASIM_SOURCE_DIR;
  return directory;
}

}  // namespace kafkasim

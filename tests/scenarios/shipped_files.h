// The scenario files that come with the program.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/source_directory.h"

namespace kafkasim::scenarios {

// Sorted.
inline std::vector<std::string> ShippedFiles() {
  std::vector<std::string> files;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(SourceDirectory() / "scenarios")) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace kafkasim::scenarios

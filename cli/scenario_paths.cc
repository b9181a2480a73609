#include "cli/scenario_paths.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "cli/scenario_input.h"
#include <fmt/format.h>

namespace kafkasim::cli {
namespace {

namespace fs = std::filesystem;

bool IsHidden(const fs::path& path) { return path.filename().string().starts_with("."); }

// The scenarios below `folder`; `problem` is set if it cannot be read to its end.
std::vector<std::string> FilesBelow(const std::string& folder, std::error_code& problem) {
  std::vector<std::string> files;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied,
                                         problem);
  while (!problem && entry != fs::recursive_directory_iterator()) {
    const fs::path& path = entry->path();
    std::error_code ignored;
    if (IsHidden(path)) {
      entry.disable_recursion_pending();
    } else if ((path.extension() == ".yaml" || path.extension() == ".yml") &&
               !entry->is_directory(ignored)) {
      files.push_back(path.string());
    }
    entry.increment(problem);
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::optional<std::vector<std::string>> ScenarioPaths(const std::vector<std::string>& arguments,
                                                      Screen& screen) {
  std::vector<std::string> paths;
  bool good = true;
  for (const std::string& argument : arguments) {
    std::error_code problem;
    if (!fs::is_directory(argument, problem)) {
      paths.push_back(argument);
      continue;
    }
    const std::vector<std::string> files = FilesBelow(argument, problem);
    if (problem) {
      PrintError(fmt::format("cannot read '{}': {}", argument, problem.message()), "", screen);
      good = false;
    } else if (files.empty()) {
      PrintError(fmt::format("there is no scenario (.yaml) in '{}'", argument), "", screen);
      good = false;
    }
    paths.insert(paths.end(), files.begin(), files.end());
  }
  if (!good) return std::nullopt;
  return paths;
}

}  // namespace kafkasim::cli

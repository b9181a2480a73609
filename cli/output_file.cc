#include "cli/output_file.h"

#include <filesystem>
#include <system_error>

#include "cli/scenario_input.h"
#include <fmt/format.h>

namespace kafkasim::cli {

bool OutputFile::Open(const std::string& name, Screen& screen) {
  if (name == "-") {
    out_ = &screen.out;
    return true;
  }
  file_.open(name, std::ios::binary | std::ios::trunc);
  out_ = &file_;
  return file_.is_open();
}

bool HasPlace(const std::string& name, Screen& screen) {
  std::error_code ignored;
  const std::filesystem::path folder = std::filesystem::path(name).parent_path();
  const bool has_folder = folder.empty() || std::filesystem::is_directory(folder, ignored);
  if (has_folder && !std::filesystem::is_directory(name, ignored)) return true;
  PrintError(fmt::format("cannot write '{}'", name), "", screen);
  return false;
}

bool MayBeWritten(const std::string& name, Screen& screen) {
  if (name.empty() || name == "-") return true;
  if (!HasPlace(name, screen)) return false;
  std::error_code ignored;
  const std::filesystem::path path(name);
  if (path.extension() == ".yaml" && std::filesystem::exists(path, ignored)) {
    PrintError(fmt::format("'{}' is a YAML file; it stays as it is", name), "", screen);
    return false;
  }
  return true;
}

bool WriteText(const std::string& name, const std::string& text, Screen& screen) {
  OutputFile file;
  if (file.Open(name, screen)) {
    file.out() << text;
    if (file.Finish()) return true;
  }
  PrintError(fmt::format("cannot write '{}'", name), "", screen);
  return false;
}

}  // namespace kafkasim::cli

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

bool MayBeWritten(const std::string& name, Screen& screen) {
  if (name.empty() || name == "-") return true;
  std::error_code ignored;
  const std::filesystem::path path(name);
  const std::filesystem::path folder = path.parent_path();
  if (std::filesystem::is_directory(path, ignored) ||
      (!folder.empty() && !std::filesystem::is_directory(folder, ignored))) {
    PrintError(fmt::format("cannot write '{}'", name), "", screen);
    return false;
  }
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

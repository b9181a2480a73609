#include "cli/output_file.h"

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

// Where an option such as --json puts its document: a file, or "-" for standard output.
#pragma once

#include <fstream>
#include <ostream>
#include <string>

#include "cli/command.h"

namespace kafkasim::cli {

class OutputFile {
 public:
  // False if the file cannot be opened.
  [[nodiscard]] bool Open(const std::string& name, Screen& screen);
  // Once it is open.
  [[nodiscard]] std::ostream& out() { return *out_; }
  // False if not everything could be written.
  [[nodiscard]] bool Finish() { return static_cast<bool>(out_->flush()); }

 private:
  std::ofstream file_;
  std::ostream* out_ = nullptr;
};

// Whether there is a folder for a file of this name, and none that has it; else false, with a
// message.
[[nodiscard]] bool HasPlace(const std::string& name, Screen& screen);
// Whether a document may be written there, better known before the work than after it; false, with
// a message, if there is no such folder, or if it would take the place of a scenario or a schedule
// (*.yaml). True for "": none is wanted.
[[nodiscard]] bool MayBeWritten(const std::string& name, Screen& screen);
// Writes a whole text; false, with a message, if that is not possible.
[[nodiscard]] bool WriteText(const std::string& name, const std::string& text, Screen& screen);

}  // namespace kafkasim::cli

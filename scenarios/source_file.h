// From a path to the text of a file that people have written, or to the one reason why there is
// none, found without reading more than it takes.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/source.h"

namespace kafkasim::scenarios {

struct SourceFile {
  std::shared_ptr<const Source> source;  // never null; without text if there is an error
  std::optional<Diagnostic> error;
};

// Reads the file at `path`. A missing or unreadable file, a directory, a file over 1 MB: each is
// one error. `what` names the kind of file in it: "a scenario".
[[nodiscard]] SourceFile ReadSourceFile(const std::string& path, std::string_view what);

// The error of a text that no YAML can be read from, if it is one: too large, not UTF-8, or with a
// line that nobody would write.
[[nodiscard]] std::optional<Diagnostic> NotReadable(const Source& source, std::string_view what);

// All errors rendered one after the other, then a line with their number if there are several.
[[nodiscard]] std::string ReportOf(const Source& source, const std::vector<Diagnostic>& errors);

}  // namespace kafkasim::scenarios

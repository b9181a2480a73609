// From a file to a Scenario, or to every error in it. The way is: bytes (source.h), strict YAML
// tree (yaml_tree.h), forms that read the tree and know the names in it (scenario_form.h).

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/scenario.h"
#include "scenarios/source.h"

namespace kafkasim::scenarios {

// Either a scenario, or at least one error; errors in the order of the file.
struct LoadResult {
  std::shared_ptr<const Source> source;
  std::optional<Scenario> scenario;
  std::vector<Diagnostic> errors;

  // All errors rendered one after the other, then a line with their number if there are several.
  std::string Report() const;
};

// Loads the file at `path`. A missing or unreadable file, a directory, a file over 1 MB, one that
// is not UTF-8 text: each is one error, found without reading more than it takes.
[[nodiscard]] LoadResult LoadScenarioFile(const std::string& path);

// Loads text that is already here; `name` stands for the file in messages.
[[nodiscard]] LoadResult LoadScenarioText(std::string name, std::string text);

}  // namespace kafkasim::scenarios

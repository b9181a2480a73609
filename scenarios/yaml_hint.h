// What is probably meant by a line that is no YAML: words that YAML reads as its own signs and that
// want to be quoted.

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kafkasim::scenarios {

struct YamlHint {
  std::string problem{};     // "a text with { in it has to be quoted"
  std::string suggestion{};  // how to write it; "" if there is no telling
};

// nullopt if the line looks as if its mistake were another one.
[[nodiscard]] std::optional<YamlHint> HintFor(std::string_view line);

}  // namespace kafkasim::scenarios

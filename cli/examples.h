// The scenario files that come with the program; their text is part of it
// (cmake/EmbedScenarios.cmake).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kafkasim::cli {

struct Example {
  std::string_view name{};  // the path below scenarios/ without its ending: lecture/zombie
  std::string_view text{};
};

// Sorted by name.
[[nodiscard]] const std::vector<Example>& Examples();

// The example of that name, with or without `.yaml`. The folder may be left out, and so may the end
// of the name from a dash on (`13` for lecture/13-lso-6-with-t2-open), if only one example fits.
// Null if there is none.
[[nodiscard]] const Example* FindExample(std::string_view name);

// The names of all examples that the beginning of a name fits, as FindExample() reads it.
[[nodiscard]] std::vector<std::string_view> ExamplesBeginningWith(std::string_view name);

// The name that a misspelt one probably stands for; "" if none is near.
[[nodiscard]] std::string ClosestExample(std::string_view name);

}  // namespace kafkasim::cli

// Where the tree lies from which the tests were built. Only source_directory.cc knows it when it is
// compiled, so that a compiler cache serves the other files of every clone.
#pragma once

#include <filesystem>

namespace kafkasim {

[[nodiscard]] const std::filesystem::path& SourceDirectory();

}  // namespace kafkasim

// Sweeps of random walks as a JSON document, from which sweeps of many machines are added up.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/fuzz_sweep.h"

namespace kafkasim::cli {

[[nodiscard]] std::string SweepsJson(const std::vector<scenarios::FuzzSweep>& sweeps);

// Reads such a document into `sweeps`; "" or what is wrong with it.
[[nodiscard]] std::string ReadSweepsJson(std::string_view text,
                                         std::vector<scenarios::FuzzSweep>& sweeps);

}  // namespace kafkasim::cli

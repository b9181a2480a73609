// Which events of a long series are told one by one: of like events within one step of the script
// the first ones and the last one; the others are counted.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace kafkasim::cli {

struct FoldedEvent {
  std::size_t step = 0;  // of the script
  std::string kind{};    // events of the same kind are alike; also what they are called
};

// For each event whether it is told. Nothing of a series of up to eight is left out.
[[nodiscard]] std::vector<bool> ChooseTold(const std::vector<FoldedEvent>& events);

// "… 8 986 more: send 2 998, appended 2 994, acknowledged 2 994" for events left out in a row,
// without the dots.
[[nodiscard]] std::string CountLeftOut(const std::vector<FoldedEvent>& events, std::size_t first,
                                       std::size_t end);

}  // namespace kafkasim::cli

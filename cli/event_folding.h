// Which events of a long series are told one by one: of like events within one step of the script
// the first ones and the last one; the others are counted.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace kafkasim::cli {

// Events of the same step, actor and name are alike.
struct FoldedEvent {
  std::size_t step = 0;  // of the script
  std::string actor{};
  std::string name{};  // what they are called when they are counted: "send", "appended"
};

// For each event whether it is told. Nothing of a series of up to eight is left out.
[[nodiscard]] std::vector<bool> ChooseTold(const std::vector<FoldedEvent>& events);

// "8 986 more: send 2 998, appended 5 988" for the events from index `first` up to `end`,
// exclusive.
[[nodiscard]] std::string CountLeftOut(const std::vector<FoldedEvent>& events, std::size_t first,
                                       std::size_t end);

}  // namespace kafkasim::cli

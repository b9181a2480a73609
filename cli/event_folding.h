// Which events are told one by one and which are only counted. What comes again and again by itself
// (a refused request and its retries) is told once. Of a long series of like events within one step
// of the script the first ones and the last one are told. What is left out is counted where it
// begins, once.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "sim/ids.h"

namespace kafkasim::cli {

// Events are alike if step, actor and name are the same; of those that repeat themselves, also what
// led to them and the rest of what is told.
struct FoldedEvent {
  std::size_t step = 0;  // of the script, when it happened
  std::string actor{};
  std::string name{};   // what they are called when they are counted: "send", "appended"
  std::string clock{};  // when it was, as it is printed
  bool repeats = false;
  sim::EventId origin = sim::kNoEvent;  // of one that repeats: what led to it
  std::string what{};                   // of one that repeats: "refuse EndTxn"
  std::string result{};
};

struct Folding {
  std::vector<bool> told{};  // of each event
  // Lines that say what is left out, each before the first event that it counts.
  std::map<std::size_t, std::vector<std::string>> notes{};
};

// Nothing of a series of up to eight is left out, nor of up to two repetitions.
[[nodiscard]] Folding Fold(const std::vector<FoldedEvent>& events);

}  // namespace kafkasim::cli

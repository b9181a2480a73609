#include "sim/search/workers.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace kafkasim::sim {

void ForEachIndex(size_t count, int32_t threads, const std::function<void(size_t)>& work) {
  constexpr size_t kChunk = 32;
  std::atomic<size_t> taken{0};
  const auto run = [&] {
    for (;;) {
      const size_t begin = taken.fetch_add(kChunk);
      if (begin >= count) return;
      for (size_t i = begin; i < std::min(begin + kChunk, count); ++i) work(i);
    }
  };
  std::vector<std::thread> others;
  const size_t useful = (count + kChunk - 1) / kChunk;
  for (size_t i = 1; i < std::min(static_cast<size_t>(std::max(threads, 1)), useful); ++i) {
    others.emplace_back(run);
  }
  run();
  for (std::thread& other : others) other.join();
}

}  // namespace kafkasim::sim

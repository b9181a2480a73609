// Work that is shared among threads: sim/search/workers.h.
#include "sim/search/workers.h"

#include <atomic>
#include <set>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace kafkasim::sim {
namespace {

// How often each index was worked on.
std::vector<int> CallsOf(Workers& workers, size_t count) {
  std::vector<int> calls(count);
  workers.ForEachIndex(count, [&](size_t i) { ++calls[i]; });
  return calls;
}

TEST(Workers, DoEachPieceOnce) {
  for (const int32_t threads : {0, 1, 2, 3, 7}) {
    Workers workers(threads, /*chunk=*/4);
    for (const size_t count : {0, 1, 3, 4, 5, 8, 100, 1001}) {
      EXPECT_EQ(CallsOf(workers, count), std::vector<int>(count, 1))
          << threads << " threads, " << count;
    }
  }
}

// Two pieces that wait for each other are done by two threads, or never.
TEST(Workers, WorkAtOnce) {
  Workers workers(2, /*chunk=*/1);
  for (int round = 0; round < 100; ++round) {
    std::atomic<int> here{0};
    workers.ForEachIndex(2, [&](size_t) {
      ++here;
      while (here < 2) std::this_thread::yield();
    });
    EXPECT_EQ(here, 2);
  }
}

TEST(Workers, KeepTheirThreads) {
  Workers workers(2, /*chunk=*/1);
  std::vector<std::thread::id> ids(400);
  for (int round = 0; round < 4; ++round) {
    workers.ForEachIndex(100, [&](size_t i) {
      ids[static_cast<size_t>(round) * 100 + i] = std::this_thread::get_id();
    });
  }
  EXPECT_LE(std::set<std::thread::id>(ids.begin(), ids.end()).size(), 2u);
}

}  // namespace
}  // namespace kafkasim::sim

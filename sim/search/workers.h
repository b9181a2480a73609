// Work that is shared among threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

namespace kafkasim::sim {

// Calls work(i) for each i below `count`, on `threads` threads, in no particular order. Nothing
// that the calls have in common may change meanwhile.
void ForEachIndex(size_t count, int32_t threads, const std::function<void(size_t)>& work);

}  // namespace kafkasim::sim

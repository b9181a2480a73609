// Work that is shared among threads.
//
// The threads live as long as the object: each keeps its memory and its caches from one piece of
// work to the next. Each begins with a stretch of its own, so that what follows from what it has
// made is its own again, and helps the others when it is through.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace kafkasim::sim {

class Workers {
 public:
  // `threads` of them, the caller's own included; at least one. Each takes `chunk` calls at once;
  // fewer are not worth to wake another.
  Workers(int32_t threads, size_t chunk);
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers();

  // Calls work(i) for each i below `count`, on all threads, in no particular order. Nothing that
  // the calls have in common may change meanwhile. From one thread.
  void ForEachIndex(size_t count, const std::function<void(size_t)>& work);

 private:
  // What one thread begins with: the indices from `next` to `end`.
  struct Stretch {
    std::atomic<size_t> next{0};
    size_t end = 0;
  };

  void Help(size_t thread);
  // Takes part in the work that is under way.
  // What a call throws ends the program: the others are at it still.
  void Work(size_t thread) noexcept;

  size_t chunk_;
  std::vector<Stretch> stretches_;  // one a thread
  const std::function<void(size_t)>* work_ = nullptr;
  std::vector<std::thread> helpers_;
  std::mutex mutex_;
  std::condition_variable begun_;
  std::condition_variable done_;
  // Guarded by the mutex; the work and its stretches are written before a round begins.
  uint64_t round_ = 0;
  size_t busy_ = 0;  // helpers that are at it
  bool ends_ = false;
};

}  // namespace kafkasim::sim

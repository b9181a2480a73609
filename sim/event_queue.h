// The queue of what is due: entries ordered by (time, sequence). The sequence number is given at
// insertion, so that equal times are served in the order of their scheduling.
//
// A 4-ary heap of trivially copyable entries in one vector: copying the queue is one allocation and
// one memcpy. Entries that are cancelled are not removed one by one: whoever cancels one lets it
// come out and recognises it as stale, and clears the queue of stale ones when they have become
// many.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/time.h"

namespace kafkasim::sim {

struct QueueEntry {
  Time at{};
  uint64_t sequence = 0;
  uint32_t slot = 0;  // which timer or link; the owner of the queue knows
  bool is_timer = false;

  [[nodiscard]] bool Before(const QueueEntry& other) const {
    return at != other.at ? at < other.at : sequence < other.sequence;
  }
};

class EventQueue {
 public:
  void Push(const QueueEntry& entry);
  // The earliest entry; the queue must not be empty.
  [[nodiscard]] const QueueEntry& top() const { return heap_.front(); }
  void Pop() { RemoveAt(0); }
  // The entry at this place among entries().
  void RemoveAt(size_t place);
  // Drops all entries for which stale(entry) holds; looks at every one.
  template <typename Predicate>
  void RemoveIf(Predicate stale) {
    std::vector<QueueEntry> all;
    all.swap(heap_);
    heap_.reserve(all.size());
    for (const QueueEntry& entry : all) {
      if (!stale(entry)) Push(entry);
    }
  }

  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] size_t size() const { return heap_.size(); }
  // All entries in no particular order, for those who look at everything that is due.
  [[nodiscard]] const std::vector<QueueEntry>& entries() const { return heap_; }

 private:
  static constexpr size_t kArity = 4;

  // Puts `entry` where it belongs above or below a hole.
  void SiftUp(size_t hole, const QueueEntry& entry);
  void SiftDown(size_t hole, const QueueEntry& entry);

  std::vector<QueueEntry> heap_;
};

}  // namespace kafkasim::sim

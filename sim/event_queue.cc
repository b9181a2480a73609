#include "sim/event_queue.h"

#include <algorithm>

namespace kafkasim::sim {

void EventQueue::Push(const QueueEntry& entry) {
  size_t hole = heap_.size();
  heap_.push_back(entry);
  while (hole > 0) {
    const size_t parent = (hole - 1) / kArity;
    if (!entry.Before(heap_[parent])) break;
    heap_[hole] = heap_[parent];
    hole = parent;
  }
  heap_[hole] = entry;
}

void EventQueue::Pop() {
  const QueueEntry last = heap_.back();
  heap_.pop_back();
  if (heap_.empty()) return;
  size_t hole = 0;
  for (;;) {
    const size_t first = hole * kArity + 1;
    if (first >= heap_.size()) break;
    const size_t end = std::min(first + kArity, heap_.size());
    size_t least = first;
    for (size_t child = first + 1; child < end; ++child) {
      if (heap_[child].Before(heap_[least])) least = child;
    }
    if (!heap_[least].Before(last)) break;
    heap_[hole] = heap_[least];
    hole = least;
  }
  heap_[hole] = last;
}

}  // namespace kafkasim::sim

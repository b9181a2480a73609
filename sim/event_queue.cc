#include "sim/event_queue.h"

#include <algorithm>

namespace kafkasim::sim {

void EventQueue::Push(const QueueEntry& entry) {
  heap_.push_back(entry);
  SiftUp(heap_.size() - 1, entry);
}

void EventQueue::RemoveAt(size_t place) {
  const QueueEntry last = heap_.back();
  heap_.pop_back();
  if (place == heap_.size()) return;
  if (place > 0 && last.Before(heap_[(place - 1) / kArity])) {
    SiftUp(place, last);
  } else {
    SiftDown(place, last);
  }
}

void EventQueue::SiftUp(size_t hole, const QueueEntry& entry) {
  while (hole > 0) {
    const size_t parent = (hole - 1) / kArity;
    if (!entry.Before(heap_[parent])) break;
    heap_[hole] = heap_[parent];
    hole = parent;
  }
  heap_[hole] = entry;
}

void EventQueue::SiftDown(size_t hole, const QueueEntry& entry) {
  for (;;) {
    const size_t first = hole * kArity + 1;
    if (first >= heap_.size()) break;
    const size_t end = std::min(first + kArity, heap_.size());
    size_t least = first;
    for (size_t child = first + 1; child < end; ++child) {
      if (heap_[child].Before(heap_[least])) least = child;
    }
    if (!heap_[least].Before(entry)) break;
    heap_[hole] = heap_[least];
    hole = least;
  }
  heap_[hole] = entry;
}

}  // namespace kafkasim::sim

// Things that wait for an answer, each in a numbered slot; the number is the token that the answer
// brings back. The lowest free slot is taken first, so that numbers say nothing about how many came
// before: two worlds that only differ in their past look alike.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sim/check.h"
#include "sim/fingerprint.h"

namespace kafkasim::coordinator {

template <typename T>
class SlotTable {
 public:
  // The slot that the next Put() takes.
  [[nodiscard]] uint32_t NextFree() const {
    uint32_t slot = 0;
    while (slot < slots_.size() && slots_[slot].has_value()) ++slot;
    return slot;
  }

  uint32_t Put(T value) {
    const uint32_t slot = NextFree();
    if (slot == slots_.size()) slots_.emplace_back();
    slots_[slot] = std::move(value);
    return slot;
  }

  [[nodiscard]] T& At(uint32_t slot) {
    KAFKASIM_CHECK(slot < slots_.size() && slots_[slot].has_value(),
                   "an answer to something asked");
    return *slots_[slot];
  }

  // Takes the content out; the slot is free again.
  [[nodiscard]] T Take(uint32_t slot) {
    T value = std::move(At(slot));
    slots_[slot].reset();
    while (!slots_.empty() && !slots_.back().has_value()) slots_.pop_back();
    return value;
  }

  [[nodiscard]] bool empty() const { return slots_.empty(); }
  [[nodiscard]] const std::vector<std::optional<T>>& slots() const { return slots_; }

  void AppendTo(sim::CanonicalBytes& out) const { out.AddAll(slots_); }

 private:
  std::vector<std::optional<T>> slots_;
};

}  // namespace kafkasim::coordinator

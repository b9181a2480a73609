#include "sim/search/state_table.h"

#include <cmath>
#include <utility>

namespace kafkasim::sim {

size_t StateTable::SlotOf(const Fingerprint& fingerprint) const {
  const size_t mask = slots_.size() - 1;
  size_t slot = fingerprint.low & mask;
  while (slots_[slot] != Fingerprint{} && slots_[slot] != fingerprint) slot = (slot + 1) & mask;
  return slot;
}

bool StateTable::Contains(const StateKey& key) const {
  if (exact_) return exact_states_.contains(key.bytes);
  return slots_[SlotOf(key.fingerprint)] == key.fingerprint;
}

bool StateTable::Insert(const StateKey& key) {
  if (exact_) {
    const bool fresh = exact_states_.insert(key.bytes).second;
    if (fresh) exact_bytes_ += key.bytes.size();
    return fresh;
  }
  const size_t slot = SlotOf(key.fingerprint);
  if (slots_[slot] == key.fingerprint) return false;
  slots_[slot] = key.fingerprint;
  if (++size_ * 10 > slots_.size() * 7) Grow();
  return true;
}

void StateTable::Grow() {
  const std::vector<Fingerprint> old =
      std::exchange(slots_, std::vector<Fingerprint>(slots_.size() * 2));
  for (const Fingerprint& fingerprint : old) {
    if (fingerprint != Fingerprint{}) slots_[SlotOf(fingerprint)] = fingerprint;
  }
}

uint64_t StateTable::bytes() const {
  constexpr uint64_t kNode = 40;  // about what a string costs beside its bytes
  return exact_ ? exact_bytes_ + exact_states_.size() * kNode : slots_.size() * sizeof(Fingerprint);
}

double CollisionChance(uint64_t states) {
  const auto n = static_cast<double>(states);
  return std::ldexp(n * n, -129);
}

}  // namespace kafkasim::sim
